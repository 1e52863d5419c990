import Testing
import TrackModel

@testable import DriveLibrary

@Suite("GeoPackage lines")
struct GeoPackageLineTests {
  private static let places = [(1.5, -2.25), (-90, 180), (0, 1e-300)].map {
    Coordinate(latitude: $0.0, longitude: $0.1)
  }

  @Test("A line is read back as written")
  func roundTrip() {
    #expect(GeoPackageGeometry.coordinates(GeoPackageGeometry.line(Self.places)) == Self.places)
    #expect(GeoPackageGeometry.coordinates(GeoPackageGeometry.line([])) == nil)
  }

  /// Returns the first `count` bytes of a number, in little-endian or big-endian order.
  private static func bytes(_ value: UInt64, _ count: Int, _ isLittle: Bool) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    return isLittle ? little : little.reversed()
  }

  @Test(
    "Lines of other programs are read: both byte orders, every envelope, with z and m",
    arguments: [true, false], 0...4)
  func others(isLittle: Bool, envelope: Int) {
    for (kind, width) in [(2, 2), (1002, 3), (2002, 3), (3002, 4)] as [(UInt64, Int)] {
      // Version 0; the header may have a different byte order than the geometry.
      var line: [UInt8] = [0x47, 0x50, 0, UInt8(envelope << 1), 0, 0, 0x10, 0xE6]
      line += [UInt8](repeating: 7, count: [0, 32, 48, 48, 64][envelope])
      line += [isLittle ? 1 : 0] + Self.bytes(kind, 4, isLittle) + Self.bytes(3, 4, isLittle)
      for place in Self.places {
        for value in [place.longitude, place.latitude, 99, 98].prefix(width) {
          line += Self.bytes(value.bitPattern, 8, isLittle)
        }
      }
      #expect(GeoPackageGeometry.coordinates(line) == Self.places)
      for count in 0..<line.count {
        #expect(GeoPackageGeometry.coordinates(Array(line.prefix(count))) == nil)
      }
    }
  }

  @Test("Bytes that are not a line return nil")
  func noLine() {
    var point = GeoPackageGeometry.line(Self.places)
    point[41] = 1
    #expect(GeoPackageGeometry.coordinates(point) == nil)
    var many = GeoPackageGeometry.line(Self.places)
    for index in 45..<49 { many[index] = 0xFF }
    #expect(GeoPackageGeometry.coordinates(many) == nil)
    var envelope = GeoPackageGeometry.line(Self.places)
    envelope[3] = 0b1011
    #expect(GeoPackageGeometry.coordinates(envelope) == nil)
  }
}
