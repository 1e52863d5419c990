import Testing

@testable import TrackFormats

@Suite("Crossings of the antimeridian")
struct AntimeridianTests {
  @Test("The shorter way crosses the antimeridian if the longitudes differ by more than 180°")
  func crossings() throws {
    #expect(AntimeridianCrossing(from: 10, to: 20) == nil)
    #expect(AntimeridianCrossing(from: -90, to: 90) == nil)
    #expect(AntimeridianCrossing(from: .nan, to: 90) == nil)
    let east = try #require(AntimeridianCrossing(from: 179, to: -178))
    #expect(east.longitude == 180 && east.fraction == 1.0 / 3)
    let west = try #require(AntimeridianCrossing(from: -178, to: 179))
    #expect(west.longitude == -180 && west.fraction == 2.0 / 3)
    let on = try #require(AntimeridianCrossing(from: 180, to: -180))
    #expect(on.fraction == 0)
  }

  @Test("An interpolated value is between the two given ones")
  func interpolation() throws {
    let crossing = try #require(AntimeridianCrossing(from: 179, to: -177))
    #expect(crossing.interpolate(10.0, 20.0) == 12.5)
    #expect(crossing.interpolate(1000, 2001) == 1250)
    #expect(crossing.interpolate(2000, 1000) == 1750)
    // If the difference exceeds 64 bits, the first value is returned.
    #expect(crossing.interpolate(Int64.min + 1, Int64.max) == Int64.min + 1)
  }
}
