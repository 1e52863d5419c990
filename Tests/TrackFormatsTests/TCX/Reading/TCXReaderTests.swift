import Testing
import TrackFormats
import TrackModel

/// Tests the elements of the TrainingCenterDatabase v2 schema and Garmin's activity extensions.
@Suite("TCX reader")
struct TCXReaderTests {
  @Test("All elements of the schema are read in the order of the file")
  func everything() {
    let transcript = Transcript(tcx: TCXSample.everything)
    #expect(transcript.violations == [] && transcript.error == nil && transcript.warnings == [])
    let expected: [String] = [
      "header", "  namespace ns3 \(TCXSample.extensions)",
      "track", "  type \"Running\"", "  from 2024-05-01T10:00:00Z to ?",
      "  lap 2024-05-01T10:00:00Z timer 20.5 distance 100.25 calories 12 trigger \"Distance\"",
      "segment", "point 47.5 8.5 2024-05-01T10:00:01Z elevation 540.5 distance 0",
      "point 47.25 8.25 2024-05-01T10:00:11Z heartRate 121", "end of segment", "segment",
      "point 47.125 8.125 2024-05-01T10:00:21Z cadence 81", "end of segment",
      "late, about the track or route",
      "  lap 2024-05-01T10:00:30Z timer 10 distance 50 calories 5 trigger \"Manual\"",
      "  extension {\(TCXSample.namespace)}Lap StartTime=\"2024-05-01T10:00:00Z\"",
      "    extension {\(TCXSample.namespace)}MaximumSpeed", "      text \"3.5\"",
      "    extension {\(TCXSample.namespace)}AverageHeartRateBpm",
      "      extension {\(TCXSample.namespace)}Value", "        text \"120\"",
      "    extension {\(TCXSample.namespace)}MaximumHeartRateBpm",
      "      extension {\(TCXSample.namespace)}Value", "        text \"140\"",
      "    extension {\(TCXSample.namespace)}Intensity", "      text \"Resting\"",
      "    extension {\(TCXSample.namespace)}Cadence", "      text \"80\"",
      "    extension {\(TCXSample.namespace)}Notes", "      text \"uphill\"",
      "    extension {\(TCXSample.extensions)}LX", "      extension {\(TCXSample.extensions)}AvgSpeed",
      "        text \"2.5\"",
      "segment", "point 46.5 7.5 2024-05-01T10:00:31Z speed 4.5 cadence 82 power 210", "end of segment",
      "late, about the track or route", "  description \"Morning\"", "  source \"Edge 500\"",
      "  extension {\(TCXSample.namespace)}Creator {http://www.w3.org/2001/XMLSchema-instance}type=\"Device_t\"",
      "    extension {\(TCXSample.namespace)}Name", "      text \"Edge 500\"",
      "    extension {\(TCXSample.namespace)}UnitId", "      text \"381\"",
      "    extension {\(TCXSample.namespace)}ProductID", "      text \"1036\"",
      "    extension {\(TCXSample.namespace)}Version",
      "      extension {\(TCXSample.namespace)}VersionMajor", "        text \"3\"",
      "      extension {\(TCXSample.namespace)}VersionMinor", "        text \"20\"",
      "end of track",
      "track", "  from 2024-05-02T10:00:00Z to ?",
      "  lap 2024-05-02T10:00:00Z timer 1 distance 0 calories 0 trigger \"Manual\"", "end of track",
      "track", "  name \"Loop\"", "  type \"Course\"", "  lap timer 60 distance 500",
      "segment", "point 45.5 6.5 2024-05-01T10:00:40Z", "end of segment",
      "late, about the track or route", "  description \"flat\"", "end of track",
      "waypoint 45.25 6.25 2024-05-01T10:00:41Z elevation 400", "  name \"Left\"",
      "  description \"at the mill\"", "  type \"Left\"",
      "waypoint 45.125 6.125 2024-05-01T10:00:42Z", "  name \"Here\"",
      "late, about the file", "  creator \"Sample\"", "  description \"both\"",
    ]
    #expect(transcript.lines == expected)
  }

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

  private static func tpx(_ inside: String) -> String {
    "<Extensions><ns3:TPX>\(inside)</ns3:TPX></Extensions>"
  }

