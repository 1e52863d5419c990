import Testing
import TrackFormats
import TrackModel

@testable import GhostModel

/// Tests each element of the GPX 1.0 and 1.1 schemas (topografix.com/GPX/1/0/gpx.xsd, …/1/1/gpx.xsd).
@Suite("GPX reader: schema elements")
struct GPXReaderTests {
  /// A child of a point and the expected result: the rest of the point's line, and the lines after it.
  struct Child: Sendable, CustomTestStringConvertible {
    let xml: String
    let line: String
    let below: [String]
    var testDescription: String { xml }

    init(_ xml: String, _ line: String = "", _ below: String...) {
      self.xml = xml
      self.line = line
      self.below = below
    }
  }

  static let children = [
    Child("<ele>540.25</ele>", " elevation 540.25"),
    Child("<ele>-12.5</ele>", " elevation -12.5"),
    Child("<ele> \n 7 </ele>", " elevation 7"),
    Child("<ele></ele>"),
    Child("<ele/>"),
    Child("<time>2024-05-01T10:00:00Z</time>", " 2024-05-01T10:00:00Z"),
    Child("<time>2024-05-01T10:00:00.5Z</time>", " 2024-05-01T10:00:00.500Z"),
    Child("<time>2024-05-01T10:00:00.123456Z</time>", " 2024-05-01T10:00:00.123456Z"),
    Child("<time>2024-05-01T12:30:00+02:30</time>", " 2024-05-01T10:00:00Z"),
    Child("<time>2024-04-30T23:00:00-11:00</time>", " 2024-05-01T10:00:00Z"),
    Child("<time>\n2024-05-01T10:00:00Z\n</time>", " 2024-05-01T10:00:00Z"),
    Child("<time/>"),
    Child("<magvar>3.5</magvar>", " magneticVariation 3.5"),
    Child("<magvar>360</magvar>", " magneticVariation 0"),
    Child("<magvar>-3</magvar>", " magneticVariation 357"), Child("<magvar>-181</magvar>"),
    Child("<geoidheight>48.5</geoidheight>", " geoidHeight 48.5"),
    Child("<name> Col &amp; Café </name>", "", "  name \"Col & Café\""),
    Child("<name/>"),
    Child("<cmt>c</cmt>", "", "  comment \"c\""),
    Child("<desc>d</desc>", "", "  description \"d\""),
    Child("<src>s</src>", "", "  source \"s\""),
    Child(
      "<link href=\"http://a.b/?c=d&amp;e\"><text>t</text><type>image/png</type></link>", "",
      "  link \"http://a.b/?c=d&e\" text \"t\" type \"image/png\""),
    Child("<link href=\"1\"/><link href=\"2\"></link>", "", "  link \"1\"", "  link \"2\""),
    Child("<link><text>nowhere</text></link>"),
    Child("<url>http://a.b</url><urlname>n</urlname>", "", "  link \"http://a.b\" text \"n\""),
    Child("<sym>Flag</sym>", "", "  symbol \"Flag\""),
    Child("<type>Summit</type>", "", "  type \"Summit\""),
    Child("<fix>2d</fix>", "", "  fix \"2d\""),
    Child("<fix>dgps</fix>", "", "  fix \"dgps\""),
    Child("<sat>9</sat>", " satellites 9"),
    Child("<hdop>1.25</hdop>", " hdop 1.25"),
    Child("<vdop>2.5</vdop>", " vdop 2.5"),
    Child("<pdop>3.75</pdop>", " pdop 3.75"),
    Child("<ageofdgpsdata>4.5</ageofdgpsdata>", " differentialAge 4.5"),
    Child("<dgpsid>1023</dgpsid>", "", "  differential station 1023"),
    Child("<extensions/>"),
    Child("<extensions></extensions>"),
    // Only in GPX 1.0. Phones write -1 for unknown.
    Child("<speed>12.5</speed>", " speed 12.5"),
    Child("<speed>-1</speed>"),
    Child("<course>359.9</course>", " course 359.9"),
    Child("<course>360</course>", " course 0"),
    Child("<course>-1.0</course>"),
    // An attribute that is not in the schemas separates the text from its tags.
    Child("<ele unit=\"m\">5<!-- x -->40</ele>", " elevation 540"),
    Child("<name lang=\"de\">Pass</name>", "", "  name \"Pass\""),
    // In an order that differs from the schema's.
    Child(
      "<hdop>1</hdop><name>n</name><time>2024-05-01T10:00:00Z</time><ele>1</ele>",
      " 2024-05-01T10:00:00Z elevation 1 hdop 1", "  name \"n\""),
  ]

