import TestSupport
import Testing
import TrackModel

@Suite("Reading decimals")
struct DecimalReadingTests {
  private func read(_ text: String) -> Double? { DecimalReading.read(Array(text.utf8).span) }

  /// Records an issue for each text that is read differently from the standard library, up to five.
  private func compare(_ rounds: Int, _ random: SeededRandom, _ next: (inout SeededRandom) -> String) {
    var random = random
    var failures = 0
    for _ in 0..<rounds where failures < 5 {
      let text = next(&random)
      let expected = Double(text).flatMap { $0.isFinite ? $0 : nil }
      let value = read(text)
      guard value?.bitPattern != expected?.bitPattern else { continue }
      failures += 1
      Issue.record("\(text) read as \(value as Any), not \(expected as Any); \(random)")
    }
  }

  // MARK: Values

  @Test(
    "Hard cases from the literature are rounded half to even",
    arguments: [
      // Half-way between two doubles at 2^53, and slightly above.
      ("9007199254740991", 0x433F_FFFF_FFFF_FFFF), ("9007199254740992", 0x4340_0000_0000_0000),
      ("9007199254740993", 0x4340_0000_0000_0000), ("9007199254740993.0", 0x4340_0000_0000_0000),
      ("9007199254740993.00000000000000000001", 0x4340_0000_0000_0001),
      ("9007199254740995", 0x4340_0000_0000_0002),
      // 1 + 2^−53 is half-way above 1; with one more unit in the last place it is not.
      ("1.00000000000000011102230246251565404236316680908203125", 0x3FF0_0000_0000_0000),
      ("1.00000000000000011102230246251565404236316680908203126", 0x3FF0_0000_0000_0001),
      ("1.00000000000000011102230246251565404236316680908203124", 0x3FF0_0000_0000_0000),
      // 1 + 3 · 2^−53 is half-way as well; the even neighbour is above.
      ("1.00000000000000033306690738754696212708950042724609375", 0x3FF0_0000_0000_0002),
      // 2^−1 + 3 · 2^−54 (David Gay's example of a tie).
      ("0.500000000000000166533453693773481063544750213623046875", 0x3FE0_0000_0000_0002),
      ("0.500000000000000166533453693773481063544750213623046874", 0x3FE0_0000_0000_0001),
      // 10^23 is not a double; the nearest one is below.
      ("1e23", 0x44B5_2D02_C7E1_4AF6), ("100000000000000000000000", 0x44B5_2D02_C7E1_4AF6),
      // The limit of the subnormals, which caused endless loops in PHP and Java.
      ("2.2250738585072011e-308", 0x000F_FFFF_FFFF_FFFF),
      ("2.2250738585072012e-308", 0x0010_0000_0000_0000), ("2.2250738585072014e-308", 0x0010_0000_0000_0000),
      // The smallest subnormal and its half (2^−1075 = 2.47…e−324).
      ("3.5e-324", 1), ("5e-324", 1), ("2.4703282292062328e-324", 1), ("2.4703282292062327e-324", 0),
      ("1e-400", 0),
      // The largest double.
      ("1.7976931348623157e308", 0x7FEF_FFFF_FFFF_FFFF), ("1.7976931348623158e308", 0x7FEF_FFFF_FFFF_FFFF),
      ("0.1", 0x3FB9_9999_9999_999A), ("0.3", 0x3FD3_3333_3333_3333),
      ("18446744073709551615", 0x43F0_0000_0000_0000), ("18446744073709551616", 0x43F0_0000_0000_0000),
      ("-0", 0x8000_0000_0000_0000), ("-0.0e5", 0x8000_0000_0000_0000), ("0e999999999999999999999", 0),
    ] as [(String, UInt64)])
  func hardCases(text: String, bits: UInt64) {
    #expect(read(text)?.bitPattern == bits)
  }

