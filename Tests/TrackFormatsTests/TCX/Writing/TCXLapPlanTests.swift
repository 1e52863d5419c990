import Testing
import TrackModel

@testable import TrackFormats

/// Tests the assignment of segments and their parts to laps.
@Suite("TCX lap plan")
struct TCXLapPlanTests {
  private static func instant(_ second: Double) -> Instant { Instant(microseconds: Int64(second * 1e6)) }

  /// Returns a segment between two times in seconds that moves eastwards by one degree on the equator, with
  /// or without the device's distance.
  private static func segment(_ first: Double, _ last: Double, distance: ClosedRange<Double>? = nil)
    -> TCXSegment
  {
    var segment = TCXSegment()
    segment.add(
      Coordinate(latitude: 0, longitude: 0), time: instant(first), distance: distance?.lowerBound ?? .nan)
    segment.add(
      Coordinate(latitude: 0, longitude: 1), time: instant(last), distance: distance?.upperBound ?? .nan)
    return segment
  }

  private static func lap(_ start: Double?, distance: Double? = nil, timer: Double? = nil) -> Lap {
    var lap = Lap(start: start.map(instant))
    lap.distance = distance
    lap.timerTime = timer
    return lap
  }

  private static func plan(_ laps: [Lap], _ segments: [TCXSegment]) -> [String]? {
    TCXLapPlan(laps, segments)?.laps.map { planned in
      "\(planned.segments) " + (planned.end.map { "to \($0.secondsSince1970) " } ?? "")
        + "\(planned.timerTime) s \(planned.distance.rounded()) m"
    }
  }

  /// A degree of a great circle on a sphere of 6371008.8 m: π / 180 · 6371008.8 = 111195.08 m.
  private static let degree = 111_195.0

  @Test("A single lap contains all segments, and missing figures are their sums")
  func oneLap() {
    let segments = [TCXLapPlanTests.segment(0, 60), TCXLapPlanTests.segment(100, 130, distance: 500...1500)]
    #expect(
      TCXLapPlanTests.plan([Lap()], segments) == ["0..<2 90.0 s \(TCXLapPlanTests.degree + 1000) m"])
    #expect(
      TCXLapPlanTests.plan([TCXLapPlanTests.lap(50, distance: 7, timer: 8)], segments) == [
        "0..<2 8.0 s 7.0 m"
      ])
    #expect(TCXLapPlanTests.plan([Lap()], []) == ["0..<0 0.0 s 0.0 m"])
    #expect(TCXLapPlanTests.plan([], segments) == nil)
  }

  @Test("A lap begins with the segment that begins within five seconds of it, or with the next")
  func wholeSegments() {
    let segments = [
      TCXLapPlanTests.segment(0, 60), TCXLapPlanTests.segment(60, 120), TCXLapPlanTests.segment(200, 300),
    ]
    let metres = "\(TCXLapPlanTests.degree) m"
    for second in [56, 60, 62, 65.0] {
      #expect(
        TCXLapPlanTests.plan([TCXLapPlanTests.lap(0), TCXLapPlanTests.lap(second)], segments) == [
          "0..<1 60.0 s \(metres)", "1..<3 160.0 s \(2 * TCXLapPlanTests.degree) m",
        ])
    }
    for second in [120, 150, 199, 205.0] {
      #expect(
        TCXLapPlanTests.plan(
          [TCXLapPlanTests.lap(0), TCXLapPlanTests.lap(60), TCXLapPlanTests.lap(second)], segments) == [
            "0..<1 60.0 s \(metres)", "1..<2 60.0 s \(metres)", "2..<3 100.0 s \(metres)",
          ])
    }
    // Laps without points: before the next one, and after the last.
    #expect(
      TCXLapPlanTests.plan([0, 130, 140, 310].map { TCXLapPlanTests.lap($0) }, segments) == [
        "0..<2 120.0 s \(2 * TCXLapPlanTests.degree) m", "2..<2 0.0 s 0.0 m", "2..<3 100.0 s \(metres)",
        "3..<3 0.0 s 0.0 m",
      ])
  }

  @Test("Laps of a few seconds contain their own points")
  func shortLaps() {
    func plan(_ starts: [Double], _ segments: [TCXSegment]) -> [String]? {
      TCXLapPlanTests.plan(starts.map { TCXLapPlanTests.lap($0, distance: 5) }, segments)
    }
    let short = [0, 5, 10.0].map { TCXLapPlanTests.segment($0, $0 + 4) }
    #expect(plan([0, 5, 10], short) == ["0..<1 4.0 s 5.0 m", "1..<2 4.0 s 5.0 m", "2..<3 4.0 s 5.0 m"])
    let long = [TCXLapPlanTests.segment(0, 60)]
    #expect(
      plan([0, 30, 56], long)
        == ["0..<1 to 30.0 30.0 s 5.0 m", "0..<1 to 56.0 26.0 s 5.0 m", "0..<1 4.0 s 5.0 m"])
    #expect(plan([0, 3], long) == ["0..<1 to 3.0 3.0 s 5.0 m", "0..<1 57.0 s 5.0 m"])
    // A pause follows four seconds after the start of the last lap.
    #expect(
      plan([0, 56], long + [TCXLapPlanTests.segment(200, 300)])
        == ["0..<1 to 56.0 56.0 s 5.0 m", "0..<2 244.0 s 5.0 m"])
  }

  @Test("A lap that begins inside a segment splits it")
  func partedSegments() throws {
    let segments = [TCXLapPlanTests.segment(0, 100), TCXLapPlanTests.segment(100, 200)]
    let laps = [0, 30, 60, 150].map { TCXLapPlanTests.lap($0, distance: 5) }
    #expect(
      TCXLapPlanTests.plan(laps, segments) == [
        "0..<1 to 30.0 30.0 s 5.0 m", "0..<1 to 60.0 30.0 s 5.0 m", "0..<2 to 150.0 90.0 s 5.0 m",
        "1..<2 50.0 s 5.0 m",
      ])
    #expect(try #require(TCXLapPlan(laps, segments)).partedSegments == 3)
  }

  @Test("Laps without distinct starts have no plan")
  func noPlan() {
    let segments = [TCXLapPlanTests.segment(0, 100)]
    let lap = TCXLapPlanTests.lap
    #expect(TCXLapPlanTests.plan([lap(0, 1, nil), lap(nil, 1, nil)], segments) == nil)
    #expect(TCXLapPlanTests.plan([lap(nil, 1, nil), lap(50, 1, nil)], segments) == nil)
    #expect(TCXLapPlanTests.plan([lap(50, 1, nil), lap(0, 1, nil)], segments) == nil)
  }

  @Test("The distance to the middle of a segment is computed from the points")
  func measured() throws {
    let lap = TCXLapPlanTests.lap
    let segments = [TCXLapPlanTests.segment(0, 100)]
    var plan = try #require(TCXLapPlan([lap(0, nil, nil), lap(50, nil, 7)], segments))
    #expect(plan.needsMeasuring)
    var figures = TCXLapFigures()
    figures.add(TCXLapPlanTests.segment(0, 30, distance: 0...200))
    figures.add(TCXLapPlanTests.segment(40, 50, distance: 0...50))
    plan.measure([figures, figures])
    #expect(!plan.needsMeasuring)
    #expect(plan.laps.map(\.timerTime) == [40, 7] && plan.laps.map(\.distance) == [250, 250])
    #expect(try !#require(TCXLapPlan([lap(0, 1, nil), lap(50, 1, nil)], segments)).needsMeasuring)
  }
}
