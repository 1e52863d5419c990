import Foundation
import TestSupport
import Testing
import TrackFormats
import TrackModel

/// Tests of limits set by callers, and of the budget for kept content.
@Suite("Limits of reading XML")
struct ReadingLimitsTests {
  typealias LimitPath = any WritableKeyPath<ReadingLimits, Int> & Sendable

  private static let kibibyte = 1 << 10

  private static func gpx(_ text: String, isStrict: Bool = false, _ limits: ReadingLimits) -> Transcript {
    var reader = GPXReader(
      ByteInput(bytes: Array(text.utf8)), options: ReadingOptions(isStrict: isStrict, limits: limits))
    return Transcript(reading: &reader)
  }

  private static func kml(_ text: String, _ limits: ReadingLimits) -> Transcript {
    var reader = KMLReader(ByteInput(bytes: Array(text.utf8)), options: ReadingOptions(limits: limits))
    return Transcript(reading: &reader)
  }

  private static func tcx(_ text: String, _ limits: ReadingLimits) -> Transcript {
    var reader = TCXReader(ByteInput(bytes: Array(text.utf8)), options: ReadingOptions(limits: limits))
    return Transcript(reading: &reader)
  }

  /// Limits that keep 4 KiB of each container: 32 empty elements, each counted as 128 bytes.
  private static var small: ReadingLimits {
    var limits = ReadingLimits()
    limits.keptSize = 4 * kibibyte
    limits.waitingSize = 4 * kibibyte
    return limits
  }

  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  // MARK: Syntax

  @Test(
    "Exceeding a limit is an error that names it",
    arguments: [
      ("<gpx><a><b/></a></gpx>", \ReadingLimits.depth, 2, "more than 2 deep"),
      ("<gpx><trk><name>0123456789</name></trk></gpx>", \.textSize, 9, "a text of more than 9 bytes"),
      ("<gpx creator=\"0123456789\n", \.tagSize, 24, "a tag of more than 24 bytes"),
      ("<gpx a=\"\" b=\"\"/>", \.attributeCount, 1, "more than 1 attributes"),
      ("<gpx><a/><b/><c/></gpx>", \.nameCount, 3, "more than 3 names"),
      ("<gpx><abcdefgh/></gpx>", \.nameSize, 10, "10 bytes of them"),
      (
        "<!DOCTYPE gpx [<!ATTLIST a b CDATA '' c CDATA ''>]><gpx/>", \.attributeDeclarationCount, 1,
        "declares more than 1 attributes"
      ),
      (
        "<!DOCTYPE gpx [<!ENTITY a ''><!ENTITY b ''>]><gpx/>", \.entityDeclarationCount, 1,
        "declares more than 1 entities"
      ),
    ] as [(String, LimitPath, Int, String)])
  func errors(text: String, limit: LimitPath, value: Int, message: String) throws {
    var limits = ReadingLimits()
    limits[keyPath: limit] = value
    let error = try #require(Self.gpx(text, limits).error)
    #expect(error.code == .limitExceeded && error.message.contains(message), "\(error)")
    limits[keyPath: limit] = value + 1
    #expect(Self.gpx(text, limits).error?.code != .limitExceeded)
  }

  @Test("The depth has a separate limit")
  func greatestDepth() {
    var limits = ReadingLimits()
    limits.depth = 1000
    #expect(limits.depth == ReadingLimits.maximumDepth)
    limits.depth = 0
    #expect(limits.depth == 1)
  }

  @Test(
    "The limits of JSON texts and of rows apply up to the size of a piece of the input",
    arguments: [
      (
        TrackFormat.geojson, "{\"type\":\"Feature\",\"x\":\"TEXT\",\"geometry\":null}",
        \ReadingLimits.jsonTextSize
      ),
      (.csv, "lat,lon,name\n1,2,TEXT\n3,4,b\n", \.rowSize),
    ] as [(TrackFormat, String, LimitPath)])
  func otherFormats(format: TrackFormat, text: String, limit: LimitPath) throws {
    let bytes = Array(text.replacing("TEXT", with: Self.repeated("x", 300_000)).utf8)
    func error(_ value: Int) throws -> TrackError? {
      var limits = ReadingLimits()
      limits[keyPath: limit] = value
      var reader = try format.reader(
        ByteInput(bytes: bytes, chunk: 4096), options: ReadingOptions(limits: limits))
      return Transcript(reading: &reader).error
    }
    let found = try #require(try error(100 << 10))
    #expect(found.code == .limitExceeded && found.message.contains("100 KiB"), "\(found)")
    #expect(try error(400_000)?.code != .limitExceeded)
  }

