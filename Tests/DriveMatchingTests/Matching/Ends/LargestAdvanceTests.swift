import Testing
import TrackModel

@testable import DriveMatching

@Suite("The largest advance of a receiver")
struct LargestAdvanceTests {
  /// The standard deviation of the way across the road is 1 m per step.
  private static let aside = (0..<60).map { SIMD3($0.isMultiple(of: 2) ? 1.0 : 0, 0, 0) }

  @Test("It is the span of most standard deviations, in either order of the moves", arguments: [false, true])
  func span(isReversed: Bool) {
    // 6 m in 2 s, and 9 m in 9 s: 4.2 and 3 deviations of a random walk.
    func moved(_ second: Int) -> Double {
      3 * Double(min(max(second - 10, 0), 2)) + Double(min(max(second - 30, 0), 9))
    }
    let along = (0..<60).map { isReversed ? -moved(59 - $0) : moved($0) }
    let advance = LargestAdvance((0..<60).map(Double.init), along, Self.aside)
    #expect([advance.from, advance.to] == (isReversed ? [47, 49] : [10, 12]))
    #expect(abs(advance.deviations - 6 / 2.0.squareRoot()) < 0.01)
    #expect(abs(advance.other - 3) < 0.01)
    #expect(advance.back == 0)
  }

  @Test("A way backwards is measured as well")
  func back() {
    let along = (0..<60).map { $0 < 20 ? 0 : $0 < 40 ? 4.0 : -1.0 }
    let advance = LargestAdvance((0..<60).map(Double.init), along, Self.aside)
    #expect(abs(advance.deviations - 4) < 0.01 && abs(advance.back - 5) < 0.01)
  }

  @Test("Without fixes, and with fixes of one moment, nothing advances", arguments: [0, 1, 3])
  func few(count: Int) {
    let advance = LargestAdvance(
      Array(repeating: 5, count: count), Array(repeating: 1, count: count),
      Array(repeating: .zero, count: count))
    #expect(advance.deviations == 0 && advance.other == 0)
  }
}
