import TestSupport
import Testing
import TrackModel

@Suite("Byte buffer")
struct ByteBufferTests {
  private func text(_ value: Double) -> String {
    var bytes = ByteBuffer()
    bytes.append(decimal: value)
    return bytes.string
  }

  // MARK: Bytes

  @Test("Bytes, texts and spans are appended in order while the buffer grows")
  func growth() {
    var bytes = ByteBuffer(capacity: 1)
    var expected: [UInt8] = []
    var random = SeededRandom()
    let long = Array((0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    for _ in 0..<2000 {
      switch random.integer(0...4) {
      case 0:
        bytes.append(0x2C)
        expected.append(0x2C)
      case 1:
        bytes.append("höhe" as String)
        expected += Array("höhe".utf8)
      case 2:
        bytes.append("<trkpt>" as StaticString)
        expected += Array("<trkpt>".utf8)
      case 3:
        let part = long[..<random.integer(0...long.count)]
        bytes.append(contentsOf: part.span)
        expected += part
      default:
        bytes.append("\u{1F6E3}" as StaticString)
        expected += Array("\u{1F6E3}".utf8)
      }
    }
    #expect(bytes.count == expected.count, "\(random)")
    #expect(bytes.array == expected, "\(random)")
    let span = bytes.bytes
    let copy = span.indices.map { span[$0] }
    #expect(copy == expected, "\(random)")
  }

  @Test("A buffer is empty at first and after removing all bytes")
  func removeAll() {
    var bytes = ByteBuffer(capacity: 0)
    #expect(bytes.count == 0)
    #expect(bytes.string.isEmpty)
    bytes.append("" as String)
    bytes.append("" as StaticString)
    let nothing: [UInt8] = []
    bytes.append(contentsOf: nothing.span)
    #expect(bytes.array == [])
    bytes.append("gone" as String)
    bytes.removeAll()
    #expect(bytes.array == [])
    bytes.append("new" as String)
    #expect(bytes.string == "new")
  }

  @Test("Reserving capacity keeps the content")
  func reserve() {
    var bytes = ByteBuffer()
    bytes.append("kept" as String)
    bytes.reserve(1_000_000)
    #expect(bytes.string == "kept")
  }

  @Test("A static string of one scalar is appended as UTF-8")
  func staticScalar() {
    var bytes = ByteBuffer()
    bytes.append(StaticString(unicodeScalarLiteral: "é"))
    bytes.append(StaticString(unicodeScalarLiteral: "€"))
    #expect(bytes.string == "é€")
  }

  @Test("Invalid UTF-8 becomes replacement characters in the text")
  func notUTF8() {
    var bytes = ByteBuffer()
    bytes.append(0xFF)
    bytes.append(0x41)
    #expect(bytes.string == "\u{FFFD}A")
    #expect(bytes.array == [0xFF, 0x41])
  }

  // MARK: Integers

  @Test(
    "An integer is written with exactly `width` digits, its lowest ones",
    arguments: [
      (0, 1, "0"), (7, 2, "07"), (2024, 4, "2024"), (5, 6, "000005"), (1234, 2, "34"), (0, 0, ""),
      (.max, 19, "9223372036854775807"), (.max, 25, "0000009223372036854775807"),
    ])
  func integers(value: Int, width: Int, expected: String) {
    var bytes = ByteBuffer()
    bytes.append(value, width: width)
    #expect(bytes.string == expected)
  }

  @Test("Writing digits grows the buffer if necessary")
  func integerGrowth() {
    var bytes = ByteBuffer(capacity: 64)
    var expected = ""
    for number in 0..<1000 {
      bytes.append(number, width: 3)
      expected += String(number + 1000).suffix(3)
    }
    #expect(bytes.string == expected)
  }

  // MARK: Decimals

  @Test(
    "A decimal is written without an exponent and as short as possible",
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (0.5, "0.5"), (-0.25, "-0.25"), (10, "10"), (100, "100"),
      (47.3596846, "47.3596846"), (-122.0305492, "-122.0305492"), (8.536288943141699, "8.536288943141699"),
      (-2e-7, "-0.0000002"), (2e-7, "0.0000002"), (1e-7, "0.0000001"), (1e-8, "0.00000001"),
      (1e-12, "0.000000000001"),
      (1e-13, "0.0000000000001"), (1.5e-5, "0.000015"), (0.1, "0.1"), (0.1 + 0.2, "0.30000000000000004"),
      (1.0 / 3, "0.3333333333333333"), (99_999_999.9999999, "99999999.9999999"), (1e8, "100000000"),
      (123_456_789.5, "123456789.5"), (1e15, "1000000000000000"), (1e16, "10000000000000000"),
      (1e21, "1000000000000000000000"), (1.5e20, "150000000000000000000"), (0x1p53, "9007199254740992"),
      (1234567890123456.8, "1234567890123456.8"), (999.9999999999999, "999.9999999999999"),
      (999.9999999999, "999.9999999999"), (1000.000000000001, "1000.000000000001"), (20, "20"),
      (1e-5, "0.00001"),
      (.nan, "0"), (.infinity, "0"), (-.infinity, "0"),
      (.leastNonzeroMagnitude, "0." + String(repeating: "0", count: 323) + "5"),
      (-.greatestFiniteMagnitude, "-17976931348623157" + String(repeating: "0", count: 292)),
    ] as [(Double, String)])
  func decimals(value: Double, expected: String) {
    #expect(text(value) == expected)
  }

  @Test("Decimals are appended in order while the buffer grows")
  func decimalGrowth() {
    var bytes = ByteBuffer(capacity: 64)
    var expected = ""
    for number in 0..<500 {
      bytes.append(decimal: Double(number) / 8)
      bytes.append(UInt8(ascii: " "))
      bytes.append(decimal: .leastNonzeroMagnitude)
      expected += text(Double(number) / 8) + " " + text(.leastNonzeroMagnitude)
    }
    #expect(bytes.string == expected)
  }

  /// Returns the significant digits of a decimal with or without an exponent: from the first to the last
  /// nonzero digit.
  private func significantDigits(_ text: [UInt8]) -> [UInt8] {
    var digits: [UInt8] = []
    // The number of digits up to the last nonzero one.
    var count = 0
    for byte in text {
      if byte == UInt8(ascii: "e") { break }
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), byte > UInt8(ascii: "0") || count > 0 else {
        continue
      }
      digits.append(byte)
      if byte > UInt8(ascii: "0") { count = digits.count }
    }
    return Array(digits.prefix(count))
  }

