import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("The common clock of two recordings")
struct SharedClockTests {
  /// Returns a drive along a meridian at 10 m/s, with fixes at seconds since a time.
  private func drive(_ seconds: [Double], since start: Double) throws -> TimedDrive {
    var segment = Recording.Segment()
    for second in seconds {
      segment.append(
        Coordinate(latitude: 47 + (start + second) * 10 / 111_195, longitude: 8),
        time: Instant(microseconds: 1_700_000_000_000_000 + Int64((start + second) * 1e6)))
    }
    return try TimedDrive(Recording(segments: [segment]), label: "", source: nil)
  }

  /// Returns the clock of a recording with a fix per second, and one with sparse fixes that starts 20 s later.
  private func clock(swapped: Bool = false) throws -> SharedClock {
    let dense = try drive((0...100).map(Double.init), since: 0)
    let sparse = try drive([0, 3, 40, 60, 64, 70], since: 20)
    let (first, second) = swapped ? (sparse, dense) : (dense, sparse)
    let fingerprints = (try #require(RideFingerprint(first)), try #require(RideFingerprint(second)))
    let match = try #require(RideMatch(fingerprints.0, fingerprints.1))
    return try #require(SharedClock(match, first, second))
  }

  @Test("Between fixes 37 s apart, the time is that of the other recording, 20 s later")
  func sparse() throws {
    let corrected = try #require(try clock().corrected(Paired(30.5, 38)))
    #expect(corrected.first == 30.5)
    #expect(abs(corrected.second - 10.5) < 0.1)
    let swapped = try #require(try clock(swapped: true).corrected(Paired(38, 30.5)))
    #expect(swapped.second == 30.5)
    #expect(abs(swapped.first - 10.5) < 0.1)
  }

  @Test(
    "Between fixes up to 6 s apart, at fixes and outside the other recording, times are kept",
    arguments: [22.5, 84.5, 60, 5, 98])
  func kept(moment: Double) throws {
    #expect(try clock().corrected(Paired(moment, moment - 19)) == nil)
  }
}
