import GhostModel
import TrackFormats
import TrackModel

extension ComparisonOutput {
  public static let csv = ComparisonOutput(name: "csv", title: "CSV: the gap along the shared road") {
    document, _, sink throws(TrackError) in
    var sink = sink
    try CSVExport(document).write(to: &sink)
    return sink.bytes
  }
}

/// Writes the gaps of a comparison as CSV (RFC 4180, with line feeds), one row per position on the shared
/// road.
///
/// | column | meaning |
/// | --- | --- |
/// | `first`, `second` | labels of the pair |
/// | `stretch` | number of the stretch of shared road, starting at 1; stretches are not connected |
/// | `latitude`, `longitude` | degrees, on the first drive |
/// | `time` | time of the first drive on the ``SharedClock``; the second drive passed `gap_s` later |
/// | `distance_m` | along the first drive |
/// | `first_elapsed_s`, `second_elapsed_s` | since each drive's first recorded point |
/// | `gap_s` | positive if the second drive is behind |
/// | `ahead` | label of the drive that is ahead, empty if they are level |
private struct CSVExport {
  private let document: ComparisonDocument

  init(_ document: ComparisonDocument) { self.document = document }

  func write(to sink: inout ByteSink) throws(TrackError) {
    sink.buffer.append(
      "first,second,stretch,latitude,longitude,time,distance_m,first_elapsed_s,second_elapsed_s,gap_s,ahead\n"
    )
    let clock = SharedClock(document)
    for pair in document.comparison.pairs {
      let first = CSVExport.field(document.comparison.drives[pair.first].label)
      let second = CSVExport.field(document.comparison.drives[pair.second].label)
      let profile = pair.profile
      for (index, stretch) in profile.stretches.enumerated() {
        for row in stretch {
          sink.buffer.append(first)
          sink.buffer.append(",")
          sink.buffer.append(second)
          sink.buffer.append(",\(index + 1),")
          sink.buffer.append(degrees: profile.latitudes[row])
          sink.buffer.append(",")
          sink.buffer.append(degrees: profile.longitudes[row])
          sink.buffer.append(",")
          let time = clock.time(profile.firstElapsed[row], of: pair.first)
          ISO8601.append(SharedClock.instant(time), to: &sink.buffer)
          let gap = CSVExport.thousandths(profile.gaps[row])
          for value in [profile.distances[row], profile.firstElapsed[row], profile.secondElapsed[row], gap] {
            sink.buffer.append(",")
            sink.buffer.append(decimal: CSVExport.thousandths(value))
          }
          sink.buffer.append(",")
          if gap != 0 { sink.buffer.append(gap > 0 ? first : second) }
          sink.buffer.append("\n")
          try sink.flush()
        }
      }
    }
    try sink.finish()
  }

  /// Three decimals: millimetres and milliseconds.
  private static func thousandths(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

  /// Quotes a field if necessary.
  private static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}
