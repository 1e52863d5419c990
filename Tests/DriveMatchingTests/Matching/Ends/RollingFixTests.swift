import Testing
import TrackModel

@testable import DriveMatching

@Suite("The first fix of a drive that may have rolled to a stop")
struct RollingFixTests {
  /// Fixes on a line: the metres before the stop, each after an interval, and then 10 fixes at the stop.
  private static func fix(_ metres: [Double], every interval: Double, wait: Double = 30) -> RollingFix? {
    let way = metres + Array(repeating: 0, count: 10)
    let places = TimedPlaces(
      way.map { SIMD3(0, 0, $0) }, elapsed: way.indices.map { interval * Double($0) })
    return RollingFix(places, to: .zero, until: interval * Double(metres.count) + wait)
  }

  @Test("A car that rolls at an even speed and brakes is likely")
  func rolls() throws {
    let fix = try #require(Self.fix([24, 18, 12, 7, 3, 1], every: 1))
    #expect(fix.likelihood == .likely && fix.pace == 6)
    #expect(fix.place == SIMD3(0, 0, 24))
    #expect(Self.fix([40], every: 20)?.likelihood == .likely)
  }

  @Test(
    "A step that covers most of the way is unknown, unless a car cannot brake in it", arguments: [1.0, 2, 5])
  func oneStep(seconds: Double) {
    #expect(Self.fix([30, 4], every: seconds)?.likelihood == (seconds < 2 ? nil : .unknown))
  }

  @Test("A position that settles is unlikely, and so is a long wait")
  func settles() {
    #expect(Self.fix([30, 15, 9, 7.5, 7.2, 7.1, 6], every: 1)?.likelihood == .unlikely)
    #expect(Self.fix([24, 18, 12, 7, 3, 1], every: 1, wait: 120)?.likelihood == .unlikely)
    #expect(Self.fix([30, 4], every: 5, wait: 120) == nil)
  }

  @Test(
    "A fix near the stop, one far from it, and one on a way to and fro are not rolling fixes",
    arguments: [[12.0, 6], [150, 90, 40, 5], [30, 20, 35, 10, 2]])
  func none(metres: [Double]) {
    #expect(Self.fix(metres, every: 1) == nil)
  }
}
