import Testing
import TrackFormats
import TrackModel

/// Tests which elements become tracks, segments and places, and the information about them.
@Suite("KML reader")
struct KMLReaderTests {
  private func read(_ content: String) -> [String] {
    let transcript = Transcript(kml: KMLTesting.file(content))
    #expect(transcript.violations == [])
    #expect(transcript.error == nil)
    return transcript.lines
  }

  // MARK: Structure

  @Test("A placemark with a line is a track of one segment")
  func lineString() {
    let lines = read(
      "<Placemark><name>a</name><LineString><coordinates>8,47,400 8.5,47.5</coordinates></LineString></Placemark>"
    )
    #expect(
      lines == [
        "header", "track", "  name \"a\"", "segment", "point 47 8 elevation 400", "point 47.5 8.5",
        "end of segment", "end of track",
      ])
  }

  @Test(
    "Each line of a collection is a segment, its points become places after it, and its areas are omitted")
  func multiGeometry() {
    let text = KMLTesting.file(
      """
      <Placemark><name>a</name><MultiGeometry>
        <Point><coordinates>1,1</coordinates></Point>
        <LineString><coordinates>1,2 3,4</coordinates></LineString>
        <MultiGeometry><Point><coordinates>2,2,20</coordinates></Point>
          <LineString><coordinates>5,6</coordinates></LineString><LineString/></MultiGeometry>
        <Polygon><outerBoundaryIs><LinearRing><coordinates>9,9 9,8 8,8 9,9</coordinates></LinearRing>
        </outerBoundaryIs></Polygon>
        <LinearRing><coordinates>9,9 9,8 8,8 9,9</coordinates></LinearRing>
      </MultiGeometry></Placemark>
      """)
    let transcript = Transcript(kml: text)
    #expect(transcript.violations == [])
    #expect(
      transcript.lines == [
        "header", "track", "  name \"a\"", "segment", "point 2 1", "point 4 3", "end of segment", "segment",
        "point 6 5", "end of segment", "segment", "end of segment", "end of track", "waypoint 1 1",
        "  name \"a\"", "waypoint 2 2 elevation 20", "  name \"a\"",
      ])
    #expect(transcript.warnings.map(\.count) == [2])
    #expect(transcript.warnings.first?.message == "polygon or model, skipped")
  }

  @Test("The names of the folders inside the file are the source of tracks and the type of places")
  func folders() {
    let lines = read(
      """
      <name>file</name><Folder><name>outer</name><Folder><name>inner</name>
      <Placemark><LineString><coordinates>1,2</coordinates></LineString></Placemark></Folder>
      <Placemark><Point><coordinates>3,4</coordinates></Point></Placemark></Folder>
      <Placemark><Point><coordinates>5,6</coordinates></Point></Placemark>
      <Folder><Placemark><ExtendedData><Data name="type"><value>hut</value></Data></ExtendedData>
      <Point><coordinates>7,8</coordinates></Point></Placemark></Folder>
      """)
    #expect(
      lines == [
        "header", "  name \"file\"", "track", "  source \"outer / inner\"", "segment", "point 2 1",
        "end of segment", "end of track", "waypoint 4 3", "  type \"outer\"", "waypoint 6 5",
        "waypoint 8 7", "  type \"hut\"",
      ])
  }

  @Test(
    "A file may have any KML namespace, a prefix, no namespace, or no element around its features",
    arguments: [
      "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>@</Document></kml>",
      "<kml xmlns=\"http://www.opengis.net/kml/2.3\" version=\"2.3\">@</kml>",
      "<kml xmlns=\"http://earth.google.com/kml/2.0\"><Folder>@</Folder></kml>",
      "<kml xmlns=\"http://earth.google.com/kml/2.1\"><Folder><Folder>@</Folder></Folder></kml>",
      "<kml xmlns=\"http://earth.google.com/kml/2.2\">@</kml>", "<kml xmlns=\"urn:of-its-own\">@</kml>",
      "<kml><Document>@</Document></kml>", "<Document>@</Document>", "<Folder>@</Folder>", "@",
    ])
  func namespaces(_ frame: String) {
    let placemark = """
      <Placemark><name>n</name><MultiGeometry><LineString><coordinates>1,2</coordinates></LineString>\
      <Track><when>2024-05-01T10:00:00Z</when><coord>3 4 5</coord></Track></MultiGeometry></Placemark>
      """
    let expected = [
      "header", "track", "  name \"n\"", "segment", "point 2 1", "end of segment", "segment",
      "point 4 3 2024-05-01T10:00:00Z elevation 5", "end of segment", "end of track",
    ]
    #expect(Transcript(kml: frame.replacing("@", with: placemark)).lines == expected)
  }

  @Test("Prefixes have no effect")
  func prefixes() {
    let transcript = Transcript(
      kml: """
        <k:kml xmlns:k="http://www.opengis.net/kml/2.2" xmlns:g="http://www.google.com/kml/ext/2.2">
        <k:Placemark><k:name>n</k:name><g:Track><k:when>2024</k:when><g:coord>3 4</g:coord></g:Track>
        <x:Track xmlns:x="urn:x"><x:coord>1 2</x:coord></x:Track></k:Placemark></k:kml>
        """)
    #expect(
      transcript.lines == [
        "header", "track", "  name \"n\"", "segment", "point 4 3 2024-01-01T00:00:00Z", "end of segment",
        "late, about the track or route", "  extension {urn:x}Track", "    extension {urn:x}coord",
        "      text \"1 2\"", "end of track",
      ])
  }

  @Test("Network links are not followed, overlays and tours are ignored, and all are reported")
  func leftOut() {
    let transcript = Transcript(
      kml: KMLTesting.file(
        """
        <NetworkLink><name>x</name><Link><href>secret.kml</href></Link></NetworkLink>
        <GroundOverlay><LatLonBox><north>1</north></LatLonBox></GroundOverlay>
        <PhotoOverlay><Point><coordinates>1,2</coordinates></Point></PhotoOverlay>
        <gx:Tour><gx:Playlist><gx:FlyTo><LookAt><longitude>1</longitude></LookAt></gx:FlyTo></gx:Playlist></gx:Tour>
        <Placemark><name>nowhere</name></Placemark>
        """))
    #expect(transcript.lines == ["header"])
    #expect(
      transcript.warnings.map { "\($0.count) \($0.message)" } == [
        "1 link to another file, never followed", "2 image overlay, skipped",
        "1 camera tour, skipped", "1 placemark without a position or a line, skipped",
      ])
  }

  // MARK: Descriptions

  @Test("A time span before or after the line is the track's, and a time stamp is the span's start")
  func timeSpan() {
    let span = "<TimeSpan><begin>2024-05-01T10:00:00Z</begin><end>2024-05-01T11:00:00+00:30</end></TimeSpan>"
    let line = "<LineString><coordinates>1,2</coordinates></LineString>"
    let range = "  from 2024-05-01T10:00:00Z to 2024-05-01T10:30:00Z"
    let points = ["segment", "point 2 1", "end of segment"]
    #expect(
      read("<Placemark>\(span)\(line)</Placemark>") == ["header", "track", range] + points + ["end of track"])
    #expect(
      read("<Placemark>\(line)\(span)</Placemark>")
        == ["header", "track"] + points + ["late, about the track or route", range, "end of track"])
    #expect(
      read("<Placemark>\(line)<TimeSpan><end>2024-05</end></TimeSpan></Placemark>").contains(
        "  from ? to 2024-05-01T00:00:00Z"))
    #expect(
      read("<Placemark><TimeStamp><when>2024-05-01</when></TimeStamp>\(line)</Placemark>").contains(
        "  from 2024-05-01T00:00:00Z to ?"))
  }

  @Test("The times of the views of features are not the features' times")
  func views() {
    let lines = read(
      """
      <Placemark><LookAt><gx:TimeSpan><begin>2000</begin><end>2001</end></gx:TimeSpan><longitude>9</longitude></LookAt>
      <Region><LatLonAltBox><north>1</north></LatLonAltBox></Region>
      <LineString><coordinates>1,2</coordinates></LineString></Placemark>
      """)
    #expect(lines == ["header", "track", "segment", "point 2 1", "end of segment", "end of track"])
  }

  @Test("A place has a time, an icon, sensor values and all descriptions")
  func place() {
    let lines = read(
      """
      <Placemark><name> Hut
       </name><atom:link xmlns:atom="http://www.w3.org/2005/Atom" href="http://a.b/" title="t" type="text/html"/>
      <Snippet maxLines="1">short</Snippet><description><![CDATA[<b>long</b>]]></description>
      <TimeStamp><when>2024-05-01T10:00:00.5Z</when></TimeStamp>
      <Style><IconStyle><Icon><href>http://c.d/hut.png</href></Icon></IconStyle></Style>
      <ExtendedData><Data name="source"><value>map</value></Data><Data name="speed"><displayName>Speed (km/h)</displayName>
      <value>36</value></Data><Data name="hdop"><value>0.9</value></Data><Data name="owner"><value>SAC</value></Data>
      <Data name="link"><displayName>more</displayName><value>http://e.f/</value></Data>
      <SchemaData schemaUrl="#s"><SimpleData name="beds">12</SimpleData></SchemaData>
      <x:y xmlns:x="urn:x">z</x:y></ExtendedData>
      <Point><extrude>1</extrude><altitudeMode>absolute</altitudeMode><coordinates> 8.5,47.25,1200 </coordinates></Point>
      </Placemark>
      """)
    #expect(
      lines == [
        "header", "waypoint 47.25 8.5 2024-05-01T10:00:00.500Z elevation 1200 speed 10 hdop 0.9",
        "  name \"Hut\"", "  comment \"short\"", "  description \"<b>long</b>\"", "  source \"map\"",
        "  link \"http://a.b/\" text \"t\" type \"text/html\"", "  link \"http://e.f/\" text \"more\"",
        "  symbol \"http://c.d/hut.png\"",
        "  extension {http://www.opengis.net/kml/2.2}Data name=\"owner\"",
        "    extension {http://www.opengis.net/kml/2.2}value", "      text \"SAC\"",
        "  extension {http://www.opengis.net/kml/2.2}Data name=\"beds\"",
        "    extension {http://www.opengis.net/kml/2.2}value", "      text \"12\"",
        "  extension {urn:x}y", "    text \"z\"",
      ])
  }

  @Test("Elements after a point belong to it too")
  func placeLate() {
    let lines = read(
      """
      <Placemark><Point><coordinates>1,2</coordinates></Point><name>late</name>
      <TimeSpan><begin>2024-05-01T10:00:00Z</begin><end>2024-05-01T11:00:00Z</end></TimeSpan></Placemark>
      """)
    #expect(lines == ["header", "waypoint 2 1 2024-05-01T10:00:00Z", "  name \"late\""])
  }

  @Test("A file has a name, description, author, program, links and data")
  func file() {
    let lines = Transcript(
      kml: """
        <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:a="http://www.w3.org/2005/Atom" xmlns:x="urn:x">
        <Document><name>n</name><a:author><a:name>A. N.</a:name><a:uri>http://a.b/</a:uri><a:email>a@b.c</a:email></a:author>
        <a:link href="http://c.d/"/><a:generator>prog</a:generator><description>d</description><open>1</open>
        <ExtendedData><Data name="keywords"><value>x, y</value></Data><Data name="copyright"><value>me</value></Data>
        <Data name="copyright-year"><value>2024</value></Data><Data name="license"><value>http://l/</value></Data>
        <Data name="time"><value>2024-05-01T10:00:00Z</value></Data><Data name="mine"><value>1</value></Data></ExtendedData>
        <x:rest>r</x:rest></Document></kml>
        """
    ).lines
    #expect(
      lines == [
        "header", "  creator \"prog\"", "  name \"n\"", "  description \"d\"", "  author \"A. N.\"",
        "  author's email \"a@b.c\"", "  author's link \"http://a.b/\"", "  copyright \"me\"",
        "  year \"2024\"", "  license \"http://l/\"", "  link \"http://c.d/\"",
        "  time 2024-05-01T10:00:00Z", "  keywords \"x, y\"", "  namespace x urn:x",
        "  extension {http://www.opengis.net/kml/2.2}Data name=\"mine\"",
        "    extension {http://www.opengis.net/kml/2.2}value", "      text \"1\"",
        "  extension {urn:x}rest", "    text \"r\"",
      ])
  }

  @Test("Information about a file after its features is a late annotation")
  func fileLate() {
    let lines = read("<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark><name>n</name>")
    #expect(lines == ["header", "waypoint 2 1", "late, about the file", "  name \"n\""])
  }

  @Test("Heights above the ground are not elevations; all other altitudes are")
  func altitudeModes() {
    func elevations(_ mode: String) -> [String] {
      Transcript(
        kml: KMLTesting.file(
          """
          <Placemark><MultiGeometry><LineString>\(mode)<coordinates>1,2,30 1,2,0</coordinates></LineString>
          <gx:MultiTrack>\(mode)<gx:Track><gx:coord>1 2 30</gx:coord></gx:Track></gx:MultiTrack>
          <gx:Track><gx:coord>1 2 31</gx:coord>\(mode)</gx:Track>
          <Point>\(mode)<coordinates>1,2,30</coordinates></Point></MultiGeometry></Placemark>
          """)
      ).points
    }
    let above = [
      "point 2 1 elevation 30", "point 2 1 elevation 0", "point 2 1 elevation 30", "point 2 1 elevation 31",
      "waypoint 2 1 elevation 30",
    ]
    for mode in ["", "<altitudeMode>absolute</altitudeMode>", "<altitudeMode>clampToGround</altitudeMode>"] {
      #expect(elevations(mode) == above)
    }
    let none = Array(repeating: "point 2 1", count: 4) + ["waypoint 2 1"]
    #expect(elevations("<altitudeMode>relativeToGround</altitudeMode>") == none)
    #expect(elevations("<gx:altitudeMode>relativeToSeaFloor</gx:altitudeMode>") == none)
  }

  @Test("Zeros in geometry clamped to the ground are not elevations until another altitude occurs")
  func zeros() {
    func points(_ mode: String, _ altitudes: [String]) -> [String] {
      let line = altitudes.map { "1,2\($0.isEmpty ? "" : ",")\($0)" }.joined(separator: " ")
      let track = altitudes.map { "<gx:coord>1 2 \($0)</gx:coord>" }.joined()
      return Transcript(
        kml: KMLTesting.file(
          """
          <Placemark><MultiGeometry><LineString>\(mode)<coordinates>\(line)</coordinates></LineString>
          <gx:Track>\(mode)\(track)</gx:Track><Point>\(mode)<coordinates>1,2,0</coordinates></Point>
          </MultiGeometry></Placemark>
          """)
      ).points
    }
    let none = "point 2 1"
    let zero = "point 2 1 elevation 0"
    let absolute = "<altitudeMode>absolute</altitudeMode>"
    #expect(points(absolute, ["0", "0"]) == [zero, zero, zero, zero, "waypoint 2 1 elevation 0"])
    for mode in ["", "<altitudeMode>clampToGround</altitudeMode>"] {
      #expect(points(mode, ["0", "0"]) == [none, none, none, none, "waypoint 2 1"])
      let five = "point 2 1 elevation 5"
      // A gx:Track is complete before its first point is delivered.
      #expect(points(mode, ["0", "5", "0"]) == [none, five, zero, zero, five, zero, "waypoint 2 1"])
      // A missing altitude indicates that zeros are real.
      #expect(points(mode, ["", "0"]) == [none, zero, none, zero, "waypoint 2 1"])
    }
  }

  @Test("Values with attributes, comments and entities are read like those without")
  func values() {
    let lines = read(
      """
      <Placemark id="p"><name xml:lang="de">a<!-- b -->&amp;c</name>
      <LineString id="l"><coordinates x="y">1,2 3<!-- cut -->,4</coordinates></LineString></Placemark>
      """)
    #expect(
      lines == [
        "header", "track", "  name \"a&c\"", "segment", "point 2 1", "point 4 3", "end of segment",
        "end of track",
      ])
  }

  @Test("Empty-element tags are read like elements without content")
  func empty() {
    for content in [
      "<Placemark><LineString/></Placemark>", "<Placemark><LineString></LineString></Placemark>",
      "<Placemark><LineString><coordinates/></LineString></Placemark>", "<Placemark><gx:Track/></Placemark>",
      "<Placemark><gx:MultiTrack><gx:Track></gx:Track></gx:MultiTrack></Placemark>",
    ] {
      #expect(read(content) == ["header", "track", "segment", "end of segment", "end of track"])
    }
    for content in ["", "<Folder/>", "<Placemark/>", "<Placemark><MultiGeometry/></Placemark>"] {
      #expect(read(content) == ["header"])
    }
    #expect(Transcript(kml: "<kml/>").lines == ["header"])
  }
}
