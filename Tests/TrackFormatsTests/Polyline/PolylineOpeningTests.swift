import Testing
import TrackFormats
import TrackModel

@Suite("Detecting encoded polylines")
struct PolylineOpeningTests {
  private static let example = "_p~iF~ps|U_ulLnnqC_mqNvxq`@"
  private static let example6 = "_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI"

  private func detect(_ text: String, _ name: String? = nil) -> TrackFormat? {
    var input = ByteInput(bytes: Array(text.utf8), name: name)
    return try? FormatRegistry.standard.detect(&input)
  }

  @Test("The specification's example is detected, with five and six decimals and any file name")
  func examples() {
    for name in [nil, "a.txt", "a.polyline", "a.POLYLINE"] {
      #expect(detect(PolylineOpeningTests.example, name) == .polyline)
    }
    for name in [nil, "a.txt", "a.polyline6"] {
      #expect(detect(PolylineOpeningTests.example6, name) == .polyline6)
    }
    #expect(
      detect("\u{FEFF}\n\(PolylineOpeningTests.example)\r\n\(PolylineOpeningTests.example)\n") == .polyline)
  }

  @Test("A file name decides only if the content is ambiguous")
  func names() {
    // A single position at 0, 0 is two characters, like any short word in capitals.
    #expect(detect("??") == nil)
    #expect(detect("??", "a.polyline") == .polyline)
    #expect(detect("!!\n\(PolylineOpeningTests.example)\n", "a.polyline") == .polyline)
    #expect(detect("!!\n!?\n", "a.polyline") != .polyline)
    #expect(detect("??", "a.polyline6") == .polyline6)
    // 38.5 degrees with six decimals are 385 degrees with five.
    #expect(detect(PolylineOpeningTests.example6, "a.polyline") == .polyline6)
    #expect(detect("<gpx/>", "a.polyline") == .gpx)
  }

  @Test(
    "Other text is not detected",
    arguments: [
      "hello", "DATA", "HELLO WORLD", "ride_of_may", "_p~iF~ps|U", "_p~iF~ps|U_ulL", "_p~iF~ps|U_ulLnnqC!",
      "_p~iF~ps|U_ulLnnqC hello", "~~~~~~~~~~~~~~~~", "@@@@@@@@@@@@",
    ])
  func others(_ text: String) { #expect(detect(text) == nil) }

  @Test("Long text is detected from its first bytes, which may end inside a number")
  func long() {
    // The position of the example, then alternating steps of 1 and −1 (A and @).
    for extra in 0..<4 {
      let steps = String(repeating: "AA@@", count: 10_000) + String("AA@@".prefix(extra))
      #expect(detect("_p~iF~ps|U" + steps) == .polyline)
    }
    #expect(detect("_p~iF~ps|U" + String(repeating: "AA@@", count: 100) + "A") == nil)
  }
}
