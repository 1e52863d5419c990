import Foundation
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Summary of a route")
struct RouteTests {
  private static func drive(
    _ day: Double?, _ duration: Double, _ name: String, distance: Double = 1000, number: UInt8
  ) throws -> RouteDrive {
    RouteDrive(
      id: UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), name: name,
      startTime: day.flatMap { Instant(secondsSince1970: $0 * 86_400) }, duration: duration,
      distance: distance,
      // 0.01° to the north.
      path: try #require(
        SimplifiedRoute(
          [Coordinate(latitude: 10, longitude: 20), Coordinate(latitude: 10.01, longitude: 20)],
          duration: duration)))
  }

  @Test("Id and ends are those of the first drive; the times are the best and the median")
  func summary() throws {
    let drives = [
      try Self.drive(1, 700, "To work", distance: 1100, number: 9),
      try Self.drive(2, 500, "To work", distance: 1000, number: 3),
      try Self.drive(4, 640, "Errand", distance: 1500, number: 7),
    ]
    let route = try #require(DrivenRoute(drives))
    #expect(route.id == drives[0].id)
    #expect(route.drives == drives.map(\.id))
    #expect(route.name == "To work")
    #expect(route.best == drives[1].id)
    #expect(route.bestDuration == 500)
    #expect(route.usualDuration == 640)
    #expect(route.distance == 1100)
    #expect(route.firstTime == drives[0].startTime)
    #expect(route.lastTime == drives[2].startTime)
    #expect(!route.isLoop)
    #expect(try #require(route.bearing) == 0)
    #expect(route.contains(drives[2].id))
    #expect(DrivenRoute([]) == nil)
  }

  @Test(
    "A recording that began late is the best only if the drive was faster",
    // At the same mean speed, 96 % of the way take 480 s.
    arguments: [(1000.0, 499.0, true), (980, 499, true), (960, 481, false), (960, 479, true)])
  func lateStart(distance: Double, duration: Double, isBest: Bool) throws {
    let drives = [
      try Self.drive(1, 500, "a", number: 1), try Self.drive(2, 510, "b", number: 2),
      try Self.drive(3, duration, "c", distance: distance, number: 3),
    ]
    let route = try #require(DrivenRoute(drives))
    #expect(route.best == drives[isBest ? 2 : 0].id)
    #expect(route.bestDuration == (isBest ? duration : 500))
  }

  @Test("Different names and rare names do not name a route")
  func names() throws {
    func name(_ names: [String]) throws -> String? {
      let drives = try names.enumerated().map {
        try Self.drive(Double($0.offset), 1, $0.element, number: UInt8($0.offset))
      }
      return DrivenRoute(drives)?.name
    }
    #expect(try name(["a", "b", "c"]) == nil)
    #expect(try name(["a"]) == "a")
    #expect(try name(["", ""]) == nil)
    #expect(try name(["a", "b", "b", "a"]) == "a")
    #expect(try name(["a", "a", "b", "c", "d", "e", "f", "g", "h"]) == nil)
    #expect(try name(["x", "a", "a", "c", "d", "", "f", "g"]) == "a")
  }

  @Test("Drives without a start time are last, sorted by id")
  func order() throws {
    let drives = [
      try Self.drive(nil, 1, "", number: 2), try Self.drive(3, 1, "", number: 5),
      try Self.drive(nil, 1, "", number: 1), try Self.drive(3, 1, "", number: 4),
    ]
    #expect(drives.sorted(by: RouteDrive.comesFirst).map(\.id.uuid.0) == [4, 5, 1, 2])
  }
}
