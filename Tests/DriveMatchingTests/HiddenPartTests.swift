import GhostModel
import Testing
import TrackModel
import TrackTransforms

@testable import DriveMatching

/// Drives whose points in a privacy zone were removed.
@Suite("Hidden parts")
struct HiddenPartTests {
  private static let road = SimulatedRoad().straight(5000)

  /// Returns the zone around a place of a road.
  private static func zone(_ road: SimulatedRoad, at metres: Double, radius: Double) -> PrivacyStage.Circle {
    let center = Projection.plane(latitude: 47, longitude: 8).coordinate(road.place(at: metres))
    return PrivacyStage.Circle(center: center, radius: radius)
  }

  private static func compare(
    _ first: TimedDrive, _ second: TimedDrive, without zone: PrivacyStage.Circle
  ) throws -> DriveComparison {
    try DriveComparison.compare([first.outside([zone]).drive, second.outside([zone]).drive])
  }

  @Test(
    "A hidden part is not recorded, however short it is and however few fixes there are",
    arguments: [(1, 60), (1, 300), (30, 20), (30, 300), (60, 600)] as [(Double, Double)])
  func middle(interval: Double, radius: Double) throws {
    let zone = Self.zone(Self.road, at: 2500, radius: radius)
    let first = try SimulatedDrive(Self.road, speed: 13).trace("a", .every(interval), seed: 1)
    let second = try SimulatedDrive(Self.road, speed: 12).trace("b", .every(interval), seed: 2)
    let pair = try Self.compare(first, second, without: zone).pairs[0]
    #expect(pair.legs.map(\.kind) == [.shared, .unknown, .shared])
    for row in 0..<pair.profile.count {
      let place = Coordinate(latitude: pair.profile.latitudes[row], longitude: pair.profile.longitudes[row])
      #expect(Geodesy.distance(from: place, to: zone.center) > radius)
    }
    let truth = 5000.0 / 12 - 5000.0 / 13
    #expect(abs(try #require(pair.finalGap) - truth) < 2.5 * pair.uncertainty + 1)
  }

  @Test("Copies of a drive have no shared road through a hidden part")
  func copies() throws {
    let drive = try SimulatedDrive(Self.road, speed: 13).trace("a", .every(30), seed: 1)
    var other = drive
    other.label = "b"
    let zone = Self.zone(Self.road, at: 2500, radius: 10)
    let pair = try Self.compare(drive, other, without: zone).pairs[0]
    #expect(pair.legs.map(\.kind) == [.shared, .unknown, .shared])
    #expect(abs(try #require(pair.finalGap)) < 0.001)
  }

  @Test("The time in a zone in which a drive turns is no stop at its edge")
  func turn() throws {
    let road = SimulatedRoad().straight(3000).arc(60, turning: 180).straight(3000)
    let zone = Self.zone(road, at: 3030, radius: 300)
    let first = try SimulatedDrive(road, speed: 13).trace("a", seed: 1)
    let second = try SimulatedDrive(road, speed: 12).trace("b", seed: 2)
    let result = try Self.compare(first, second, without: zone)
    #expect(result.drives.map(\.stops.count) == [0, 0])
    #expect(result.pairs[0].legs.map(\.kind) == [.shared, .unknown, .shared])
  }
}
