import Testing
import TrackFormats
import TrackModel

/// Tests with errors in a file: the content is omitted and counted, or delivered up to a thrown error.
@Suite("GPX reader: flaws and faults")
struct GPXReaderFaultTests {
  struct Flaw: Sendable, CustomTestStringConvertible {
    let xml: String
    let points: [String]
    let code: TrackWarning.Code
    let count: Int
    let offending: String?
    var testDescription: String { xml }

    init(
      _ xml: String, _ points: [String], _ code: TrackWarning.Code, count: Int = 1, offending: String? = nil
    ) {
      self.xml = xml
      self.points = points
      self.code = code
      self.count = count
      self.offending = offending
    }
  }

  private static func flawed(latitude: String) -> Flaw {
    Flaw(
      "<trkpt lat=\"\(latitude)\" lon=\"1\"><ele>5</ele></trkpt><trkpt lat=\"2\" lon=\"2\"/>", ["point 2 2"],
      .invalidPosition, offending: latitude)
  }

  static let flaws =
    [
      "91", "-90.0000001", "north", "47,5", "", " ", "0x10", "NaN", "INF", "1e400", "47 8", "٤٧", "1.2.3",
      "--1",
    ]
    .map(flawed) + [
      Flaw(
        "<trkpt lat=\"1\" lon=\"180.5\"/><trkpt lat=\"1\" lon=\"1\"/>", ["point 1 1"], .invalidPosition,
        offending: "180.5"),
      Flaw("<trkpt lat=\"1\"/><trkpt lon=\"1\"/><trkpt/><trkpt></trkpt>", [], .invalidPosition, count: 4),
      Flaw(
        "<trkpt x=\"1\"><name>n</name></trkpt><trkpt lat=\"1\" lon=\"1\"/>", ["point 1 1"], .invalidPosition),
      Flaw(
        "<trkpt lat=\"1\" lon=\"1\"><ele>high</ele></trkpt>", ["point 1 1"], .invalidValue, offending: "high"),
      Flaw(
        "<trkpt lat=\"1\" lon=\"1\"><ele>NaN</ele></trkpt>", ["point 1 1"], .invalidValue, offending: "NaN"),
      Flaw(
        "<trkpt lat=\"1\" lon=\"1\"><hdop>-INF</hdop></trkpt>", ["point 1 1"], .invalidValue,
        offending: "-INF"),
      Flaw(
        "<trkpt lat=\"1\" lon=\"1\"><sat>8 of 12</sat></trkpt>", ["point 1 1"], .invalidValue,
        offending: "8 of 12"),
      Flaw(
        "<trkpt lat=\"1\" lon=\"1\"><dgpsid>x</dgpsid></trkpt>", ["point 1 1"], .invalidValue, offending: "x"),
      Flaw(
        "<trkpt lat=\"1\" lon=\"1\"><time>yesterday</time></trkpt>", ["point 1 1"], .invalidTime,
        offending: "yesterday"),
      Flaw(
        "<trkpt lat=\"1\" lon=\"1\"><time>2024-02-30T00:00:00Z</time></trkpt>", ["point 1 1"], .invalidTime,
        offending: "2024-02-30T00:00:00Z"),
      Flaw(
        "<trkpt lat=\"1\" lon=\"1\"><time>2024-05-01T10:00:00</time></trkpt>",
        ["point 1 1 2024-05-01T10:00:00Z"],
        .timeWithoutZone, offending: "2024-05-01T10:00:00"),
      Flaw("<trkpt lat=\"1\" lon=\"1\"/><wpt lat=\"2\" lon=\"2\"/>", ["point 1 1"], .misplacedElement),
    ]

  @Test("A defect is omitted, counted and reported with its line", arguments: flaws)
  func flaw(_ flaw: Flaw) throws {
    let text = Sample.gpx("\n<trk>\n<trkseg>\n\(flaw.xml)</trkseg></trk>")
    let transcript = Transcript(gpx: text)
    #expect(transcript.points == flaw.points)
    #expect(transcript.error == nil && transcript.violations == [])
    let warning = try #require(transcript.warnings.first)
    #expect(transcript.warnings.count == 1)
    #expect(warning.code == flaw.code)
    #expect(warning.count == flaw.count)
    #expect(warning.place.line == 4)
    #expect(warning.place.path?.hasPrefix("gpx/trk/trkseg/") == true)
    #expect(warning.offendingText == flaw.offending)
  }

