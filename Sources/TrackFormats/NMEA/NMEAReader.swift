public import TrackModel

/// Reads logs of NMEA 0183 sentences: RMC, GGA, GNS, GLL, GSA, GST, VTG, ZDA and WPL of any talker, with
/// arbitrary text before and between them.
///
/// The sentences of one time of day form a trackpoint if one of them has a fix. All trackpoints are in one
/// track with one segment. WPL sentences are waypoints. Dates come from RMC and ZDA. Points before the first
/// date are held until it is known; after 65,536 points, they are delivered without times.
///
/// From a pipe, a point is delivered when the first sentence of the next point has arrived, if a date is
/// known. With `ReadingOptions.isLive`, it is delivered with its own last sentence when the receiver's
/// order of sentences is known. Later sentences of the same time are then ignored.
///
/// With `ReadingOptions.includesTimeBeforeFixes` the track's time span begins with the first dated sentence.
public struct NMEAReader: TrackReader, ~Copyable {
  private var input: ByteInput
  private var log: NMEALog
  private let options: ReadingOptions
  private var pendingError: TrackError?
  private var state = State.start
  /// The number of bytes already searched for a line end.
  private var searched = 0
  private var isLast = false
  /// Whether the rest of a line that is too long is being skipped.
  private var isSkipping = false
  private var line = 1
  /// Whether zero bytes preceded the current line, in place of lost data.
  private var isAfterZeros = false
  /// Whether the last byte was a carriage return, so that a line feed does not end another line.
  private var isAfterReturn = false

  private enum State {
    case start, lines
    /// All points have been delivered.
    case closing
    case end
  }

  /// The longest line in bytes. The standard allows 82.
  private static let maximumLine = 4096

  /// Creates a reader. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - input: the log from its first byte.
  ///   - options: the options for reading.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.input = input
    self.options = options
    log = NMEALog(options)
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
    while true {
      if let end = endOfLine() {
        try skipLongLine(end)
        var index = 0
        if !isSkipping {
          let isOpen = end == input.available.count
          try log.take(input.available.extracting(0..<end), from: &index, line: line, isOpen: isOpen, &batch)
          // Some loggers reserve space at the end of a file.
          let isPadding = isOpen && input.available[end - 1] == 0
          if isAfterZeros || !isPadding && input.available.extracting(0..<min(index, end)).containsZero {
            isAfterZeros = false
            try log.warn(.damaged, "zero bytes in place of lost data, skipped", line: line)
          }
        }
        if let event = try log.event(for: &batch) {
          // The rest of the line is processed by the next call.
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
      // Delivers available points without waiting for further input.
      if log.canDeliver, batch.count > 0 { return .points }
      try skipLongLine(searched)
      if isSkipping { consume(searched) }
      if try !input.fill() { isLast = true }
    }
  }

  /// Skips the zero bytes at the start of a line.
  private mutating func skipZeros() {
    var count = 0
    while count < input.available.count, input.available[count] == 0 { count += 1 }
    isAfterZeros = isAfterZeros || count > 0
    consume(count)
  }

  /// Begins to skip a line if its known length is more than the maximum.
  private mutating func skipLongLine(_ length: Int) throws(TrackError) {
    guard length > NMEAReader.maximumLine, !isSkipping else { return }
    isSkipping = true
    try log.warn(
      .tooLongLine, "line of more than \(ReadingLimits.text(size: NMEAReader.maximumLine)), skipped",
      line: line)
  }

  /// Returns the end of the first line in the buffer after skipping line ends and zeros, or `nil` if the
  /// line is incomplete.
  private mutating func endOfLine() -> Int? {
    while true {
      skipZeros()
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

  /// Consumes a carriage return or a line feed.
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