  @Test(
    "More hard cases match the compiler's literals",
    arguments: [
      ("8.41e21", 8.41e21), ("9.2233720368547758e18", 9.2233720368547758e18),
      ("6.02214076e23", 6.02214076e23),
      ("2.0e-22", 2.0e-22), ("1e22", 1e22), ("1e-22", 1e-22),
      ("123456789012345678e-27", 123456789012345678e-27),
      ("7.2057594037927933e16", 7.2057594037927933e16), ("1448997445238699", 1448997445238699),
      ("47.359684623777866363525390625", 47.359684623777866363525390625),
      ("8.5362889431416988372802734375", 8.5362889431416988372802734375),
      ("-122.03054924495518207550048828125", -122.03054924495518207550048828125),
    ])
  func literals(text: String, value: Double) {
    #expect(read(text)?.bitPattern == value.bitPattern)
  }

  @Test("A number that would be rounded to infinity is rejected")
  func overflow() throws {
    let middle = ExactDecimal.middle(above: .greatestFiniteMagnitude).digits
    #expect(middle.scale == 0)
    #expect(read(middle.text) == nil)
    let below = try #require(Int(middle.text.suffix(4))) - 1
    #expect(read(middle.text.dropLast(4) + String(below)) == .greatestFiniteMagnitude)
    for text in ["1.7976931348623159e308", "1e309", "-1e309", "1e400", "1e99999999999999999999", "2e100000"] {
      #expect(read(text) == nil, "\(text)")
    }
    #expect(read(String(repeating: "9", count: 309)) == nil)
  }

  // MARK: Against the standard library

  @Test("Random decimals of all shapes match the standard library exactly")
  func randomDecimals() {
    compare(Effort.rounds(200_000), SeededRandom()) { random in
      let digits = random.digits(random.integer(1...40))
      var text = ["", "", "-", "+"][random.integer(0...3)]
      text += String(repeating: "0", count: max(random.integer(-20...30), 0))
      switch random.integer(0...3) {
      case 0: text += digits
      case 1: text += digits.prefix(random.integer(0...digits.count - 1)) + "." + digits
      case 2: text += "0." + String(repeating: "0", count: random.integer(0...25)) + digits
      default: text += digits.prefix(3) + "." + digits
      }
      if random.integer(0...1) == 0 {
        text += (random.integer(0...1) == 0 ? "e" : "E") + "\(random.integer(-400...400))"
      }
      return text
    }
  }

  @Test("Decimals at the limits of the fast paths match the standard library exactly")
  func borders() {
    compare(Effort.rounds(200_000), SeededRandom()) { random in
      // 15…21 digits around 2^53, 2^64 and 10^19, and 20…29 decimals around the size of the table of powers
      // of five.
      let starts = [
        "9007199254740", "1844674407370955", "999999999999999999", "1000000000000000000", "922337203685",
      ]
      let head =
        random.integer(0...2) == 0 ? starts[random.integer(0...4)] : random.digits(random.integer(1...12))
      let digits = head + random.digits(max(random.integer(15...21) - head.count, 0))
      let decimals = random.integer(0...1) == 0 ? random.integer(0...digits.count) : random.integer(20...29)
      return fixedPoint(digits, scale: -decimals)
    }
  }

  // MARK: Against exact arithmetic

