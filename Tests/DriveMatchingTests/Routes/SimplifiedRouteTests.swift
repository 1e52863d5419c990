import Foundation
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Simplified routes")
struct SimplifiedRouteTests {
  /// Returns places on the equator at the given metres to the east. One degree of longitude is 111,319.5 m.
  private static func east(_ metres: [Double]) -> [Coordinate] {
    metres.map { Coordinate(latitude: 0, longitude: $0 / 111_319.49) }
  }

  @Test("Points are at least 25 m apart, and the first and the last are always kept")
  func spacing() throws {
    let metres: [Double] = (0...100).map { Double($0) * 10 }
    let path = try #require(SimplifiedRoute(Self.east(metres + [1004]), duration: 1010))
    // 0, 30, 60 … 990 and 1,004 m.
    #expect(path.count == 35)
    #expect(abs(path.length - 1004) < 2)
    #expect(abs(path.extent - 1004) < 2)
    #expect(path.start == Coordinate(latitude: 0, longitude: 0))
    // 102 points over 1,010 s are 10 s apart.
    #expect(path.points.elapsed[1] == 30)
    #expect(path.points.elapsed.last == 1010)
  }

  @Test("A long route keeps a limited number of points and both ends")
  func limit() throws {
    let way = Self.east((0...20_000).map { Double($0) * 30 })
    let path = try #require(SimplifiedRoute(way, duration: 30_000))
    #expect(path.count <= SimplifiedRoute.maximumCount + 1)
    #expect(path.count > SimplifiedRoute.maximumCount / 4)
    #expect(abs(path.length - 600_000) < 1500)
    #expect(path.end == way.last)
    #expect(zip(path.points.elapsed, path.points.elapsed.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("Invalid positions are skipped, and fewer than two are not a route")
  func invalid() throws {
    let bad = Coordinate(latitude: .nan, longitude: 0)
    let far = Coordinate(latitude: 91, longitude: 400)
    let good = Self.east([0, 100])
    #expect(SimplifiedRoute([], duration: 1) == nil)
    #expect(SimplifiedRoute([good[0]], duration: 1) == nil)
    #expect(SimplifiedRoute([bad, far], duration: 1) == nil)
    let path = try #require(SimplifiedRoute([bad, good[0], far, good[1], bad], duration: .nan))
    #expect(path.count == 2)
    #expect(path.start == good[0])
    #expect(path.end == good[1])
  }

  @Test("A stationary drive has a short route")
  func parked() throws {
    let path = try #require(SimplifiedRoute(Self.east([0, 5, 3, 9, 2, 0]), duration: 100))
    #expect(path.length < 20)
    #expect(path.extent < 10)
    #expect(path.line.length < 20)
  }
}
