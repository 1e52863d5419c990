import GhostModel
import Testing
import TrackModel

@testable import TestSupport

@Suite struct DriveAlignmentTests {
  /// Stands for three gaps, then goes east, 10 m a second: 3 + 41 points. The first motion begins at point 3.
  private func reference() throws -> DriveTrail {
    try .made("reference", metres: Array(repeating: (0, 0), count: 3) + (0..<41).map { (Double($0) * 10, 0) })
  }

  /// 41 points, `step` seconds apart; goes the same way up to point 20, and then to the north.
  private func turning(step: Double = 2) throws -> DriveTrail {
    try .made(
      "turning", step: step,
      metres: (0..<41).map { $0 < 20 ? (Double($0) * 10, 0) : (200, Double($0 - 20) * 10) })
  }

  /// 41 points, 3 s apart; beside the reference by 100 m from point 10 to 14 and from 25 to 29.
  private func detours() throws -> DriveTrail {
    try .eastward(
      "detours", step: 3,
      north: (0..<41).map { (10..<15).contains($0) || (25..<30).contains($0) ? 100 : 0 })
  }

  private func align(_ trails: [DriveTrail], _ mode: ComparisonMode, end: Bool = false) -> DriveAlignment {
    var settings = ComparisonSettings(mode: mode)
    settings.trimEndIdle = end
    return DriveComparisonEngine.alignment(of: trails, settings: settings)
  }

  private struct Bounds: Equatable {
    var start: Int
    var end: Int
    var offset: Double
    init(_ start: Int, _ end: Int, _ offset: Double) {
      (self.start, self.end, self.offset) = (start, end, offset)
    }
  }

  private func bounds(_ alignment: DriveAlignment) -> [Bounds] {
    alignment.segments.map { Bounds($0.startIndex, $0.endIndex, $0.timeOffset) }
  }

  @Test("Start alignment trims and shifts nothing")
  func start() throws {
    let alignment = align([try reference(), try turning()], .startLocation)
    #expect(bounds(alignment) == [Bounds(3, 43, 0), Bounds(0, 40, 0)])
    #expect(alignment.mode == .startLocation && !alignment.fellBack)
  }

  @Test("End alignment lets both arrive at once")
  func end() throws {
    let alignment = align([try reference(), try turning()], .endLocation)
    // 40 gaps of 1 s against 40 of 2 s.
    #expect(bounds(alignment) == [Bounds(3, 43, 0), Bounds(0, 40, -40)])
    #expect(alignment.segments[0].time(at: 43) == 40)
    #expect(alignment.segments[1].time(at: 40) == 40)
  }

  @Test(
    "Divergences are the first and the last place looked at where the drives head apart",
    arguments: [
      // In steps from the start, as AnchorPointsTests shows them: 25, 30, 35. The first drive is there after
      // as many seconds, the second after twice as many.
      (ComparisonMode.firstDivergence, 25), (.lastDivergence, 35),
    ])
  func divergence(mode: ComparisonMode, step: Int) throws {
    let alignment = align([try reference(), try turning()], mode)
    #expect(bounds(alignment) == [Bounds(3, 43, 0), Bounds(0, 40, Double(step - 2 * step))])
    #expect(!alignment.fellBack && alignment.mode == mode)
    // Both are at the anchor at once.
    #expect(alignment.segments[0].time(at: step + 3) == Double(step))
    #expect(alignment.segments[1].time(at: step) == Double(step))
  }

  @Test(
    "Convergences are the first and the last place looked at where the drives are together again",
    arguments: [
      // Apart at the samples 10 and 25, together at 15 and 30; the second is there after three times as long.
      (ComparisonMode.firstConvergence, 15), (.lastConvergence, 30),
    ])
  func convergence(mode: ComparisonMode, step: Int) throws {
    let alignment = align([try reference(), try detours()], mode)
    #expect(bounds(alignment) == [Bounds(3, 43, 0), Bounds(0, 40, Double(step - 3 * step))])
  }

  @Test(
    "Where there is no anchor, the starts are aligned and the result says so",
    arguments: ComparisonMode.allCases)
  func fallback(mode: ComparisonMode) throws {
    let alignment = align([try reference(), try reference()], mode)
    let needsAnchor = mode != .startLocation && mode != .endLocation
    #expect(alignment.requestedMode == mode)
    #expect(alignment.fellBack == needsAnchor)
    #expect(alignment.mode == (needsAnchor ? .startLocation : mode))
    #expect(alignment.unanchored == (needsAnchor ? [1] : []))
    #expect(bounds(alignment) == [Bounds(3, 43, 0), Bounds(3, 43, 0)])
  }

  @Test("More than two drives are each aligned with the first")
  func three() throws {
    let alignment = align([try reference(), try turning(), try turning(step: 0.5)], .firstDivergence)
    // At 25 s on the first; at 50 s and 12.5 s on the others.
    #expect(bounds(alignment) == [Bounds(3, 43, 0), Bounds(0, 40, -25), Bounds(0, 40, 12.5)])
    #expect(alignment.segments.map(\.id) == [0, 1, 2])
  }

  @Test("One drive without an anchor takes all of them back to the start")
  func oneUnanchored() throws {
    let alignment = align([try reference(), try turning(), try reference()], .firstDivergence)
    #expect(alignment.fellBack && alignment.unanchored == [2])
    #expect(alignment.segments.map(\.timeOffset) == [0, 0, 0])
  }

  @Test("What trimming and aligning did is undone exactly")
  func undone() throws {
    let trails = [try reference(), try detours()]
    let plain = ComparisonSettings.with { $0.trimStartIdle = false }
    let before = DriveComparisonEngine.alignDrives(trails.map(\.drive), settings: plain)
    #expect(before == trails.enumerated().map { DriveSegment($1, id: $0) })
    for mode in ComparisonMode.allCases {
      let changed = align(trails, mode, end: true).segments
      #expect(changed[0].startIndex == 3)
      // The drives are as they were, and the same settings give the same again.
      #expect(changed.map(\.trail) == trails)
      #expect(changed.map { DriveSegment($0.trail, id: $0.id) } == before)
      #expect(DriveComparisonEngine.alignDrives(trails.map(\.drive), settings: plain) == before)
    }
  }

  @Test("Parked, empty and single-point drives align without a crash", arguments: ComparisonMode.allCases)
  func odd(mode: ComparisonMode) throws {
    let parked = try DriveTrail.made(east: [5, 5, 5, 5])
    for odd in [parked, try .made(east: []), try .made(east: [0]), try .made(step: 0, east: [0, 10])] {
      for trails in [[odd], [odd, try reference()], [try reference(), odd], [odd, odd]] {
        let alignment = align(trails, mode, end: true)
        #expect(alignment.segments.count == trails.count)
        #expect(alignment.segments.allSatisfy { $0.timeOffset.isFinite })
      }
    }
    #expect(align([], mode).segments.isEmpty)
  }

  @Test("The engine is there on the main actor and off it") @MainActor
  func actors() async throws {
    let trails = [try reference(), try turning()]
    let settings = ComparisonSettings(mode: .lastDivergence)
    let here = DriveComparisonEngine.alignDrives(trails.map(\.drive), settings: settings)
    let there = await Task.detached {
      DriveComparisonEngine.alignDrives(trails.map(\.drive), settings: settings)
    }.value
    #expect(here == there)
  }
}
