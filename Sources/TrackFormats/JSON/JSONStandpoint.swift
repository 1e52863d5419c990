import TrackModel

/// Going back in the input, to read what stands behind a long value before the value itself.
extension JSONLexer {
  /// Where the lexer stood once, before the next value or member.
  struct Standpoint {
    fileprivate var byteOffset: Int
    fileprivate var line: Int
    fileprivate var lineStart: Int
    fileprivate var isAtStart: Bool
  }

  /// Whether the lexer can go back. What was made of UTF-16 passes by only once.
  var canGoBack: Bool { !isTranscoded && input.isSeekable }

  /// Where the lexer stands.
  mutating func standpoint() -> Standpoint {
    countLines(to: cursor)
    return Standpoint(
      byteOffset: input.offset + cursor, line: line, lineStart: lineStart, isAtStart: isAtStart)
  }

  /// Goes to where the lexer stood, before or behind the present place.
  ///
  /// - Precondition: ``canGoBack``.
  mutating func go(to standpoint: Standpoint) throws(TrackError) {
    try input.seek(to: standpoint.byteOffset)
    skip(to: 0)
    counted = 0
    line = standpoint.line
    lineStart = standpoint.lineStart
    isAtStart = standpoint.isAtStart
  }

  /// Passes over an array of arrays of numbers, so many deep, without a look at the numbers: several times as
  /// fast as ``skip()``, and for what is read once more.
  ///
  /// - Parameter depth: 2 or more.
  /// - Returns: false where something else comes, or the input ends first; the place is anywhere then.
  mutating func passOverArrays(depth: Int) throws(TrackError) -> Bool {
    guard try kind() == .array else { return false }
    // How many brackets close one behind the other.
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

  /// The first closing bracket that has no comma right behind it, or may have none, or the first quotation
  /// mark; the end where there is neither.
  private static func endOfPositions(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    // A step is one byte less than a word, whose last byte has its neighbour in the next.
    while index <= bytes.count &- 32 {
      let found =
        endsOfPositions(bytes, at: index) | endsOfPositions(bytes, at: index &+ 7)
        | endsOfPositions(bytes, at: index &+ 14) | endsOfPositions(bytes, at: index &+ 21)
      if found != 0 { break }
      index &+= 28
    }
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

  /// The top bit of each of seven bytes, with one more behind them, that is a quotation mark, or a closing
  /// bracket with no comma behind it.
  @inline(__always)
  private static func endsOfPositions(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
    let word = unsafe UInt64(
      littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    let brackets = zeros(word ^ 0x5D5D_5D5D_5D5D_5D5D)
    let commas = zeros(word ^ 0x2C2C_2C2C_2C2C_2C2C)
    let quotes = zeros(word ^ 0x2222_2222_2222_2222)
    return (brackets & ~(commas &>> 8) | quotes) & 0x0080_8080_8080_8080
  }

  /// The top bit of each byte that is zero.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    ~((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F | word | 0x7F7F_7F7F_7F7F_7F7F)
  }
}
