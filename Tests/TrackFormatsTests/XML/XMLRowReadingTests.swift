import Foundation
import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

/// Compares rows of KML and TCX read without tokens with the same rows read as tokens.
@Suite("XML readers: rows without tokens")
struct XMLRowReadingTests {
  enum Format: String, CaseIterable { case kml, tcx }

  private static func read(
    _ bytes: [UInt8], _ format: Format, usesRows: Bool, chunk: Int = 65536, capacity: Int = 64
  ) -> Transcript {
    let input = ByteInput(bytes: bytes, chunk: chunk)
    switch format {
    case .kml:
      var reader = KMLReader(input, options: ReadingOptions(), usesRows: usesRows)
      return Transcript(reading: &reader, capacity: capacity)
    case .tcx:
      var reader = TCXReader(input, options: ReadingOptions(), usesRows: usesRows)
      return Transcript(reading: &reader, capacity: capacity)
    }
  }

  private static func check(
    _ bytes: [UInt8], _ format: Format, chunk: Int = 65536, capacity: Int = 64, _ comment: Comment
  ) {
    let tokens = read(bytes, format, usesRows: false)
    let rows = read(bytes, format, usesRows: true, chunk: chunk, capacity: capacity)
    #expect(rows.text == tokens.text, comment)
    #expect(rows.violations == [], comment)
  }

  // MARK: Random documents

  /// Writes a document in one of many styles, in which some rows differ from the others.
  private static func document(_ format: Format, _ random: inout SeededGenerator) -> String {
    let lineEnd = ["\n", "\r\n", "", "\n\t  ", "\r"].randomElement(using: &random) ?? ""
    let rate: Double = [0, 0.02, 0.3].randomElement(using: &random) ?? 0
    let count = Int.random(in: 2...60, using: &random)
    var text =
      switch format {
      case .kml: kml(count, rate, lineEnd, &random)
      case .tcx: tcx(count, rate, lineEnd, &random)
      }
    if Double.random(in: 0..<1, using: &random) < 0.2 {
      text = String(text.prefix(Int.random(in: 150...max(text.count, 150), using: &random)))
    }
    return text
  }

  private static func kml(
    _ count: Int, _ rate: Double, _ lineEnd: String, _ random: inout SeededGenerator
  ) -> String {
    let odd = [
      "<gx:coord></gx:coord>", "<gx:coord/>", "<when/>", "<when>2024-05-17</when>", "<when>2024-05</when>",
      "<when>2024-05-17T06:12:30</when>", "<when>never</when>", "<when>\n2024-05-17T06:12:30Z</when>",
      "<gx:coord>8.5,47.% 1</gx:coord>", "<gx:coord>8.5 91 1</gx:coord>", "<gx:coord>8.5 47  1</gx:coord>",
      "<gx:coord> 8.5 47.% 1</gx:coord>", "<gx:coord>8.5 47.% 1 </gx:coord>",
      "<gx:coord>8.5 47.% high</gx:coord>",
      "<gx:coord>8.5</gx:coord>", "<gx:coord>8.5 47.% 1 2</gx:coord>",
      "<gx:coord a='b'>8.5 47.% 1</gx:coord>",
      "<coord>8.5 47.% 1</coord>", "<gx:angles>1 2 3</gx:angles>", "<!-- c -->", "text",
      "<gx:coord><b/>8.5 47.%</gx:coord>", "<gx:coord>8.5 <![CDATA[47.%]]></gx:coord>",
      "<altitudeMode>absolute</altitudeMode>", "<gx:coord>8.5 47.% NaN</gx:coord>",
      "</gx:Track><gx:Track>", "<gx:coord>&#56;.5 47</gx:coord>",
    ]
    let hasElevation = Bool.random(using: &random)
    let isPaired = Bool.random(using: &random)
    var times: [String] = []
    var positions: [String] = []
    for index in 0..<count {
      let position = [180.0, 90, 9000].prefix(hasElevation ? 3 : 2)
        .map { "\(Double.random(in: -$0...$0, using: &random))" }.joined(separator: " ")
      times.append("<when>2024-05-17T06:\(10 + index / 60):\(10 + index % 50).5Z</when>")
      positions.append("<gx:coord>\(position)</gx:coord>")
      guard Double.random(in: 0..<1, using: &random) < rate else { continue }
      let other = (odd.randomElement(using: &random) ?? "").replacing("%", with: "\(index % 10)")
      if Bool.random(using: &random) { times.append(other) } else { positions.append(other) }
    }
    let rows = isPaired ? zip(times, positions).flatMap { [$0, $1] } : times + positions
    return "<kml xmlns='http://www.opengis.net/kml/2.2' xmlns:gx='http://www.google.com/kml/ext/2.2'>\n"
      + "<Placemark><TimeStamp><when>2024-05-17T06:00:00Z</when></TimeStamp><gx:MultiTrack><gx:Track>"
      + rows.map { lineEnd + $0 }.joined() + "</gx:Track></gx:MultiTrack></Placemark></kml>"
  }

