import Testing

@testable import GhostExport

struct ExportColorContrastTests {
  @Test(
    "The contrast ratio is that of WCAG 2.2",
    arguments: [
      (0x000000, 0xFFFFFF, 21.0), (0xFFFFFF, 0xFFFFFF, 1), (0x777777, 0xFFFFFF, 4.48),
      (0xFF0000, 0xFFFFFF, 4.00),
    ])
  func contrast(first: UInt32, second: UInt32, ratio: Double) {
    #expect(abs(ExportColor(first).contrast(with: ExportColor(second)) - ratio) < 0.005)
  }

  @Test(
    "Every colour of the drives is readable on light and on dark backgrounds", arguments: ExportColor.drives)
  func readable(color: ExportColor) {
    for ground in [ReportColors.lightCard, ReportColors.darkCard] {
      #expect(color.readable(on: ground, minimum: 3).contrast(with: ground) >= 3)
      #expect(color.readable(on: ground, minimum: 4.5).contrast(with: ground) >= 4.5)
    }
  }

  @Test("A readable colour is not changed")
  func unchanged() {
    let blue = ExportColor(0x0072B2)
    #expect(blue.readable(on: ExportColor(0xFFFFFF), minimum: 3) == blue)
  }
}
