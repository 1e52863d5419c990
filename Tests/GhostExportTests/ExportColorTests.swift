import GhostExport
import Testing

struct ExportColorTests {
  @Test(
    "A colour is written in HTML notation",
    arguments: [(0x0072B2, "#0072b2"), (0xFFFFFF, "#ffffff"), (0, "#000000")])
  func hexadecimal(value: UInt32, text: String) {
    #expect(ExportColor(value).hexadecimal == text)
  }
}
