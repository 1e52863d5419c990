import Foundation
import GhostModel
import Testing
import TrackModel

@Suite struct DriveTests {
  @Test("A blob is decoded once, and the error of an invalid one contains its offset")
  func coordinates() throws {
    let drive = try Drive(
      name: "n", startTime: nil, endTime: nil, duration: 1, distance: 0,
      coordinatesData: Data(#"[{"lat":1,"lon":2},{"lat":3,"lon":4}]"#.utf8))
    #expect(
      drive.coordinates == [
        Coordinate(latitude: 1, longitude: 2), Coordinate(latitude: 3, longitude: 4),
      ])
    #expect(drive.latitudes == [1, 3] && drive.longitudes == [2, 4])
    do throws(TrackError) {
      _ = try Drive(
        name: "n", startTime: nil, endTime: nil, duration: 1, distance: 0, coordinatesData: Data("[{]".utf8))
      Issue.record("no error")
    } catch {
      #expect(error.place.byteOffset == 2)
    }
  }

  @Test("The names of accessors contain their units")
  func units() {
    let drive = Drive(name: "", startTime: nil, endTime: nil, duration: 100, distance: 2, coordinates: [])
    // An international mile is 1609.344 m.
    #expect(drive.distanceInMiles == 2 && drive.distanceInMeters == 3218.688)
    #expect(drive.durationInSeconds == 100 && drive.speedInMetersPerSecond == 32.18688)
  }

  @Test("The id depends on the content and not on the name")
  func identity() {
    func drive(_ name: String, _ duration: Double) -> Drive {
      Drive(
        name: name, startTime: nil, endTime: nil, duration: duration, distance: 1,
        coordinates: [])
    }
    #expect(drive("a", 1).id == drive("b", 1).id)
    #expect(drive("a", 1).id != drive("a", 2).id)
  }
}
