import GhostExport
import Testing
import TrackModel

struct ExportColorPalettesTests {
  @Test("Colours are read in order, with and without #, with three and with six digits")
  func list() throws {
    #expect(
      try ExportColor.colors("0072b2, #D55E00,#fa0") == [
        ExportColor(0x0072B2), ExportColor(0xD55E00), ExportColor(0xFFAA00),
      ])
  }

  @Test("A palette is found by its name")
  func palette() throws {
    #expect(try ExportColor.colors("Okabe-Ito") == ExportColor.drives)
    #expect(try ExportColor.colors("tol-muted").count == 9)
  }

  @Test("Other texts are rejected", arguments: ["", "red", "0072b2,", "0072b", "ff0072b2", "#", "+12"])
  func refused(text: String) {
    #expect(throws: TrackError.self) { try ExportColor.colors(text) }
  }

  @Test("Up to nine drives have different colours", arguments: [1, 2, 6, 7, 9])
  func distinct(count: Int) {
    #expect(Set(ExportColor.drives(count: count).prefix(count)).count == count)
  }
}
