import Testing
import TrackModel

@testable import DriveLibrary

struct GeoPackageGeometryTests {
  @Test("A line is written as the standard specifies")
  func bytes() {
    let line = GeoPackageGeometry.line([
      Coordinate(latitude: 2, longitude: 1), Coordinate(latitude: 0, longitude: 1),
    ])
    // Header: "GP", version 0, little-endian with an envelope of x and y; 4326 is 0x10E6.
    #expect(Array(line[..<8]) == [0x47, 0x50, 0, 3, 0xE6, 0x10, 0, 0])
    // 1.0 is 0x3FF0…, 0.0 consists of zeros, 2.0 is 0x4000….
    let one: [UInt8] = [0, 0, 0, 0, 0, 0, 0xF0, 0x3F]
    let zero = [UInt8](repeating: 0, count: 8)
    let two: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0x40]
    #expect(Array(line[8..<40]) == one + one + zero + two)
    // Well-known binary: little-endian, 2 for LineString, two points, x before y.
    #expect(Array(line[40...]) == [1, 2, 0, 0, 0, 2, 0, 0, 0] + one + two + one + zero)
  }

  @Test("Fewer than two points are written as an empty line without an envelope", arguments: [0, 1])
  func empty(count: Int) {
    let line = GeoPackageGeometry.line(
      Array(repeating: Coordinate(latitude: 1, longitude: 2), count: count))
    #expect(GeoPackageGeometry.isEmpty(line))
    #expect(GeoPackageGeometry.envelope(line) == nil)
    #expect(line.count == 17)
  }

  @Test("An envelope is read in both byte orders")
  func bigEndian() {
    let bytes: [UInt8] =
      [0x47, 0x50, 0, 2, 0, 0, 0x10, 0xE6] + [0x3F, 0xF0, 0, 0, 0, 0, 0, 0] + [0x40, 0, 0, 0, 0, 0, 0, 0]
      + [0x3F, 0xF0, 0, 0, 0, 0, 0, 0] + [0x40, 0, 0, 0, 0, 0, 0, 0]
    #expect(GeoPackageGeometry.envelope(bytes) == .init(minX: 1, maxX: 2, minY: 1, maxY: 2))
    for count in 0..<40 { #expect(GeoPackageGeometry.envelope(Array(bytes.prefix(count))) == nil) }
  }
}
