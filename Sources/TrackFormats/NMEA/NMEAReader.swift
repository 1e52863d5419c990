public import TrackModel

/// Reads logs of NMEA 0183 sentences: RMC, GGA, GLL, GSA, GST, VTG, ZDA and WPL of any talker, with anything
/// between and in front of them.
///
/// Sentences of one time of day make one trackpoint where one of them has a fix. All trackpoints are one
/// track with one segment; a WPL is a waypoint. Dates come from RMC and ZDA, also for the points before the
/// first date, which wait for it: up to 65,536 of them, then they go without a time.
///
/// From a pipe, a point is delivered as soon as a sentence of the next has come, if a date is known; live
/// (``ReadingOptions/isLive``) with its own last sentence, once the receiver's order of sentences is known.
/// Should more about the same moment follow then, it is left out.
public struct NMEAReader: TrackReader, ~Copyable {
  private var input: ByteInput
  private var log: NMEALog
  private let options: ReadingOptions
  private var pendingError: TrackError?
  private var state = State.start
  /// Bytes of the window in which no end of a line was found.
  private var searched = 0
  private var isLast = false
  /// Whether the rest of an endless line is being left out.
  private var isSkipping = false
  private var line = 1
  /// Whether the last byte taken was a carriage return, whose line feed ends no other line.
  private var isAfterReturn = false

  private enum State {
    case start, lines
    /// The points are all delivered.
    case closing
    case end
  }

  /// A line of more bytes is none of a receiver; the standard has 82.
  private static let maximumLine = 4096

  /// - Parameter input: the log from its first byte.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.input = input
    self.options = options
    log = NMEALog(isStrict: options.isStrict, isLive: options.isLive)
  }

  public var warnings: [TrackWarning] { log.warnings.log.warnings }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    if let event = log.nextEvent() { return event }
    if log.drain(into: &batch) { return .points }
    if let error = pendingError {
      pendingError = nil
      state = .end
      throw error
    }
    switch state {
    case .start:
      state = .lines
      return .header(FileInfo())
    case .lines:
      do {
        return try read(into: &batch)
      } catch {
        pendingError = error
        log.release(&batch)
        return batch.count > 0 ? .points : try next(into: &batch)
      }
    case .closing:
      if let event = log.close() { return event }
      state = .end
      return nil
    case .end: return nil
    }
  }

  /// Reads lines up to the next event.
  private mutating func read(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try log.closeCompleteEpoch(&batch)
    while true {
      if let end = endOfLine() {
        var index = 0
        if !isSkipping { try log.take(input.available.extracting(0..<end), from: &index, line: line, &batch) }
        if let event = try log.event(for: &batch) {
          // The rest of the line, if any, is looked at with the next call.
          consume(isSkipping ? end : index)
          return event
        }
        if isSkipping || index >= end { consume(end) } else { consume(index) }
        continue
      }
      if isLast {
        try log.finish(&batch)
        state = .closing
        return batch.count > 0 ? .points : try next(into: &batch)
      }
      // What is known now does not wait for what may come a second later.
      if log.canDeliver, batch.count > 0 { return .points }
      if searched > NMEAReader.maximumLine, !isSkipping {
        isSkipping = true
        try log.warn(.tooLongLine, "line of more than 4096 bytes, left out", line: line)
      }
      if isSkipping { consume(searched) }
      if try !input.fill() { isLast = true }
    }
  }

  /// Where the line at the front of the window ends, ends of lines before it taken; nil where it has no end
  /// yet.
  private mutating func endOfLine() -> Int? {
    while true {
      let index = NMEAReader.endOfLine(in: input.available, from: searched)
      searched = index
      guard index < input.available.count else { return isLast && index > 0 ? index : nil }
      if index > 0 { return index }
      takeEnd(isReturn: input.available[0] == 0x0D)
    }
  }

  private static func endOfLine(in bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
    return index
  }

  /// Takes a carriage return or a line feed.
  private mutating func takeEnd(isReturn: Bool) {
    input.consume(1)
    searched = 0
    isSkipping = false
    if isReturn || !isAfterReturn { line += 1 }
    isAfterReturn = isReturn
  }

  private mutating func consume(_ count: Int) {
    guard count > 0 else { return }
    input.consume(count)
    searched -= min(count, searched)
    isAfterReturn = false
  }
}