  @Test("The activity that OsmAnd writes is the kind of tracks without a type")
  func activityOfOsmAnd() {
    func activity(_ kind: String) -> String {
      "<extensions><o:activity xmlns:o=\"https://osmand.net\">\(kind)</o:activity></extensions>"
    }
    let transcript = Transcript(
      gpx: Sample.gpx(
        "<metadata>\(activity("car"))</metadata><trk><trkseg/></trk><trk><type>run</type><trkseg/></trk>"
          + "<trk>\(activity("road_cycling"))<trkseg/></trk>"))
    #expect(
      transcript.lines.filter { $0.hasPrefix("  type") } == [
        "  type \"car\"", "  type \"run\"", "  type \"road_cycling\"",
      ])
    // The element is kept for OsmAnd.
    #expect(transcript.lines.count { $0.contains("activity") } == 2)
    let other = Transcript(
      gpx: Sample.gpx("<metadata><extensions><activity>car</activity></extensions></metadata><trk/>"))
    #expect(!other.lines.contains { $0.hasPrefix("  type") })
  }

  @Test("A child of a trackpoint is read according to its schema", arguments: children)
  func trackpoint(_ child: Child) {
    let body = Sample.segment("<trkpt lat=\"1.5\" lon=\"-2.5\">\(child.xml)</trkpt>")
    expectPoint(body, "point", child)
  }

  @Test("A child of a routepoint is read according to its schema", arguments: children)
  func routepoint(_ child: Child) {
    let body = Sample.gpx("<rte><rtept lat=\"1.5\" lon=\"-2.5\">\(child.xml)</rtept></rte>")
    expectPoint(body, "point", child)
  }

  @Test("A child of a waypoint is read according to its schema", arguments: children)
  func waypoint(_ child: Child) {
    expectPoint(Sample.gpx("<wpt lat=\"1.5\" lon=\"-2.5\">\(child.xml)</wpt>"), "waypoint", child)
  }

  private func expectPoint(_ text: String, _ kind: String, _ child: Child) {
    let transcript = Transcript(gpx: text)
    let expected = (["\(kind) 1.5 -2.5\(child.line)"] + child.below).joined(separator: "\n")
    #expect(transcript.points == [expected])
    #expect(transcript.warnings == [])
    #expect(transcript.error == nil)
    #expect(transcript.violations == [])
  }

  @Test("All children together are read as one point")
  func wholePoint() {
    let text = Sample.segment(
      """
      <trkpt lat="-90" lon="-180"><ele>1</ele><time>2024-05-01T10:00:00Z</time><magvar>2</magvar>
      <geoidheight>3</geoidheight><name>4</name><cmt>5</cmt><desc>6</desc><src>7</src><link href="8"/>
      <sym>9</sym><type>10</type><fix>pps</fix><sat>11</sat><hdop>12</hdop><vdop>13</vdop><pdop>14</pdop>
      <ageofdgpsdata>15</ageofdgpsdata><dgpsid>16</dgpsid></trkpt><trkpt lat="90" lon="180"/>
      """)
    let transcript = Transcript(gpx: text)
    #expect(
      transcript.points == [
        """
        point -90 -180 2024-05-01T10:00:00Z elevation 1 hdop 12 vdop 13 pdop 14 satellites 11 geoidHeight 3 \
        magneticVariation 2 differentialAge 15
          name "4"
          comment "5"
          description "6"
          source "7"
          link "8"
          symbol "9"
          type "10"
          fix "pps"
          differential station 16
        """, "point 90 180",
      ])
  }

  @Test(
    "A coordinate may be written in any decimal form",
    arguments: [
      ("0", 0.0), ("-0", 0), ("+5.5", 5.5), ("12.", 12), (".5", 0.5), ("00012.5", 12.5), ("1.25e1", 12.5),
      ("-3E-5", -0.00003), (" 7 ", 7), ("47.3769000000000012345678901234567890", 47.3769), ("&#52;7", 47),
    ])
  func coordinate(_ text: String, _ value: Double) throws {
    var reader = GPXReader(
      ByteInput(bytes: Array(Sample.segment("<trkpt lon='\(text)' lat=\"\(text)\"/>").utf8)))
    let document = try TrackDocument(reading: &reader)
    #expect(document.tracks[0].segments[0].points.latitudes == [value])
    #expect(document.tracks[0].segments[0].points.longitudes == [value])
    #expect(reader.warnings == [])
  }

  @Test("The children of a track and of a route are delivered before their points")
  func trackInfo() {
    let children = """
      <name>n</name><cmt>c</cmt><desc>d</desc><src>s</src><link href="l"><text>t</text></link>
      <number>7</number><type>Drive</type>
      """
    let lines = [
      "  name \"n\"", "  comment \"c\"", "  description \"d\"", "  source \"s\"", "  link \"l\" text \"t\"",
      "  number 7", "  type \"Drive\"",
    ]
    let track = Transcript(gpx: Sample.gpx("<trk>\(children)<trkseg/></trk>"))
    let trackLines = [["track"], lines, ["segment", "end of segment", "end of track"]].flatMap(\.self)
    #expect(Array(track.lines.dropFirst(2)) == trackLines)
    let route = Transcript(gpx: Sample.gpx("<rte>\(children)<rtept lat=\"1\" lon=\"2\"/></rte>"))
    let routeLines = [["route"], lines, ["point 1 2", "end of route"]].flatMap(\.self)
    #expect(Array(route.lines.dropFirst(2)) == routeLines)
    #expect(track.warnings == [] && route.warnings == [])
  }

  @Test("Metadata of GPX 1.1 becomes the header")
  func metadata() {
    let text = Sample.gpx(
      """
      <metadata><name>n</name><desc>d</desc><author><name>A</name><email id="a" domain="b.org"/>
      <link href="http://a"><text>home</text></link></author><copyright author="C"><year>2024</year>
      <license>http://l</license></copyright><link href="1"/><link href="2"><type>t</type></link>
      <time>2024-05-01T10:00:00Z</time><keywords>k, l</keywords>
      <bounds minlat="1" minlon="2" maxlat="3" maxlon="4"/></metadata>
      """)
    let transcript = Transcript(gpx: text)
    #expect(
      transcript.lines == [
        "header", "  creator \"sample\"", "  name \"n\"", "  description \"d\"", "  author \"A\"",
        "  author's email \"a@b.org\"", "  author's link \"http://a\" text \"home\"", "  copyright \"C\"",
        "  year \"2024\"", "  license \"http://l\"", "  link \"1\"", "  link \"2\" type \"t\"",
        "  time 2024-05-01T10:00:00Z", "  keywords \"k, l\"",
      ])
    #expect(transcript.warnings == [])
  }

  @Test("The attributes of an address may be in either order")
  func email() {
    let text = Sample.gpx("<metadata><author><email domain=\"b.org\" id=\"a\"></email></author></metadata>")
    #expect(Transcript(gpx: text).lines.contains("  author's email \"a@b.org\""))
  }

  @Test("Metadata of GPX 1.0 is read from its root")
  func version10() {
    let text = """
      <?xml version="1.0"?>
      <gpx version="1.0" creator="old" xmlns="http://www.topografix.com/GPX/1/0">
      <name>n</name><desc>d</desc><author>A</author><email>a@b.org</email><url>http://u</url><urlname>U</urlname>
      <time>2003-01-02T03:04:05Z</time><keywords>k</keywords><bounds minlat="1" minlon="2" maxlat="3" maxlon="4"/>
      <wpt lat="1" lon="2"><url>http://w</url><urlname>W</urlname></wpt>
      <trk><name>t</name><url>http://t</url><urlname>T</urlname><number>1</number>
      <trkseg><trkpt lat="3" lon="4"><course>90</course><speed>5</speed></trkpt></trkseg></trk></gpx>
      """
    let transcript = Transcript(gpx: text)
    #expect(
      transcript.lines == [
        "header", "  creator \"old\"", "  name \"n\"", "  description \"d\"", "  author \"A\"",
        "  author's email \"a@b.org\"", "  link \"http://u\" text \"U\"", "  time 2003-01-02T03:04:05Z",
        "  keywords \"k\"", "waypoint 1 2", "  link \"http://w\" text \"W\"", "track", "  name \"t\"",
        "  link \"http://t\" text \"T\"", "  number 1", "segment", "point 3 4 speed 5 course 90",
        "end of segment", "end of track",
      ])
    #expect(transcript.warnings == [])
  }

  @Test("Empty containers are delivered")
  func emptyContainers() {
    let text = Sample.gpx(
      "<rte/><rte></rte><trk/><trk></trk><trk><trkseg/><trkseg></trkseg><trkseg> </trkseg></trk>")
    let transcript = Transcript(gpx: text)
    #expect(
      transcript.lines.dropFirst(2) == [
        "route", "end of route", "route", "end of route", "track", "end of track", "track", "end of track",
        "track", "segment", "end of segment", "segment", "end of segment", "segment", "end of segment",
        "end of track",
      ])
    #expect(transcript.violations == [])
    #expect(Transcript(gpx: "<gpx/>").lines == ["header"])
    #expect(Transcript(gpx: "<gpx></gpx>").lines == ["header"])
  }

  @Test("Elements may be in any order, and late information becomes an annotation")
  func anyOrder() {
    let transcript = Transcript(gpx: Sample.structure)
    #expect(
      transcript.lines == [
        "header", "  creator \"structure\"", "  namespace y urn:y",
        "track", "end of track", "track", "segment", "end of segment", "end of track", "route",
        "end of route",
        "track", "segment", "point 1 1", "point 2 2", "late, about the innermost container",
        "  extension {urn:y}s", "    text \"seg\"", "end of segment", "segment", "end of segment",
        "late, about the track or route", "  name \"late\"", "  extension {urn:y}t a=\"1\"", "end of track",
        "route", "  name \"r\"", "point 3 3", "  name \"turn\"", "late, about the track or route",
        "  description \"late route\"", "end of route", "waypoint 4 4", "late, about the file",
        "  name \"late file\"", "  extension {urn:y}f", "    extension {urn:y}g", "      text \"deep\"",
      ])
    #expect(transcript.warnings == [] && transcript.violations == [])
  }

  @Test(
    "The root's namespace is treated as that of GPX",
    arguments: [
      "<gpx>$</gpx>", "<gpx xmlns=\"\">$</gpx>", "<gpx xmlns=\"http://www.topografix.com/GPX/1/0\">$</gpx>",
      "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\">$</gpx>",
      "<gpx xmlns=\"http://www.topografix.com/GPX/1/2\">$</gpx>",
      "<gpx xmlns=\"urn:odd\">$</gpx>",
    ])
  func namespaces(_ root: String) {
    let body = "<trk><name>n</name><trkseg><trkpt lat=\"1\" lon=\"2\"><ele>3</ele></trkpt></trkseg></trk>"
    let transcript = Transcript(gpx: root.replacing("$", with: body))
    #expect(
      transcript.lines == [
        "header", "track", "  name \"n\"", "segment", "point 1 2 elevation 3", "end of segment",
        "end of track",
      ])
  }

  @Test("A prefix on elements of GPX has no effect")
  func prefixedNamespace() {
    let text = """
      <g:gpx creator="p" xmlns:g="http://www.topografix.com/GPX/1/1" xmlns="urn:other"><g:trk><name>not GPX's</name>
      <g:name>n</g:name><g:trkseg><g:trkpt lat="1" lon="2"><g:ele>3</g:ele><ele>4</ele></g:trkpt></g:trkseg></g:trk></g:gpx>
      """
    let transcript = Transcript(gpx: text)
    #expect(
      transcript.lines == [
        "header", "  creator \"p\"", "  namespace g http://www.topografix.com/GPX/1/1", "track",
        "  name \"n\"",
        "  extension {urn:other}name", "    text \"not GPX's\"", "segment", "point 1 2 elevation 3",
        "  extension {urn:other}ele", "    text \"4\"", "end of segment", "end of track",
      ])
  }

  @Test("Comments, CDATA, entities and instructions are read as defined in XML")
  func markup() {
    let transcript = Transcript(gpx: Sample.markup)
    // A line feed in an attribute is read as a space (XML 1.0, 3.3.3); `&#10;` is not.
    #expect(
      transcript.lines == [
        "header", "  creator \"Zoë  & 🚗 \\\"Sons\\\"\"", "  name \"Zürich → 東京 🚗\"",
        "  description \"<b>&amp;]] ]>\"", "  namespace x urn:x", "waypoint 47.1 -8.5 elevation 12.5",
        "  name \"abécd\"", "track", "  name \"<Töff>\"", "segment",
        "point 47.25 8.5 2024-05-01T10:00:00Z elevation 408.5", "point 47.5 8.75 2024-05-01T10:00:01.250Z",
        "  extension {urn:x}note t=\"ä\\nö\"", "    text \"fünf & sechs\"", "    extension {urn:x}leer",
        "end of segment", "end of track",
      ])
  }

  @Test(
    "All encodings read as the same text",
    arguments: Sample.all.filter { $0.name.hasPrefix("UTF-16") || $0.name.hasPrefix("markup ") })
  func encodings(_ sample: Sample) {
    let transcript = Transcript(gpx: sample.bytes)
    #expect(transcript.lines == Transcript(gpx: Sample.markup).lines)
    #expect(transcript.warnings == [] && transcript.error == nil)
  }
}
