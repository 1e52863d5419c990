import Testing
import TrackModel

@testable import DriveMatching

@Suite("Search for a circuit")
struct CircuitSearchTests {
  @Test("Fewer points of a cell are examined if they would be compared with too many others")
  func pairs() {
    // Twenty-four points of a cell, in at most 50 million pairs.
    for (pairs, expected) in [
      (0, 24), (50_000_000, 24), (50_000_001, 23), (100_000_000, 12), (1_200_000_000, 1), (1 << 50, 1),
    ] {
      #expect(CircuitSearch.examined(perCellOf: pairs) == expected)
    }
  }

  @Test("Jumps are sampled more coarsely the more fixes there are, also in other parts of the drive")
  func samples() {
    let path = SmoothPath([SIMD3(0, 0, 0), SIMD3(1e6, 0, 0)], times: [0, 1])
    // 64 parts, or those for 400,000 samples of all parts.
    #expect(path.samples(from: 0, to: 1).count == 65)
    #expect(path.samples(from: 0, to: 1, fixes: 40_000).count == 11)
    #expect(path.samples(from: 0, to: 1, fixes: 1_000_000).count == 2)
  }

  @Test("The maximum speed is that over a second, also with thousands of points per second")
  func maximumSpeed() {
    // 20 m/s, and 40 m/s from 2 s to 3 s.
    let times = (0...4000).map { Double($0) / 1000 }
    let places = times.map { SIMD3(20 * $0 + 20 * min(max($0 - 2, 0), 1), 0, 0) }
    let path = SmoothPath(places, times: times)
    #expect(abs(path.maximumSpeed(from: 0, to: 1.5) - 20) < 0.1)
    #expect(abs(path.maximumSpeed(from: 0, to: 4) - 40) < 0.1)
  }
}