  @Test("A row of exactly the limit is read, whatever the pieces of the input", arguments: [1, 7, 4096])
  func rowLimit(chunk: Int) {
    // The longest row has twelve bytes.
    for (rowSize, isRead) in [(12, true), (11, false)] {
      var options = ReadingOptions()
      options.limits.rowSize = rowSize
      var reader = CSVReader(
        ByteInput(bytes: Array("lat,lon,name\n1,2,a\n".utf8), chunk: chunk), options: options)
      #expect((Transcript(reading: &reader).error?.code != .limitExceeded) == isRead)
    }
  }

  // MARK: Document types

  @Test("A document type may declare twenty attributes; 4,000 are rejected before any element")
  func attributeDeclarations() {
    func text(_ count: Int, elements: Int) -> String {
      let attributes = (0..<count).map { " a\($0) CDATA ''" }.joined()
      return "<!DOCTYPE gpx [<!ATTLIST b\(attributes)>]><gpx><extensions>"
        + Self.repeated("<b/>", elements) + "</extensions><wpt lat='1' lon='2'/></gpx>"
    }
    #expect(Transcript(gpx: text(20, elements: 100)).points == ["waypoint 1 2"])
    // 20 to 45 s without the limit.
    let refused = Transcript(gpx: text(4000, elements: 8000))
    #expect(refused.error?.code == .limitExceeded)
  }

  @Test("Documents with entity declarations do not leak memory")
  func entityMemory() async {
    // In a separate process, because tests that run at the same time need memory too.
    await #expect(processExitsWith: .success) {
      let entities = (0..<10_000).map { "<!ENTITY e\($0) '\(String(repeating: "x", count: 40))'>" }.joined()
      let bytes = Array("<!DOCTYPE gpx [\(entities)]><gpx><wpt lat='1' lon='2'/></gpx>".utf8)
      #expect(Transcript(gpx: bytes).points == ["waypoint 1 2"])
      let before = peakMemory()
      // 3.4 MB each before they were freed.
      for _ in 0..<16 { #expect(Transcript(gpx: bytes).error == nil) }
      #expect(before > 0 && peakMemory() - before < 20 << 20)
    }
  }

  // MARK: Kept content

  @Test("Extensions beyond the budget of a track are omitted and counted, but its points are kept")
  func trackExtensions() throws {
    let text =
      "<gpx><trk><name>n</name><extensions>" + Self.repeated("<a/>", 100)
      + "</extensions><trkseg><trkpt lat='1' lon='2'><extensions><b/></extensions></trkpt></trkseg></trk>"
      + "<trk><extensions><a/></extensions><trkseg/></trk></gpx>"
    let transcript = Self.gpx(text, Self.small)
    #expect(transcript.error == nil && transcript.violations == [])
    #expect(transcript.lines.count { $0.hasSuffix("}a") } == 33)
    #expect(transcript.lines.count { $0.hasSuffix("}b") } == 1)
    let warning = try #require(transcript.warnings.first)
    #expect(warning.code == .limitExceeded && warning.count == 68 && transcript.warnings.count == 1)
    #expect(warning.message.contains("4 KiB"))
    #expect(Self.gpx(text, isStrict: true, Self.small).error?.code == .warning)
    #expect(Self.gpx(text, ReadingLimits()).warnings == [])
  }

  @Test(
    "An element that is too large is omitted with all its content, and a later one is kept",
    arguments: ["<c/>", "<c>text</c>", "text<c d='e'/>", "<c><d><e/></d></c>"])
  func largeElement(_ content: String) {
    let text =
      "<gpx><extensions><a><b>\(Self.repeated(content, 100))</b></a><z/></extensions>"
      + "<wpt lat='1' lon='2'/></gpx>"
    let transcript = Self.gpx(text, Self.small)
    #expect(transcript.violations == [] && transcript.points == ["waypoint 1 2"])
    #expect(transcript.lines.count { $0.hasSuffix("}z") } == 1)
    #expect(transcript.lines.count { $0.contains("}a") || $0.contains("}c") } == 0)
    #expect(transcript.warnings.map(\.count) == [1])
  }

  @Test("Extensions and texts of points end a batch, so nothing is lost")
  func pointExtensions() {
    let point = "<trkpt lat='1' lon='2'><desc>\(Self.repeated("x", 1000))</desc><extensions><a/></extensions>"
    let text = "<gpx><trk><trkseg>" + Self.repeated(point + "</trkpt>", 100) + "</trkseg></trk></gpx>"
    var reader = GPXReader(
      ByteInput(bytes: Array(text.utf8)), options: ReadingOptions(limits: Self.small))
    var batch = PointBatch()
    var largest = 0
    var count = 0
    #expect(throws: Never.self) {
      while try reader.next(into: &batch) != nil {
        largest = max(largest, batch.count)
        count += batch.count
        for row in batch.details { #expect(row.details.extensions.count == 1) }
      }
    }
    #expect(count == 100 && largest == 4 && reader.warnings.isEmpty)
  }

