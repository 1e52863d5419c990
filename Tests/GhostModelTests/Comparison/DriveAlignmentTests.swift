import GhostModel
import Testing
import TrackModel

@testable import TestSupport

@Suite struct DriveAlignmentTests {
  /// Stationary for three gaps, then east at 10 m/s: 3 + 41 points. The first motion begins at point 3.
  private func reference() throws -> DecodedDrive {
    try .made("reference", metres: Array(repeating: (0, 0), count: 3) + (0..<41).map { (Double($0) * 10, 0) })
  }

  /// 41 points, `step` seconds apart: on the same road up to point 20, then to the north.
  private func turning(step: Double = 2) throws -> DecodedDrive {
    let metres = (0..<41).map { (row: Int) -> (Double, Double) in
      row < 20 ? (Double(row * 10), 0) : (200, Double(row * 10 - 200))
    }
    return try .made("turning", step: step, metres: metres)
  }

  /// 41 points, 3 s apart: 100 m from the reference from point 10 to 14 and from 25 to 29.
  private func detours() throws -> DecodedDrive {
    try .eastward(
      "detours", step: 3,
      north: (0..<41).map { (10..<15).contains($0) || (25..<30).contains($0) ? 100 : 0 })
  }

  private func align(_ trails: [DecodedDrive], _ mode: ComparisonMode, end: Bool = false) -> DriveAlignment {
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

  @Test("Start alignment trims idle time and has no time offset")
  func start() throws {
    let alignment = align([try reference(), try turning()], .startLocation)
    #expect(bounds(alignment) == [Bounds(3, 43, 0), Bounds(0, 40, 0)])
    #expect(alignment.mode == .startLocation && !alignment.fellBack)
  }

  @Test("End alignment lets all drives arrive at the same time")
  func end() throws {
    let alignment = align([try reference(), try turning()], .endLocation)
    // 40 gaps of 1 s compared with 40 gaps of 2 s.
    #expect(bounds(alignment) == [Bounds(3, 43, 0), Bounds(0, 40, -40)])
    #expect(alignment.segments[0].time(at: 43) == 40)
    #expect(alignment.segments[1].time(at: 40) == 40)
  }

  @Test(
    "Divergences are the first and the last sample at which the headings of distant drives differ",
    arguments: [
      // The samples are at the steps 25, 30 and 35, as in AnchorPointsTests. The first drive reaches them
      // after as many seconds, the second after twice as many.
      (ComparisonMode.firstDivergence, 25), (.lastDivergence, 35),
    ])
  func divergence(mode: ComparisonMode, step: Int) throws {
    let alignment = align([try reference(), try turning()], mode)
    #expect(bounds(alignment) == [Bounds(3, 43, 0), Bounds(0, 40, Double(step - 2 * step))])
    #expect(!alignment.fellBack && alignment.mode == mode)
    // Both drives reach the anchor at the same time.
    #expect(alignment.segments[0].time(at: step + 3) == Double(step))
    #expect(alignment.segments[1].time(at: step) == Double(step))
  }

  @Test(
    "Convergences are the first and the last sample at which the drives are together again",
    arguments: [
      // Apart at the samples 10 and 25, together at 15 and 30. The second drive takes three times as long to
      // reach them.
      (ComparisonMode.firstConvergence, 15), (.lastConvergence, 30),
    ])
  func convergence(mode: ComparisonMode, step: Int) throws {
    let alignment = align([try reference(), try detours()], mode)
    #expect(bounds(alignment) == [Bounds(3, 43, 0), Bounds(0, 40, Double(step - 3 * step))])
  }

  @Test(
    "Without an anchor, the starts are aligned, and the alignment reports this",
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

  @Test("Each of several drives is aligned with the first")
  func three() throws {
    let alignment = align([try reference(), try turning(), try turning(step: 0.5)], .firstDivergence)
    // The anchor is at 25 s in the first drive, and at 50 s and 12.5 s in the others.
    #expect(bounds(alignment) == [Bounds(3, 43, 0), Bounds(0, 40, -25), Bounds(0, 40, 12.5)])
    #expect(alignment.segments.map(\.id) == [0, 1, 2])
  }

  @Test("If one drive has no anchor, all drives are aligned at the start")
  func oneUnanchored() throws {
    let alignment = align([try reference(), try turning(), try reference()], .firstDivergence)
    #expect(alignment.fellBack && alignment.unanchored == [2])
    #expect(alignment.segments.map(\.timeOffset) == [0, 0, 0])
  }

  @Test("Trimming and alignment can be undone exactly")
  func undone() throws {
    let trails = [try reference(), try detours()]
    let plain = ComparisonSettings.with { $0.trimStartIdle = false }
    let before = DriveComparisonEngine.alignDrives(trails.map(\.drive), settings: plain)
    #expect(before == trails.enumerated().map { DriveSegment($1, id: $0) })
    for mode in ComparisonMode.allCases {
      let changed = align(trails, mode, end: true).segments
      #expect(changed[0].startIndex == 3)
      // The drives are unchanged, and the same settings have the same result again.
      #expect(changed.map(\.trail) == trails)
      #expect(changed.map { DriveSegment($0.trail, id: $0.id) } == before)
      #expect(DriveComparisonEngine.alignDrives(trails.map(\.drive), settings: plain) == before)
    }
  }

  @Test(
    "Parked, empty and single-point drives are aligned without a crash", arguments: ComparisonMode.allCases)
  func odd(mode: ComparisonMode) throws {
    let parked = try DecodedDrive.made(east: [5, 5, 5, 5])
    for odd in [parked, try .made(east: []), try .made(east: [0]), try .made(step: 0, east: [0, 10])] {
      for trails in [[odd], [odd, try reference()], [try reference(), odd], [odd, odd]] {
        let alignment = align(trails, mode, end: true)
        #expect(alignment.segments.count == trails.count)
        #expect(alignment.segments.allSatisfy { $0.timeOffset.isFinite })
      }
    }
    #expect(align([], mode).segments.isEmpty)
  }

  @Test("The engine can be used on the main actor and in other tasks") @MainActor
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
