import Testing
import TrackModel

@testable import TrackTransforms

@Suite("Clocks that are set back")
struct ClockSetbacksTests {
  /// Returns the findings for fixes 9 m apart with the given times in seconds, and the last offset.
  private static func read(_ times: [Double], step: (Int) -> Double = Double.init) -> (
    confirmed: [ClockSetbacks.Correction], offset: Double
  ) {
    var setbacks = ClockSetbacks()
    var confirmed: [ClockSetbacks.Correction] = []
    for (index, time) in times.enumerated() {
      let fix = LocationFix(
        coordinate: Coordinate(latitude: 52 + step(index) * 8e-5, longitude: 13), time: instant(time))
      if case .confirmed(let correction) = setbacks.take(fix) { confirmed.append(correction) }
    }
    return (confirmed, setbacks.offset)
  }

  private static func instant(_ seconds: Double) -> Instant {
    Instant(microseconds: 1_700_000_000_000_000 + Int64(seconds * 1e6))
  }

  @Test("Ten fixes that continue from the last position confirm a correction", arguments: [1, 2, 60])
  func corrected(wrong: Int) {
    let times = (0..<wrong).map { Double($0) + 3600 }
    let right = (wrong..<(wrong + 30)).map { Double($0) }
    #expect(Self.read(times + right.prefix(9)).confirmed.isEmpty)
    let (confirmed, offset) = Self.read(times + right)
    #expect(confirmed == [ClockSetbacks.Correction(seconds: -3600)])
    #expect(offset == 3600)
  }

  @Test("The offset continues the times from the first doubtful fix on, and ends with the doubt")
  func doubtful() {
    #expect(Self.read([0, 1, 2, -297]).offset == 300)
    #expect(Self.read([0, 1, 2, -297, 4]).offset == 0)
  }

  @Test("Only the times since a clock was set forward are wrong if it returns")
  func forwardAndBack() {
    let times = [0, 1, 2, 3603, 3604] + (5..<20).map { Double($0) }
    let (confirmed, offset) = Self.read(times)
    #expect(confirmed == [ClockSetbacks.Correction(seconds: -3600, since: Self.instant(3603))])
    #expect(offset == 0)
  }

  @Test("Repeated fixes, late fixes and fixes at another place are not a correction")
  func late() {
    let times = (0..<60).map { Double($0) }
    #expect(Self.read(times + times, step: { Double($0 % 60) }).confirmed.isEmpty)
    #expect(Self.read(times.map { $0 - $0.truncatingRemainder(dividingBy: 4) }).confirmed.isEmpty)
    let backlog = (-60 ..< -20).map { Double($0) }
    #expect(Self.read(times + backlog, step: { Double($0 < 60 ? $0 : $0 - 1000) }).confirmed.isEmpty)
  }
}
