import Testing
import TrackModel

@Suite("Ends of laps") struct LapEndTests {
  @Test(
    "A lap ends after its elapsed time, or at the next lap, or after the time of the timer",
    arguments: [
      (0, 50, 40, 60, 50), (0, nil, 40, 60, 60), (0, nil, 40, nil, 40), (nil, 50, 40, 60, 60),
      (nil, 50, 40, nil, nil), (0, nil, nil, nil, nil),
    ] as [(Double?, Double?, Double?, Double?, Double?)])
  func end(start: Double?, elapsed: Double?, timer: Double?, next: Double?, end: Double?) {
    var lap = Lap(start: start.flatMap(Instant.init(secondsSince1970:)))
    lap.elapsedTime = elapsed
    lap.timerTime = timer
    let following = Lap(start: next.flatMap(Instant.init(secondsSince1970:)))
    #expect(lap.end(before: following)?.secondsSince1970 == end)
    if next == nil { #expect(lap.end(before: nil)?.secondsSince1970 == end) }
  }
}
