import GhostModel
import TrackFormats
import TrackModel

extension ComparisonOutput {
  /// A table of the gap along the shared road, with one row per position and a heading (RFC 4180).
  public static let csv = ComparisonOutput(name: "csv", title: "CSV: the gap along the shared road") {
    document, options, sink throws(TrackError) in
    var sink = sink
    try CSVExport(document, options).write(to: &sink)
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
/// | `time` | time of the first drive on the ``ExportClock``; the second drive passed `gap_s` later |
/// | `distance_m` | along the first drive |
/// | `first_elapsed_s`, `second_elapsed_s` | since each drive's first recorded point |
/// | `gap_s` | positive if the second drive is behind |
/// | `ahead` | label of the drive that is ahead, empty if they are level |
///
/// For a route, the rows are the marks of its ``RouteFigures``, with the gaps to the fastest drive since the
/// start of the compared stretch, so that the last gap is that of the ranking.
private struct CSVExport {
  private let document: ComparisonDocument
  private let clock: ExportClock
  private let labels: [String]

  init(_ document: ComparisonDocument, _ options: ExportOptions) {
    self.document = document
    clock = ExportClock(document)
    // Somebody may print the table in a terminal. Line feeds are quoted.
    labels = document.comparison.drives.map {
      let scalars = $0.label.unicodeScalars.map { $0 == "\n" ? $0 : Escaping.harmless($0) }
      let label = String(String.UnicodeScalarView(scalars))
      return options.quotesFormulas ? CSVWriter.quotingFormula(label) : label
    }
  }

  func write(to sink: inout ByteSink) throws(TrackError) {
    sink.buffer.append(
      "first,second,stretch,latitude,longitude,time,distance_m,first_elapsed_s,second_elapsed_s,gap_s,ahead\n"
    )
    if let route = document.route, let measure = route.measuredProfile(document.comparison) {
      try write(route, measure, to: &sink)
    } else {
      for pair in document.comparison.pairs { try write(pair, to: &sink) }
    }
    try sink.finish()
  }

  private func write(_ pair: PairComparison, to sink: inout ByteSink) throws(TrackError) {
    let profile = pair.profile
    for (index, stretch) in profile.stretches.enumerated() {
      for row in stretch {
        try write(
          pair.first, pair.second, stretch: index + 1,
          Coordinate(latitude: profile.latitudes[row], longitude: profile.longitudes[row]),
          distance: profile.distances[row],
          elapsed: Paired(profile.firstElapsed[row], profile.secondElapsed[row]),
          gap: profile.gaps[row], to: &sink)
      }
    }
  }

  /// Writes the gaps of the drawn drives of a route to the fastest drive, which is the first.
  ///
  /// - Parameter measure: a profile along the fastest drive.
  private func write(
    _ route: RouteFigures, _ measure: GapProfile, to sink: inout ByteSink
  ) throws(TrackError) {
    for (second, drive) in route.shown.enumerated().dropFirst() {
      for (index, line) in route.gaps(of: drive).enumerated() {
        for (elapsed, gap) in line {
          try write(
            0, second, stretch: index + 1, document.traces[0].coordinate(atElapsed: elapsed),
            distance: measure.distance(atFirstElapsed: elapsed),
            elapsed: Paired(
              elapsed, elapsed - route.start(of: route.shown[0]) + route.start(of: drive) + gap),
            gap: gap, to: &sink)
        }
      }
    }
  }

  private func write(
    _ first: Int, _ second: Int, stretch: Int, _ place: Coordinate, distance: Double, elapsed: Paired<Double>,
    gap: Double, to sink: inout ByteSink
  ) throws(TrackError) {
    sink.buffer.append(csvText: labels[first])
    sink.buffer.append(",")
    sink.buffer.append(csvText: labels[second])
    sink.buffer.append(",\(stretch),")
    sink.buffer.append(degrees: place.latitude)
    sink.buffer.append(",")
    sink.buffer.append(degrees: place.longitude)
    sink.buffer.append(",")
    ISO8601.append(ExportClock.instant(clock.time(elapsed.first, of: first)), to: &sink.buffer)
    let gap = CSVExport.thousandths(gap)
    for value in [distance, elapsed.first, elapsed.second, gap] {
      sink.buffer.append(",")
      sink.buffer.append(decimal: CSVExport.thousandths(value))
    }
    sink.buffer.append(",")
    if gap != 0 { sink.buffer.append(csvText: labels[gap > 0 ? first : second]) }
    sink.buffer.append("\n")
    try sink.flush()
  }

  /// Three decimals: millimetres and milliseconds.
  private static func thousandths(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
