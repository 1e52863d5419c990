import Testing
import TrackModel

@testable import GhostExport

struct BasemapTests {
  @Test("The address of a tile contains its numbers")
  func address() throws {
    let basemap = try Basemap(template: "https://a.example:8080/{z}/{x}/{y}@2x.png?k={key}&a={z}")
    #expect(
      basemap.address(zoom: 12, x: 2200, y: 1343)
        == "https://a.example:8080/12/2200/1343@2x.png?k={key}&a=12")
    #expect(basemap.origin == "https://a.example:8080")
    #expect(basemap.attribution == "Map: a.example:8080")
    let street = try Basemap(template: "https://tile.openstreetmap.org/{z}/{x}/{y}.png")
    #expect(street.attribution == "© OpenStreetMap contributors")
  }

  @Test(
    "An invalid template is rejected",
    arguments: [
      "", "https://a.example/{z}/{x}.png", "ftp://a.example/{z}/{x}/{y}", "javascript:{z}{x}{y}",
      "https:///{z}/{x}/{y}", "https://a.example;script-src/{z}/{x}/{y}", "https://a b/{z}/{x}/{y}",
    ])
  func refused(template: String) {
    #expect(throws: TrackError.self) { try Basemap(template: template) }
  }
}
