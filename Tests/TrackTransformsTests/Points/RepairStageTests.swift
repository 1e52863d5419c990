import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite struct RepairStageTests {
  /// One point per second on the 7th meridian, 11 m apart; the values are time, latitude and longitude.
  private func line(_ seconds: Range<Int> = 0..<60) -> [(Double, Double, Double)] {
    seconds.map { (Double($0), 46 + Double($0) * 1e-4, 7) }
  }

  private func run(
    _ points: [(Double, Double, Double)], keepsEnds: Bool = false, info: TrackInfo = TrackInfo()
  ) -> StageRun {
    StageRun([.header] + StreamItem.track(info, .line(points)), [RepairStage(keepsEnds: keepsEnds)])
  }

  private func latitudes(_ points: [(Double, Double, Double)], keepsEnds: Bool = false) -> [Double] {
    run(points, keepsEnds: keepsEnds).lines[0].latitudes
  }

  @Test("A valid line is unchanged, and there is no summary")
  func sound() {
    let result = run(line())
    #expect(result.lines[0].latitudes == line().map(\.1))
    #expect(result.summary == nil)
  }

  @Test("A fix at 0°, 0° far from its neighbours is removed", arguments: [0, 30, 59])
  func nullFix(index: Int) {
    var points = line()
    points[index] = (points[index].0, 0, 0)
    var expected = line().map(\.1)
    expected.remove(at: index)
    let result = run(points)
    #expect(result.lines[0].latitudes == expected)
    #expect(result.summary == "wrong times or positions: 1 of 60 points removed")
  }

  @Test("A fix whose clock is two years ahead is removed", arguments: [0, 30, 59])
  func clockAhead(index: Int) {
    var points = line()
    points[index].0 += 63_072_000
    var expected = line().map(\.1)
    expected.remove(at: index)
    #expect(latitudes(points) == expected)
  }

  @Test("A few fixes at an end that are hours apart are kept if the track will be split there")
  func ends() {
    var points = line()
    points[59].0 += 63_072_000
    #expect(latitudes(points, keepsEnds: true) == line().map(\.1))
    #expect(latitudes(points).count == 59)
  }

  @Test("Points that occur again are removed, entirely or in part", arguments: [0, 20])
  func repetition(first: Int) {
    #expect(latitudes(line() + line(first..<60)) == line().map(\.1))
  }

  @Test("Times that run backwards throughout are unchanged")
  func backwards() {
    let points = zip(line().reversed(), line()).map { ($0.0, $1.1, $1.2) }
    #expect(latitudes(points) == line().map(\.1))
  }

  @Test("Long gaps in a source with infrequent times are not clock errors")
  func coarse() {
    var info = TrackInfo()
    info.resolution = Resolution(time: 3600)
    let points = [0.0, 1, 8, 9, 30, 31].map { (hours: Double) -> (Double, Double, Double) in
      (hours * 3600, 46 + hours * 1e-4, 7)
    }
    #expect(run(points, info: info).lines[0].latitudes == points.map(\.1))
  }
}
