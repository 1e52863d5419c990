import Testing
import TrackModel

@testable import TrackFormats

@Suite("OwnTracks reader")
struct OwnTracksReaderTests {
  private static func location(_ second: Int, _ rest: String = "") -> String {
    #"{"_type":"location","lat":46.5,"lon":7.25,"tst":\#(1_714_521_600 + second)\#(rest)}"#
  }

  @Test("Locations have the time of the fix, kilometres per hour, and -1 for unknown values")
  func values() throws {
    // 1714521600 is 2024-05-01 00:00 UTC; 36 km/h are 10 m/s.
    let transcript = try Transcript(
      .owntracks,
      """
      2024-05-01T00:10:01Z\t*                 \t\(Self.location(0, #","alt":500,"vel":36,"cog":360,"acc":12,"vac":3"#))
      2024-05-01T00:10:01Z  *  \(Self.location(1, #","vel":-1,"cog":-1,"acc":-1,"vac":0,"inregions":["a"]"#))
      2024-05-01T00:10:02Z\tlwt               \t{"_type":"lwt","tst":1714521600}
      2024-05-01T00:10:02Z\tevents            \t{"_type":"transition","lat":1,"lon":2,"tst":1714521600,"event":"enter"}
      2024-05-01T00:10:03Z\twaypoint          \t{"_type":"waypoint","desc":"Home","lat":1.5,"lon":2.5,"rad":50,"tst":"1714521600"}
      2024-05-01T00:10:03Z\tcmd               \tdump
      2024-05-01T00:10:03Z\tstatus

      2024-05-01T00:10:03Z\t*                 \t{"_type":"location","lat":"46.75","lon":"7.5","tst":"1714521602"}
      """)
    #expect(
      transcript.lines == [
        "header", "track", "segment",
        "point 46.5 7.25 2024-05-01T00:00:00Z elevation 500 horizontalAccuracy 12 verticalAccuracy 3 speed 10 course 0",
        "point 46.5 7.25 2024-05-01T00:00:01Z", "point 46.75 7.5 2024-05-01T00:00:02Z", "end of segment",
        "end of track", "waypoint 1 2 2024-05-01T00:00:00Z", "  type \"enter\"",
        "waypoint 1.5 2.5 2024-05-01T00:00:00Z", "  name \"Home\"",
      ])
    #expect(transcript.warnings == [])
    #expect(transcript.violations == [])
  }

  @Test("The regions in a list are waypoints")
  func regions() throws {
    let region = #"{"_type":"waypoint","desc":"A","lat":1.5,"lon":2.5,"tst":1714521600}"#
    let transcript = try Transcript(
      .owntracks,
      "2024-05-01T00:10:01Z\twaypoints\t"
        + #"{"_type":"waypoints","waypoints":[\#(region),7,{"lat":91,"lon":0},{"desc":"B","lat":3,"lon":4,"#
        + #""waypoints":[\#(region)]}]}"# + "\n2024-05-01T00:10:01Z\t*\t\(Self.location(0))\n")
    #expect(
      transcript.lines.filter { $0.contains("waypoint") || $0.contains("name") } == [
        "waypoint 1.5 2.5 2024-05-01T00:00:00Z", "  name \"A\"", "waypoint 3 4", "  name \"B\"",
      ])
    #expect(transcript.points.count { $0.hasPrefix("point") } == 1)
    #expect(transcript.warnings == [])
  }

  @Test("Damaged lines and invalid positions are counted")
  func damaged() throws {
    let good = "2024-05-01T00:10:01Z\t*\t\(Self.location(0))\n"
    let text =
      good + "2024-05-01T00:10:01Z\t*\t{\"_type\":\"loca\n" + "x * {}\n"
      + "2024-05-01T00:10:01Z\t*\t{\"_type\":\"location\",\"lat\":91,\"lon\":0,\"tst\":1}\n" + good
    let transcript = try Transcript(.owntracks, text)
    #expect(transcript.points.count == 2)
    #expect(
      transcript.warnings.map { "\($0.code) \($0.count) \($0.place.line ?? 0)" } == [
        "invalid-line 2 2", "invalid-position 1 4",
      ])
    #expect(try Transcript(.owntracks, text, isStrict: true).error?.place.line == 2)
  }

  @Test(
    "Messages are found in JSON of any layout",
    arguments: [
      "\(location(0))\n\(location(1))", "[\(location(0)),\(location(1))]",
      #"{"count":2,"data":[\#(location(0)),{"_type":"lwt"},\#(location(1))],"status":200}"#,
      #"{"jane":{"phone":[\#(location(0)),\#(location(1))]}}"#,
    ])
  func documents(_ text: String) throws {
    let transcript = try Transcript(.owntracks, text)
    #expect(
      transcript.lines == [
        "header", "track", "segment", "point 46.5 7.25 2024-05-01T00:00:00Z",
        "point 46.5 7.25 2024-05-01T00:00:01Z", "end of segment", "end of track",
      ])
    #expect(detected(Array(text.utf8)) == "owntracks")
  }

  @Test("Each array of locations is a track, so that devices stay separate")
  func devices() throws {
    let transcript = try Transcript(
      .owntracks, #"{"jane":{"phone":[\#(Self.location(0))],"watch":[\#(Self.location(1))]}}"#)
    #expect(transcript.lines.filter { $0 == "track" }.count == 2)
    #expect(transcript.violations == [])
  }

  @Test("A truncated document keeps its complete messages")
  func truncated() throws {
    let transcript = try Transcript(.owntracks, "[\(Self.location(0)),\(Self.location(1)),{\"_type\":\"loc")
    #expect(transcript.points.count == 2)
    #expect(transcript.warnings.map(\.code) == [.truncated])
    #expect(transcript.error == nil)
    #expect(transcript.violations == [])
    #expect(try Transcript(.owntracks, "[\(Self.location(0))!").error?.code == .malformed)
  }

  @Test("Lines of the recorder are recognized, other lines with JSON are not")
  func recognition() {
    #expect(detected(Array("2024-05-01T00:10:01Z\t*  \t\(Self.location(0))\n".utf8)) == "owntracks")
    #expect(detected(Array("log: * {\"a\":1}\n".utf8)) != "owntracks")
    #expect(detected(Array(#"{"type":"FeatureCollection","features":[]}"#.utf8)) == "geojson")
  }

  @Test(
    "Encrypted messages are counted",
    arguments: [
      "2024-05-01T00:10:01Z\t*\tE\n2024-05-01T00:10:02Z\t*\tE\n2024-05-01T00:10:02Z\t*\t\(location(0))\n",
      "[E,E,\(location(0))]",
    ])
  func encrypted(layout: String) throws {
    let text = layout.replacing("E", with: #"{"_type":"encrypted","data":"AAAA"}"#)
    #expect(detected(Array(text.utf8)) == "owntracks")
    let transcript = try Transcript(.owntracks, text)
    #expect(transcript.points.count == 1)
    #expect(transcript.warnings.map { "\($0.code) \($0.count)" } == ["encrypted 2"])
  }
}
