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

  /// Returns the times of the confirmed fixes of a log, and the number of removed ones.
  private static func read(_ fixes: [LocationFix]) -> (times: [Double], removed: Int) {
    var leaps = ClockLeaps()
    let confirmed = fixes.flatMap { leaps.take($0) } + leaps.finish()
    return (times(confirmed), leaps.removed)
  }

  private static let twoYears = 2 * 365 * 86_400.0

  @Test(
    "Fixes hours apart between others are removed", arguments: [twoYears, -twoYears, 25_200.0], [1, 3, 10])
  func leap(by seconds: Double, count: Int) {
    let wrong = (2..<(2 + count)).map { Double($0) + seconds }
    #expect(Self.read(Self.fixes([0, 1] + wrong + [20, 21])) == ([0, 1, 20, 21], count))
  }

  @Test(
    "First fixes with a date years before or after the others are removed", arguments: [twoYears, -twoYears],
    [1, 3, 10])
  func opening(by seconds: Double, count: Int) {
    let wrong = (0..<count).map { Double($0) + seconds }
    let right = (20..<40).map { Double($0) }
    #expect(Self.read(Self.fixes(wrong + right)) == (right, count))
  }

  @Test("A short log is kept, also if its date changes")
  func short() {
    #expect(Self.read(Self.fixes([0, 1, 2])) == ([0, 1, 2], 0))
    #expect(Self.read(Self.fixes([0, 1, 2, 3, Self.twoYears])) == ([0, 1, 2, 3], 1))
  }

  @Test("A log that continues after hours is kept")
  func continued() {
    let times = [0, 1, 2] + (0..<20).map { 30_000 + Double($0) }
    #expect(Self.read(Self.fixes(times)) == (times, 0))
  }

  @Test("A fix at another place is kept")
  func elsewhere() {
    var fixes = Self.fixes([0, 1, 30_000, 30_001])
    for index in 2...3 { fixes[index].coordinate.longitude += 0.1 }
    #expect(Self.read(fixes) == ([0, 1, 30_000, 30_001], 0))
  }

  @Test("Single fixes after hours at the end are removed")
  func end() {
    #expect(Self.read(Self.fixes([0, 1, 2, 30_000])) == ([0, 1, 2], 1))
  }
}
