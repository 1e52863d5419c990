import Foundation
import GhostModel
import TestSupport
import Testing
import TrackFormats
import TrackModel

@testable import BulkImport

@Suite("Track of an input")
struct InputTrackTests {
  /// Two tracks on the equator: one of 0.001 degrees of longitude, and one of 0.003.
  private static let tracks = """
    <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Short</name><trkseg>
    <trkpt lat="0" lon="0"><time>2024-05-17T06:00:00Z</time></trkpt>
    <trkpt lat="0" lon="0.001"><time>2024-05-17T06:00:10Z</time></trkpt>
    </trkseg></trk><trk><name>Long</name><trkseg>
    <trkpt lat="0" lon="1"><time>2024-05-17T07:00:00Z</time></trkpt>
    <trkpt lat="0" lon="1.003"><time>2024-05-17T07:00:30Z</time></trkpt>
    </trkseg></trk></gpx>
    """

  private static func track(
    _ text: String, number: Int? = nil, rules: ImportOptions = ImportOptions()
  ) throws(TrackError) -> InputTrack {
    var opening = TrackOpening()
    opening.stages = InputTrack.stages
    var input = try opening.open(ByteInput(bytes: Array(text.utf8)))
    var options = InputTrack.Options()
    options.track = number
    options.rules = rules
    let format = input.format
    return try InputTrack(&input.reader, format: format, options: options)
  }

  @Test(
    "The longest track is chosen, or the one with the given number",
    arguments: [(nil, "Long", 2, 30.0), (1, "Short", 1, 10), (2, "Long", 2, 30)]
      as [(Int?, String, Int, Double)])
  func choice(number: Int?, name: String, chosen: Int, duration: Double) throws {
    let track = try Self.track(Self.tracks, number: number)
    #expect(track.name == name)
    #expect(track.number == chosen)
    #expect(track.count == 2)
    let trace = try track.trace(label: "a", source: "a.gpx", ImportOptions())
    #expect(trace.duration == duration)
    #expect(trace.source == "a.gpx")
  }

  @Test("A number above the number of tracks is an error")
  func missing() {
    let error = #expect(throws: TrackError.self) { _ = try Self.track(Self.tracks, number: 3) }
    #expect(error?.code == .noTracks)
  }

  @Test("A route needs a duration or a speed")
  func route() throws {
    let text = """
      <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><rte>
      <rtept lat="0" lon="0"/><rtept lat="0" lon="0.01"/></rte></gpx>
      """
    let error = #expect(throws: TrackError.self) { _ = try Self.track(text) }
    #expect(error?.code == .noTracks)
    #expect(error?.suggestion == .provideDurationOrSpeedOfRoute)
    var rules = ImportOptions()
    rules.duration = 90
    let track = try Self.track(text, rules: rules)
    #expect(try track.trace(label: "a", source: "a.gpx", rules).duration == 90)
  }

  @Test("A drive document keeps its duration in both engines, whatever the options say")
  func document() throws {
    let blob = Data(#"[{"lat":0,"lon":0},{"lat":0,"lon":0.01}]"#.utf8).base64EncodedString()
    let text = #"{"name": "Home", "duration": 60, "coordinatesData": "\#(blob)"}"#
    var rules = ImportOptions()
    rules.duration = 90
    let track = try Self.track(text, rules: rules)
    #expect(try track.trace(label: "a", source: "a.json", rules).duration == 60)
    #expect(try track.trail(label: "a", rules).0.drive.duration == 60)
  }

  @Test("A drive document with a duration of 0 is stationary, whatever the options say")
  func stationary() throws {
    let blob = Data(#"[{"lat":0,"lon":0},{"lat":0,"lon":0.01}]"#.utf8).base64EncodedString()
    var rules = ImportOptions()
    rules.duration = 90
    let track = try Self.track(#"{"duration": 0, "coordinatesData": "\#(blob)"}"#, rules: rules)
    #expect(try track.trail(label: "a", rules).0.drive.duration == 0)
    #expect(try track.trace(label: "a", source: "a.json", rules).duration == 0)
  }

  @Test("A drive document without a duration lasts from its start to its end, or as long as the options say")
  func span() throws {
    let blob = Data(#"[{"lat":0,"lon":0},{"lat":0,"lon":0.01}]"#.utf8).base64EncodedString()
    let times = #""startTime": "2024-05-17T06:00:00Z", "endTime": "2024-05-17T06:00:40Z", "#
    var rules = ImportOptions()
    rules.duration = 90
    for (fields, duration) in [(times, 40.0), ("", 90)] {
      let track = try Self.track("{\(fields)\"coordinatesData\": \"\(blob)\"}", rules: rules)
      #expect(try track.trail(label: "a", rules).0.drive.duration == duration)
    }
    let error = #expect(throws: TrackError.self) {
      _ = try Self.track(#"{"coordinatesData": "\#(blob)"}"#)
    }
    #expect(error?.code == .noTimes)
  }
}