  private static func tcx(
    _ count: Int, _ rate: Double, _ lineEnd: String, _ random: inout SeededGenerator
  ) -> String {
    let prefix = Bool.random(using: &random) ? "x:" : ""
    let declaration = prefix.isEmpty ? " xmlns='http://www.garmin.com/xmlschemas/ActivityExtension/v2'" : ""
    let children: [String] = [
      "<Time>2024-05-17T06:12:3%.000Z</Time>", "<AltitudeMeters>12.%</AltitudeMeters>",
      "<DistanceMeters>1%</DistanceMeters>", "<HeartRateBpm>\(lineEnd)<Value>12%</Value></HeartRateBpm>",
      "<HeartRateBpm xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='T'><Value>12%</Value>"
        + "</HeartRateBpm>",
      "<Cadence>8%</Cadence>", "<SensorState>Present</SensorState>",
      "<Extensions>\(lineEnd)<\(prefix)TPX\(declaration)><\(prefix)Speed>1.%</\(prefix)Speed>\(lineEnd)"
        + "<\(prefix)Watts>21%</\(prefix)Watts></\(prefix)TPX></Extensions>",
      "<Extensions><\(prefix)TPX\(declaration)><\(prefix)RunCadence>8%</\(prefix)RunCadence></\(prefix)TPX>"
        + "</Extensions>",
    ].filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
    let odd: [String] = [
      "<Notes>n</Notes>", "<AltitudeMeters>high</AltitudeMeters>", "<Time>2024-05-17T06:12:30</Time>",
      "<!-- c -->", "<Time>%</Time>", "<Time>\n2024-05-17T06:12:3%Z</Time>", "text", "<AltitudeMeters/>",
      "<HeartRateBpm>12%</HeartRateBpm>", "<Cadence>1</Cadence><Cadence>2%</Cadence>",
      "<Position><LatitudeDegrees>91</LatitudeDegrees></Position>",
      "<Position><LatitudeDegrees>1%</LatitudeDegrees></Position>", "<Position/>",
      "<Extensions><x:TPX><x:Speed>-1</x:Speed></x:TPX></Extensions>",
      "<Extensions><x:Speed>2.%</x:Speed><x:RunCadence>9%</x:RunCadence></Extensions>",
      "<Extensions><x:TPX CadenceSensor='Bike'><x:Watts>1%</x:Watts></x:TPX></Extensions>",
      "<Extensions><x:TPX><x:Other>1</x:Other></x:TPX></Extensions>", "<Watts>1%</Watts>",
      "<LatitudeDegrees>1</LatitudeDegrees>", "<Trackpoint/>", "</Trackpoint><Trackpoint>", "</Track><Track>",
      "<Cadence> 8%</Cadence>", "<Cadence>8&#56;</Cadence>", "<Value>1</Value>",
    ]
    var text =
      "<TrainingCenterDatabase xmlns='http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2'"
      + " xmlns:x='http://www.garmin.com/xmlschemas/ActivityExtension/v2'>\n<Activities>"
      + "<Activity Sport='Biking'><Lap StartTime='2024-05-17T06:12:30Z'><Track>"
    for index in 0..<count {
      let isOdd = Double.random(in: 0..<1, using: &random) < rate
      let position = [("Latitude", 90.0), ("Longitude", 180)].map { name, limit in
        "<\(name)Degrees>\(Double.random(in: -limit...limit, using: &random))</\(name)Degrees>"
      }
      var content = children.filter { _ in Double.random(in: 0..<1, using: &random) > rate / 4 }
      if !isOdd || index % 3 > 0 {
        content.insert(
          "<Position>\(lineEnd)\(position.joined(separator: lineEnd))</Position>", at: min(1, content.count))
      }
      if isOdd { content.append(odd.randomElement(using: &random) ?? "") }
      let inside = content.joined(separator: lineEnd).replacing("%", with: "\(index % 10)")
      text += "\(lineEnd)<Trackpoint>\(inside)\(lineEnd)</Trackpoint>"
    }
    return text + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
  }