  static let children = [
    Child("<AltitudeMeters>-12.5</AltitudeMeters>", " elevation -12.5"),
    Child("<AltitudeMeters> 1E2 </AltitudeMeters>", " elevation 100"),
    Child("<AltitudeMeters/><DistanceMeters></DistanceMeters>"),
    Child("<DistanceMeters>1234.5</DistanceMeters>", " distance 1234.5"),
    Child("<HeartRateBpm><Value>99</Value></HeartRateBpm>", " heartRate 99"),
    Child(
      "<HeartRateBpm xsi:type=\"HeartRateInBeatsPerMinute_t\" xmlns:xsi=\"u\"><Value>99</Value></HeartRateBpm>",
      " heartRate 99"),
    Child("<HeartRateBpm>99</HeartRateBpm>", " heartRate 99"),
    Child("<HeartRateBpm><Value a=\"b\">99</Value></HeartRateBpm>", " heartRate 99"),
    Child("<Cadence>70</Cadence>", " cadence 70"),
    Child("<SensorState>Absent</SensorState>"),
    Child("<Extensions/>"), Child("<Extensions></Extensions>"), Child(tpx("")),
    Child(tpx("<ns3:Speed>3.25</ns3:Speed>"), " speed 3.25"),
    Child(tpx("<ns3:Speed>-1</ns3:Speed>")),
    Child(tpx("<ns3:Watts>250</ns3:Watts>"), " power 250"),
    Child(tpx("<ns3:RunCadence>85</ns3:RunCadence>"), " cadence 85"),
    Child("<Cadence>85</Cadence>" + tpx("<ns3:RunCadence>85</ns3:RunCadence>"), " cadence 85"),
    Child(
      "<Cadence>70</Cadence>" + tpx("<ns3:RunCadence>85</ns3:RunCadence>"), " cadence 70",
      "  extension {\(TCXSample.extensions)}TPX", "    extension {\(TCXSample.extensions)}RunCadence",
      "      text \"85\""),
    Child(
      "<Extensions><TPX xmlns=\"\(TCXSample.extensions)\"><Speed>2</Speed></TPX></Extensions>", " speed 2"),
    Child(
      "<Extensions><x:ActivityTrackpointExtension "
        + "xmlns:x=\"http://www.garmin.com/xmlschemas/ActivityExtension/v1\"><x:Speed>2</x:Speed>"
        + "<x:RunCadence>90</x:RunCadence></x:ActivityTrackpointExtension></Extensions>",
      " speed 2 cadence 90"),
    // By namespace, never by prefix.
    Child(
      "<Extensions><ns3:TPX xmlns:ns3=\"urn:other\"><ns3:Speed>2</ns3:Speed></ns3:TPX></Extensions>", "",
      "  extension {urn:other}TPX", "    extension {urn:other}Speed", "      text \"2\""),
    Child(
      "<Extensions><ns3:TPX CadenceSensor=\"Footpod\"><ns3:Watts>9</ns3:Watts></ns3:TPX></Extensions>",
      " power 9",
      "  extension {\(TCXSample.extensions)}TPX CadenceSensor=\"Footpod\""),
    Child(
      tpx("<ns3:Watts>9</ns3:Watts><ns3:Extensions><a xmlns=\"u\" b=\"c\">d</a></ns3:Extensions>"),
      " power 9",
      "  extension {\(TCXSample.extensions)}TPX", "    extension {\(TCXSample.extensions)}Extensions",
      "      extension {u}a b=\"c\"", "        text \"d\""),
    Child(
      "<Extensions><p xmlns=\"u\"><q/></p><r xmlns=\"v\">s</r></Extensions>", "",
      "  extension {u}p", "    extension {u}q", "  extension {v}r", "    text \"s\""),
  ]

