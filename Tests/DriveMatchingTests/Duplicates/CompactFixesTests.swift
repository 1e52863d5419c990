import Testing
import TrackModel

@testable import DriveMatching

@Suite("Compact fixes")
struct CompactFixesTests {
  private static func region(_ places: [(latitude: Double, longitude: Double)]) -> CompactFixes.Region? {
    var fixes = CompactFixes()
    for (latitude, longitude) in places {
      fixes.append(Coordinate(latitude: latitude, longitude: longitude), Double(fixes.count))
    }
    return fixes.region
  }

  private typealias Place = (latitude: Double, longitude: Double)
  /// A degree of latitude is about 111 km, so that 2 km are 0.018°. 0.02° of longitude are 2.2 km at the
  /// equator, and half of that at 60°.
  private static let pairs: [(name: String, first: [Place], second: [Place], isNear: Bool)] = [
    ("inside", [(47, 8), (47.1, 8.1)], [(47.05, 8.05)], true),
    ("1.9 km north", [(47, 8), (47.1, 8.1)], [(47.117, 8)], true),
    ("2.2 km north", [(47, 8), (47.1, 8.1)], [(47.12, 8)], false),
    ("2.2 km east", [(0, 8), (0, 8.1)], [(0, 8.12)], false),
    ("1.1 km east", [(60, 8), (60, 8.1)], [(60, 8.12)], true),
    ("1.6 km across the antimeridian", [(10, 179.99)], [(10, -179.995)], true),
    ("22 km across the antimeridian", [(10, 179.9)], [(10, -179.9)], false),
    ("all longitudes", [(10, 179.99), (10, -179.99)], [(10, 90)], true),
    ("other hemisphere", [(-33, 151)], [(33, 151)], false),
  ]

  @Test(
    "Regions are near each other up to two kilometres, in both directions and across the antimeridian",
    arguments: pairs.map(\.name))
  func nearRegions(_ name: String) throws {
    let pair = try #require(Self.pairs.first { $0.name == name })
    let (first, second) = (try #require(Self.region(pair.first)), try #require(Self.region(pair.second)))
    #expect(first.isNear(second) == pair.isNear)
    #expect(second.isNear(first) == pair.isNear)
  }

  @Test("Without fixes there is no region")
  func empty() {
    #expect(CompactFixes().region == nil)
  }
}
