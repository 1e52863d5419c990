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

  private static func results(_ recordings: [(name: String, seconds: Range<Int>)]) throws -> [Bool] {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let start = Instant(microseconds: 1_714_543_929_000_000)
    for (name, seconds) in recordings {
      let begin = start.advanced(bySeconds: Double(seconds.lowerBound))
      try library.add([.over(Array(road[seconds]), name: name, start: begin)], hash: name)
    }
    var rides = RecordedRides(library)
    return try library.drives().map { drive throws(TrackError) in try rides.add(drive) }
  }

  @Test("A recording that overlaps only the second one of a ride is of the same ride")
  func chain() throws {
    #expect(
      try Self.results([("watch", 0..<200), ("phone", 80..<380), ("bar", 250..<410)]) == [false, true, true])
  }

  @Test("Recordings one after another, and those that overlap briefly, are rides of their own")
  func apart() throws {
    #expect(
      try Self.results([("first", 0..<200), ("second", 180..<380), ("third", 390..<490)])
        == [false, false, false])
  }
}