  @Test("Links beyond the budget are omitted")
  func links() {
    let link = "<link href='https://example.org/'/>"
    let text = "<gpx><metadata>\(Self.repeated(link, 100))</metadata><wpt lat='1' lon='2'/></gpx>"
    let transcript = Self.gpx(text, Self.small)
    // 128 and 20 bytes each.
    #expect(transcript.lines.count { $0.contains("example.org") } == 27)
    #expect(transcript.warnings.map(\.count) == [73])
  }

  @Test("A second address of a person replaces the first, so many addresses do not accumulate")
  func email() {
    let text =
      "<gpx><metadata><author><email id='a' domain='b'/><email domain='d' id='c'/></author></metadata></gpx>"
    let transcript = Transcript(gpx: text)
    #expect(transcript.lines.contains { $0.contains("c@d") } && !transcript.text.contains("a@b"))
  }

  @Test("Extended data beyond the budget of a placemark are omitted")
  func extendedData() {
    let data = Self.repeated("<Data name='a'><value>x</value></Data>", 100)
    let line = "<LineString><coordinates>1,2 3,4</coordinates></LineString>"
    let text =
      "<kml><Document><Placemark><ExtendedData>\(data)</ExtendedData>\(line)</Placemark>"
      + "<Placemark><ExtendedData><Data name='b'><value>y</value></Data></ExtendedData>\(line)</Placemark>"
      + "</Document></kml>"
    let transcript = Self.kml(text, Self.small)
    #expect(transcript.violations == [] && transcript.points.count == 4)
    // 512 and 2 bytes each.
    #expect(transcript.lines.count { $0.contains("name=\"a\"") } == 7)
    #expect(transcript.lines.count { $0.contains("name=\"b\"") } == 1)
    #expect(transcript.warnings.map(\.count) == [93])
  }

  @Test("Data of inner folders, which are not kept, use no budget and cause no warning")
  func folders() {
    let folder =
      "<Folder><x:a xmlns:x='urn:x'><x:b/></x:a><ExtendedData><Data name='a'><value>x</value></Data>"
      + "</ExtendedData></Folder>"
    let text =
      "<kml><Document>\(Self.repeated(folder, 100))<ExtendedData><Data name='b'><value>y</value></Data>"
      + "</ExtendedData></Document></kml>"
    let transcript = Self.kml(text, Self.small)
    #expect(transcript.warnings == [] && transcript.lines.count { $0.contains("name=\"b\"") } == 1)
  }

  @Test("Styles beyond the limit on names are omitted")
  func styles() {
    var limits = ReadingLimits()
    limits.nameSize = 4 * Self.kibibyte
    let line = "<LineStyle><width>2</width></LineStyle>"
    let styles = (0..<100).map { "<Style id='s\($0)'>\(line)</Style>" }.joined()
    let transcript = Self.kml("<kml><Document>\(styles)</Document></kml>", limits)
    #expect(transcript.warnings.map(\.code) == [.limitExceeded])
  }

  @Test("Laps beyond the budget of an activity are omitted, but their segments are kept")
  func laps() {
    let lap = "<Lap><Track>\(TCXSample.point(0, 1, 2))</Track></Lap>"
    let transcript = Self.tcx(TCXSample.activity(Self.repeated(lap, 100)), Self.small)
    #expect(transcript.violations == [] && transcript.points.count == 100)
    #expect(transcript.lines.count { $0.contains("lap") } == 32)
    #expect(transcript.warnings.map(\.count) == [68])
    let empty = Self.tcx(TCXSample.activity(Self.repeated("<Lap/>", 100)), Self.small)
    #expect(empty.warnings.map(\.count) == [68])
  }

  @Test("Course points beyond the limit are omitted")
  func coursePoints() {
    let point = "<CoursePoint><Name>n</Name>\(TCXSample.position("1", "2"))</CoursePoint>"
    let text = TCXSample.tcx("<Courses><Course>\(Self.repeated(point, 100))</Course></Courses>")
    let transcript = Self.tcx(text, Self.small)
    #expect(transcript.violations == [] && transcript.points.count == 6)
    #expect(transcript.warnings.map(\.count) == [94])
  }
}
