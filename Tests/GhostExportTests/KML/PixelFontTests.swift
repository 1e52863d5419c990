import Testing

@testable import GhostExport

struct PixelFontTests {
  @Test("Every printable letter of ASCII has a shape of its own, of five by seven pixels")
  func shapes() {
    var shapes: Set<[UInt8]> = []
    for code in UInt8(0x20)...0x7E {
      let rows = PixelFont.rows(Character(Unicode.Scalar(code)))
      #expect(rows?.count == 7)
      #expect(rows?.allSatisfy { $0 < 32 } == true)
      shapes.insert(rows ?? [])
    }
    #expect(shapes.count == 95)
    #expect(PixelFont.rows("é") == nil)
  }

  @Test(
    "Accents go, what has no Latin letter goes too",
    arguments: [
      ("Zürich–Genève", "Zurich-Geneve"), ("Straße", "Strasse"), ("🚗 Ñandú 🏁", "Nandu"), ("東京", ""),
      ("a\u{A0}b\u{0301}\n", "a b"),
    ])
  func drawable(text: String, drawn: String) {
    #expect(PixelFont.drawable(text) == drawn)
  }

  @Test("A legend names drives that it cannot spell by their number")
  func legend() {
    let legend = Legend(sections: [
      .init(title: "Drives", entries: [.init(color: .muted, text: "東京"), .init(color: .muted, text: "Oslo")])
    ])
    let spelled = Legend(sections: [
      .init(
        title: "Drives", entries: [.init(color: .muted, text: "Drive 1"), .init(color: .muted, text: "Oslo")])
    ])
    #expect(LegendImage.image(legend) == LegendImage.image(spelled))
  }
}
