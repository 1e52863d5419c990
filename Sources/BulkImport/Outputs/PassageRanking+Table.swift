package import DriveLibrary
import DriveMatching
import TrackFormats
package import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PassageRanking {
  /// Writes a table of all passages as CSV.
  ///
  /// - Parameter quotesFormulas: whether to write an apostrophe before text that spreadsheets would run as a
  ///   formula.
  package func writeTable(to path: String, quotesFormulas: Bool = false) throws(TrackError) {
    func safe(_ text: String) -> String { quotesFormulas ? CSVWriter.quotingFormula(text) : text }
    var sink = try ByteSink(path: path)
    sink.buffer.append(
      "time,drive,name,kind,duration_s,uncertainty_s,gap_s,average_speed_mps,waiting_s,same_ride_as,enter_s,"
        + "same_ride_enter_s\n")
    for entry in recordings {
      let passage = entry.passage
      sink.buffer.append("\(entry.start?.description ?? ""),\(entry.drive.uuidString),")
      sink.buffer.append(csvText: safe(entry.name))
      sink.buffer.append(",")
      sink.buffer.append(csvText: safe(entry.kind ?? ""))
      for (value, digits) in [
        (passage.duration, 3), (passage.uncertainty, 3), (passage.duration - best, 3),
        (passage.averageSpeed, 3), (passage.waiting, 1),
      ] {
        sink.buffer.append(",\(Formatted.fixed(value, digits))")
      }
      let original = entry.original
      sink.buffer.append(
        ",\(original?.drive.uuidString ?? ""),\(Formatted.fixed(passage.start, 3)),"
          + "\(original.map { Formatted.fixed($0.start, 3) } ?? "")\n")
      try sink.flush()
    }
    try sink.finish()
  }
}