  @Test("Strict reading throws the first defect", arguments: flaws)
  func strict(_ flaw: Flaw) throws {
    let sound = "<trkpt lat=\"9\" lon=\"9\"/><trkpt lat=\"8\" lon=\"8\"/>\n"
    let text = Sample.gpx("<trk><trkseg>\(sound)\(flaw.xml)</trkseg></trk>")
    let transcript = Transcript(gpx: text, isStrict: true)
    // If the flaw is inside a point, the point is omitted too; after a point it is not.
    let before = flaw.code == .misplacedElement ? ["point 1 1"] : []
    #expect(transcript.points == ["point 9 9", "point 8 8"] + before)
    #expect(transcript.violations == [])
    let error = try #require(transcript.error)
    #expect(error.code == .warning)
    #expect(error.place.line == 2)
  }

  @Test("Defects of the same kind are one warning, with a count and the first location")
  func counting() {
    let rows = (0..<1000).map { "<trkpt lat=\"1\" lon=\"\($0 % 2 == 0 ? "x" : "1")\"/>\n" }.joined()
    let transcript = Transcript(gpx: Sample.segment("\n" + rows))
    #expect(transcript.points.count == 500)
    #expect(transcript.warnings.map(\.count) == [500])
    #expect(transcript.warnings.first?.place.line == 2)
  }

