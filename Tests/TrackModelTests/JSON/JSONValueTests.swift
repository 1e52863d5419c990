import Testing
import TrackModel

@Suite("JSON values") struct JSONValueTests {
  @Test(
    "Values are written on one line, with members in order and numbers without exponents",
    arguments: [
      (JSONValue.object([("b", .integer(-3)), ("a", .null)]), #"{"b": -3, "a": null}"#),
      (.array([.bool(true), .number(1e-7), .number(.nan)]), "[true, 0.0000001, null]"),
      (.string("a\"\\\n\u{7}\u{2028}"), #""a\"\\\n\u0007\u2028""#),
      (.plain(Array("0fA=".utf8)), #""0fA=""#),
      (.elements { _ in }, "[]"),
      (.elements { for number in 1...3 { $0(.integer(number)) } }, "[1, 2, 3]"),
    ])
  func text(value: JSONValue, expected: String) {
    #expect(value.text == expected)
  }

  @Test("A long array is written in parts while it is made")
  func parts() {
    let value = JSONValue.object([
      ("rows", .elements { add in for row in 0..<100_000 { add(.array([.integer(row)])) } }),
      ("end", .bool(true)),
    ])
    var parts: [[UInt8]] = []
    value.writeLine { parts.append($0) }
    // A row has up to nine bytes.
    #expect(parts.allSatisfy { $0.count < (1 << 16) + 16 })
    #expect(parts.count > 10)
    let rows = (0..<100_000).map { "[\($0)]" }.joined(separator: ", ")
    #expect(String(decoding: parts.joined(), as: UTF8.self) == "{\"rows\": [\(rows)], \"end\": true}\n")
  }
}
