import TrackModel

/// Reads the tracks of OziExplorer: six lines about the track, then a row per point with latitude, longitude,
/// 1 for the start of a segment, elevation in feet, and days since 30 December 1899.
///
/// Times are UTC by convention. The date and time that follow as text are in the writer's language and
/// ignored. Rows with other bytes than numbers in front are skipped with a warning.
struct PLTSource: LogSource, ~Copyable {
  private var lines: TextLines
  private let options: ReadingOptions
  var log = WarningLog()
  private var head = OziExplorerHead()
  /// The number of cells of the previous row. A row is complete if a cell follows that of the time.
  private var cellCount = 0
  /// Whether lines of the head were lost, so that the next row is the first one.
  private var isHeadDamaged = false

  init(_ input: consuming ByteInput, options: ReadingOptions) {
    lines = TextLines(input, options)
    self.options = options
  }

  mutating func next() throws(TrackError) -> LogEntry? {
    while try lines.advance() {
      if let flaw = lines.flaw, lines.number <= 6 {
        isHeadDamaged = true
        try log.report(flaw.code, flaw.message, line: lines, isStrict: options.isStrict)
        continue
      }
      if isHeadDamaged, lines.number <= 6,
        case .point(let point, _) = PLTSource.row(lines.line, isMetric: head.isMetric)
      {
        return .point(point)
      }
      switch lines.number {
      case 1, 4, 6: continue
      case 2:
        if let message = OziExplorerHead.warning(ofDatum: lines.line) {
          try log.report(.otherDatum, message, isStrict: options.isStrict, at: lines.place)
        }
      case 3: head.takeUnit(lines.line)
      case 5:
        head.takeTrack(lines.line)
        return .track(head.track)
      default:
        let cells = OziExplorerRow(lines.line).count
        if !lines.isClosed, lines.flaw == nil, cells < min(cellCount, 6) {
          throw TrackError(.truncated, "the file ends inside a row", place: lines.place)
        }
        if lines.flaw == nil { cellCount = cells }
        switch PLTSource.row(lines.line, isMetric: head.isMetric) {
        case .point(let point, let startsSegment):
          return .point(point, starts: startsSegment ? .segment : nil)
        case .blank: if let flaw = lines.flaw { try warn(flaw.message) }
        case .invalid(let message): try warn(message)
        }
      }
    }
    guard lines.number >= 5 else {
      throw TrackError(.truncated, "the file ends before its points", place: lines.place)
    }
    return nil
  }

  private enum Row {
    case point(LogPoint, startsSegment: Bool)
    case blank
    case invalid(String)
  }

  private static func row(_ line: Span<UInt8>, isMetric: Bool) -> Row {
    let row = OziExplorerRow(line)
    guard let latitude = row.number(0), let longitude = row.number(1) else {
      return line.indexAfterBlanks(from: 0) < line.count
        ? .invalid("row without a position, skipped") : .blank
    }
    var point = LogPoint(latitude: latitude, longitude: longitude)
    guard point.isValid else { return .invalid("position out of range, point skipped") }
    if let time = row.time(4) { point.time = time }
    point[.elevation] = row.elevation(3, isMetric: isMetric)
    return .point(point, startsSegment: row.integer(2) == 1)
  }

  private mutating func warn(_ message: String) throws(TrackError) {
    try log.report(.invalidPosition, message, line: lines, isStrict: options.isStrict)
  }
}
