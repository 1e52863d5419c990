import GhostModel
import Testing
import TrackModel

@testable import TestSupport

struct DriveRecorderTests {
  /// Returns metres along the equator in degrees. One degree is 6,378,137 m × π / 180.
  static func degrees(_ metres: Double) -> Double { metres / 111_319.490793 }

  static func fix(
    _ seconds: Double, _ metres: Double, accuracy: Double? = 5, speed: Double? = nil
  ) -> LocationFix {
    LocationFix(
      coordinate: Coordinate(latitude: 0, longitude: degrees(metres)), time: Recording.instant(seconds),
      horizontalAccuracy: accuracy, speed: speed)
  }

  static func started() -> DriveRecorder {
    var recorder = DriveRecorder()
    recorder.start(at: Recording.origin)
    return recorder
  }

  @Test("The duration increases with each tick during ten minutes at a red light")
  func redLight() {
    var recorder = Self.started()
    recorder.add(Self.fix(0, 0), at: Recording.instant(0))
    recorder.add(Self.fix(1, 15), at: Recording.instant(1))
    for second in 2...601 {
      let now = Recording.instant(Double(second))
      recorder.tick(at: now)
      #expect(recorder.duration == Double(second))
      // The receiver also continues, but no fix passes the filter.
      let verdict = recorder.add(Self.fix(Double(second), 16), at: now)
      #expect(verdict == .filtered)
    }
    #expect(recorder.route.count == 2)
    recorder.stop(at: Recording.instant(660.5))
    #expect(recorder.duration == 660.5)
    #expect(recorder.endTime == Recording.instant(660.5))
  }

  @Test("A fix increases the duration without a tick")
  func backstop() {
    var recorder = Self.started()
    recorder.add(Self.fix(7.25, 0), at: Recording.instant(7.25))
    #expect(recorder.duration == 7.25)
    recorder.add(Self.fix(8, 0, accuracy: 99), at: Recording.instant(8))
    #expect(recorder.duration == 8)
  }

  @Test("Only fixes at least ten metres from the last kept one are kept")
  func distanceFilter() {
    var recorder = Self.started()
    let verdicts = [0, 9.99, 10.001, 20, 20.002].enumerated().map { index, metres in
      let seconds = Double(index + 1)
      return recorder.add(Self.fix(seconds, metres), at: Recording.instant(seconds))
    }
    #expect(verdicts == [.kept, .filtered, .kept, .filtered, .kept])
    #expect(recorder.filteredCount == 2)
    #expect(abs(recorder.distance * 1609.344 - 20.002) < 1e-6)
  }

