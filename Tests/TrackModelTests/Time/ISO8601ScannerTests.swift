import TestSupport
import Testing
import TrackModel

@Suite("ISO 8601 scanner")
struct ISO8601ScannerTests {
  @Test("Consecutive texts are parsed as each would be alone, including those that are not times")
  func sameAsAlone() {
    var random = SeededRandom()
    var scanner = ISO8601Scanner()
    var time: Int64 = 1_715_926_350_000_000
    for _ in 0..<Effort.rounds(100_000) {
      switch random.integer(0...19) {
      case 0: time = Int64(random.integer(-62_000_000_000...250_000_000_000)) * 1_000_000
      case 1: time = -60_000_000 * Int64(random.integer(0...3)) + Int64(random.integer(-1...1))
      case 2: time += Int64(random.integer(-90_000_000...90_000_000))
      case 3: time += Int64(random.integer(0...2000)) * 1000
      default: time = (time / 1_000_000 + Int64(random.integer(0...5))) * 1_000_000
      }
      let decimals = [nil, 0, 3, 6][random.integer(0...3)]
      var bytes = Array(ISO8601.text(Instant(microseconds: time), decimals: decimals).utf8)
      // One byte near the end is changed, or the text is cut.
      switch random.integer(0...9) {
      case 0: bytes[bytes.count - random.integer(1...9)] = UInt8(random.integer(0x20...0x7E))
      case 1: bytes.removeLast(random.integer(1...6))
      case 2: bytes += Array("</time>".utf8)
      default: break
      }
      let before = random.integer(0...3)
      let text = Array(repeating: UInt8(ascii: ">"), count: before) + bytes
      var expectedIndex = before
      let expected = ISO8601.scanPlain(text.span, at: &expectedIndex)
      var index = before
      let result = scanner.scan(text.span, at: &index)
      let description = String(decoding: text, as: UTF8.self)
      #expect(result == expected && index == expectedIndex, "\(random) \(description)")
    }
  }

  @Test(
    "The first text can be any, such as the minute in which time begins, or zeros",
    arguments: [
      (Array("1970-01-01T00:00:12Z".utf8), 12_000_000),
      ([UInt8](repeating: 0, count: 16) + Array(":12Z".utf8), nil),
    ] as [([UInt8], Int64?)])
  func first(text: [UInt8], time: Int64?) {
    var scanner = ISO8601Scanner()
    var index = 0
    #expect(scanner.scan(text.span, at: &index) == time)
  }

  @Test(
    "The second of the current minute is read and checked",
    arguments: [
      ("2024-05-17T06:12:59Z", 59_000_000), ("2024-05-17T06:12:07.250Z", 7_250_000),
      ("2024-05-17T06:12:60Z", nil), ("2024-05-17T06:12:5:Z", nil), ("2024-05-17T06:12:50", nil),
      ("2024-05-17T06:12:50.25Z", nil), ("2024-05-17T06:12:50.2a5Z", nil), ("2024-05-17T06:12 50Z", nil),
    ] as [(String, Int64?)])
  func secondOfMinute(text: String, microseconds: Int64?) {
    var scanner = ISO8601Scanner()
    var index = 0
    // 2024-05-17T06:12:00Z as seconds since 1970, from `date -u -d … +%s`.
    let minute: Int64 = 1_715_926_320_000_000
    #expect(scanner.scan(Array("2024-05-17T06:12:00Z".utf8).span, at: &index) == minute)
    index = 0
    let result = scanner.scan(Array(text.utf8).span, at: &index)
    #expect(result == microseconds.map { minute + $0 })
    #expect(index == (microseconds == nil ? 0 : text.utf8.count))
  }
}
