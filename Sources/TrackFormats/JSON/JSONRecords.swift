import TrackModel

/// Sequences of independent texts, separated by a record separator before each (RFC 8142) or by line ends.
/// Reading can continue after an invalid text.
extension JSONLexer {
  static let recordSeparator: UInt8 = 0x1E

  /// Moves to the next occurrence of a byte, from the cursor on.
  ///
  /// - Returns: false if the byte does not occur before the end of the input.
  mutating func advance(to byte: UInt8) throws(TrackError) -> Bool {
    while true {
      let index = input.available.index(of: byte, from: cursor)
      skip(to: index)
      if index < input.available.count { return true }
      guard try more() else { return false }
    }
  }

  /// Returns whether the next byte is on the line of a recorded place.
  mutating func isOnLine(of mark: Mark) -> Bool { place(of: self.mark()).line == place(of: mark).line }

  /// Returns whether the next value is an object whose brace is the last on its line, as in indented texts.
  mutating func isAtIndentedObject() throws(TrackError) -> Bool {
    guard try isAtObject() else { return false }
    try input.fill(atLeast: cursor + 2)
    let bytes = input.available
    guard cursor + 1 < bytes.count else { return false }
    return bytes[cursor + 1] == UInt8(ascii: "\n") || bytes[cursor + 1] == UInt8(ascii: "\r")
  }
}
