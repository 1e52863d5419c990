import Testing
import TrackModel

@testable import TrackFormats

@Suite("SML reader")
struct SMLReaderTests {
  private static func log(_ samples: String) -> String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <sml Version="2.3.6" xmlns="http://www.suunto.com/schemas/sml"><DeviceLog>
    <Header><Activity>Cycling</Activity><DateTime>2015-10-01T13:59:29</DateTime><Speed><Max>9</Max></Speed></Header>
    <Device><Name>Suunto Ambit2</Name></Device>
    <Samples>\(samples)</Samples></DeviceLog></sml>
    """
  }

  @Test("Positions are radians, frequencies hertz, temperatures kelvins, and sensors have their own samples")
  func values() throws {
    // π/4 is 45 degrees, −π/6 is −30; 1.2833333 Hz are 77 per minute; 294.45 K are 21.3 °C.
    let transcript = try Transcript(
      .sml,
      Self.log(
        """
        <Sample><UTC>2015-10-01T12:00:00Z</UTC><Time>0</Time><Events><Pause><Type>31</Type><Distance>0</Distance>
        </Pause></Events></Sample>
        <Sample><HR>1.283333333333333</HR><Temperature>294.45</Temperature><Altitude>415</Altitude><Cadence>1.5</Cadence>
        <BikePower>210</BikePower><Distance>7</Distance><Speed>3.96</Speed><Time>1</Time></Sample>
        <Sample><Latitude>0.7853981633974483</Latitude><Longitude>-0.5235987755982988</Longitude><EHPE>3</EHPE>
        <GPSAltitude>400</GPSAltitude><UTC>2015-10-01T12:00:02Z</UTC><Time>2</Time></Sample>
        <Sample><Latitude>0.7853981633974483</Latitude><Longitude>0</Longitude><GPSAltitude>401</GPSAltitude>
        <Time>4.5</Time></Sample>
        <Sample><Latitude>2</Latitude><Longitude>0</Longitude><Time>5</Time></Sample>
        """))
    #expect(
      transcript.lines == [
        "header", "track", "  source \"Suunto Ambit2\"", "  type \"Cycling\"", "segment",
        "point 45 -30 2015-10-01T12:00:02Z elevation 415 horizontalAccuracy 3 speed 3.96 heartRate 77 cadence 90"
          + " power 210 temperature 21.3 distance 7", "point 45 0 2015-10-01T12:00:04.500Z elevation 415",
        "end of segment", "end of track",
      ])
    #expect(transcript.warnings.map(\.code) == [.invalidPosition])
    #expect(transcript.violations == [])
  }

  @Test("Ends of laps beyond the limit are ignored with a counted warning")
  func lapLimit() throws {
    let ends = (0..<10_002).map {
      "<Sample><UTC>2024-08-05T10:00:01Z</UTC><Time>\($0)</Time><Events><Lap/></Events></Sample>"
    }
    let warnings = try Transcript(once: .sml, Self.log(ends.joined())).warnings
    #expect(warnings.map(\.code) == [.limitExceeded])
    #expect(warnings.first?.count == 2)
    #expect(warnings.first?.message.contains("10000 ends of laps") == true)
  }

  @Test("Samples with UTC alone have the sensors of the two seconds before them")
  func agesInUTC() throws {
    func point(_ time: String) -> String {
      "<Sample><UTC>2024-08-05T10:\(time)Z</UTC><Latitude>0</Latitude><Longitude>0</Longitude></Sample>"
    }
    // 2 Hz are 120 per minute, 2.5 Hz are 150.
    let transcript = try Transcript(
      .sml,
      Self.log(
        "<Sample><UTC>2024-08-05T10:00:00Z</UTC><HR>2</HR></Sample>" + point("00:00.500") + point("00:02")
          + point("00:02.500")
          + "<Sample><Time>3600</Time><UTC>2024-08-05T11:00:00Z</UTC><HR>2.5</HR></Sample>"
          + point("59:58") + point("59:57.500")))
    #expect(
      transcript.points == [
        "point 0 0 2024-08-05T10:00:00.500Z heartRate 120", "point 0 0 2024-08-05T10:00:02Z heartRate 120",
        "point 0 0 2024-08-05T10:00:02.500Z", "point 0 0 2024-08-05T10:59:58Z heartRate 150",
        "point 0 0 2024-08-05T10:59:57.500Z",
      ])
  }

  @Test("Times since the start count from that of the header, unless a sample has both")
  func timesOfHeader() throws {
    func point(_ seconds: Double, utc: String = "") -> String {
      "<Sample><Time>\(seconds)</Time>\(utc)<Latitude>0</Latitude><Longitude>0</Longitude></Sample>"
    }
    let lap = "<Sample><Events><Lap><Type>Manual</Type></Lap></Events><Time>3</Time></Sample>"
    let local = try Transcript(.sml, Self.log(point(0.5) + lap + point(9)))
    #expect(local.points == ["point 0 0 2015-10-01T13:59:29.500Z", "point 0 0 2015-10-01T13:59:38Z"])
    #expect(local.warnings.map(\.code) == [.timeWithoutZone])
    #expect(local.lines.contains { $0.contains("2.5") && $0.contains("Manual") })
    let zoned = try Transcript(.sml, Self.log(point(0.5)).replacing("13:59:29", with: "13:59:29+02:00"))
    #expect(zoned.points == ["point 0 0 2015-10-01T11:59:29.500Z"])
    #expect(zoned.warnings == [])
    let utc = try Transcript(
      .sml, Self.log(point(0.5) + point(1, utc: "<UTC>2015-10-01T12:00:01Z</UTC>") + point(2)))
    #expect(
      utc.points == [
        "point 0 0 2015-10-01T12:00:00.500Z", "point 0 0 2015-10-01T12:00:01Z",
        "point 0 0 2015-10-01T12:00:02Z",
      ])
    #expect(utc.warnings == [])
    let many = try Transcript(.sml, Self.log((0..<1000).map { point(Double($0)) }.joined()))
    #expect(many.points.count == 1000 && many.points.last == "point 0 0 2015-10-01T14:16:08Z")
    let json =
      #"{"DeviceLog":{"Header":{"DateTime":"2015-10-01T13:59:29+02:00"},"Samples":[{"Latitude":0,"Longitude":0,"Time":1}]}}"#
    #expect(try Transcript(.sml, json).points == ["point 0 0 2015-10-01T11:59:30Z"])
  }

  @Test("A truncated log keeps its complete samples")
  func truncated() throws {
    let sample = "<Sample><Latitude>0.1</Latitude><Longitude>0</Longitude></Sample>"
    let cut = Self.log(sample + sample).replacing("</Samples></DeviceLog></sml>", with: "<Sample><Lat")
    let transcript = try Transcript(.sml, cut)
    #expect(transcript.points.count == 2)
    #expect(transcript.warnings.map(\.code) == [.truncated])
    #expect(transcript.error == nil)
  }

  @Test("A log is recognized by its root element")
  func recognition() throws {
    #expect(detected(Array(Self.log("").utf8)) == "sml")
    #expect(try Transcript(.sml, Self.log("")).lines == ["header"])
    #expect(try Transcript(.sml, "<gpx/>").error?.code == .unknownFormat)
  }

  private static func point(_ second: Int, _ values: String = "") -> String {
    "<Sample><UTC>2024-08-05T10:00:\(10 + second)Z</UTC><Latitude>0</Latitude><Longitude>0</Longitude>\(values)</Sample>"
  }

  private static func event(_ second: Int, _ event: String) -> String {
    "<Sample><UTC>2024-08-05T10:00:\(10 + second)Z</UTC><Events>\(event)</Events></Sample>"
  }

  @Test("Marks of laps are laps, and pauses change nothing")
  func events() throws {
    let transcript = try Transcript(
      .sml,
      Self.log(
        Self.event(0, "<Pause><State>False</State></Pause>") + Self.event(0, "<Lap><Type>Start</Type></Lap>")
          + Self.point(0) + Self.point(1) + Self.event(1, "<Pause><State>True</State></Pause>")
          + Self.event(5, "<Pause><State>False</State></Pause>") + Self.point(6)
          + Self.event(7, "<Lap><Type>Distance</Type></Lap>")
          + Self.event(8, "<Lap><Type>Manual</Type></Lap>")
          + Self.point(9) + Self.point(12) + Self.event(12, "<Lap><Type>Stop</Type></Lap>")))
    #expect(
      transcript.lines.filter { !$0.hasPrefix("point") } == [
        "header", "track", "  source \"Suunto Ambit2\"", "  type \"Cycling\"", "segment", "end of segment",
        "late, about the track or route",
        "  lap 2024-08-05T10:00:10Z elapsed 8 trigger \"Manual\"",
        "  lap 2024-08-05T10:00:18Z elapsed 4", "end of track",
      ])
    #expect(transcript.violations == [])
  }

  @Test("All elevations have one source")
  func elevations() throws {
    func altitudes(_ samples: String) throws -> [Substring?] {
      try Transcript(.sml, Self.log(samples)).points.map { point in
        point.firstRange(of: "elevation ").map { point[$0.upperBound...] }
      }
    }
    func barometer(_ second: Int, _ altitude: Double) -> String {
      "<Sample><UTC>2024-08-05T10:00:\(10 + second)Z</UTC><Altitude>\(altitude)</Altitude></Sample>"
    }
    let receiver = "<GPSAltitude>90</GPSAltitude>"
    // The barometer of the watch writes zeros.
    #expect(
      try altitudes(
        barometer(0, 0) + Self.point(0, receiver) + barometer(1, 0) + Self.point(1, receiver)) == [
          "90", "90",
        ])
    // The first points precede the first altitude of the barometer.
    #expect(
      try altitudes(
        Self.point(0, receiver) + Self.point(1, receiver) + barometer(2, 105) + Self.point(2, receiver)
          + Self.point(11, receiver)) == [nil, nil, "105", "105"])
    #expect(try altitudes(Self.point(0, receiver)) == ["90"])
  }

  @Test("The speed and heading of the receiver are used without others")
  func receiver() throws {
    // π/2 is 90 degrees.
    let values = "<GPSSpeed>4</GPSSpeed><GPSHeading>1.5707963267948966</GPSHeading>"
    #expect(
      try Transcript(.sml, Self.log(Self.point(0, values) + Self.point(1, values + "<Speed>5</Speed>")))
        .points
        == [
          "point 0 0 2024-08-05T10:00:10Z speed 4 course 90",
          "point 0 0 2024-08-05T10:00:11Z speed 5 course 90",
        ])
  }
}
