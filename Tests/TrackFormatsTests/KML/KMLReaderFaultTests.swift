import Testing
import TrackFormats
import TrackModel

/// Tests flaws that are omitted and counted, faults that end the reading, and truncated files.
@Suite("KML reader: flaws and faults")
struct KMLReaderFaultTests {
  static let sample = KMLTesting.file(
    """
    <name>sample &amp; more</name><Style id="s"><LineStyle><color>ff0000ff</color></LineStyle></Style>
    <Folder><name>äöü</name>
    <Placemark><name>line</name><styleUrl>#s</styleUrl><LineString><coordinates>
      8,47,400 8.1,47.1,401 x,y 8.2,47.2,402
    </coordinates></LineString><TimeSpan><begin>2024-05-01T10:00:00Z</begin></TimeSpan></Placemark>
    <Placemark><ExtendedData><Data name="a"><value>b</value></Data></ExtendedData><gx:MultiTrack>
      <gx:Track><when>2024-05-01T10:00:00Z</when><when>2024-05-01T10:00:01Z</when>
      <gx:coord>8 47 400</gx:coord><gx:coord>8.1 47.1 401</gx:coord>
      <ExtendedData><SchemaData schemaUrl="#x"><gx:SimpleArrayData name="speed"><gx:value>1</gx:value><gx:value>2</gx:value>
      </gx:SimpleArrayData></SchemaData><q:r xmlns:q="urn:q"><q:s t="u">v</q:s></q:r></ExtendedData></gx:Track>
      <gx:Track><gx:coord>9 48</gx:coord></gx:Track></gx:MultiTrack></Placemark>
    <Placemark><name>place</name><MultiGeometry><Point><coordinates>1,2</coordinates></Point>
      <LineString><coordinates>3,4 5,6</coordinates></LineString><Point><coordinates>7,8</coordinates></Point></MultiGeometry>
    </Placemark></Folder>
    """)

  @Test("The sizes of chunks and batches do not affect the result")
  func invariance() {
    let bytes = Array(KMLReaderFaultTests.sample.utf8)
    for isStrict in [false, true] {
      let whole = Transcript.expectInvariance(bytes.count) { chunk, capacity in
        Transcript(kml: bytes, chunk: chunk, capacity: capacity, isStrict: isStrict)
      }
      #expect(whole.points.count == (isStrict ? 2 : 10))
    }
  }

  @Test("In strict reading, the first defect is thrown after the content before it")
  func strict() {
    let transcript = Transcript(kml: KMLReaderFaultTests.sample, isStrict: true)
    #expect(transcript.points == ["point 47 8 elevation 400", "point 47.1 8.1 elevation 401"])
    #expect(transcript.error?.code == .warning)
    #expect(transcript.error?.place.path == "kml/Document/Folder/Placemark/LineString/coordinates")
  }

