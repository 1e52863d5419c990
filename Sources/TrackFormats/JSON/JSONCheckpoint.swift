import TrackModel

/// Seeking in the input, to read members after a long value before the value itself.
extension JSONLexer {
  /// A recorded position of the lexer, before a value or member.
  struct Checkpoint {
    fileprivate var byteOffset: Int
    fileprivate var line: Int
    fileprivate var lineStart: Int
    fileprivate var isAtStart: Bool
  }

  /// Whether the lexer can seek. Input converted from UTF-16 or UTF-32 can be read only once.
  var canGoBack: Bool { !isTranscoded && input.isSeekable }

  /// Returns the current position of the lexer.
  mutating func checkpoint() -> Checkpoint {
    countLines(to: cursor)
    return Checkpoint(
      byteOffset: input.offset + cursor, line: line, lineStart: lineStart, isAtStart: isAtStart)
  }

  /// Moves to a recorded position, before or after the current one.
  ///
  /// - Precondition: ``canGoBack``.
  mutating func go(to checkpoint: Checkpoint) throws(TrackError) {
    try input.seek(to: checkpoint.byteOffset)
    skip(to: 0)
    counted = 0
    line = checkpoint.line
    lineStart = checkpoint.lineStart
    isAtStart = checkpoint.isAtStart
  }

  /// Skips an array of nested arrays of numbers without checking the numbers. This is several times faster
  /// than ``skip()`` and is intended for values that are read again.
  ///
  /// - Parameter depth: the nesting depth, 2 or more.
  /// - Returns: false if the value is something else, or the input ends first. The position is then
  ///   undefined.
  mutating func skipArrays(depth: Int) throws(TrackError) -> Bool {
    guard try kind() == .array else { return false }
    // The number of consecutive closing brackets.
    var closed = 0
    while true {
      let index =
        closed == 0
        ? JSONLexer.endOfPositions(input.available, from: cursor)
        : JSONLexer.endOfBlanks(input.available, from: cursor)
      guard index < input.available.count else {
        skip(to: index)
        guard try more() else { return false }
        continue
      }
      switch input.available[index] {
      case UInt8(ascii: "]"): closed += 1
      case UInt8(ascii: ",") where closed > 0: closed = 0
      default: return false
      }
      skip(to: index + 1)
      if closed == depth { return true }
    }
  }

  /// Returns the index of the first closing bracket that is not directly followed by a comma, or whose next
  /// byte is not available, or of the first quotation mark; the end if there is neither.
  private static func endOfPositions(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count &- blockSize, !hasEndOfPositions(bytes, at: index) { index &+= blockSize }
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""): return index
      case UInt8(ascii: "]"):
        guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: ",") else { return index }
      default: break
      }
      index += 1
    }
    return index
  }

  private static let blockSize = 64

  /// Returns whether one of the bytes of a block is a quotation mark, or a closing bracket not followed by a
  /// comma. One more byte must follow them, which only the caller checks.
  ///
  /// The compiler uses vectors for a loop without branches.
  @inline(__always)
  private static func hasEndOfPositions(_ bytes: Span<UInt8>, at start: Int) -> Bool {
    var found: UInt8 = 0
    for index in start..<(start &+ blockSize) {
      let byte = unsafe bytes[unchecked: index]
      let next = unsafe bytes[unchecked: index &+ 1]
      let isBracket: UInt8 = byte == UInt8(ascii: "]") ? 1 : 0
      let isLast: UInt8 = next == UInt8(ascii: ",") ? 0 : 1
      let isQuote: UInt8 = byte == UInt8(ascii: "\"") ? 1 : 0
      found |= isBracket & isLast | isQuote
    }
    return found != 0
  }
}
