import Testing
import TrackFormats
import TrackModel

/// Tests colours and widths of lines, and icons of places, for each kind of declaration.
@Suite("KML styles")
struct KMLStylesTests {
  private static let shared = """
    <Style id="thick"><LineStyle><color>7f0000ff</color><width>8</width></LineStyle></Style>
    <Style id="thin"><LineStyle><color>ff00ff00</color><width>1.5</width></LineStyle>
    <IconStyle><Icon><href>pin.png</href></Icon></IconStyle></Style>
    <StyleMap id="map"><Pair><key>highlight</key><styleUrl>#thick</styleUrl></Pair>
    <Pair><key>normal</key><styleUrl>#thin</styleUrl></Pair></StyleMap>
    <StyleMap id="inline"><Pair><key>normal</key><Style><LineStyle><width>3</width></LineStyle></Style></Pair></StyleMap>
    <gx:CascadingStyle kml:id="cascade" xmlns:kml="http://www.opengis.net/kml/2.2"><Style><LineStyle><width>4</width>
    </LineStyle></Style></gx:CascadingStyle>
    <StyleMap id="circle"><Pair><key>normal</key><styleUrl>#circle</styleUrl></Pair></StyleMap>
    """

  private func read(_ description: String, shared: String = Self.shared) throws -> TrackInfo? {
    try KMLTesting.document(
      KMLTesting.file(
        "\(shared)<Placemark>\(description)<LineString><coordinates>1,2</coordinates></LineString></Placemark>"
      )
    ).tracks.first?.info
  }

  // aabbggrr: 7f0000ff is half transparent red.
  private static let red = TrackColor(red: 255, green: 0, blue: 0, alpha: 127)
  private static let green = TrackColor(red: 0, green: 255, blue: 0)

  @Test("A line has the style that it refers to, through maps and without the leading sign")
  func references() throws {
    let thick = LineStyle(color: Self.red, width: 8)
    let thin = LineStyle(color: Self.green, width: 1.5)
    #expect(try read("<styleUrl>#thick</styleUrl>")?.style == thick)
    #expect(try read("<styleUrl> thick </styleUrl>")?.style == thick)
    #expect(try read("<styleUrl>#map</styleUrl>")?.style == thin)
    #expect(try read("<styleUrl>#inline</styleUrl>")?.style == LineStyle(width: 3))
    #expect(try read("<styleUrl>#cascade</styleUrl>")?.style == LineStyle(width: 4))
    #expect(try read("")?.style == nil)
  }

  @Test("A placemark's own style takes precedence over the one that it refers to")
  func own() throws {
    let own = "<Style><LineStyle><width>2</width></LineStyle></Style>"
    let both = LineStyle(color: Self.red, width: 2)
    #expect(try read("\(own)<styleUrl>#thick</styleUrl>")?.style == both)
    #expect(try read("<styleUrl>#thick</styleUrl>\(own)")?.style == both)
    let map = "<StyleMap><Pair><key>normal</key><styleUrl>#thick</styleUrl></Pair></StyleMap>"
    #expect(try read(map)?.style == LineStyle(color: Self.red, width: 8))
  }

  @Test(
    "A style that is not declared before its use is omitted and counted",
    arguments: ["#later", "#circle", "http://a.b/c.kml#thick", "#none"])
  func missing(_ url: String) {
    let transcript = Transcript(
      kml: KMLTesting.file(
        """
        \(Self.shared)<Placemark><styleUrl>\(url)</styleUrl><LineString><coordinates>1,2</coordinates></LineString>
        </Placemark><Style id="later"><LineStyle><width>9</width></LineStyle></Style>
        """))
    #expect(
      transcript.lines == ["header", "track", "segment", "point 2 1", "end of segment", "end of track"])
    #expect(transcript.warnings.map(\.message) == ["style used before its declaration, ignored"])
  }

  @Test("A style after the line is a late annotation")
  func late() {
    let transcript = Transcript(
      kml: KMLTesting.file(
        """
        \(Self.shared)<Placemark><LineString><coordinates>1,2</coordinates></LineString><styleUrl>#thick</styleUrl>
        </Placemark>
        """))
    #expect(
      transcript.lines.suffix(3).dropLast() == [
        "late, about the track or route", "  style color ff0000 alpha 127 width 8",
      ])
  }

  @Test("The icon of a place is its symbol")
  func icon() throws {
    let document = try KMLTesting.document(
      KMLTesting.file(
        """
        \(Self.shared)<Placemark><styleUrl>#map</styleUrl><Point><coordinates>1,2</coordinates></Point></Placemark>
        """))
    #expect(document.waypoints.first?.details.symbol == "pin.png")
  }

  @Test(
    "Invalid colours and widths are omitted", arguments: ["red", "#ff0000", "ff00ff", "", "gg0000ff"])
  func bad(_ color: String) throws {
    let style = "<Style><LineStyle><color>\(color)</color><width>wide</width></LineStyle></Style>"
    #expect(try read(style)?.style == nil)
  }

  @Test("Unsupported settings are counted, and settings equal to the default are not")
  func unsupportedContent() throws {
    var reader = KMLReader(
      ByteInput(
        bytes: Array(
          KMLTesting.file(
            """
            <LookAt><longitude>1</longitude></LookAt>
            <Style id="a"><LabelStyle><scale>2</scale></LabelStyle><PolyStyle><fill>0</fill></PolyStyle>
            <IconStyle><scale>1.2</scale><heading>90</heading></IconStyle><BalloonStyle/></Style>
            <Placemark><visibility>0</visibility><open>1</open><LookAt/><Point><extrude>1</extrude>
            <coordinates>1,2</coordinates></Point></Placemark>
            <Placemark><visibility>1</visibility><LineString><extrude>0</extrude><tessellate>1</tessellate>
            <coordinates>1,2 3,4</coordinates></LineString></Placemark>
            <Placemark id="p7"><Region><LatLonAltBox><north>1</north></LatLonAltBox></Region>
            <Style id="b"><LineStyle><color>ff0000ff</color><gx:outerColor>ff00ff00</gx:outerColor>
            <gx:outerWidth>0.5</gx:outerWidth><gx:physicalWidth>9</gx:physicalWidth></LineStyle></Style>
            <LineString><gx:altitudeOffset>5</gx:altitudeOffset><coordinates>1,2 3,4</coordinates></LineString>
            </Placemark>
            <Placemark><LineString><gx:altitudeOffset>0</gx:altitudeOffset><coordinates>1,2 3,4</coordinates>
            </LineString></Placemark>
            """
          ).utf8)))
    var batch = PointBatch()
    while try reader.next(into: &batch) != nil {}
    let counts = Dictionary(
      uniqueKeysWithValues: reader.unsupportedContent.losses.map { ($0.what, $0.count) })
    #expect(
      counts == [
        "views of a camera": 2, "styles of labels": 1, "styles of areas": 1, "sizes and angles of icons": 2,
        "styles of balloons": 1, "hidden features (shown)": 1, "lines drawn as walls": 1,
        "ids of features": 1, "regions in which features are shown": 1, "borders of lines": 2,
        "widths of lines in metres": 1, "offsets of heights": 1,
      ])
    #expect(reader.warnings == [])
  }
}
