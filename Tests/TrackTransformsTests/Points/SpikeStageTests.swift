import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite struct SpikeStageTests {
  /// Returns points 1 s apart on the equator, at these ten-thousandths of a degree (11.13 m); 9 per second
  /// are 100 m/s.
  private func line(_ steps: [Double], spacing: Double = 1) -> PointColumns {
    .line(steps.enumerated().map { (Double($0.offset) * spacing, 0, $0.element / 10_000) })
  }

  private func left(_ points: PointColumns) -> [Double] {
    StageRun([.header] + StreamItem.track(TrackInfo(), points), [SpikeStage()]).lines[0].longitudes.map {
      ($0 * 10_000).rounded()
    }
  }

  private func left(_ steps: [Double], spacing: Double = 1) -> [Double] {
    left(line(steps, spacing: spacing))
  }

  @Test("A single spike is removed")
  func single() {
    #expect(left([0, 2, 4, 900, 8, 10]) == [0, 2, 4, 8, 10])
    #expect(left([0, 900, 4]) == [0, 4])
    #expect(left([0, 900, 4, -900, 8]) == [0, 4, 8])
    #expect(left([0, 2, 900, 6, -900, 10, 12]) == [0, 2, 6, 10, 12])
  }

  @Test("A spike at either end is removed")
  func ends() {
    #expect(left([900, 2, 4, 6]) == [2, 4, 6])
    #expect(left([0, 2, 4, 900]) == [0, 2, 4])
    #expect(left([900, 2, 4, 6, 8, 900]) == [2, 4, 6, 8])
  }

  @Test("Several consecutive spikes are removed, wherever each is")
  func runs() {
    #expect(left([0, 2, 4, 900, 901, 10, 12]) == [0, 2, 4, 10, 12])
    #expect(left([0, 2, 4, 900, -900, 10, 12]) == [0, 2, 4, 10, 12])
    #expect(left([0, 2, 4, 900, 901, 902, 903, 14, 16, 18, 20]) == [0, 2, 4, 14, 16, 18, 20])
  }

  @Test("A jump after which the line continues is not a spike")
  func jump() {
    let steps: [Double] = [0, 2, 4, 6, 900, 902, 904, 906]
    #expect(left(steps) == steps)
    // Even if the later points could be reached from before the jump after some time.
    let long = steps + (0..<300).map { 908 + Double($0) }
    #expect(left(long) == long)
  }

  @Test("Fast tracks are unchanged: a flight at 256 m/s, alone or between two drives")
  func flight() {
    let flight = (0..<200).map { Double($0) * 23 }
    #expect(left(flight) == flight)
    let drive = (0..<400).map { Double($0) * 2 }
    let trip = drive + flight.map { 800 + $0 } + drive.map { 5380 + $0 }
    #expect(left(trip) == trip)
  }

  @Test("A holding pattern is not a spike, although it returns to the same position", arguments: [0, 200])
  func circling(drive: Int) {
    // A point every 30 s: a drive at 37 m/s, a flight at 200 m/s, and a circle of 6 km at 235 m/s.
    let corners: [(Double, Double)] = [
      (0.054, 0), (0.017, 0.051), (-0.044, 0.032), (-0.044, -0.032), (0.017, -0.051),
    ]
    var places = (0..<drive).map { (0.0, Double($0 - drive) / 100) }
    places += (0..<20).map { (0.0, Double($0) * 0.054) }
    places += (0..<40).map { (corners[$0 % 5].0, 1.08 + corners[$0 % 5].1) }
    let points = PointColumns.line(
      places.enumerated().map { (Double($0.offset) * 30, $0.element.0, $0.element.1) })
    #expect(left(points).count == drive + 60)
    // The circle alone as well.
    #expect(left(points.rows((drive + 20)..<(drive + 60))).count == 40)
  }

  @Test("Nothing is removed at or below the limit")
  func limit() {
    // 8.9 ten-thousandths per second are 99 m/s.
    let steps: [Double] = [0, 9, 0, 9, 0].map { $0 * 8.9 / 9 }
    #expect(left(steps).count == 5)
    #expect(left([0, 2, 20, 6, 8]) == [0, 2, 6, 8])
    // Positions of one time may differ by 40 m because of inaccurate fixes.
    let still = PointColumns.line([(0, 0, 0), (0, 0, 0.00036), (0, 0, 0), (1, 0, 0)])
    #expect(left(still).count == 4)
  }

  @Test("Points without times are never spikes, and neither are two points")
  func untimed() {
    let points = PointColumns.line([(nil, 0, 0.0005), (nil, 0, 9), (nil, 0, 0.001)])
    #expect(left(points).count == 3)
    #expect(left([0, 900]).count == 2)
    #expect(left([5]).count == 1)
  }

  @Test("Segments are checked separately, and removed points are counted")
  func segments() {
    let items =
      [.header] + StreamItem.track(TrackInfo(), line([0, 2, 4]), line([900, 902, 904]), line([0, 900, 4]))
      + StreamItem.route(TrackInfo(), .equator(seconds: [nil, nil]))
    let run = StageRun(items, [SpikeStage()])
    #expect(run.lines.map(\.count) == [3, 3, 2, 2])
    #expect(run.summary == "drop-spikes: 1 of 11 points removed")
    #expect(
      StageRun(Array(items.prefix(4)), [SpikeStage()], error: TrackError(.truncated, "cut")).summary == nil)
  }
}
