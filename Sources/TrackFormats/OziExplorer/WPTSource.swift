import TrackModel

/// Reads the waypoints of OziExplorer: four lines about the file, then a row per waypoint with number, name,
/// latitude, longitude, days since 30 December 1899, …, description in the eleventh cell, and elevation in
/// feet in the fifteenth.
struct WPTSource: LogSource, ~Copyable {
  private var lines: TextLines
  private let options: ReadingOptions
  var log = WarningLog()
  /// The number of cells of the previous row.
  private var cellCount = 0
  /// Whether lines of the head were lost, so that the next row is the first waypoint.
  private var isHeadDamaged = false

  init(_ input: consuming ByteInput, options: ReadingOptions) {
    lines = TextLines(input, options)
    self.options = options
  }

  mutating func next() throws(TrackError) -> LogEntry? {
    while try lines.advance() {
      if lines.number == 2, let message = OziExplorerHead.warning(ofDatum: lines.line) {
        try log.report(.otherDatum, message, isStrict: options.isStrict, at: lines.place)
      }
      if lines.flaw != nil { isHeadDamaged = true }
      guard lines.number > 4 || isHeadDamaged, !lines.line.trimmedText.isEmpty || lines.flaw != nil else {
        continue
      }
      let row = OziExplorerRow(lines.line)
      if !lines.isClosed, lines.flaw == nil, row.count < cellCount {
        throw TrackError(.truncated, "the file ends inside a row", place: lines.place)
      }
      if lines.flaw == nil { cellCount = row.count }
      guard let latitude = row.number(2), let longitude = row.number(3),
        case let coordinate = Coordinate(latitude: latitude, longitude: longitude), coordinate.isValid
      else {
        try log.report(
          .invalidPosition, "waypoint without a valid position, skipped", line: lines,
          isStrict: options.isStrict)
        continue
      }
      var waypoint = Waypoint(coordinate: coordinate)
      waypoint.time = row.time(4).map { Instant(microseconds: $0) }
      waypoint.details.name = row.textWithCommas(1)
      waypoint.details.description = row.textWithCommas(10)
      if let elevation = row.elevation(14) { waypoint.values[.elevation] = elevation }
      return .waypoint(waypoint)
    }
    guard lines.number >= 4 else {
      throw TrackError(.truncated, "the file ends before its waypoints", place: lines.place)
    }
    return nil
  }
}
