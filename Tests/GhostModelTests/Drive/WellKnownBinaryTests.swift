import Testing
import TrackModel

@testable import GhostModel

@Suite("Well-known binary")
struct WellKnownBinaryTests {
  @Test("A line is written little-endian with the longitude first")
  func line() {
    // IEEE 754: 1 is 3FF0…, 2 is 4000…, −0.5 is BFE0…, 7.5 is 401E….
    let coordinates = [Coordinate(latitude: 1, longitude: 2), Coordinate(latitude: -0.5, longitude: 7.5)]
    let digits = WellKnownBinary.hexadecimal(WellKnownBinary.line(coordinates))
    #expect(
      String(decoding: digits, as: UTF8.self) == "01" + "02000000" + "02000000"
        + "0000000000000040" + "000000000000F03F" + "0000000000001E40" + "000000000000E0BF")
    let extended = WellKnownBinary.line(coordinates, spatialReference: 4326)
    #expect(extended.prefix(13) == [1, 2, 0, 0, 0x20, 0xE6, 0x10, 0, 0, 2, 0, 0, 0])
    #expect(extended.dropFirst(13) == WellKnownBinary.line(coordinates).dropFirst(9))
  }

  @Test("Fewer than two coordinates are written as an empty line", arguments: [0, 1])
  func empty(count: Int) {
    let coordinates = [Coordinate](repeating: Coordinate(latitude: 1, longitude: 2), count: count)
    #expect(
      String(decoding: WellKnownBinary.hexadecimal(WellKnownBinary.line(coordinates)), as: UTF8.self)
        == "010200000000000000")
  }
}
