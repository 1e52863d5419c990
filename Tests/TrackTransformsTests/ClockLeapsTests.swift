import Testing
import TrackModel

@testable import TrackTransforms

@Suite("Clock errors in a log")
struct ClockLeapsTests {
  /// Fixes 9 m apart with the given times in seconds.
  private static func fixes(_ times: [Double]) -> [LocationFix] {
    times.enumerated().map { index, time in
      LocationFix(
        coordinate: Coordinate(latitude: 52 + Double(index) * 8e-5, longitude: 13),
        time: Instant(microseconds: 1_700_000_000_000_000 + Int64(time * 1e6)))
    }
  }

  private static func times(_ fixes: [LocationFix]) -> [Double] {
    fixes.map { Double($0.time.microseconds - 1_700_000_000_000_000) / 1e6 }
  }

  private static let twoYears = 2 * 365 * 86_400.0

  @Test(
    "Fixes hours apart between others are removed", arguments: [twoYears, -twoYears, 25_200.0], [1, 3, 10])
  func leap(by seconds: Double, count: Int) {
    var leaps = ClockLeaps()
    let wrong = (2..<(2 + count)).map { Double($0) + seconds }
    let found = Self.fixes([0, 1] + wrong + [20, 21]).flatMap { leaps.take($0) }
    #expect(Self.times(found) == [0, 1, 20, 21])
    #expect(leaps.removed == count)
  }

  @Test("A log that continues after hours is kept")
  func continued() {
    var leaps = ClockLeaps()
    let times = [0, 1, 2] + (0..<20).map { 30_000 + Double($0) }
    #expect(Self.times(Self.fixes(times).flatMap { leaps.take($0) }) == times)
    #expect(leaps.removed == 0)
  }

  @Test("A fix at another place is kept")
  func elsewhere() {
    var leaps = ClockLeaps()
    var fixes = Self.fixes([0, 1, 30_000, 30_001])
    for index in 2...3 { fixes[index].coordinate.longitude += 0.1 }
    #expect(Self.times(fixes.flatMap { leaps.take($0) }) == [0, 1, 30_000, 30_001])
  }

  @Test("Single fixes after hours at the end are removed")
  func end() {
    var leaps = ClockLeaps()
    #expect(Self.times(Self.fixes([0, 1, 2, 30_000]).flatMap { leaps.take($0) }) == [0, 1, 2])
    #expect(leaps.removed == 1)
  }
}
