import Testing
import TrackFormats
import TrackModel

/// A sequence of GeoJSON texts, some of them broken.
@Suite("GeoJSON reader: broken records")
struct GeoJSONReaderRecordsTests {
  private static let first = GeoJSON.feature(GeoJSON.line("[1,2],[3,4]"))
  private static let last = GeoJSON.feature("{\"type\":\"Point\",\"coordinates\":[5,6]}")
  private static let whole = ["point 2 1", "point 4 3", "waypoint 6 5"]

  /// Invalid GeoJSON texts, without points before the fault.
  static let broken = [
    "{", "{\"type\":", "{\"type\":\"Feature\",\"prop", "{\"type\":\"Feature\",\"properties\":",
    "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[",
    "{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[7,8],",
    "{\"type\":\"Feature\",\"geometry\":nul", "{\"a\":1}", "null", "[1,2]", "x",
    "{\"type\":\"Feature\",\"properties\":{\"a\":01}}",
  ]

  @Test("A broken record between others affects no other record", arguments: broken, ["\u{1E}", ""])
  func between(_ record: String, _ before: String) throws {
    let text = [Self.first, record, Self.last].map { before + $0 + "\n" }.joined()
    for (chunk, capacity) in [(100_000, 64), (1, 1), (7, 3)] {
      let transcript = Transcript(geojson: text, chunk: chunk, capacity: capacity)
      #expect(transcript.error == nil && transcript.violations == [])
      #expect(transcript.points == Self.whole)
      #expect(transcript.warnings.count == 1)
      #expect(transcript.warnings.first?.count == 1)
      // If line feeds do not end records, as in sequences and indented texts, the fault is found on the
      // next line.
      let line = transcript.warnings.first?.place.line
      #expect(line == 2 || line == 3 && (before != "" || record == "{"))
    }
    #expect(Transcript(geojson: text, isStrict: true).error != nil)
  }

  @Test(
    "The first and the last record may be broken too", arguments: broken.filter { $0.hasPrefix("{\"") },
    ["\u{1E}", ""])
  func ends(_ record: String, _ before: String) {
    let first = [record, Self.first, Self.last].map { before + $0 + "\n" }.joined()
    for (chunk, capacity) in [(100_000, 64), (1, 1), (7, 3)] {
      let transcript = Transcript(geojson: first, chunk: chunk, capacity: capacity)
      #expect(transcript.error == nil && transcript.violations == [])
      // Before it is known that texts end with their lines, a text that is cut off may include the next
      // line.
      let swallows = before.isEmpty && record.hasSuffix("properties\":")
      #expect(transcript.points == (swallows ? ["waypoint 6 5"] : Self.whole), "\(record)")
      #expect(transcript.warnings.first?.count == (swallows ? 2 : 1))
    }
    // The one position of a line that is cut off by the end of the file is kept.
    if record.contains("[7,8]") { return }
    let last = [Self.first, Self.last, record].map { before + $0 + "\n" }.joined()
    let transcript = Transcript(geojson: last)
    #expect(transcript.error == nil && transcript.violations == [])
    #expect(transcript.points == Self.whole)
    #expect(transcript.warnings.reduce(0) { $0 + $1.count } == 1)
  }

  @Test(
    "The points before the fault of a broken record are kept as a line",
    arguments: ["\u{1E}", ""])
  func parts(_ before: String) {
    let streamed = "{\"type\":\"LineString\",\"coordinates\":[[7,8],[9,10],[11"
    let held = "{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[7,8],[9,10],[11"
    for record in [streamed, held] {
      let text = [Self.first, record, record, Self.last].map { before + $0 + "\n" }.joined()
      for (chunk, capacity) in [(100_000, 64), (1, 1), (7, 3)] {
        let transcript = Transcript(geojson: text, chunk: chunk, capacity: capacity)
        #expect(transcript.error == nil && transcript.violations == [])
        #expect(
          transcript.points == [
            "point 2 1", "point 4 3", "point 8 7", "point 10 9", "point 8 7", "point 10 9", "waypoint 6 5",
          ])
        #expect(transcript.lines.filter { $0 == "end of track" }.count == 3)
        #expect(transcript.warnings.map(\.message) == ["broken record, its complete part is kept"])
        #expect(transcript.warnings.first?.count == 2)
      }
    }
  }

  @Test("Only printable text of a broken record is quoted")
  func quoted() {
    let cut = Transcript(geojson: "\u{1E}\(Self.first)\n\u{1E}{\"a\n\u{1E}\(Self.last)\n")
    #expect(cut.warnings.map(\.offendingText) == [nil])
    let odd = Transcript(geojson: "\(Self.first)\n{\"a\":x}\n\(Self.last)\n")
    #expect(odd.warnings.map(\.offendingText) == ["x"])
  }

  @Test("Many consecutive broken records use no stack space")
  func many() {
    let text = Self.first + "\n" + String(repeating: "{\"type\":1 2}\n", count: 50_000) + Self.last
    let transcript = Transcript(geojson: text)
    #expect(transcript.points == Self.whole)
    #expect(transcript.warnings.first?.count == 50_000)
  }

  @Test("If no record is valid, the first fault is the error")
  func nothing() {
    for before in ["\u{1E}", ""] {
      let transcript = Transcript(geojson: "\(before){\"type\":1 2}\n\(before){\"type\":[}\n")
      #expect(transcript.error?.code == .malformed)
      #expect(transcript.error?.place.line == 1)
    }
  }

  @Test("A fault inside a single text of several lines remains an error")
  func oneFile() {
    for text in [
      "{\"type\":\"FeatureCollection\",\"features\":[\n\(Self.first),\n{\"type\":1 2},\n\(Self.last)\n]}",
      "{\n\"type\":\"FeatureCollection\",\"features\":[\n\(Self.first) 7,\n\(Self.last)\n]}",
      "{\"type\":\"LineString\",\n\"coordinates\":[[1,2],\n[3,4],\n{}]}",
    ] {
      #expect(Transcript(geojson: text).error?.code == .malformed)
    }
  }

  @Test("Sequences of texts with several lines are read as well", arguments: ["\u{1E}", ""])
  func indented(_ before: String) {
    let text = [Self.first, Self.last].map { before + $0.replacing("{\"", with: "{\n  \"") + "\n" }.joined()
    #expect(Transcript(geojson: text).points == Self.whole)
    let mixed = before + Self.first + "\n" + before + Self.last.replacing("{\"", with: "{\n  \"")
    let transcript = Transcript(geojson: mixed)
    #expect(transcript.points == Self.whole)
    #expect(transcript.warnings == [])
  }
}
