import GhostModel
import Testing
import TrackModel

@testable import LiveReceivers

@Suite("Recordings of a receiver")
struct ReceiverRecordingTests {
  private static func time(_ seconds: Double) -> Instant {
    Instant(microseconds: 1_714_543_929_000_000 + Int64((seconds * 1e6).rounded()))
  }

  /// A fix of a car that drives north at 10 m/s.
  private static func fix(at seconds: Double, metres: Double) -> LocationFix {
    LocationFix(coordinate: Coordinate(latitude: 47 + metres / 111_195, longitude: 8), time: time(seconds))
  }

  /// Records one fix per second for 100 s, and returns the notices.
  ///
  /// - Parameter lead: the seconds by which the receiver's clock is ahead.
  private static func drive(_ recording: inout ReceiverRecording, lead: Double) -> [ReceiverRecording.Notice]
  {
    var notices: [ReceiverRecording.Notice] = []
    recording.begin(at: time(0))
    for second in 0...100 where !recording.isOver {
      let now = Double(second)
      notices += recording.take(fix(at: now + lead, metres: 10 * now), at: time(now))
      notices += recording.tick(at: time(now + 0.5))
    }
    return notices
  }

  @Test("A drive lasts from the start to the stop, on the system's clock")
  func live() {
    var recording = ReceiverRecording(clock: .system)
    #expect(Self.drive(&recording, lead: 0) == [])
    #expect(recording.stop(at: Self.time(101)) == [])
    #expect(recording.recorder.startTime == Self.time(0))
    #expect(abs(recording.recorder.duration - 101) < 1e-6)
    #expect(recording.checkpoint() != nil)
    #expect(recording.checkpoint() == nil)
  }

  @Test("The clock of a receiver is followed, and its difference is reported after five seconds")
  func otherClock() {
    var recording = ReceiverRecording(clock: .system)
    #expect(Self.drive(&recording, lead: 3600) == [.clockDiffers(by: 3600)])
    #expect(recording.stop(at: Self.time(101)) == [])
    #expect(recording.recorder.startTime == Self.time(3600))
    #expect(abs(recording.recorder.duration - 101) < 1e-6)
  }

  @Test("A recording ends at its limit, and later fixes are not part of it")
  func limit() {
    var recording = ReceiverRecording(clock: .system, limit: 30)
    _ = Self.drive(&recording, lead: 0)
    #expect(recording.isOver)
    _ = recording.stop(at: Self.time(60))
    #expect(abs(recording.recorder.duration - 30) < 1e-6)
    // The distance is in miles.
    #expect(abs(recording.recorder.distance * 1609.344 - 300) < 5)
  }

  @Test("Fixes that arrive faster than in real time are a log with its own times", arguments: [5, 100])
  func log(count: Int) {
    var recording = ReceiverRecording(clock: .system, mayBeLog: true)
    recording.begin(at: Self.time(0))
    var notices: [ReceiverRecording.Notice] = []
    for second in 0..<count {
      let fix = Self.fix(at: Double(second) - 50_000, metres: 10 * Double(second))
      notices += recording.take(fix, at: Self.time(Double(second) / 1000))
    }
    notices += recording.end(at: Self.time(1))
    notices += recording.stop(at: Self.time(1))
    #expect(notices == [.isLog])
    #expect(!recording.followsSystem)
    #expect(recording.recorder.startTime == Self.time(-50_000))
    #expect(abs(recording.recorder.duration - Double(count - 1)) < 1e-6)
  }

  @Test("Fixes of a log with a wrong date are removed and counted")
  func wrongDate() {
    var recording = ReceiverRecording(clock: .fixes)
    var notices: [ReceiverRecording.Notice] = []
    for second in 0..<60 {
      let error = second == 30 ? 7 * 86_400.0 : 0
      notices += recording.take(
        Self.fix(at: Double(second) + error, metres: 10 * Double(second)), at: Self.time(0))
    }
    notices += recording.end(at: Self.time(1))
    _ = recording.stop(at: Self.time(1))
    #expect(notices == [.removedFixes(1)])
    #expect(abs(recording.recorder.duration - 59) < 1e-6)
  }

  @Test("A log that begins with a date of 1980, with or without fixes, has the duration of the other fixes")
  func firstDate() {
    let years = 44 * 365 * 86_400.0
    for wrong in [0, 1, 5] {
      var recording = ReceiverRecording(clock: .fixes)
      recording.beginLog(at: Self.time(-years))
      var notices: [ReceiverRecording.Notice] = []
      for second in 0..<60 {
        let error = second < wrong ? years : 0
        notices += recording.take(
          Self.fix(at: Double(second) - error, metres: 10 * Double(second)), at: Self.time(0))
      }
      notices += recording.end(at: Self.time(1))
      _ = recording.stop(at: Self.time(1))
      #expect(notices == (wrong > 0 ? [.removedFixes(wrong)] : []))
      #expect(recording.recorder.startTime == Self.time(Double(wrong)))
      #expect(abs(recording.recorder.duration - Double(59 - wrong)) < 1e-6)
    }
  }

