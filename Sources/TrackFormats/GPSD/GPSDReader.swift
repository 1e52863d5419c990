public import TrackModel

/// Reads reports of gpsd, one JSON object per line.
///
/// TPV reports with a fix (mode 2 or 3) are trackpoints of one track with one segment, with the satellites of
/// the last SKY report. Of several receivers,
/// the first one with a fix is read, and another one if it is silent for ten seconds. Other reports are
/// ignored, and lines that are not JSON are counted. Source: gpsd_json(5). From a connection, a point is
/// delivered when its line has arrived.
public struct GPSDReader: FaultDeferringReader, ~Copyable {
  private var input: ByteInput
  private let options: ReadingOptions
  private var log = WarningLog()
  private var state = State.start
  var fault = ReadingFault.none
  private var line = 0
  /// The number of bytes already searched for a line end.
  private var searched = 0
  /// Whether any report has been read.
  public private(set) var hasReport = false
  /// The last report about satellites.
  private var sky: GPSDReport?
  /// The receiver of the last point, and its time.
  private var receiver: (device: String?, time: Instant?)?
  /// The seconds without a fix after which another receiver is read.
  private static let longestSilence = 10.0

  private enum State { case start, track, segment, lines, closing, ending }

  /// Creates a reader. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - input: the reports from the first byte.
  ///   - options: the options for reading.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.input = input
    self.options = options
  }

  public var warnings: [TrackWarning] { log.warnings }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try nextEvent(into: &batch)
  }

  mutating func advance(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    switch state {
    case .start:
      state = .track
      return .header(FileInfo())
    case .track:
      state = .segment
      return .beginTrack(TrackInfo())
    case .segment:
      state = .lines
      return .beginSegment
    case .lines:
      if try read(into: &batch) { return .points }
      state = .closing
      return .endSegment
    case .closing:
      state = .ending
      return .endTrack
    case .ending: return nil
    }
  }

  /// Reads lines until there is a point and no further input is available without waiting.
  ///
  /// - Returns: false at the end, without a point.
  private mutating func read(into batch: inout PointBatch) throws(TrackError) -> Bool {
    while !batch.isFull {
      guard let end = endOfLine() else {
        if batch.count > 0 { return true }
        if searched > options.limits.lineSize { throw tooLong }
        if try input.fill() { continue }
        // The last line may have no line end.
        let rest = input.available.count
        if rest > 0 { try take(rest, into: &batch) }
        guard hasReport else {
          throw TrackError(
            .malformed, "no gpsd report", file: input.name,
            suggestion: .recordReportsOrReadAsNMEA)
        }
        return batch.count > 0
      }
      if end > options.limits.lineSize { throw tooLong }
      try take(end, into: &batch)
      if !input.available.isEmpty { input.consume(1) }
    }
    return true
  }

  private var tooLong: TrackError {
    TrackError(
      .limitExceeded, "line of more than \(ReadingLimits.text(size: options.limits.lineSize))",
      file: input.name,
      place: InputLocation(line: line + 1))
  }

  /// Returns the end of the first line in the buffer.
  private mutating func endOfLine() -> Int? {
    while searched < input.available.count {
      if input.available[searched] == 0x0A { return searched }
      searched += 1
    }
    return nil
  }

  /// Whether a report with a fix is to be skipped, because another receiver is being read.
  private mutating func isOfOther(_ report: GPSDReport) -> Bool {
    if let receiver, let device = receiver.device, let other = report.device, other != device {
      guard let last = receiver.time, let time = report.time,
        abs(time.seconds(since: last)) >= Self.longestSilence
      else { return true }
    }
    receiver = (report.device ?? receiver?.device, report.time ?? receiver?.time)
    return false
  }

  /// Processes a line of `count` bytes.
  private mutating func take(_ count: Int, into batch: inout PointBatch) throws(TrackError) {
    line += 1
    searched = 0
    var text: [UInt8] = []
    text.reserveCapacity(count)
    for index in 0..<count { text.append(input.available[index]) }
    input.consume(count)
    guard text.contains(where: { $0 > 0x20 }) else { return }
    var hasInvalidPosition = false
    var isOther = false
    do throws(TrackError) {
      var report = GPSDReport()
      try report.read(text)
      hasReport = hasReport || report.isReport
      if report.isSky { sky = report }
      if report.hasFix, isOfOther(report) {
        isOther = true
      } else {
        hasInvalidPosition = !report.append(to: &batch, sky?.isOfOther(report) == true ? nil : sky)
      }
    } catch {
      try log.report(
        .cutLine, "line that is not a JSON object, skipped", isStrict: options.isStrict,
        at: InputLocation(line: line), offendingText: String(decoding: text.prefix(40), as: UTF8.self))
    }
    if isOther {
      try log.report(
        .otherReceiver, "position of another receiver, skipped", isStrict: false,
        at: InputLocation(line: line))
    }
    if hasInvalidPosition {
      try log.report(
        .invalidPosition, "position out of range, point skipped", isStrict: options.isStrict,
        at: InputLocation(line: line))
    }
  }
}

extension TrackWarning.Code {
  static let otherReceiver = TrackWarning.Code("other-receiver")
  static let cutLine = TrackWarning.Code("cut-line")
}
