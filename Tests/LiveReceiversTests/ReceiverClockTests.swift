import Testing
import TrackModel

@testable import LiveReceivers

@Suite struct ReceiverClockTests {
  /// The moment `seconds` after a fixed origin, on the system's clock.
  private static func time(_ seconds: Double) -> Instant {
    Instant(microseconds: 1_714_543_929_000_000 + Int64((seconds * 1e6).rounded()))
  }

  /// One fix per second; `measured` maps the second of arrival to the second of the fix's own time.
  private static func each(
    _ seconds: Range<Int>, _ measured: (Double) -> Double
  ) -> [(comes: Double, measured: Double)] {
    seconds.map { second in
      let comes = Double(second)
      return (comes, measured(comes))
    }
  }

  /// The findings for fixes with the given arrival times and measured times.
  private static func findings(
    _ clock: inout ReceiverClock, _ fixes: [(comes: Double, measured: Double)]
  ) -> [ReceiverClock.Finding] {
    fixes.compactMap { fix in
      clock.take(
        LocationFix(coordinate: Coordinate(latitude: 0, longitude: 0), time: time(fix.measured)),
        at: time(fix.comes))
    }
  }

  @Test("A receiver whose fixes arrive a second late is considered to be on the system's clock")
  func live() {
    var clock = ReceiverClock(.system, mayBeLog: true)
    // Each fix is between 0.4 s and 1 s late.
    let fixes = Self.each(0..<100) { $0 - 1 + 0.3 * $0.truncatingRemainder(dividingBy: 3) }
    let found = Self.findings(&clock, fixes)
    #expect(found == [])
    #expect(clock.offset == 0)
    #expect(clock.now(Self.time(7)) == Self.time(7))
    #expect(!clock.isWatching)
    #expect(clock.end() == nil)
  }

  @Test(
    "If the receiver's clock differs, it is followed from the first fix on, using the fix with the smallest delay"
  )
  func otherClock() {
    var clock = ReceiverClock(.system)
    // One hour ahead. The first fix arrives one second after its measurement, the next ones immediately.
    let found = Self.findings(&clock, [(0, 3599), (1, 3601), (2, 3602)])
    #expect(found == [.differs])
    #expect(clock.offset == 3600)
    #expect(clock.now(Self.time(10)) == Self.time(3610))
  }

  @Test(
    "If the receiver sets its clock, the correction is followed when three fixes within two seconds agree",
    arguments: [20.0, 6e8])
  func corrected(step: Double) {
    var clock = ReceiverClock(.system, mayBeLog: true)
    let found = Self.findings(&clock, Self.each(0..<12) { $0 < 4 ? $0 - step : $0 })
    // Of the fixes at 4, 5 and 6 s, the last one is two seconds after the first.
    #expect(found == [.differs, .corrected(step)])
    #expect(abs(clock.offset ?? -1) < 1e-6)
    #expect(clock.source == .system)
    #expect(clock.end() == nil)
  }

  @Test("Fixes that are late for less than ten seconds do not change the offset; longer delays do")
  func late() {
    var clock = ReceiverClock(.system)
    let hiccup = Self.findings(&clock, Self.each(0..<40) { (10..<18).contains($0) ? $0 - 8 : $0 })
    #expect(hiccup == [])
    let back = Self.findings(&clock, Self.each(40..<60) { $0 - 100 })
    #expect(back == [.corrected(-100)])
    #expect(clock.now(Self.time(60)) == Self.time(-40))
  }

  @Test("Delayed fixes that arrive in one burst are not treated as a log")
  func burst() {
    var clock = ReceiverClock(.system, mayBeLog: true)
    var fixes = Self.each(0..<25) { $0 }
    for index in 5..<15 { fixes[index].comes = 15 }
    #expect(Self.findings(&clock, fixes) == [])
    #expect(clock.source == .system)
  }

  @Test("A log is detected by its pace, even if it has gaps", arguments: [0.0, 0.05, 0.3])
  func log(pace: Double) {
    var clock = ReceiverClock(.system, mayBeLog: true)
    var fixes = Self.each(0..<40) { $0 < 4 ? $0 + 1000 : $0 + 8200 }
    for index in fixes.indices { fixes[index].comes *= pace }
    #expect(Self.findings(&clock, fixes) == [.differs, .log])
    #expect(clock.source == .fixes)
    #expect(clock.now(Self.time(12)) == Self.time(8239))
  }

  @Test("A log that is too short to have a measurable pace is detected at its end")
  func shortLog() {
    var clock = ReceiverClock(.system, mayBeLog: true)
    #expect(Self.findings(&clock, [(0, 0), (0.01, 1), (0.02, 2), (0.03, 3)]) == [])
    #expect(clock.end() == .log)
    // A live receiver with the same number of fixes, of which the first one is late.
    var live = ReceiverClock(.system, mayBeLog: true)
    #expect(Self.findings(&live, [(0, -1), (1, 0), (2, 2), (3, 3)]) == [])
    #expect(live.end() == nil)
  }

  @Test("The system's clock is used if the caller requests it")
  func forced() {
    var clock = ReceiverClock(.system)
    var fixes = Self.each(0..<60) { $0 }
    for index in fixes.indices { fixes[index].comes = 0 }
    #expect(Self.findings(&clock, fixes) == [])
    #expect(clock.source == .system)
    #expect(clock.end() == nil)
  }
}
