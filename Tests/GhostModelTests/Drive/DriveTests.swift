import Foundation
import GhostModel
import Testing
import TrackModel

@Suite struct DriveTests {
  @Test("Coordinates are decoded on demand, and a bad blob says where")
  func coordinates() throws {
    var drive = Drive(
      name: "n", startTime: nil, endTime: nil, duration: 1, distance: 0,
      coordinatesData: Data(#"[{"lat":1,"lon":2},{"lat":3,"lon":4}]"#.utf8))
    #expect(
      try drive.coordinates == [
        Coordinate(latitude: 1, longitude: 2), Coordinate(latitude: 3, longitude: 4),
      ])
    drive.coordinatesData = Data("[{]".utf8)
    do throws(TrackError) {
      _ = try drive.coordinates
      Issue.record("no error")
    } catch {
      #expect(error.place.byteOffset == 2)
    }
  }

  @Test("The id follows from the content and not from the name")
  func identity() {
    func drive(_ name: String, _ duration: Double) -> Drive {
      Drive(
        name: name, startTime: nil, endTime: nil, duration: duration, distance: 1,
        coordinatesData: Data("[]".utf8))
    }
    #expect(drive("a", 1).id == drive("b", 1).id)
    #expect(drive("a", 1).id != drive("a", 2).id)
  }
}