  /// Records a log with a fix per second, whose clock is ahead by a number of seconds that depends on the fix.
  private static func recorded(
    fixes: Int, ahead: (Int) -> Double
  ) -> (recorder: DriveRecorder, notices: [ReceiverRecording.Notice]) {
    var recording = ReceiverRecording(clock: .fixes)
    var notices: [ReceiverRecording.Notice] = []
    for second in 0..<fixes {
      let seconds = Double(second)
      notices += recording.take(fix(at: seconds + ahead(second), metres: 11 * seconds), at: time(0))
    }
    notices += recording.end(at: time(1))
    _ = recording.stop(at: time(1))
    return (recording.recorder, notices)
  }

  @Test("A log whose clock is set back is recorded completely", arguments: [1, 5, 30, 60])
  func setBack(wrong: Int) {
    for error in [3600, 20 * 365 * 86_400.0] where wrong > 10 || error == 3600 {
      let (recorder, notices) = Self.recorded(fixes: 200) { $0 < wrong ? error : 0 }
      #expect(notices == [.clockCorrected(by: -error)])
      #expect(recorder.startTime == Self.time(0))
      #expect(abs(recorder.duration - 199) < 1e-6)
      #expect(recorder.route.count == 200)
      #expect(recorder.refusals.isEmpty)
    }
  }

  @Test("A log whose clock is an hour ahead for five fixes has the duration of the drive")
  func forwardAndBack() {
    let (recorder, _) = Self.recorded(fixes: 200) { (50..<55).contains($0) ? 3600 : 0 }
    #expect(abs(recorder.duration - 199) < 1e-6)
    #expect(recorder.route.map(\.time) == (0..<200).map { Self.time(Double($0)).microseconds })
  }

  @Test("A log that ends before a correction is confirmed has counted its last fixes")
  func unconfirmed() {
    let (recorder, _) = Self.recorded(fixes: 40) { $0 < 34 ? 3600 : 0 }
    #expect(recorder.route.count == 34)
    #expect(recorder.refusals == [.stale: 6])
  }

  @Test("A corrected clock of the receiver moves the recording, which begins a new journal")
  func corrected() {
    var recording = ReceiverRecording(clock: .system)
    recording.begin(at: Self.time(0))
    var notices: [ReceiverRecording.Notice] = []
    for second in 0..<12 {
      let now = Double(second)
      // 20 s behind for four seconds. Three fixes within two seconds confirm the correction.
      notices += recording.take(
        Self.fix(at: second < 4 ? now - 20 : now, metres: 10 * now), at: Self.time(now))
      if second == 5 { #expect(recording.checkpoint() != nil && recording.checkpoint() == nil) }
    }
    #expect(notices == [.clockCorrected(by: 20)])
    #expect(recording.checkpoint() != nil)
    _ = recording.stop(at: Self.time(12))
    #expect(recording.recorder.startTime == Self.time(0))
    #expect(abs(recording.recorder.duration - 12) < 1e-6)
  }

  @Test("Fixes at 0°, 0° far from the route are reported once")
  func nullIsland() {
    var recording = ReceiverRecording(clock: .system)
    recording.begin(at: Self.time(0))
    var notices: [ReceiverRecording.Notice] = []
    for second in 0..<10 {
      let fix =
        second == 4 || second == 7
        ? LocationFix(coordinate: Coordinate(latitude: 0, longitude: 0), time: Self.time(Double(second)))
        : Self.fix(at: Double(second), metres: 10 * Double(second))
      notices += recording.take(fix, at: Self.time(Double(second)))
    }
    #expect(notices == [.nullIsland])
  }

  @Test("A log ends at the limit of its recording, and a limit beyond all times has no effect")
  func limitOfLog() {
    for (limit, duration) in [(30.0, 30.0), (1e300, 59.0), (9e12, 59.0)] {
      var recording = ReceiverRecording(clock: .fixes, limit: limit)
      for second in 0..<60 {
        _ = recording.take(Self.fix(at: Double(second), metres: 10 * Double(second)), at: Self.time(0))
      }
      _ = recording.end(at: Self.time(0))
      _ = recording.stop(at: Self.time(0))
      #expect(recording.isOver == (limit == 30))
      #expect(abs(recording.recorder.duration - duration) < 1e-6)
    }
  }
}
