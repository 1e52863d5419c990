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
          + " power 210 temperature 21.3 distance 7", "point 45 0 2015-10-01T12:00:04.500Z elevation 401",
        "end of segment", "end of track",
      ])
    #expect(transcript.warnings.map(\.code) == [.invalidPosition])
    #expect(transcript.violations == [])
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
}
