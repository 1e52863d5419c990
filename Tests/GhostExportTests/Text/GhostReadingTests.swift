import TestSupport
import Testing
import TrackModel

@testable import DriveMatching
@testable import GhostExport

@Suite struct GhostReadingTests {
  private func text(_ gap: Double, _ distance: Double, _ state: LiveGap.State = .onRoute) -> String {
    GhostReading.text(
      LiveGap.Reading(
        state: state, elapsed: 100, ghostElapsed: 100 - gap, gap: gap, distance: distance, ghost: nil))
  }

  @Test("Gaps are rounded to seconds")
  func rounding() {
    #expect(text(-12.4, -180) == "+0:12 ahead, 180 m, on route")
    #expect(text(-9.99, -180) == "+0:10 ahead, 180 m, on route")
    #expect(text(15.5, 1240, .arrived) == "-0:16 behind, 1.24 km, arrived")
    #expect(text(49.6, 30) == "-0:50 behind, 30 m, on route")
    #expect(text(59.5, 30) == "-1:00 behind, 30 m, on route")
    #expect(text(0.4, 3) == "level, 3 m, on route")
  }

  @Test("There is no gap before the route or off it")
  func offRoute() {
    #expect(GhostReading.text(LiveGap.Reading(state: .waiting)) == "not on the ghost's road yet")
    #expect(GhostReading.text(LiveGap.Reading(state: .offRoute, elapsed: 7)) == "off route")
  }
}
