import Foundation
import Testing
import TrackModel

@testable import TrackFormats

@Suite("JSON writing")
struct JSONTextTests {
  @Test("A string is escaped only if RFC 8259 requires it")
  func escapes() {
    var bytes = ByteBuffer()
    bytes.append(json: "a\"b\\c/d\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{1E}é🚗\u{7F}\u{2028}")
    #expect(
      bytes.string == "\"a\\\"b\\\\c/d\\b\\f\\n\\r\\t\\u0000\\u001f\\u001eé🚗\u{7F}\u{2028}\"")
  }

  @Test("Every string is read back by Foundation")
  func roundTrip() throws {
    for value in UInt32(0)...0x17F {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "x\(scalar)y"
      var bytes = ByteBuffer()
      bytes.append(json: text)
      #expect(try JSONTree.foundation(bytes.array) == .string(text))
    }
  }

  @Test("Members are separated by commas")
  func members() {
    var bytes = ByteBuffer()
    bytes.append(UInt8(ascii: "{"))
    bytes.append(member: "a", "x")
    bytes.append(member: "b", nil as String?)
    bytes.append(member: "c", 1.5)
    bytes.append(member: "d", Instant(microseconds: 0))
    bytes.append(UInt8(ascii: "}"))
    #expect(bytes.string == #"{"a":"x","c":1.5,"d":"1970-01-01T00:00:00Z"}"#)
  }
}
