package import DriveMatching
import TrackFormats
package import TrackModel

extension LapRanking {
  /// Writes a table of all laps as CSV, with the names of ``json`` and a column per sector.
  ///
  /// - Parameter quotesFormulas: whether to write an apostrophe before text that spreadsheets would run as a
  ///   formula.
  package func writeTable(to path: String, quotesFormulas: Bool = false) throws(TrackError) {
    var sink = try ByteSink(path: path)
    let sectors = entries.map(\.lap.sectors.count).max() ?? 0
    let sectorNames = (0..<sectors).map { "sector_\($0 + 1)_s" }
    for (index, entry) in entries.enumerated() {
      let members = members(of: entry)
      let single = members.filter { $0.0 != "sectors_s" }
      if index == 0 {
        sink.buffer.append((single.map(\.0) + sectorNames).joined(separator: ",") + "\n")
      }
      var values = single.map(\.1)
      if case .array(let times) = members.first(where: { $0.0 == "sectors_s" })?.1 { values += times }
      values += Array(repeating: .null, count: single.count + sectors - values.count)
      for (column, value) in values.enumerated() {
        if column > 0 { sink.buffer.append(",") }
        switch value {
        case .null: break
        case .string(let text):
          sink.buffer.append(csvText: quotesFormulas ? CSVWriter.quotingFormula(text) : text)
        default: sink.buffer.append(value.text)
        }
      }
      sink.buffer.append("\n")
      try sink.flush()
    }
    try sink.finish()
  }
}
