import GhostModel
import Testing
import TrackModel

@testable import ghost_convert

@Suite struct RecordDisplayTests {
  private static func time(_ seconds: Double) -> Instant {
    Instant(microseconds: 1_714_543_929_000_000 + Int64(seconds * 1e6))
  }

  private static func fix(_ seconds: Double, _ metres: Double) -> LocationFix {
    LocationFix(
      coordinate: Coordinate(latitude: 0, longitude: metres / 111_319.490793), time: time(seconds),
      horizontalAccuracy: 5, speed: 0)
  }

  @Test("During a stop of ten minutes the line changes every second")
  func redLight() {
    var recorder = DriveRecorder()
    #expect(RecordDisplay.line(recorder) == "waiting for a fix")
    recorder.start(at: Self.time(0))
    // 804.672 m is half a mile.
    recorder.add(Self.fix(0, 0), at: Self.time(0))
    recorder.add(Self.fix(50, 804.672), at: Self.time(50))
    var lines: [String] = []
    for second in 51...650 {
      recorder.tick(at: Self.time(Double(second)))
      recorder.add(Self.fix(Double(second), 805), at: Self.time(Double(second)))
      lines.append(RecordDisplay.line(recorder))
    }
    #expect(recorder.route.count == 2)
    #expect(lines.first == "0:51  805 m  0 km/h  REC")
    #expect(lines[9] == "1:00  805 m  0 km/h  REC")
    #expect(lines.last == "10:50  805 m  0 km/h  REC")
    #expect(Set(lines).count == 600)
  }

  @Test("Without fixes the time continues, and the line shows the time since the last fix")
  func silence() {
    var recorder = DriveRecorder()
    recorder.start(at: Self.time(0))
    var fix = Self.fix(60, 0)
    // 72.42 km/h.
    fix.speed = 20.1168
    recorder.add(fix, at: Self.time(60))
    recorder.tick(at: Self.time(63))
    #expect(RecordDisplay.line(recorder) == "1:03  0 m  72 km/h  REC")
    recorder.tick(at: Self.time(3700.9))
    #expect(RecordDisplay.line(recorder) == "1:01:40  0 m  no good fix for 1:00:40  REC")
  }
}