  @Test(
    "Documents of all styles give the same events, warnings and errors", arguments: Format.allCases, 0..<3)
  func styles(_ format: Format, _ part: Int) {
    let seed = SeededGenerator.printedSeed("\(#function) \(format) \(part)")
    var random = SeededGenerator(seed: seed)
    for index in 0..<Effort.rounds(150) {
      let text = XMLRowReadingTests.document(format, &random)
      let chunk = [65536, 4096, 1000, 700][index % 4]
      XMLRowReadingTests.check(
        Array(text.utf8), format, chunk: chunk, capacity: [64, 1, 7][index % 3],
        "seed \(seed), document \(index): \(text)")
    }
  }

  // MARK: Files

  @Test("The fixtures give the same events, warnings and errors", arguments: Format.allCases)
  func fixtures(_ format: Format) throws {
    let fixtures = Fixture.all(of: format.rawValue)
    #expect(fixtures.count > 3)
    for fixture in fixtures { XMLRowReadingTests.check(try fixture.bytes(), format, "\(fixture)") }
  }

  @Test(
    "Real files give the same events, warnings and errors",
    .enabled(if: Fixture.hasShared, "the shared corpus is missing"), arguments: Format.allCases)
  func corpus(_ format: Format) throws {
    let folder = Fixture.shared.appending(path: "corpus/\(format.rawValue)")
    let files = Fixture.files(in: folder, ending: "." + format.rawValue)
    #expect(files.count > 10)
    for file in files { XMLRowReadingTests.check(try file.bytes(), format, capacity: 4096, "\(file)") }
  }

  // MARK: Effect

  /// Returns the number of rows that are read without tokens.
  private func rows(
    in text: String, _ learning: XMLRowLearning, classify: @escaping (XMLName, String?) -> UInt16
  ) throws -> Int {
    var tokens = XMLTokenStream(
      ByteInput(bytes: Array(text.utf8)), options: ReadingOptions(), rows: learning, classify: classify)
    var rows = 0
    while try tokens.next() != nil { while tokens.nextRow() { rows += 1 } }
    return rows
  }

  @Test("All but the first of many plain times and positions of KML are read without tokens")
  func shareOfKML() throws {
    let rows = (0..<100).map { "<when>2024-05-17T06:12:30Z</when>\n<coord>8.\($0) 47 400</coord>\n" }.joined()
    let count = try self.rows(in: "<kml><Track>\n\(rows)</Track></kml>", KMLTrackRow.learning) {
      KMLElement.classify($0, core: $1).rawValue
    }
    #expect(count == 198)
  }

  @Test("All but the first of many plain trackpoints of TCX are read without tokens")
  func shareOfTCX() throws {
    let points = (0..<100).map {
      "<Trackpoint>\n<Position><LatitudeDegrees>1.\($0)</LatitudeDegrees>"
        + "<LongitudeDegrees>2</LongitudeDegrees></Position>\n<HeartRateBpm><Value>3</Value></HeartRateBpm>"
        + "<Extensions><TPX><Speed>1</Speed></TPX></Extensions></Trackpoint>\n"
    }.joined()
    let count = try rows(in: "<Track>\n\(points)</Track>", TCXTrackpointRow.learning(.all)) {
      TCXElement.classify($0, core: $1).rawValue
    }
    #expect(count == 99)
  }
}
