import Testing

@testable import DriveMatching

@Suite("Ends of two drives that face each other")
struct FacingEndsTests {
  @Test("Drives that are stationary within the noise of their fixes probably begin at one place")
  func onePlace() {
    // The densities at a distance of 0 are 0.3 / 3 m for one place, and 0.7 / 20 m for two places.
    func likely(_ depth: Double, _ areStationary: Bool) -> [(
      depth: Double, weight: Double, stopsInside: Bool
    )] {
      FacingEnds.likelyCases(.start, depth, 3, stop: nil, areStationary: areStationary)
    }
    let near = likely(0, true)
    let one: Double = near.filter { $0.depth == 0 }.map(\.weight).reduce(0, +)
    let total: Double = near.map(\.weight).reduce(0, +)
    let expected: Double = (0.1 + 0.035 / 11) / 0.135
    #expect(abs(one - expected) < 1e-9)
    #expect(abs(total - 1) < 1e-9)
    let others: [(depth: Double, areStationary: Bool)] = [(15, true), (60, true), (1e6, true), (0, false)]
    for (depth, areStationary) in others {
      let cases = likely(depth, areStationary)
      let mean: Double = cases.map { $0.weight * $0.depth }.reduce(0, +)
      #expect(abs(mean - depth) < 1e-3 * (depth + 1))
      #expect(!cases.contains { $0.stopsInside })
    }
  }

  @Test("A recording that begins 9 m before the other drive's wait probably begins there or elsewhere")
  func atStop() {
    // One drive waits 30 m after its start. The densities are 0.7 / 3 m · exp(-4.5) for a start at the wait,
    // and 0.3 / 20 m · exp(-0.10125) for one elsewhere. The third of the quantiles is 9 m away.
    let rolling = FacingEnds.likelyCases(.start, 21, 3, stop: 30, areStationary: false)
    let atStop = rolling.filter { $0.depth == 30 }.map(\.weight).reduce(0, +)
    let (there, elsewhere) = (0.7 / 3 * 0.011108996538, 0.015 * 0.903707077874)
    #expect(abs(atStop - there / (there + elsewhere)) < 1e-9)
    #expect(rolling.allSatisfy { $0.stopsInside == ($0.depth < 30) })
    // The same for the second drive's wait.
    let mirrored = FacingEnds.likelyCases(.start, -21, 3, stop: -30, areStationary: false)
    #expect(mirrored.allSatisfy { $0.stopsInside == ($0.depth > -30) })
    #expect(abs(mirrored.reduce(0) { $0 + $1.weight } - 1) < 1e-9)
    // A wait 1 m further inside is most likely the place itself, so that it does not count.
    let near = FacingEnds.likelyCases(.start, 29, 3, stop: 30, areStationary: true)
    #expect(!near.contains { $0.stopsInside })
    // At the end, the order in the queue decides: half of the places are before the wait.
    let end = FacingEnds.likelyCases(.end, 30, 3, stop: 30.1, areStationary: false)
    #expect(end.count { $0.stopsInside } == 6)
  }

  @Test("A fix at a stop of the other drive is probably one of a stop, too")
  func standingShare() {
    // Half of the drives stop there, for 28 s on average. One that passes at 12 m/s is within 12 m for 2 s.
    #expect(abs(FacingEnds.standingShare(at: 12) - 14.0 / 16) < 1e-9)
    // At 0.3 m/s, the others pass in 80 s.
    #expect(abs(FacingEnds.standingShare(at: 0.3) - 14.0 / 94) < 1e-9)
  }
}
