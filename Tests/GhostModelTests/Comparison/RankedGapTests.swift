import Testing

@testable import GhostModel

struct RankedGapTests {
  /// Compares drives with the first, each with a gap that grows evenly along a stretch of the first drive.
  private func comparison(
    _ stretches: [(span: ClosedRange<Double>, gap: Double)], mode: ComparisonMode = .startLocation
  ) -> DriveComparison {
    let pairs = stretches.enumerated().map { index, stretch in
      var profile = GapProfile()
      profile.stretchStarts = [0]
      profile.distances = [stretch.span.lowerBound, stretch.span.upperBound]
      profile.gaps = [0, stretch.gap]
      return PairComparison(
        first: 0, second: index + 1, relation: .shared, profile: profile, finalGap: stretch.gap,
        uncertainty: 2)
    }
    let drives = (0...stretches.count).map { index in
      ComparedDrive(
        label: "\(index)", source: nil, points: 2, startIndex: 0, endIndex: 1, timeOffset: 0, duration: 600,
        distance: 10_000, motionStart: 0, motionEnd: 600, elapsed: 600, stops: [])
    }
    return DriveComparison(
      requestedMode: mode, mode: mode, fallback: nil, engine: .matched, timing: .timestamps, drives: drives,
      pairs: pairs, winner: nil, margin: nil, uncertainty: 0)
  }

  private func gaps(_ comparison: DriveComparison) -> [Int: Double] {
    Dictionary(uniqueKeysWithValues: comparison.rankedGaps.map { ($0.drive, $0.seconds) })
  }

  @Test("Drives on the same road have the gaps of their pairs")
  func sameRoad() {
    #expect(gaps(comparison([(0...10_000, 5), (40...9950, -3)])) == [1: 5, 2: -3])
    #expect(gaps(comparison([(0...3000, 5)])) == [1: 5])
    #expect(gaps(comparison([])) == [:])
  }

  @Test("A drive that shares less than nine tenths of the road of another one is not ranked")
  func part() {
    #expect(gaps(comparison([(0...10_000, 5), (0...3000, -30)])) == [1: 5])
    #expect(gaps(comparison([(0...4000, 5), (5000...10_000, -30)])) == [2: -30])
  }

  @Test("Drives are ranked on the road that all of them share")
  func common() {
    // Of 10 s on 10 km, 9.5 s are on the first 9.5 km, and 9 s from there on to 0.5 km.
    #expect(gaps(comparison([(0...10_000, 10), (0...9500, 4)])) == [1: 9.5, 2: 4])
    let first = 4 - 4.0 / 19
    #expect(
      gaps(comparison([(0...9500, 4), (500...10_000, 19), (0...10_000, 10)])) == [1: first, 2: 18, 3: 9])
    #expect(gaps(comparison([(0...10_000, 10), (0...9500, 4)], mode: .endLocation)) == [1: 9.5, 2: 4])
    // Gaps from another place are not divided.
    #expect(gaps(comparison([(0...10_000, 10), (0...9500, 4)], mode: .firstDivergence)) == [1: 10, 2: 4])
    #expect(comparison([(0...9500, 4), (500...10_000, 19)]).rankedRoad == 500...9500)
    #expect(comparison([(0...9950, 4), (50...10_000, 19)]).rankedRoad == nil)
  }

  @Test("If the common road ends on a detour of one drive, the drives are ranked up to the detour")
  func detour() {
    var comparison = comparison([(0...10_000, 10), (0...9500, 4)])
    // From 9 km to 9.8 km, the first of them is on another road, on which it loses 50 s.
    comparison.pairs[0].profile.stretchStarts = [0, 2]
    comparison.pairs[0].profile.distances = [0, 9000, 9800, 10_000]
    comparison.pairs[0].profile.gaps = [0, 9, 59, 60]
    comparison.pairs[0].finalGap = 60
    let second = 4 * 9000.0 / 9500
    #expect(gaps(comparison) == [1: 9, 2: second])
    #expect(comparison.rankedRoad == 0...9000)
  }

  @Test("Another recording of an earlier drive is not ranked")
  func sameRide() {
    var comparison = comparison([(0...10_000, 5), (0...10_000, 6)])
    comparison.drives[2].concurrent = [.init(drive: 1, relation: .simultaneous)]
    #expect(gaps(comparison) == [1: 5])
  }
}
