import Foundation
import Testing
import TrackModel

@testable import DriveMatching
@testable import GhostModel

@Suite("Duplicates of drives")
struct DriveDuplicatesTests {
  private static func drive(_ start: Double?, _ name: String = "a") -> Drive {
    Drive(
      name: name, startTime: start.flatMap { Instant(secondsSince1970: $0) }, endTime: nil, duration: 1000,
      distance: 1, coordinates: [])
  }

  /// Evenly spaced in time, like a drive without timestamps.
  private static func even(_ start: Double, _ duration: Double, turn: Double = 0) throws -> RideFingerprint {
    try #require(
      RideFingerprint(
        evenly: GridFingerprintTests.road(step: 10, turn: turn), over: duration,
        from: Instant(microseconds: Int64(start * 1e6))))
  }

  /// One fix every `step` seconds in the given range, at 10 m/s.
  private static func recorded(_ seconds: ClosedRange<Int>, step: Int = 1) throws -> RideFingerprint {
    let road = GridFingerprintTests.road(step: 10)
    var segment = Recording.Segment()
    for second in stride(from: seconds.lowerBound, through: seconds.upperBound, by: step) {
      segment.append(road[second], time: Instant(microseconds: Int64(1_000_000 + second) * 1_000_000))
    }
    return try #require(RideFingerprint(Recording(segments: [segment])))
  }

  @Test(
    "Without timestamps, starts within 5 s, durations within 2 % and the same road make a duplicate"
  )
  func evenDrives() throws {
    var duplicates = DriveDuplicates()
    func add(_ start: Double, _ duration: Double, turn: Double = 0, _ label: String) throws
      -> DriveDuplicates.Finding
    {
      duplicates.add(Self.drive(start), try Self.even(start, duration, turn: turn), label: label)
    }
    let known = DriveDuplicates.Finding.duplicate(of: "first")
    #expect(try add(1_000_000, 1000, "first") == .new)
    #expect(try add(1_000_005, 1000, "later") == known)
    #expect(try add(999_995, 1000, "earlier") == known)
    #expect(try add(1_000_000, 1020, "longer") == known)
    #expect(try add(1_000_000, 980, "shorter") == known)
    #expect(try add(1_000_000, 1000, turn: 1, "other road") == .new)
    #expect(try add(1_000_000, 1060, "too long") == .new)
    #expect(try add(1_000_030, 1000, "too late") == .new)
    #expect(try add(-5, 10, "before 1970") == .new)
    #expect(try add(-3, 10, "before 1970 again") == .duplicate(of: "before 1970"))
  }

  @Test("A part of a known recording is a duplicate; a recording with more of the ride is an extension")
  func parts() throws {
    var duplicates = DriveDuplicates()
    func add(_ fingerprint: RideFingerprint, _ label: String) -> DriveDuplicates.Finding {
      duplicates.add(Self.drive(1_000_000), fingerprint, label: label)
    }
    #expect(add(try Self.recorded(200...700), "middle") == .new)
    #expect(add(try Self.recorded(300...600, step: 5), "thin part") == .duplicate(of: "middle"))
    #expect(add(try Self.recorded(0...1000), "whole") == .extension(of: "middle"))
    #expect(add(try Self.recorded(0...150), "beginning") == .duplicate(of: "whole"))
  }

  @Test("A recording with twice as many fixes, or more than 100 m at an end, is more than its copy")
  func denser() throws {
    var duplicates = DriveDuplicates()
    func add(_ fingerprint: RideFingerprint, _ label: String) -> DriveDuplicates.Finding {
      duplicates.add(Self.drive(1_000_000), fingerprint, label: label)
    }
    #expect(add(try Self.recorded(100...900, step: 6), "thin") == .new)
    #expect(add(try Self.recorded(100...900, step: 4), "less thin") == .duplicate(of: "thin"))
    #expect(add(try Self.recorded(100...900), "all fixes") == .extension(of: "thin"))
    #expect(add(try Self.recorded(100...900, step: 2), "every second") == .duplicate(of: "all fixes"))
    // 10 m/s, and 100 m or 10 s are missing at most.
    #expect(add(try Self.recorded(90...910), "longer by 10 s") == .duplicate(of: "all fixes"))
    #expect(add(try Self.recorded(60...900), "earlier by 40 s") == .extension(of: "thin"))
    #expect(add(try Self.recorded(100...940), "later by 40 s") == .extension(of: "thin"))
  }

  @Test("A copy without a part in the middle does not contain the recording", arguments: [9, 60])
  func middle(seconds: Int) throws {
    var duplicates = DriveDuplicates()
    let whole = try Self.recorded(0...450)
    let rows = (0...450).filter { $0 <= 200 || $0 > 200 + seconds }
    let part = RideFingerprint(
      start: whole.start, hasTimestamps: true, fixes: whole.fixes[rows], recordedCount: rows.count)
    #expect(duplicates.add(Self.drive(1_000_000), part, label: "part") == .new)
    #expect(
      duplicates.add(Self.drive(1_000_000), whole, label: "whole")
        == (seconds > 10 ? .extension(of: "part") : .duplicate(of: "part")))
    #expect(
      duplicates.add(Self.drive(1_000_000), try Self.recorded(0...450, step: 2), label: "thin")
        == .duplicate(of: seconds > 10 ? "whole" : "part"))
  }

  @Test("A recording of every second is more than its copy of every other second")
  func twice() throws {
    var duplicates = DriveDuplicates()
    #expect(duplicates.add(Self.drive(1_000_000), try Self.recorded(0...437, step: 2), label: "thin") == .new)
    #expect(
      duplicates.add(Self.drive(1_000_000), try Self.recorded(0...437), label: "all")
        == .extension(of: "thin"))
  }

  @Test("A copy whose clock differs by up to a minute is a duplicate", arguments: [30.0, -55])
  func wrongClock(seconds: Double) throws {
    var duplicates = DriveDuplicates()
    let ride = try Self.recorded(0...900)
    func shifted(_ other: RideFingerprint, by seconds: Double = seconds) throws -> RideFingerprint {
      RideFingerprint(
        start: try #require(other.start.advanced(bySeconds: seconds)), hasTimestamps: true,
        fixes: other.fixes, recordedCount: other.recordedCount)
    }
    #expect(duplicates.add(Self.drive(1_000_000), ride, label: "ride") == .new)
    let copy = try shifted(ride)
    #expect(duplicates.add(Self.drive(1_000_000 + seconds), copy, label: "b") == .duplicate(of: "ride"))
    let match = try #require(RideMatch(ride, copy))
    #expect(match.relation == .duplicate && match.lag == seconds)
    #expect(RideMatch(ride, try shifted(ride, by: 240)) == nil)
    #expect(RideMatch(ride, try shifted(ride, by: 86_400)) == nil)
    // Another drive on the same road at the same pace has other fixes.
    #expect(RideMatch(ride, try shifted(try Self.recorded(0...901)))?.relation != .duplicate)
  }

  @Test(
    "A copy is found if any clock error is allowed: local time for UTC, another day, wrong GPS weeks",
    arguments: [240.0, -3600, 86_400, -619_315_200])
  func otherClock(seconds: Double) throws {
    let ride = try Self.recorded(0...900)
    let copy = RideFingerprint(
      start: try #require(ride.start.advanced(bySeconds: seconds)), hasTimestamps: true, fixes: ride.fixes,
      recordedCount: ride.recordedCount)
    let match = try #require(RideMatch(ride, copy, clockError: .infinity))
    #expect(match.relation == .duplicate && match.lag == seconds)
  }

  @Test("A forgotten drive is not an original any more: a similar drive is new", arguments: [5.0, nil])
  func forgotten(start: Double?) throws {
    var duplicates = DriveDuplicates()
    let fingerprint = try start.map { try Self.even($0, 10) }
    #expect(duplicates.add(Self.drive(start), fingerprint, label: "damaged") == .new)
    duplicates.forget("damaged")
    #expect(duplicates.add(Self.drive(start), fingerprint, label: "whole") == .new)
    #expect(duplicates.add(Self.drive(start), fingerprint, label: "copy") == .duplicate(of: "whole"))
  }

  @Test("Drives without a start time are duplicates only if their content is the same")
  func untimed() {
    var duplicates = DriveDuplicates()
    var other = Self.drive(nil)
    other.id = UUID()
    #expect(duplicates.add(Self.drive(nil), nil, label: "one") == .new)
    #expect(duplicates.add(other, nil, label: "two") == .new)
    #expect(duplicates.add(Self.drive(nil, "other name"), nil, label: "three") == .duplicate(of: "one"))
  }
}
