/// Base64 with the standard alphabet and padding (RFC 4648, section 4).
enum Base64Text {
  /// The six bits of each character, 0xFF for a byte that is none.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// - Returns: nil for what is no base64: a character that is none, blanks among them, or padding that is
  ///   missing or not at the end.
  static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var end = text.count
    while end > 0, text.count - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3)
    let values = values.span
    var seen: UInt8 = 0
    var index = 0
    while index + 4 <= end {
      let first = values[Int(text[index])]
      let second = values[Int(text[index + 1])]
      let third = values[Int(text[index + 2])]
      let fourth = values[Int(text[index + 3])]
      seen |= first | second | third | fourth
      result.append(first << 2 | second >> 4)
      result.append(second << 4 | third >> 2)
      result.append(third << 6 | fourth)
      index += 4
    }
    if end - index >= 2 {
      let first = values[Int(text[index])]
      let second = values[Int(text[index + 1])]
      let third = end - index == 3 ? values[Int(text[index + 2])] : 0
      seen |= first | second | third
      result.append(first << 2 | second >> 4)
      if end - index == 3 { result.append(second << 4 | third >> 2) }
    }
    return seen & 0x80 == 0 ? result : nil
  }
}
