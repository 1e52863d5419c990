import Testing
import TrackFormats
import TrackModel

@Suite("Recognising encoded polylines")
struct PolylineOpeningTests {
  private static let example = "_p~iF~ps|U_ulLnnqC_mqNvxq`@"
  private static let example6 = "_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI"

  private func detect(_ text: String, _ name: String? = nil) -> TrackFormat? {
    var input = ByteInput(bytes: Array(text.utf8), name: name)
    return try? FormatRegistry.standard.detect(&input)
  }

  @Test("The example of the specification is one, with five and with six decimals, whatever its name")
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

  @Test("A name decides what the content leaves open, and only that")
  func names() {
    // A single place at 0, 0 is two characters, as any short word in capitals.
    #expect(detect("??") == nil)
    #expect(detect("??", "a.polyline") == .polyline)
    #expect(detect("!!\n\(PolylineOpeningTests.example)\n", "a.polyline") == .polyline)
    #expect(detect("!!\n!?\n", "a.polyline") != .polyline)
    #expect(detect("??", "a.polyline6") == .polyline6)
    // 38.5 degrees with six decimals are 385 with five.
    #expect(detect(PolylineOpeningTests.example6, "a.polyline") == .polyline6)
    #expect(detect("<gpx/>", "a.polyline") == .gpx)
  }

  @Test(
    "Other text is none",
    arguments: [
      "hello", "DATA", "HELLO WORLD", "ride_of_may", "_p~iF~ps|U", "_p~iF~ps|U_ulL", "_p~iF~ps|U_ulLnnqC!",
      "_p~iF~ps|U_ulLnnqC hello", "~~~~~~~~~~~~~~~~", "@@@@@@@@@@@@",
    ])
  func others(_ text: String) { #expect(detect(text) == nil) }

  @Test("Long text is judged by its beginning, which may end inside a number")
  func long() {
    // The place of the example, then steps of 1 and −1 (A and @) there and back.
    for extra in 0..<4 {
      let steps = String(repeating: "AA@@", count: 10_000) + String("AA@@".prefix(extra))
      #expect(detect("_p~iF~ps|U" + steps) == .polyline)
    }
    #expect(detect("_p~iF~ps|U" + String(repeating: "AA@@", count: 100) + "A") == nil)
  }
}