  @Test("A child of a trackpoint is read before and after its position", arguments: children)
  func child(_ child: Child) {
    let time = "<Time>2024-05-01T10:00:00Z</Time>"
    let position = TCXSample.position("1", "2")
    for inside in [time + position + child.xml, child.xml + position + time] {
      let transcript = Transcript(tcx: TCXSample.track("<Trackpoint>\(inside)</Trackpoint>"))
      #expect(
        transcript.points == [
          (["point 1 2 2024-05-01T10:00:00Z" + child.line] + child.below).joined(separator: "\n")
        ])
      #expect(transcript.warnings == [] && transcript.error == nil && transcript.violations == [])
    }
  }

  @Test("A trackpoint without a position is omitted and counted, even in strict reading")
  func positionless() throws {
    for position in ["", "<Position/>", "<Position></Position>", "<Position><LatitudeDegrees/></Position>"] {
      let empty = "<Trackpoint><Time>2024-05-01T10:00:00Z</Time>\(position)</Trackpoint>"
      let text = TCXSample.track("\n" + empty + TCXSample.point(1, 1, 2) + empty + "<Trackpoint/>")
      let isBlank = !position.contains("Lat")
      let transcript = Transcript(tcx: text, isStrict: isBlank)
      #expect(transcript.points == ["point 1 2 2024-05-01T10:00:01Z"])
      #expect(transcript.error == nil && transcript.violations == [])
      if isBlank {
        #expect(transcript.warnings.map(\.code.description) == ["missing-position"])
        #expect(transcript.warnings.map(\.count) == [3])
        #expect(transcript.warnings.first?.place.line == 3)
      }
    }
  }

  @Test("Missing, different and undeclared namespaces have no effect")
  func namespaces() {
    let expected = Transcript(tcx: TCXSample.everything).points
    for other in [
      "urn:other", "", "http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v1",
    ] {
      let text = TCXSample.everything.replacing(TCXSample.namespace, with: other)
      #expect(Transcript(tcx: text).points == expected)
    }
    let prefixed = TCXSample.activity(
      "<Lap><Track><Trackpoint>\(TCXSample.position("1", "2"))<Extensions><u:TPX><u:Speed>3</u:Speed></u:TPX>"
        + "</Extensions></Trackpoint></Track></Lap>")
    let transcript = Transcript(tcx: prefixed)
    #expect(transcript.points == ["point 1 2 speed 3"])
    #expect(transcript.warnings.map(\.code) == [.undeclaredPrefix])
    let root = TCXSample.everything
      .replacing("<TrainingCenterDatabase xmlns=", with: "<t:TrainingCenterDatabase xmlns:t=\"urn:t\" xmlns=")
      .replacing("</TrainingCenterDatabase>", with: "</t:TrainingCenterDatabase>")
    #expect(Transcript(tcx: root).points == expected)
  }

  @Test("White space before the XML declaration is ignored")
  func leadingBlanks() {
    #expect(
      Transcript(tcx: "\n   \t" + TCXSample.everything).lines == Transcript(tcx: TCXSample.everything).lines)
  }

  @Test("Empty containers are delivered")
  func emptyContainers() {
    let transcript = Transcript(
      tcx: TCXSample.tcx(
        "<Activities><Activity/><Activity><Lap/><Lap><Track/></Lap><Lap><Track></Track></Lap></Activity></Activities>"
          + "<Courses><Course/><Course><Track/></Course></Courses>"))
    #expect(
      transcript.lines.filter { !$0.hasPrefix("  ") } == [
        "header", "track", "end of track", "track", "segment", "end of segment",
        "late, about the track or route", "segment", "end of segment", "end of track",
        "track", "end of track", "track", "segment", "end of segment", "end of track",
      ])
    #expect(transcript.lines.count { $0 == "  lap" } == 3)
    #expect(transcript.lines.count { $0 == "  type \"Course\"" } == 2)
    #expect(transcript.violations == [] && transcript.warnings == [])
    #expect(Transcript(tcx: "<TrainingCenterDatabase/>").lines == ["header"])
  }

  @Test("An Id that is not a time is kept as an extension")
  func identifier() {
    let transcript = Transcript(tcx: TCXSample.activity("<Id>android_id:f9b2</Id>"))
    #expect(
      transcript.lines.suffix(5) == [
        "track", "  type \"Biking\"", "  extension {\(TCXSample.namespace)}Id",
        "    text \"android_id:f9b2\"",
        "end of track",
      ])
    #expect(transcript.warnings == [])
  }

  @Test("Elements of laps, notes and devices in an unusual order are kept")
  func outOfOrder() {
    let transcript = Transcript(
      tcx: TCXSample.activity(
        "<Creator><Name>Watch</Name></Creator><Notes>before</Notes><Lap><Track>\(TCXSample.point(1, 1, 2))</Track>"
          + "<TotalTimeSeconds>9</TotalTimeSeconds></Lap><Id>2024-05-01T10:00:00Z</Id>"))
    #expect(transcript.warnings == [])
    #expect(
      transcript.lines.dropFirst(2) == [
        "track", "  description \"before\"", "  source \"Watch\"", "  type \"Biking\"", "  lap", "segment",
        "point 1 2 2024-05-01T10:00:01Z", "end of segment", "late, about the track or route",
        "  from 2024-05-01T10:00:00Z to ?", "  extension {\(TCXSample.namespace)}Lap",
        "    extension {\(TCXSample.namespace)}TotalTimeSeconds", "      text \"9\"", "end of track",
      ])
  }

  @Test("A fixture matches its golden transcript", arguments: Fixture.all(of: "tcx"))
  func golden(_ fixture: Fixture) throws {
    try Golden.expect(Transcript(tcx: try fixture.bytes()), of: fixture)
  }

  @Test("There are fixtures")
  func fixturesExist() { #expect(Fixture.all(of: "tcx").count >= 6) }

  @Test("Files of the corpus have the expected content", arguments: CorpusFigures.all(in: "tcx"))
  func corpus(_ figures: CorpusFigures) throws {
    var reader = TCXReader(ByteInput(bytes: try figures.bytes()))
    #expect(figures.differences(from: try TrackDocument(reading: &reader)) == [])
  }

  @Test("The corpus exists", .enabled(if: Fixture.hasShared, "needs the conformance corpus in ../shared"))
  func corpusIsThere() { #expect(CorpusFigures.all(in: "tcx").count >= 17) }
}
