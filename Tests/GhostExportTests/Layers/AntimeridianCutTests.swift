import Testing

@testable import GhostExport

struct AntimeridianCutTests {
  @Test("A line across the antimeridian is cut there, with interpolated position and time")
  func crosses() {
    let line = LayerLine(latitudes: [10, 14], longitudes: [179, -177], times: [0, 8])
    #expect(
      line.cutAtAntimeridian == [
        LayerLine(latitudes: [10, 11], longitudes: [179, 180], times: [0, 2]),
        LayerLine(latitudes: [11, 14], longitudes: [-180, -177], times: [2, 8]),
      ])
  }

  @Test("A position on the meridian ends one part and starts the next")
  func onIt() {
    let line = LayerLine(latitudes: [1, 2, 3], longitudes: [-179, 180, 179])
    #expect(
      line.cutAtAntimeridian == [
        LayerLine(latitudes: [1, 2], longitudes: [-179, -180]),
        LayerLine(latitudes: [2, 3], longitudes: [180, 179]),
      ])
  }

  @Test("A line elsewhere is not changed, and a single position is not a line")
  func elsewhere() {
    let line = LayerLine(latitudes: [1, 2], longitudes: [-10, 10], times: [0, 1])
    #expect(line.cutAtAntimeridian == [line])
    #expect(LayerLine(latitudes: [1], longitudes: [1]).cutAtAntimeridian.isEmpty)
  }
}
