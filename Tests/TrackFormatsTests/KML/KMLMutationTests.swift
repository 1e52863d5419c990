import TestSupport
import Testing
import TrackFormats
import TrackModel

/// Tests with damaged files: the stream follows the grammar, its points are valid, and the chunk size has no
/// effect.
@Suite("KML reader: mutations")
struct KMLMutationTests {
  private static let pieces =
    [
      "<gx:Track>", "</gx:Track>", "<gx:Track/>", "<gx:coord>1 2 3</gx:coord>", "<when>2024</when>",
      "<LineString>",
      "</LineString>", "<coordinates>1,2 3,4", "</coordinates>", "<Placemark>", "</Placemark>",
      "<Placemark/>",
      "<MultiGeometry>", "</MultiGeometry>", "<Point><coordinates>1,2</coordinates></Point>", "<Folder>",
      "</Folder>",
      "<ExtendedData>", "</ExtendedData>", "<SchemaData>", "<gx:SimpleArrayData name=\"hr\">",
      "<gx:value>9</gx:value>",
      "<Style id=\"s\">", "</Style>", "<StyleMap>", "<name>n</name>", "<x:y>", "</x:y>", ",", " ", "NaN",
      "1e400", "&amp;",
      "<!-- -->", "<![CDATA[<]]>", "<Polygon>", "</Polygon>", "</Document>", "</kml>",
    ].map { Array($0.utf8) }

  @Test("A damaged file yields a valid stream, whatever the chunk size")
  func mutations() {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    let original = Array(KMLReaderFaultTests.sample.utf8)
    for round in 0..<Effort.rounds(600) {
      var bytes = original
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0...3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1:
          bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &generator)))
        case 2:
          bytes.insert(contentsOf: KMLMutationTests.pieces.randomElement(using: &generator) ?? [], at: place)
        default:
          let from = Int.random(in: 0..<bytes.count, using: &generator)
          bytes.insert(contentsOf: bytes[from..<min(bytes.count, from + 60)], at: place)
        }
      }
      let whole = Transcript(kml: bytes, chunk: max(bytes.count, 1))
      #expect(whole.violations == [], "seed \(seed), round \(round)")
      let part = Transcript(
        kml: bytes, chunk: Int.random(in: 1...40, using: &generator),
        capacity: Int.random(in: 1...5, using: &generator))
      #expect(part.text == whole.text, "seed \(seed), round \(round)")
      let strict = Transcript(kml: bytes, isStrict: true)
      #expect(strict.violations == [], "seed \(seed), round \(round)")
      #expect(
        (strict.error == nil) == (whole.error == nil && whole.warnings.isEmpty),
        "seed \(seed), round \(round)")
    }
  }
}
