import Testing
import TrackModel

@testable import TrackFormats

@Suite("Suunto logs in JSON")
struct SMLDocumentTests {
  /// π/4 is 45 degrees, −π/6 is −30; 1.5 Hz are 90 per minute.
  private static let point =
    #"{"Latitude":0.7853981633974483,"Longitude":-0.5235987755982988,"GPSAltitude":400}"#

  @Test(
    "The samples of the app and of the service are read",
    arguments: [
      #"{"DeviceLog":{"Header":{"Device":{"Name":"Suunto 9"},"ActivityType":4},"R-R":null,"Samples":["#
        + #"{"HR":1.5,"Speed":null,"TimeISO8601":"2026-08-05T18:57:55.500+02:00"},"#
        + #"{"Latitude":0.7853981633974483,"Longitude":-0.5235987755982988,"GPSAltitude":400,"#
        + #""UTC":"2026-08-05T16:57:56Z","TimeISO8601":"2026-08-05T18:57:56.100+02:00"}]}}"#,
      #"{"Samples":[{"Attributes":{"suunto/sml":{"Sample":{"HR":1.5}}},"TimeISO8601":"2026-08-05T18:57:55.500+02:00"},"#
        + #"{"Attributes":{"suunto/sml":{"R-R":{"IBI":[700]}}},"TimeISO8601":"2026-08-05T18:57:55.600+02:00"},"#
        + #"{"Attributes":{"suunto/sml":{"Sample":\#(point)}},"TimeISO8601":"2026-08-05T18:57:56+02:00"}]}"#,
      #"{"Samples":[{"Attributes":"{\"suunto/sml\":{\"Sample\":{\"HR\":1.5}}}","TimeISO8601":"2026-08-05T18:57:55+02:00"},"#
        + #"{"Attributes":"{\"suunto/sml\":{\"Sample\":{\"Latitude\":0.7853981633974483,\"Longitude\":-0.5235987755982988,"#
        + #"\"GPSAltitude\":400}}}","TimeISO8601":"2026-08-05T18:57:56+02:00"}]}"#,
    ])
  func samples(_ text: String) throws {
    #expect(detected(Array(text.utf8)) == "sml")
    let transcript = try Transcript(.sml, text)
    #expect(transcript.points == ["point 45 -30 2026-08-05T16:57:56Z elevation 400 heartRate 90"])
    #expect(transcript.warnings == [])
    #expect(transcript.violations == [])
    #expect(transcript.error == nil)
  }

  @Test("A truncated log keeps its complete samples, and other JSON is refused")
  func faults() throws {
    let entry = #"{"Attributes":{"suunto/sml":{"Sample":\#(Self.point)}}}"#
    let cut = try Transcript(.sml, #"{"Samples":[\#(entry),\#(entry),{"Attributes":{"suun"#)
    #expect(cut.points.count == 2)
    #expect(cut.warnings.map(\.code) == [.truncated])
    #expect(try Transcript(.sml, "{}").error?.code == .malformed)
  }

  @Test("Marks are laps, pauses change nothing, and the kind of activity is a number")
  func events() throws {
    func sample(_ second: Int, _ sample: String) -> String {
      #"{"Attributes":{"suunto/sml":{"Sample":\#(sample)}},"TimeISO8601":"2026-08-05T16:57:\#(10 + second)Z"}"#
    }
    let samples = [
      sample(0, #"{"Events":[{"Activity":{"ActivityType":82}}]}"#), sample(0, Self.point),
      sample(1, Self.point),
      sample(1, #"{"Events":[{"Pause":{"State":true,"Type":"Manual"}}]}"#),
      sample(8, #"{"Events":{"Pause":{"State":false}}}"#),
      sample(9, #"{"Events":[{"Lap":{"Type":"Manual"}}]}"#), sample(9, Self.point), sample(12, Self.point),
    ]
    let transcript = try Transcript(.sml, #"{"Samples":[\#(samples.joined(separator: ","))]}"#)
    #expect(
      transcript.lines.filter { !$0.hasPrefix("point") } == [
        "header", "track", "  type \"Trail running\"", "segment", "end of segment",
        "late, about the track or route", "  lap 2026-08-05T16:57:10Z elapsed 9 trigger \"Manual\"",
        "  lap 2026-08-05T16:57:19Z elapsed 3", "end of track",
      ])
    #expect(transcript.warnings == [])
    #expect(transcript.violations == [])
  }

  @Test("The kind of activity in a header after the samples is that of the track")
  func lateHeader() throws {
    let transcript = try Transcript(
      .sml, #"{"DeviceLog":{"Samples":[\#(Self.point)],"Header":{"ActivityType":4}}}"#)
    #expect(transcript.lines.contains("  type \"Cycling\""))
    #expect(transcript.violations == [])
  }
}
