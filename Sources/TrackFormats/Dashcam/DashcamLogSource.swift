import TrackModel

/// Reads the log of a 70mai dashcam (`GPSData000001.txt`): `$V02` at each start of the camera, then rows of
/// 13 cells with time, `A` for a fix, latitude, longitude, course in hundredths of a degree and speed in
/// centimetres per second.
///
/// Each start with a fix is a track with one segment. The camera's clock is 8 hours behind UTC, because it
/// converts UTC as if it were the time of China. Right after a start the clock can be near 0; these points
/// have no time.
struct DashcamLogSource: LogSource, ~Copyable {
  private var lines: TextLines
  private let options: ReadingOptions
  var log = WarningLog()

  private static let cells = 13
  private static let clockOffset = 28_800.0
  /// The clock is not set before this time: the year 2000.
  private static let firstTime = 946_684_800.0

  init(_ input: consuming ByteInput, options: ReadingOptions) {
    lines = TextLines(input, options)
    self.options = options
  }

  mutating func next() throws(TrackError) -> LogEntry? {
    while try lines.advance() {
      if DashcamLogSource.isStart(lines.line) { return .track(TrackInfo()) }
      guard lines.line.indexAfterBlanks(from: 0) < lines.line.count || lines.flaw != nil else { continue }
      guard let (isFix, point) = DashcamLogSource.row(lines.line) else {
        try warn("damaged row, skipped")
        continue
      }
      guard isFix else {
        try log.report(.noFix, "row without a fix, skipped", line: lines, isStrict: false)
        continue
      }
      guard point.isValid else {
        try warn("position out of range, point skipped")
        continue
      }
      return .point(point)
    }
    guard lines.number > 0 else { throw TrackError(.truncated, "the file is empty") }
    return nil
  }

  /// Whether a line is the mark of a start, with the version of the log.
  static func isStart(_ line: Span<UInt8>) -> Bool { line.starts(with: "$V0") }

  /// Returns whether the camera had a fix, and the position; nil for another line.
  static func row(_ line: Span<UInt8>) -> (isFix: Bool, LogPoint)? {
    var index = 0
    var ends: [Int] = []
    while index < line.count {
      if line[index] == UInt8(ascii: ",") { ends.append(index) }
      index += 1
    }
    ends.append(line.count)
    guard ends.count == cells else { return nil }
    func number(_ cell: Int) -> Double? {
      DecimalReading.read(line.extracting((cell == 0 ? 0 : ends[cell - 1] + 1)..<ends[cell]))
    }
    guard ends[1] == ends[0] + 2, case let status = line[ends[0] + 1],
      status == UInt8(ascii: "A") || status == UInt8(ascii: "V"), let seconds = number(0),
      let latitude = number(2), let longitude = number(3)
    else { return nil }
    var point = LogPoint(latitude: latitude, longitude: longitude)
    if seconds >= firstTime, let time = Instant(secondsSince1970: seconds + clockOffset) {
      point.time = time.microseconds
    }
    if let course = number(4), course >= 0, course <= 36_000 {
      point[.course] = course == 36_000 ? 0 : course / 100
    }
    if let speed = number(5), speed >= 0 { point[.speed] = speed / 100 }
    return (status == UInt8(ascii: "A"), point)
  }

  private mutating func warn(_ message: String) throws(TrackError) {
    try log.report(.invalidPosition, message, line: lines, isStrict: options.isStrict)
  }
}