  /// Returns the fault in the text of a number: its form, its value, or its length.
  private func flaw(_ value: Double) -> String? {
    let text = text(value)
    let bytes = Array(text.utf8)
    var digits = bytes.first == UInt8(ascii: "-") ? bytes[1...] : bytes[...]
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    digits.removeAll { $0 == UInt8(ascii: ".") }
    guard
      parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      parts[0].count == 1 || parts[0].first != UInt8(ascii: "0"),
      parts.count == 1 || parts[1].last != UInt8(ascii: "0")
    else { return "\(value) written as \(text): no plain decimal" }
    guard Double(text)?.bitPattern == (value == 0 ? 0 : value).bitPattern else {
      return "\(value) written as \(text): another number"
    }
    guard significantDigits(bytes) == significantDigits(Array(value.description.utf8)) else {
      return "\(value) written as \(text): not the shortest and closest"
    }
    return nil
  }

  private func check(_ rounds: Int, _ next: (inout SeededRandom) -> Double) {
    var random = SeededRandom()
    for _ in 0..<rounds {
      let value = next(&random)
      guard value.isFinite, let flaw = flaw(value) else { continue }
      Issue.record("\(flaw); \(random)")
      return
    }
  }

  @Test("Doubles of any bits are written without an exponent, as short as possible, and read back unchanged")
  func anyBits() {
    check(Effort.rounds(40_000)) { Double(bitPattern: $0.next()) }
  }

  @Test("Doubles of any bits from 0.0001 to 10^8 are written as short as possible and read back unchanged")
  func usualSizes() {
    let sizes = 1e-4.bitPattern...1e8.bitPattern
    check(Effort.rounds(80_000)) { Double(bitPattern: UInt64.random(in: sizes, using: &$0)) }
  }

  @Test("Coordinates of 5 to 17 digits are written as short as possible and read back unchanged")
  func coordinates() {
    check(Effort.rounds(80_000)) { random in
      let value = Double.random(in: -180...180, using: &random)
      let scale = [1e2, 1e5, 1e6, 1e7, 1e9, 1e12, 1e14][random.integer(0...6)]
      return random.integer(0...7) == 0 ? value : (value * scale).rounded() / scale
    }
  }

  @Test("Numbers at the limits of the fast paths are written as short as possible")
  func borders() {
    check(Effort.rounds(60_000)) { random in
      let border = [1e8, 1000, 1e-7, 1e-12, 1e15, 1e16, 0x1p53, 100, 1, 1e-5][random.integer(0...9)]
      let value = Double(bitPattern: border.bitPattern &+ UInt64(bitPattern: Int64(random.integer(-40...40))))
      return random.integer(0...1) == 0 ? value : -value
    }
  }

  @Test("Integers and numbers with few decimals are written as short as possible")
  func integersAndFewDecimals() {
    check(Effort.rounds(100_000)) { random in
      let digits = Double(random.next() >> UInt64(random.integer(0...63)))
      let scale = [1, 1, 10, 100, 1e3, 1e7, 1e12, 1e15, 1e20][random.integer(0...8)]
      return (random.integer(0...1) == 0 ? digits : -digits) / scale
    }
  }

  @Test("Tiny and huge numbers are written as short as possible and read back unchanged")
  func tinyAndHuge() {
    check(Effort.rounds(40_000)) { random in
      let exponent = random.integer(0...1) == 0 ? random.integer(-60...(-15)) : random.integer(50...130)
      return Double(sign: .minus, exponent: exponent, significand: .random(in: 1..<2, using: &random))
    }
  }

  @Test("Enlarging a buffer keeps the content", arguments: [10, 200_000, 5_000_000])
  func enlarge(capacity: Int) {
    var buffer = ByteBuffer(capacity: 64)
    buffer.append("0123456789")
    buffer.enlarge(to: capacity)
    buffer.append("abc")
    #expect(buffer.string == "0123456789abc")
  }
}
