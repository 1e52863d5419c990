import GhostModel
import Testing
import TrackModel

@testable import DriveMatching
@testable import GhostExport

struct MapProjectionTests {
  private func trace(_ places: [(Double, Double)]) throws -> TimedDrive {
    try TimedDrive(
      label: "A", coordinates: places.map { Coordinate(latitude: $0.0, longitude: $0.1) },
      elapsed: places.indices.map(Double.init))
  }

  @Test("The corner of the Web Mercator square is the limit of EPSG:3857")
  func corner() throws {
    let projection = MapProjection([try trace([(0, 0), (85.0511287798066, 180)])])
    let corner = projection.point(latitude: 85.0511287798066, longitude: -180)
    // Relative to the centre of the map, which is at three quarters from the west and a quarter from the
    // north.
    #expect(abs(projection.centerX - 0.75) < 1e-12 && abs(projection.centerY - 0.25) < 1e-9)
    #expect(
      abs(abs(corner.x) - projection.worldSize / 4) < 1
        || abs(abs(corner.x) - projection.worldSize * 0.75) < 1)
    #expect(abs(corner.y + projection.worldSize / 4) < 0.01)
  }

  @Test("A unit is half a metre at all latitudes", arguments: [0.0, 48.2, -33.9, 69.6])
  func unit(latitude: Double) throws {
    let drive = try trace([(latitude, 10), (latitude + 0.01, 10.01)])
    let projection = MapProjection([drive])
    let columns = projection.columns(of: drive)
    let metres = Geodesy.distance(from: drive.coordinate(at: 0), to: drive.coordinate(at: 1))
    let east = columns.x[1] - columns.x[0]
    let south = columns.y[1] - columns.y[0]
    let units = (east * east + south * south).squareRoot()
    #expect(metres / units <= 0.5 * 1.007 && metres / units > 0.49)
    #expect(abs(projection.metresPerUnit / 0.5 - 1) < 0.01)
  }

  @Test("A drive across the antimeridian does not cross the map")
  func antimeridian() throws {
    let drive = try trace([(-16.8, 179.99), (-16.8, -179.99)])
    let projection = MapProjection([drive])
    #expect(projection.width * 0.5 < 2200)
    let columns = projection.columns(of: drive)
    #expect(columns.x[0] < columns.x[1])
    let place = projection.point(latitude: -16.8, longitude: -179.99)
    #expect(abs(place.x - columns.x[1]) < 0.01)
  }

  @Test("Poles and single positions have finite coordinates")
  func extremes() throws {
    for drive in [try trace([(90, 0), (-90, 0)]), try trace([(5, 5), (5, 5)])] {
      let projection = MapProjection([drive])
      let columns = projection.columns(of: drive)
      #expect((columns.x + columns.y).allSatisfy { $0.isFinite })
    }
  }
}
