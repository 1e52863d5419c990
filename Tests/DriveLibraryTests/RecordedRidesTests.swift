import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveLibrary

@Suite("Recorded rides")
struct RecordedRidesTests {
  /// A straight road to the north, one second and 22 m per point.
  private static let road = (0..<500).map { Coordinate(latitude: 46.5 + 0.0002 * Double($0), longitude: 7.5) }

  private static func results(_ recordings: [(name: String, seconds: Range<Int>)]) throws -> (
    shares: [Double?], totals: DriveTotals
  ) {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let start = Instant(microseconds: 1_714_543_929_000_000)
    for (name, seconds) in recordings {
      let begin = start.advanced(bySeconds: Double(seconds.lowerBound))
      try library.add([.over(Array(road[seconds]), name: name, start: begin)], hash: name)
    }
    var rides = RecordedRides(library)
    var totals = DriveTotals()
    let shares = try library.drives().map { drive throws(TrackError) in
      let share = try rides.add(drive)
      totals.add(drive, newShare: share)
      return share.map { ($0 * 1000).rounded() / 1000 }
    }
    return (shares, totals)
  }

  @Test("A recording that overlaps only the second one of a ride is of the same ride")
  func chain() throws {
    let (shares, totals) = try Self.results([("watch", 0..<200), ("phone", 80..<380), ("bar", 250..<410)])
    // Of 299 s, 180 are later than the watch's 199; of 159 s, 30 are later than the phone's 379.
    #expect(shares == [nil, 0.602, 0.189])
    #expect(totals.drives == 3 && totals.rides == 1)
    // 409 steps of 0.0002° of latitude near 46.5°, which are 22.235 m, and of a second.
    #expect(abs(totals.duration - 409) < 0.01 && abs(totals.distance - 409 * 22.235) < 10)
  }

  @Test("A ride has the length of the whole recording, even if a device that began earlier stopped early")
  func fragment() throws {
    let (shares, totals) = try Self.results([("fragment", 0..<100), ("whole", 2..<402)])
    #expect(shares == [nil, 0.757])
    #expect(abs(totals.duration - 401) < 0.01)
    // A few more seconds add nothing.
    #expect(try Self.results([("phone", 0..<300), ("watch", 0..<320)]).shares == [nil, 0])
  }

  @Test("Recordings one after another, and those that overlap briefly, are separate rides")
  func apart() throws {
    #expect(
      try Self.results([("first", 0..<200), ("second", 180..<380), ("third", 390..<490)])
        .shares == [nil, nil, nil])
  }
}
