import Testing

@testable import TrackModel

/// The expected values are from RFC 8259, section 7, and from table 3-7 of the Unicode standard.
struct JSONStringTests {
  private func scan(_ text: String) -> JSONString.Scan { JSONString.scan(Array(text.utf8).span, from: 0) }

  @Test(
    "A string ends at its quotation mark",
    arguments: [
      ("", false), ("plain", false), ("größer 🚗", false), (#"\"\\\/\b\f\n\r\t"#, true), (#"\u00e9"#, true),
      (#"\uD83D\uDE97"#, true),
    ])
  func whole(_ content: String, hasEscapes: Bool) {
    #expect(
      scan(content + #"", 1"#)
        == JSONString.Scan(outcome: .whole, end: content.utf8.count, hasEscapes: hasEscapes))
  }

  /// In each text, the mark ‸ precedes the faulty byte.
  @Test(
    "A fault inside a string is reported with its kind and offset",
    arguments: [
      ("abc‸", JSONString.Scan.Outcome.incomplete), (#"abc\‸"#, .incomplete), (#"abc\u12‸"#, .incomplete),
      (#"abc\uD83D‸"#, .incomplete), ("a‸\n\"", .controlCharacter), (#"a‸\x""#, .escape),
      (#"a‸\u12G4""#, .escape),
    ])
  func early(_ marked: String, _ outcome: JSONString.Scan.Outcome) throws {
    let mark = try #require(marked.firstRange(of: "‸"))
    let scan = scan(marked.replacing("‸", with: ""))
    #expect(scan.outcome == outcome)
    #expect(scan.end == marked[..<mark.lowerBound].utf8.count)
    #expect(scan.flaw == -1)
  }

  @Test("The offset of a missing hexadecimal digit is reported")
  func missingDigit() {
    #expect(scan(#"a\u12G4""#).missingDigit == 5)
    #expect(scan(#"a\x""#).missingDigit == -1)
  }

  @Test(
    "An unpaired surrogate is a defect, and the string continues",
    arguments: [#"\uD83D"#, #"\uDE97"#, #"\uD83D\u0041"#, #"\uDE97\uD83D"#, #"\uD83Dabcdef"#])
  func surrogates(_ content: String) {
    let scan = scan("a" + content + "\"")
    #expect(scan.outcome == .whole && scan.end == content.utf8.count + 1)
    #expect(scan.flaw == 1 && scan.isSurrogateFlaw)
  }

  @Test(
    "Invalid UTF-8 is a defect, and the string continues",
    arguments: [
      [0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3], [0x80],
    ] as [[UInt8]])
  func notUTF8(_ bytes: [UInt8]) {
    let text = [UInt8(ascii: "a")] + bytes + [UInt8(ascii: "\"")]
    let scan = JSONString.scan(text.span, from: 0)
    #expect(scan.outcome == .whole && scan.end == bytes.count + 1)
    #expect(scan.flaw == 1 && !scan.isSurrogateFlaw)
  }

  @Test(
    "Escapes are decoded as defined by the standard",
    arguments: [
      (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"\u00e9\u00E9"#, "éé"),
      (#"a\uD83D\uDE97b"#, "a🚗b"), (#"\uD83Dx"#, "\u{FFFD}x"), ("größer", "größer"),
    ])
  func unescaped(_ content: String, _ text: String) {
    #expect(String(decoding: JSONString.unescaped(Array(content.utf8).span), as: UTF8.self) == text)
  }
}
