public import TrackModel

/// Reads what gpsd tells its clients: a JSON object a line, of which the reports of class TPV are trackpoints
/// where their mode says that there is a fix (2 or 3). Everything else that gpsd says is passed over; a line
/// that is no JSON is counted. All trackpoints are one track with one segment.
///
/// After gpsd's own description of its protocol, gpsd_json(5). From a connection, a point is delivered as
/// soon as its line is there.
public struct GPSDReader: TrackReader, ~Copyable {
  private var input: ByteInput
  private let options: ReadingOptions
  private var log = WarningLog()
  private var state = State.start
  private var pendingError: TrackError?
  private var line = 0
  /// Bytes of the window in which no end of a line was found.
  private var searched = 0
  /// Whether gpsd has said anything.
  public private(set) var hasReport = false

  private enum State { case start, track, segment, lines, closing, ending, end }

  /// A line of more bytes is none of gpsd's, whose own limit is 10,240 for what is no satellite picture.
  private static let maximumLine = 1 << 16

  /// - Parameter input: what gpsd sends, from its first byte.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.input = input
    self.options = options
  }

  public var warnings: [TrackWarning] { log.warnings }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    if let error = pendingError {
      pendingError = nil
      state = .end
      throw error
    }
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
      do throws(TrackError) {
        if try read(into: &batch) { return .points }
      } catch {
        guard batch.count > 0 else {
          state = .end
          throw error
        }
        pendingError = error
        return .points
      }
      state = .closing
      return .endSegment
    case .closing:
      state = .ending
      return .endTrack
    case .ending, .end:
      state = .end
      return nil
    }
  }

  /// Reads lines until there is a point and nothing more to be had without waiting.
  ///
  /// - Returns: false at the end, without a point.
  private mutating func read(into batch: inout PointBatch) throws(TrackError) -> Bool {
    while !batch.isFull {
      guard let end = endOfLine() else {
        if batch.count > 0 { return true }
        if searched > GPSDReader.maximumLine {
          throw TrackError(
            .limitExceeded, "a line of more than \(GPSDReader.maximumLine) bytes", file: input.name,
            place: Place(line: line + 1))
        }
        if try input.fill() { continue }
        // The last line may lack its end.
        let rest = input.available.count
        if rest > 0 { try take(rest, into: &batch) }
        guard hasReport else {
          throw TrackError(
            .malformed, "holds no report of gpsd", file: input.name,
            suggestion: .recordReportsOrReadAsNMEA)
        }
        return batch.count > 0
      }
      try take(end, into: &batch)
      if !input.available.isEmpty { input.consume(1) }
    }
    return true
  }

  /// Where the line at the front of the window ends.
  private mutating func endOfLine() -> Int? {
    while searched < input.available.count {
      if input.available[searched] == 0x0A { return searched }
      searched += 1
    }
    return nil
  }

  /// Takes so many bytes as a line.
  private mutating func take(_ count: Int, into batch: inout PointBatch) throws(TrackError) {
    line += 1
    searched = 0
    var text: [UInt8] = []
    text.reserveCapacity(count)
    for index in 0..<count { text.append(input.available[index]) }
    input.consume(count)
    guard text.contains(where: { $0 > 0x20 }) else { return }
    do throws(TrackError) {
      var report = GPSDReport()
      try report.read(text)
      hasReport = hasReport || report.isReport
      report.append(to: &batch)
    } catch {
      try log.report(
        .cutLine, "line that is no JSON object, left out", isStrict: options.isStrict,
        at: Place(line: line), offendingText: String(decoding: text.prefix(40), as: UTF8.self))
    }
  }
}

extension TrackWarning.Code {
  static let cutLine = TrackWarning.Code("cut line")
}
