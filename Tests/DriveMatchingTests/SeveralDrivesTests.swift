import GhostModel
import Testing
import TrackModel

@testable import DriveMatching
@testable import TestSupport

@Suite struct SeveralDrivesTests {
  /// Returns a drive of 3 km to the east with 10 m between points. The points 100 to 199 are `detour` metres
  /// farther north.
  private func trace(_ label: String, step: Double, detour: Double = 0, north: Double = 0) throws
    -> TimedDrive
  {
    let trail = try DecodedDrive.eastward(
      north: (0...300).map { north + ((100..<200).contains($0) ? detour : 0) })
    return try TimedDrive(
      label: label, coordinates: trail.coordinates,
      elapsed: trail.coordinates.indices.map { Double($0) * step })
  }

  private func compare(_ traces: [TimedDrive], _ mode: ComparisonMode) throws -> DriveComparison {
    try DriveComparison.compare(traces, settings: ComparisonSettings(mode: mode))
  }

  @Test("If one pair has no anchor, all pairs are aligned at the start, so that their gaps can be ranked")
  func fallback() throws {
    let traces = [
      try trace("a", step: 1), try trace("round", step: 0.9, detour: 300), try trace("straight", step: 0.8),
    ]
    let two = try compare(Array(traces.prefix(2)), .firstConvergence)
    #expect(two.mode == .firstConvergence && two.fallback == nil)
    let three = try compare(traces, .firstConvergence)
    #expect(three.requestedMode == .firstConvergence)
    #expect(three.mode == .startLocation && three.fallback == .noSuchEvent)
    // 300 points at 1, 0.9 and 0.8 s.
    for (pair, gap) in zip(three.pairs, [-30.0, -60]) { #expect(abs((pair.finalGap ?? 0) - gap) < 3) }
    #expect(three.winner == 2)
  }

  @Test("A drive on another road does not affect the alignment of the others")
  func elsewhere() throws {
    let traces = [
      try trace("a", step: 1), try trace("round", step: 0.9, detour: 300),
      try trace("far", step: 1, north: 20_000),
    ]
    let result = try compare(traces, .firstConvergence)
    #expect(result.mode == .firstConvergence && result.fallback == nil)
    #expect(result.pairs.map(\.relation) == [.shared, .nothingShared])
    // 100 points after the convergence, at 1 and 0.9 s.
    #expect(abs((result.pairs[0].finalGap ?? 0) + 10) < 3)
    #expect(result.pairs[1].finalGap == nil && result.winner == 1)
  }
}
