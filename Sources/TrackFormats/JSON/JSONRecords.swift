import TrackModel

/// Texts in a row that stand for themselves, each with a mark around it: a record separator in front (RFC
/// 8142), or the end of its line. Behind a broken one reading can go on.
extension JSONLexer {
  static let recordSeparator: UInt8 = 0x1E

  /// Moves to the next byte of a value, from where the lexer stands.
  ///
  /// - Returns: false where there is none up to the end of the input.
  mutating func advance(to byte: UInt8) throws(TrackError) -> Bool {
    while true {
      let index = JSONLexer.index(of: byte, in: input.available, from: cursor)
      skip(to: index)
      if index < input.available.count { return true }
      guard try more() else { return false }
    }
  }

  private static func index(of byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != byte { index += 1 }
    return index
  }

  /// Whether the next byte stands on the line of a place that was noted.
  mutating func isOnLine(of mark: Mark) -> Bool { place(of: self.mark()).line == place(of: mark).line }

  /// Whether an object comes next whose brace is the last on its line, as in texts that are indented.
  mutating func isAtIndentedObject() throws(TrackError) -> Bool {
    guard try isAtObject() else { return false }
    try input.fill(atLeast: cursor + 2)
    let bytes = input.available
    guard cursor + 1 < bytes.count else { return false }
    return bytes[cursor + 1] == UInt8(ascii: "\n") || bytes[cursor + 1] == UInt8(ascii: "\r")
  }
}