  @Test("Different defects are reported in the order of their first occurrence")
  func order() {
    let transcript = Transcript(gpx: Sample.flaws)
    #expect(
      transcript.warnings.map { "\($0.place.line ?? 0) \($0.code) \($0.count)" } == [
        "1 invalid-position 2", "3 invalid-time 1", "5 invalid-value 2", "5 time-without-zone 2",
        "6 invalid-position 2", "6 misplaced-element 2", "9 trailing-content 1",
      ])
    #expect(
      transcript.points == [
        "point 1 2", "point 1 2 2024-05-01T10:00:00Z", "point 2 3 2024-05-01T10:00:01Z",
      ])
  }

  @Test("Marks of a pause by older versions of OpenTracks split the segment and are not points")
  func pauseMarks() {
    let pause = "<trkpt lat='100' lon='0'><time>2024-05-01T10:00:02Z</time></trkpt>"
    let resume = "<trkpt lat='200' lon='0'><time>2024-05-01T10:05:00Z</time></trkpt>"
    let first = "<trkpt lat='1' lon='2'/>"
    let second = "<trkpt lat='3' lon='4'/>"
    for capacity in [1, 64] {
      let transcript = Transcript(
        gpx: Sample.segment(resume + first + pause + resume + second + pause), capacity: capacity)
      let split = Transcript(
        gpx: Sample.gpx("<trk><trkseg>\(first)</trkseg><trkseg>\(second)</trkseg></trk>"),
        capacity: capacity)
      #expect(transcript.text == split.text)
      #expect(transcript.warnings.isEmpty && transcript.violations.isEmpty)
    }
  }

  @Test("A mark of a pause without its end splits the segment, too", arguments: [100, 200])
  func loneMark(latitude: Int) {
    let mark = "<trkpt lat='\(latitude)' lon='0'><time>2024-05-01T10:00:02Z</time></trkpt>"
    func point(_ second: Int) -> String {
      "<trkpt lat='1' lon='2'><time>2024-05-01T10:00:0\(second)Z</time></trkpt>"
    }
    for capacity in [1, 64] {
      let transcript = Transcript(
        gpx: Sample.segment(point(0) + point(1) + point(2) + mark + point(3) + point(4) + mark),
        capacity: capacity)
      let split = Transcript(
        gpx: Sample.gpx(
          "<trk><trkseg>\(point(0) + point(1) + point(2))</trkseg><trkseg>\(point(3) + point(4))</trkseg></trk>"
        ),
        capacity: capacity)
      #expect(transcript.text == split.text)
      #expect(transcript.warnings.isEmpty && transcript.violations.isEmpty)
    }
  }

  @Test("Lines are counted from the start of the file, including skipped white space")
  func lines() {
    let text = "\n\r\n \n<?xml version=\"1.0\"?>\n" + Sample.segment("\n\n<trkpt lat=\"x\" lon=\"1\"/>")
    #expect(Transcript(gpx: text).warnings.first?.place.line == 7)
  }

  // MARK: Faults

  @Test("Points before a fault are delivered first, followed by the error with line and column")
  func deliverThenThrow() throws {
    let rows = (1...5).map { "<trkpt lat=\"\($0)\" lon=\"\($0)\"/>\n" }.joined()
    let text = Sample.segment("\n\(rows)<trkpt lat=\"6\" lon=\"6\"><ele>1</trkpt>\n</trkseg>")
    for capacity in [1, 2, 3, 5, 6, 100] {
      let transcript = Transcript(gpx: text, capacity: capacity)
      #expect(transcript.points == (1...5).map { "point \($0) \($0)" })
      #expect(transcript.violations == [])
      let error = try #require(transcript.error)
      #expect(error.code == .malformed)
      #expect(error.place.line == 7)
      // `<trkpt lat="6" lon="6"><ele>1` has 29 characters, the wrong end tag 8.
      #expect((30...38).contains(error.place.column ?? 0))
      #expect(error.place.path == "gpx/trk/trkseg/trkpt/ele" || error.place.path == "gpx/trk/trkseg/trkpt")
    }
  }

  @Test(
    "XML that is not well-formed is malformed",
    arguments: [
      "<gpx><trk></gpx>", "<gpx>&nbsp", "<gpx a=\"1\" a=\"2\"/>", "<gpx a=1/>",
      "<gpx><name>\u{1}</name></gpx>",
      "<gpx><name>&#0;</name></gpx>", "text", "<gpx><a b=\"<\"/></gpx>", "<gpx>]]></gpx>", "<gpx><1/></gpx>",
      "<gpx><!-- -- --></gpx>", "{\"type\":\"FeatureCollection\"}",
    ])
  func malformed(_ text: String) {
    let transcript = Transcript(gpx: text)
    #expect(transcript.error?.code == .malformed || transcript.error?.code == .truncated)
    #expect(transcript.violations == [])
  }

  @Test("A different root element means a different format")
  func otherRoot() {
    #expect(Transcript(gpx: "<kml><Document/></kml>").error?.code == .unknownFormat)
    #expect(Transcript(gpx: "<kml/>").error?.code == .unknownFormat)
    #expect(Transcript(gpx: "<html><gpx/></html>").error?.code == .unknownFormat)
  }

  @Test(
    "An empty input is an error",
    arguments: ["", " ", "\n\n", "<", "<?xml version=\"1.0\"?>", "<!-- only -->"])
  func empty(_ text: String) {
    let transcript = Transcript(gpx: text)
    #expect(transcript.error != nil)
    #expect(transcript.lines == [])
  }

  // MARK: Truncation

  @Test("A file truncated at any byte yields its complete points, and a warning or an error")
  func truncation() {
    let whole = Transcript(gpx: Sample.cutting)
    #expect(whole.error == nil && whole.points.count == 10)
    let bytes = Array(Sample.cutting.utf8)
    // The ends of points.
    let ends = Sample.cutting.matches(of: /<\/(trkpt|wpt|rtept)>|lon="[0-9.]+"\/>/).map {
      Sample.cutting.utf8.distance(from: Sample.cutting.startIndex, to: $0.range.upperBound)
    }
    // The last byte is a line feed, the one before it the root's `>`.
    for length in 0..<(bytes.count - 1) {
      let cut = Array(bytes.prefix(length))
      let part = Transcript(gpx: cut, chunk: 100, capacity: 2)
      #expect(part.violations == [], "cut at \(length)")
      #expect(part.points == Array(whole.points.prefix(part.points.count)), "cut at \(length)")
      let isTold = part.error != nil || part.warnings.contains { $0.code == .truncated }
      #expect(isTold, "cut at \(length)")
      // Every point that ends before the truncation is delivered.
      let ended = ends.count { $0 <= length }
      #expect(part.points.count == ended, "cut at \(length)")
      if ended > 0 { #expect(part.error == nil, "cut at \(length)") }
      let strict = Transcript(gpx: cut, chunk: 100, capacity: 2, isStrict: true)
      #expect(strict.error != nil && strict.violations == [], "cut at \(length)")
      #expect(strict.points == part.points, "cut at \(length)")
    }
  }

  @Test("Content before the truncation that does not belong to a point is kept too")
  func truncatedContainers() {
    let start = "<gpx><wpt lat=\"1\" lon=\"1\"/><trk><name>unfinished</name>"
    let transcript = Transcript(gpx: start)
    #expect(transcript.points == ["waypoint 1 1"])
    #expect(transcript.violations == [])
    #expect(transcript.warnings.map(\.code) == [.truncated])
  }
}
