/// Base64 with the standard alphabet and padding (RFC 4648, section 4).
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The two characters of each 12-bit value, the first in the low byte.
  private static let pairs: [UInt16] = (0..<4096).map { bits in
    UInt16(alphabet[bits & 63]) << 8 | UInt16(alphabet[bits >> 6])
  }

  /// The six-bit value of each character, or 0xFF for invalid characters.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Returns the number of characters that encode `count` bytes.
  package static func encodedCount(_ count: Int) -> Int { (count + 2) / 3 * 4 }

  package static func encode(_ bytes: Span<UInt8>) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: encodedCount(bytes.count))
    encode(bytes, into: &result, at: 0)
    return result
  }

  /// Encodes bytes into `result`, replacing its bytes from `start`.
  ///
  /// - Precondition: `result` has ``encodedCount(_:)`` bytes from `start`.
  package static func encode(_ bytes: Span<UInt8>, into result: inout [UInt8], at start: Int) {
    let pairs = pairs.span
    var output = result.mutableSpan
    var target = start
    var source = 0
    precondition(pairs.count == 4096 && start >= 0 && output.count - start >= encodedCount(bytes.count))
    // Six bytes become a word of eight characters. The read covers two more bytes.
    while source <= bytes.count &- 8 {
      let bits = bytes.uncheckedWord(at: source).byteSwapped >> 16
      let first = unsafe UInt64(pairs[unchecked: Int(bits >> 36)])
      let second = unsafe UInt64(pairs[unchecked: Int(bits >> 24 & 0xFFF)]) << 16
      let third = unsafe UInt64(pairs[unchecked: Int(bits >> 12 & 0xFFF)]) << 32
      let fourth = unsafe UInt64(pairs[unchecked: Int(bits & 0xFFF)]) << 48
      output.storeUnchecked(first | second | third | fourth, at: target)
      source &+= 6
      target &+= 8
    }
    while source < bytes.count {
      let count = min(3, bytes.count - source)
      var bits = 0
      for offset in 0..<3 { bits = bits << 8 | (offset < count ? Int(bytes[source + offset]) : 0) }
      for offset in 0..<4 {
        output[target + offset] =
          offset <= count ? alphabet[bits >> (18 - 6 * offset) & 63] : UInt8(ascii: "=")
      }
      source += count
      target += 4
    }
  }

  /// Decodes Base64 text.
  ///
  /// - Returns: `nil` if the text contains an invalid character (including whitespace), or padding that is
  ///   missing or misplaced.
  package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    let rows = 0..<text.count
    guard rows.count % 4 == 0 else { return nil }
    guard rows.count > 0 else { return [] }
    let values = values.span
    var padding = 0
    while padding < 2, text[rows.upperBound - 1 - padding] == UInt8(ascii: "=") { padding += 1 }
    let count = rows.count / 4 * 3 - padding
    var result = [UInt8](repeating: 0, count: count)
    var output = result.mutableSpan
    var target = 0
    // Valid values have bit 7 clear, so a single check at the end detects invalid characters.
    var seen: UInt8 = 0
    var source = rows.lowerBound
    let whole = padding == 0 ? rows.upperBound : rows.upperBound - 4
    while source < whole {
      let first = values[Int(text[source])]
      let second = values[Int(text[source + 1])]
      let third = values[Int(text[source + 2])]
      let fourth = values[Int(text[source + 3])]
      seen |= first | second | third | fourth
      output[target] = first << 2 | second >> 4 & 3
      output[target + 1] = second << 4 | third >> 2 & 15
      output[target + 2] = third << 6 | fourth & 63
      source += 4
      target += 3
    }
    if padding > 0 {
      let first = values[Int(text[source])]
      let second = values[Int(text[source + 1])]
      let third = padding == 1 ? values[Int(text[source + 2])] : 0
      seen |= first | second | third
      output[target] = first << 2 | second >> 4 & 3
      if padding == 1 { output[target + 1] = second << 4 | third >> 2 & 15 }
    }
    return seen & 0x80 == 0 ? result : nil
  }
}
