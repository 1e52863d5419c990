import TestSupport
import Testing
import TrackModel

@Suite("ISO 8601 clock")
struct ISO8601ClockTests {
  @Test("Consecutive times are written as each would be alone")
  func sameAsAlone() {
    var random = SeededRandom()
    var clock = ISO8601Clock()
    var time: Int64 = 0
    for _ in 0..<Effort.rounds(100_000) {
      switch random.integer(0...9) {
      case 0: time = Int64(random.integer(-70_000_000_000...260_000_000_000)) * 1_000_000
      case 1: time = Int64(random.integer(-20_000...40_000)) * 86_400_000_000 - Int64(random.integer(0...1))
      case 2: time += Int64(random.integer(-90_000_000_000...90_000_000_000))
      case 3: time = time / 1000 * 1000
      case 4: time = time / 1_000_000 * 1_000_000
      default: time += Int64(random.integer(0...5)) * 1_000_000
      }
      var bytes = ByteBuffer()
      clock.append(Instant(microseconds: time), to: &bytes)
      #expect(bytes.string == ISO8601.text(Instant(microseconds: time)), "\(random)")
    }
  }

  @Test(
    "The smallest and largest times are written",
    arguments: [Int64.min + 1, .max, 0, -1, -62_135_596_800_000_001])
  func extremes(time: Int64) {
    var clock = ISO8601Clock()
    for _ in 0..<2 {
      var bytes = ByteBuffer()
      clock.append(Instant(microseconds: time), to: &bytes)
      #expect(bytes.string == ISO8601.text(Instant(microseconds: time)))
    }
  }
}