  /// Returns digits decremented by one in the last place. They must not be all zeros.
  private func decremented(_ digits: String) -> String {
    var bytes = Array(digits.utf8)
    var index = bytes.count - 1
    while index > 0, bytes[index] == UInt8(ascii: "0") {
      bytes[index] = UInt8(ascii: "9")
      index -= 1
    }
    bytes[index] -= 1
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads the exact middle above `value`, numbers slightly below and above it, and shortened versions of
  /// it.
  private func checkMiddle(above value: Double, _ random: inout SeededRandom) -> String? {
    let (digits, scale) = ExactDecimal.middle(above: value).digits
    let even = value.bitPattern & 1 == 0 ? value : value.nextUp
    let tail = String(repeating: "0", count: random.integer(0...9))
    var cases = [
      (fixedPoint(digits, scale: scale), even),
      (fixedPoint(digits + tail + "1", scale: scale - tail.count - 1), value.nextUp),
      (fixedPoint(decremented(digits), scale: scale), value),
      ("\(digits)e\(scale)", even),
      ("\(digits.prefix(1)).\(digits.dropFirst())\(tail)1e\(scale + digits.count - 1)", value.nextUp),
    ]
    // Shortened, it is below the middle; with one more unit in the remaining last place, it is above.
    let kept = random.integer(17...40)
    if kept < digits.count, digits.dropFirst(kept).contains(where: { $0 != "0" }) {
      let cut = String(digits.prefix(kept))
      cases.append((fixedPoint(cut, scale: scale + digits.count - kept), value))
      if cut.last != "9" {
        let last = cut.last?.wholeNumberValue ?? 0
        let next = "\(cut.dropLast())\(last + 1)"
        cases.append((fixedPoint(next, scale: scale + digits.count - kept), value.nextUp))
      }
    }
    for (text, expected) in cases where read(text) != expected {
      return "\(text) read as \(read(text) as Any), not \(expected); \(random)"
    }
    return nil
  }

  @Test("Numbers near the middle of two coordinates are rounded correctly")
  func middlesOfCoordinates() {
    var random = SeededRandom()
    for _ in 0..<Effort.rounds(40_000) {
      let value = Double.random(in: 0.5..<180, using: &random)
      if let failure = checkMiddle(above: value, &random) {
        Issue.record(Comment(rawValue: failure))
        return
      }
    }
  }

  @Test("Numbers near the middle of two large numbers are rounded correctly")
  func middlesOfLargeNumbers() {
    var random = SeededRandom()
    for _ in 0..<Effort.rounds(40_000) {
      let value = Double(
        sign: .plus, exponent: random.integer(20...70), significand: .random(in: 1..<2, using: &random))
      if let failure = checkMiddle(above: value, &random) {
        Issue.record(Comment(rawValue: failure))
        return
      }
    }
  }

  @Test("Numbers near the middle of two doubles of any size are rounded correctly")
  func middlesOfAll() {
    var random = SeededRandom()
    let borders = [
      .leastNonzeroMagnitude, .leastNormalMagnitude, Double.leastNormalMagnitude.nextDown, 1.0.nextDown, 1,
      0x1p53,
    ]
    let others = (0..<Effort.rounds(1600)).map { _ in
      Double(bitPattern: random.next() % Double.greatestFiniteMagnitude.bitPattern)
    }
    for value in borders + others where value > 0 {
      if let failure = checkMiddle(above: value, &random) {
        Issue.record(Comment(rawValue: failure))
        return
      }
    }
  }

  // MARK: Form

  @Test(
    "A number may have a sign, an open decimal point, an exponent, and spaces around it",
    arguments: [
      ("1.", 1), (".5", 0.5), ("+1", 1), (" 7 ", 7), ("\t\r\n-2.5\n", -2.5), ("1e5", 1e5), ("1E5", 1e5),
      ("1e+5", 1e5), ("1e-5", 1e-5), ("1.e2", 100), (".5e1", 5), ("-.5", -0.5), ("007", 7), ("000.50", 0.5),
      ("1e0000000000000000000005", 1e5), ("12345678901234567890123.", 12345678901234567890123.0),
      (".12345678901234567890123456789", 0.12345678901234568),
      (" +12345678901234567890.5e3 ", 1.2345678901234567e22),
    ])
  func accepted(text: String, value: Double) {
    #expect(read(text) == value)
  }

  @Test(
    "Text that is not a number is rejected",
    arguments: [
      "", " ", "-", "+", ".", "-.", "e5", ".e5", "1.2.3", "1..2", "--1", "+-1", "- 1", "1 2", "1e", "1e+",
      "1e1.5",
      "1e5e5", "0x10", "0x1p4", "nan", "NaN", "inf", "INF", "-inf", "infinity", "١٢", "１２", "1,5", "1_000",
      "12abc", "abc12", "1f", "1'000", "\u{2212}1", "1\u{A0}", "½",
    ])
  func refused(text: String) {
    #expect(read(text) == nil)
  }

  @Test("A scan reads the longest number and stops after it")
  func scan() {
    let text = Array("8.54,-47.3e0 1e+x .5.5".utf8)
    var index = 0
    var steps: [(value: Double?, end: Int)] = []
    for start in [0, 5, 13, 18, 20, 4, 22] {
      index = start
      steps.append((DecimalReading.scan(text.span, at: &index), index))
    }
    #expect(steps.map(\.value) == [8.54, -47.3, 1, 0.5, 0.5, nil, nil])
    #expect(steps.map(\.end) == [4, 12, 14, 20, 22, 4, 22])
  }

  @Test("A scan without a finite number leaves the index unchanged")
  func scanRefused() {
    for text in ["-", "+.", "e1", "1e999", ""] {
      let bytes = Array("xx\(text)".utf8)
      var index = 2
      #expect(DecimalReading.scan(bytes.span, at: &index) == nil)
      #expect(index == 2, "\(text)")
    }
  }

  @Test("A hundred thousand digits are read exactly")
  func manyDigits() {
    let zeros = String(repeating: "0", count: 100_000)
    #expect(read("0.1" + zeros) == 0.1)
    #expect(read("\(zeros)12.5") == 12.5)
    #expect(read("9007199254740993.\(zeros)1") == 9_007_199_254_740_994)
    #expect(read("9007199254740993.\(zeros)") == 9_007_199_254_740_992)
    // The zeros and the exponent cancel: both are larger than any double's exponent.
    #expect(read("0.\(zeros)1e100005") == 1e4)
    #expect(read("1\(zeros)e-100003") == 1e-3)
    #expect(read("0.\(zeros)\(zeros)1e200001") == 1)
  }

  @Test("Numbers that are parsed inline are the same, whatever follows them")
  func inline() {
    var random = SeededRandom()
    for _ in 0..<20_000 {
      let whole = String(repeating: "9", count: Int.random(in: 0...4, using: &random))
      let digits = Int.random(in: 0...9, using: &random)
      var number = Bool.random(using: &random) ? "-" : ""
      number += whole.map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
      if digits > 0 {
        number += "." + (0..<digits).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
      }
      let next = [",", "]", " ", "<", "e5", "E", ".", "", "x", ":"].randomElement(using: &random) ?? ""
      let bytes = Array(
        (number + next + String(repeating: " ", count: Int.random(in: 0...30, using: &random))).utf8)
      var index = 0
      let value = DecimalReading.scanInline(bytes.span, at: &index)
      var expectedIndex = 0
      let expected = DecimalReading.scanPlain(bytes.span, at: &expectedIndex)
      guard value?.bitPattern != expected?.bitPattern || index != expectedIndex else { continue }
      Issue.record("\(number + next) read as \(value as Any), not \(expected as Any); \(random)")
      return
    }
  }

  @Test(
    "The end of a number without an exponent is found without parsing it",
    arguments: [
      ("134<", 3), ("-5 ", 2), ("19.0<", 4), ("540.019999999629590<", 19), ("12345678901234567890,", 20),
      ("7.<", 2), ("-<", nil), ("<", nil), (".5<", nil), ("+1<", nil), ("1e5<", nil), ("1.5E5<", nil),
      ("12", nil),
      ("", nil),
    ])
  func endOfPlainNumber(text: String, expected: Int?) {
    let bytes = Array(text.utf8)
    #expect(DecimalReading.endOfPlainNumber(bytes.span, at: 0) == expected)
  }

  @Test(
    "Numbers with one or seven decimals are parsed inline",
    arguments: [
      ("7.4474000,", 7.4474), ("-46.9480001]", -46.9480001), ("179.9999999 ", 179.9999999), ("-0.5<", -0.5),
      ("540.3,", 540.3),
    ])
  func inlineValues(text: String, expected: Double) {
    let bytes = Array((text + String(repeating: " ", count: 24)).utf8)
    var index = 0
    #expect(DecimalReading.scanInline(bytes.span, at: &index) == expected)
    #expect(index == text.utf8.count - 1)
  }
}
