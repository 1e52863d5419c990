import TrackModel

/// Strings, which are validated while scanning and decoded on request.
extension JSONScanner {
  /// Skips a string and returns the range of its content, and whether it contains escapes.
  mutating func rangeOfString() throws(TrackError) -> (content: Range<Int>, hasEscapes: Bool) {
    if !take(UInt8(ascii: "\"")) { throw expected("a string") }
    let start = index
    var position = start
    // Most strings contain only plain characters.
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        index = position + 1
        return (start..<position, false)
      }
      if byte == UInt8(ascii: "\\") || byte < 0x20 || byte >= 0x80 { break }
      position += 1
    }
    let scan = JSONString.scan(bytes, from: position)
    if scan.flaw >= 0 {
      throw expected(scan.isSurrogateFlaw ? "a pair of surrogates" : "UTF-8", at: scan.flaw)
    }
    switch scan.outcome {
    case .whole:
      index = scan.end + 1
      return (start..<scan.end, scan.hasEscapes)
    case .incomplete: throw expected("the end of a string", at: bytes.count)
    case .controlCharacter: throw expected("an escape for a control character", at: scan.end)
    case .escape where scan.missingDigit >= 0:
      throw expected("four hexadecimal digits", at: scan.missingDigit)
    case .escape: throw expected("an escape", at: scan.end)
    }
  }

  /// Decodes a string with valid escapes.
  func unescaped(_ content: Range<Int>) -> [UInt8] { JSONString.unescaped(bytes.extracting(content)) }
}