  @Test("A file truncated anywhere yields its complete content, with a warning")
  func truncation() {
    let bytes = Array(KMLReaderFaultTests.sample.utf8)
    let whole = Transcript(kml: bytes)
    var mostPoints = 0
    for count in 0..<bytes.count {
      let part = Transcript(kml: Array(bytes[..<count]))
      #expect(part.violations == [], "cut at \(count)")
      // The points are in order. Those of a truncated track have no sensor values yet.
      func places(_ transcript: Transcript) -> [String] {
        transcript.points.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
      }
      #expect(
        places(whole).filter { $0.hasPrefix("point") }.starts(
          with: places(part).filter { $0.hasPrefix("point") }),
        "cut at \(count)")
      if part.points.isEmpty {
        #expect(part.error != nil, "cut at \(count)")
      } else {
        #expect(part.error == nil, "cut at \(count)")
        #expect(part.warnings.contains { $0.code == .truncated }, "cut at \(count)")
      }
      #expect(part.points.count >= mostPoints, "cut at \(count)")
      mostPoints = max(mostPoints, part.points.count)
      #expect(Transcript(kml: Array(bytes[..<count]), isStrict: true).error != nil, "cut at \(count)")
    }
    #expect(mostPoints == 10)
  }

  @Test("A truncated track keeps its complete positions")
  func cutTrack() {
    let text = """
      <kml><Placemark><name>n</name><Track><when>2024</when><when>2025</when><coord>1 2</coord><coord>3 4</coord><coo
      """
    let transcript = Transcript(kml: text)
    #expect(
      transcript.lines == [
        "header", "track", "  name \"n\"", "segment", "point 2 1 2024-01-01T00:00:00Z",
        "point 4 3 2025-01-01T00:00:00Z", "end of segment", "end of track",
      ])
    #expect(transcript.warnings.map(\.code) == [.truncated])
  }

  @Test(
    "A line truncated inside its coordinates keeps its complete positions, whichever parser reads it",
    arguments: ["", "<!DOCTYPE kml>"])
  func cutLine(_ type: String) {
    let opening = type + "<kml><Placemark><LineString><coordinates>"
    // Each position with the shortest text that makes it complete. An elevation could follow the second one.
    let positions = [
      (text: "10.25,40.5,300 ", point: "point 40.5 10.25 elevation 300"),
      (text: "10.375,40.625 1", point: "point 40.625 10.375"),
      (text: "0.75,41.125,30\n", point: "point 41.125 10.75 elevation 30"),
    ]
    let text = positions.map(\.text).joined() + "11.5,42.25,600.5"
    var ends: [Int] = []
    for position in positions { ends.append((ends.last ?? 0) + position.text.utf8.count) }
    for count in 0...text.utf8.count {
      let transcript = Transcript(kml: opening + text.prefix(count))
      let complete = ends.count { $0 <= count }
      #expect(transcript.points == positions.prefix(complete).map(\.point), "\(text.prefix(count))")
      #expect(transcript.violations == [])
      #expect(transcript.warnings.map(\.code) == (complete > 0 ? [.truncated] : []))
      #expect((transcript.error == nil) == (complete > 0))
    }
  }

  @Test("A place truncated inside its coordinates is omitted")
  func cutPlace() {
    let transcript = Transcript(
      kml: "<kml><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>"
        + "<Placemark><Point><coordinates>10.25,40.5,300 ")
    #expect(transcript.points == ["waypoint 2 1"])
    #expect(transcript.warnings.map(\.code) == [.truncated])
  }

  @Test("Complete content before broken markup is delivered first, followed by the error with its location")
  func malformed() {
    let text = """
      <kml><Placemark><LineString><coordinates>1,2</coordinates></LineString></Placemark>
      <Placemark><Track><coord>3 4</coord>
      <coord>5 6</wrong></Track></Placemark></kml>
      """
    let transcript = Transcript(kml: text)
    #expect(transcript.points == ["point 2 1", "point 4 3"])
    #expect(transcript.error?.code == .malformed)
    #expect(transcript.error?.place.line == 3)
    #expect(transcript.error?.place.path?.hasPrefix("kml/Placemark/Track") == true)
  }

  struct Flaw: Sendable, CustomTestStringConvertible {
    let content: String
    let points: [String]
    let message: String
    let offending: String?
    var testDescription: String { content }

    init(_ content: String, _ points: [String], _ message: String, _ offending: String? = nil) {
      self.content = content
      self.points = points
      self.message = message
      self.offending = offending
    }
  }

  private static let position = "invalid longitude or latitude, point skipped"

  @Test(
    "A defect is omitted, counted and quoted",
    arguments: [
      Flaw("<Point><coordinates>8,91</coordinates></Point>", [], position, "8,91"),
      Flaw("<Point><coordinates> </coordinates></Point>", [], "point without a position, skipped"),
      Flaw(
        "<Point><coordinates>8,47,x</coordinates></Point>", ["waypoint 47 8"],
        "invalid altitude, ignored", "8,47,x"),
      Flaw(
        "<Point><coordinates>8,47 9,48</coordinates></Point>", ["waypoint 47 8"],
        "point with more than one position, the first used"),
      Flaw("<LineString><coordinates>8,47 8,91</coordinates></LineString>", ["point 47 8"], position),
      Flaw(
        "<LineString><coordinates>8,47,x</coordinates></LineString>", ["point 47 8"],
        "invalid altitude, ignored"),
      Flaw(
        "<gx:Track><gx:coord>8 47</gx:coord><gx:coord>x y</gx:coord></gx:Track>", ["point 47 8"], position,
        "x y"),
      Flaw(
        "<Point><coordinates>8,47</coordinates></Point><TimeStamp><when>now</when></TimeStamp>",
        ["waypoint 47 8"], "invalid time, ignored", "now"),
      Flaw(
        "<Point><coordinates>8,47</coordinates></Point><Folder><Placemark/></Folder>", ["waypoint 47 8"],
        "element not allowed here in KML, ignored"),
    ])
  func flaws(_ flaw: Flaw) {
    let transcript = Transcript(kml: KMLTesting.file("\n<Placemark>\(flaw.content)</Placemark>"))
    #expect(transcript.points == flaw.points)
    #expect(transcript.warnings.map(\.message) == [flaw.message])
    #expect(transcript.warnings.first?.offendingText == flaw.offending)
    #expect(transcript.warnings.first?.place.line == 2)
    #expect(transcript.violations == [])
  }

  @Test("The name of a folder after its features is omitted and counted")
  func lateFolderName() {
    let transcript = Transcript(
      kml: KMLTesting.file(
        "<Folder><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark><name>late</name></Folder>"
      ))
    #expect(transcript.points == ["waypoint 2 1"])
    #expect(transcript.warnings.map(\.message) == ["name of a folder after its contents, ignored"])
  }

  @Test("Other XML formats are rejected")
  func otherRoot() {
    #expect(Transcript(kml: "<gpx/>").error?.code == .unknownFormat)
    #expect(Transcript(kml: "<gpx><Placemark/></gpx>").error?.code == .unknownFormat)
    #expect(Transcript(kml: "").error?.code == .malformed)
  }

  @Test(
    "Elements nested deeper than in any real file are rejected",
    arguments: ["Folder", "MultiGeometry"])
  func depth(_ name: String) {
    let text =
      "<kml><Placemark>" + String(repeating: "<\(name)>", count: 100_000)
      + String(repeating: "</\(name)>", count: 100_000) + "</Placemark></kml>"
    #expect(
      Transcript(kml: text).error?.code == .malformed || Transcript(kml: text).error?.code == .limitExceeded)
  }
}