  @Test("Rejected fixes are counted by reason")
  func refusals() {
    var recorder = Self.started()
    let now = Recording.instant(10)
    recorder.add(Self.fix(9, 0), at: now)
    let noPlace = LocationFix(coordinate: Coordinate(latitude: .nan, longitude: 0), time: now)
    let verdicts = [
      Self.fix(10, 50, accuracy: 15.1), Self.fix(10, 50, accuracy: -1), Self.fix(4.9, 50), Self.fix(9, 50),
      Self.fix(9.5, 50, accuracy: 15), Self.fix(9.6, 99, accuracy: nil), noPlace,
    ].map { recorder.add($0, at: now) }
    #expect(
      verdicts == [
        .refused(.inaccurate), .refused(.invalidPosition), .refused(.stale), .refused(.outOfOrder), .kept,
        .kept, .refused(.invalidPosition),
      ])
    var early = Self.started()
    let verdict = early.add(Self.fix(-0.5, 0), at: Recording.instant(1))
    #expect(verdict == .refused(.beforeStart))
    #expect(
      recorder.refusals == [.inaccurate: 1, .invalidPosition: 2, .stale: 1, .outOfOrder: 1])
  }

  @Test("A fix that is exactly five seconds old is not stale")
  func age() {
    var recorder = Self.started()
    let verdict = recorder.add(Self.fix(5, 0), at: Recording.instant(10))
    #expect(verdict == .kept)
  }

  @Test("The speed is the receiver's or that since the last fix; the average uses the whole duration")
  func speeds() {
    var recorder = Self.started()
    recorder.add(Self.fix(1, 0, speed: 8.9408), at: Recording.instant(1))
    // 8.9408 m/s is 20 mph.
    #expect(abs(recorder.speed - 20) < 1e-9)
    recorder.add(Self.fix(3, 44.704), at: Recording.instant(3))
    // 44.704 m in 2 s are 50 mph.
    #expect(abs(recorder.speed - 50) < 1e-4)
    recorder.add(Self.fix(4, 44.704, speed: 0), at: Recording.instant(4))
    #expect(recorder.speed == 0)
    #expect(abs(recorder.maximumSpeed - 50) < 1e-4)
    recorder.tick(at: Recording.instant(10))
    // 44.704 m in 10 s are 10 mph.
    #expect(abs(recorder.averageSpeed - 10) < 1e-4)
  }

  @Test("A pause adds neither duration nor distance")
  func pause() throws {
    var recorder = Self.started()
    recorder.add(Self.fix(1, 0), at: Recording.instant(1))
    recorder.add(Self.fix(2, 20), at: Recording.instant(2))
    recorder.pause(at: Recording.instant(5))
    recorder.tick(at: Recording.instant(50))
    let during = recorder.add(Self.fix(51, 500), at: Recording.instant(51))
    #expect(during == .notRecording)
    #expect(recorder.duration == 5)
    #expect(recorder.state == .paused)
    recorder.resume(at: Recording.instant(100))
    let early = recorder.add(Self.fix(99, 1000), at: Recording.instant(100))
    #expect(early == .refused(.beforeStart))
    recorder.add(Self.fix(101, 1000), at: Recording.instant(101))
    recorder.add(Self.fix(102, 1030), at: Recording.instant(102))
    recorder.stop(at: Recording.instant(110))
    #expect(recorder.duration == 15)
    #expect(abs(recorder.distance * 1609.344 - 50) < 1e-6)
    #expect(recorder.stretches.map(\.firstRow) == [0, 2])
    let recording = recorder.recording
    #expect(recording.segments.map(\.count) == [4, 4])
    #expect(
      recording.segments[1].times == [100, 101, 102, 110].map { Recording.instant($0).microseconds })
    let drive = try recorder.drive(name: "Two parts").drive
    #expect(drive.duration == 15)
    #expect(drive.startTime == Recording.origin)
  }

  @Test("A clock that is set back does not decrease the duration")
  func clockSetBack() {
    var recorder = Self.started()
    recorder.tick(at: Recording.instant(30))
    recorder.tick(at: Recording.instant(10))
    #expect(recorder.duration == 30)
    recorder.pause(at: Recording.instant(12))
    recorder.resume(at: Recording.instant(13))
    recorder.tick(at: Recording.instant(40))
    #expect(recorder.duration == 40)
  }

  @Test("Calls that are invalid in the current state have no effect")
  func states() {
    var recorder = DriveRecorder()
    recorder.stop(at: Recording.origin)
    recorder.pause(at: Recording.origin)
    recorder.resume(at: Recording.origin)
    recorder.tick(at: Recording.origin)
    #expect(recorder == DriveRecorder())
    let verdict = recorder.add(Self.fix(0, 0), at: Recording.origin)
    #expect(verdict == .notRecording)
    recorder.start(at: Recording.origin)
    recorder.stop(at: Recording.instant(3))
    let stopped = recorder
    recorder.start(at: Recording.instant(9))
    recorder.resume(at: Recording.instant(9))
    recorder.tick(at: Recording.instant(9))
    recorder.stop(at: Recording.instant(9))
    #expect(recorder == stopped)
  }

  @Test("The app's drive has the kept fixes, the default drive is evenly spaced in time")
  func finishing() throws {
    var recorder = Self.started()
    // 40 m at 10 m/s, a stop of 60 s at a light, and 40 m at 10 m/s, with one fix per second.
    for second in 0...68 {
      let seconds = Double(second)
      let metres = seconds <= 4 ? 10.001 * seconds : seconds <= 64 ? 40.004 : 40.004 + 10.001 * (seconds - 64)
      recorder.add(Self.fix(seconds, metres), at: Recording.instant(seconds))
    }
    recorder.stop(at: Recording.instant(68))
    let exact = try recorder.drive(name: "Exact", appExact: true)
    #expect(exact.drive.coordinates == recorder.coordinates)
    #expect(exact.report.pointsInDrive == 9)
    #expect(exact.drive.duration == 68)
    let even = try recorder.drive(name: "Even")
    #expect(even.drive.duration == 68)
    // With 9 evenly spaced points, the app would be at the light at 34 s. Evenly spaced in time, the drive is
    // still there at 60 s.
    let trail = GhostTrail(even.drive)
    let place = try #require(trail.position(at: 60))
    #expect(abs(place.longitude - Self.degrees(40.004)) < Self.degrees(1))
    #expect(abs(try #require(trail.position(at: 66)).longitude - Self.degrees(60.006)) < Self.degrees(1))
  }

  @Test("Without a valid fix, there is no drive")
  func nothing() {
    var recorder = Self.started()
    recorder.stop(at: Recording.instant(5))
    #expect(throws: TrackError.self) { try recorder.drive(name: "") }
    #expect(recorder.duration == 5)
  }

  @Test("Silence is the time since the last valid fix, whether or not it was kept")
  func silence() {
    var recorder = Self.started()
    recorder.tick(at: Recording.instant(4))
    #expect(recorder.silence == 4)
    recorder.add(Self.fix(5, 0), at: Recording.instant(5))
    #expect(recorder.silence == 0)
    recorder.tick(at: Recording.instant(8))
    #expect(recorder.silence == 3)
    recorder.add(Self.fix(9, 50, accuracy: 80), at: Recording.instant(9))
    #expect(recorder.silence == 4)
    recorder.add(Self.fix(10, 1), at: Recording.instant(10))
    #expect(recorder.silence == 0)
    recorder.pause(at: Recording.instant(12))
    recorder.resume(at: Recording.instant(100))
    recorder.tick(at: Recording.instant(101.5))
    #expect(recorder.silence == 1.5)
  }

  @Test("A clock correction changes all times but no duration")
  func correctedClock() throws {
    var recorder = Self.started()
    recorder.add(Self.fix(0, 0), at: Recording.instant(0))
    recorder.add(Self.fix(5, 50), at: Recording.instant(5))
    recorder.add(Self.fix(9, 51), at: Recording.instant(9))
    recorder.correctClock(by: 3600)
    #expect(recorder.duration == 9)
    #expect(recorder.startTime == Recording.instant(3600))
    #expect(recorder.route.map(\.time) == [3600, 3605].map { Recording.instant($0).microseconds })
    #expect(recorder.route[1].lastNear?.time == Recording.instant(3609).microseconds)
    // The clock continues from there, and the next fix is compared with the one before the correction.
    recorder.add(Self.fix(3611, 111), at: Recording.instant(3611))
    #expect(recorder.duration == 11)
    // 60 m in 2 s are 67.1 mph.
    #expect(abs(recorder.speed - 30 * 3600 / 1609.344) < 0.01)
    recorder.stop(at: Recording.instant(3620))
    #expect(recorder.endTime == Recording.instant(3620))
    #expect(try recorder.drive(name: "").drive.duration == 20)
  }

  @Test("A correction of the last times shortens the duration")
  func correctedSince() {
    var recorder = Self.started()
    recorder.add(Self.fix(0, 0), at: Recording.instant(0))
    recorder.add(Self.fix(3601, 20), at: Recording.instant(3601))
    recorder.correctClock(by: -3600, since: Recording.instant(3601))
    #expect(recorder.duration == 1)
    #expect(recorder.startTime == Recording.instant(0))
    #expect(recorder.route.map(\.time) == [0, 1].map { Recording.instant($0).microseconds })
  }

  @Test(
    "A gap of hours is a warning, and no drive has a point per second for years", arguments: [false, true])
  func longGap(appExact: Bool) throws {
    var recorder = Self.started()
    for second in 0..<20 {
      let time = Double(second) + (second < 10 ? 0 : 43_200)
      recorder.add(Self.fix(time, 20 * Double(second)), at: Recording.instant(time))
    }
    let warnings = try recorder.drive(name: "", appExact: appExact).report.warnings
    #expect(warnings.map(\.code) == [TrackWarning.Code("long-gap")])
    #expect(warnings.map(\.suggestion) == [nil])
    recorder.add(Self.fix(6e8, 1000), at: Recording.instant(6e8))
    if !appExact {
      expectError(.limitExceeded) { try recorder.drive(name: "") }
    }
  }

  @Test("The times from the first to the last point are the whole duration, including idle time")
  func wholeDuration() throws {
    var recorder = Self.started()
    // The first fix is rejected, and there is no fix in the last minute.
    recorder.add(Self.fix(0.5, 0, accuracy: 50), at: Recording.instant(0.5))
    recorder.add(Self.fix(2, 0), at: Recording.instant(2))
    recorder.add(Self.fix(3, 20), at: Recording.instant(3))
    recorder.stop(at: Recording.instant(63.25))
    let places = try #require(recorder.timedStretches.first)
    #expect(recorder.timedStretches.count == 1)
    #expect(places.map(\.time) == [0, 2, 3, 63.25].map { Recording.instant($0).microseconds })
    #expect(
      places.map { ($0.longitude * 111_319.490793).rounded() } == [0, 0, 20, 20])
    #expect(try recorder.drive(name: "").drive.duration == 63.25)
  }

  @Test("The document and the recording have a segment per stretch, with all times and altitudes")
  func document() throws {
    var recorder = Self.started()
    recorder.add(
      LocationFix(
        coordinate: Coordinate(latitude: 0, longitude: 0), time: Recording.instant(0), altitude: 12,
        horizontalAccuracy: 5),
      at: Recording.instant(0))
    recorder.add(Self.fix(5, 50), at: Recording.instant(5))
    recorder.pause(at: Recording.instant(6))
    recorder.resume(at: Recording.instant(60))
    recorder.add(Self.fix(61, 100), at: Recording.instant(61))
    recorder.stop(at: Recording.instant(62))
    let document = recorder.document(name: "ride")
    #expect(document.tracks.map(\.info.name) == ["ride"])
    let segments = document.tracks[0].segments.map(\.points)
    let times = [[0, 5, 6], [60, 61, 62]].map { $0.map { Recording.instant($0).microseconds } }
    #expect(segments.map(\.times) == times)
    #expect(segments[0].values(of: .elevation)?.first == 12)
    #expect(segments[1].values(of: .elevation) == nil)
    let recorded = recorder.recording.segments
    #expect(recorded.map(\.times) == times)
    #expect(recorded[0].elevations?.map { $0 == 12 } == [true, false, false])
    #expect(recorded[1].elevations == nil)
  }

  @Test("If the receiver's clock is ahead, no point is after the end")
  func clockAhead() {
    var recorder = Self.started()
    recorder.add(Self.fix(9, 0), at: Recording.instant(1))
    recorder.stop(at: Recording.instant(2))
    #expect(recorder.recording.segments.first?.times.last == Recording.instant(2).microseconds)
  }
}
