import GhostModel
import TestSupport
import Testing
import TrackFormats
import TrackModel
import TrackTransforms

@testable import BulkImport

@Suite("Ghost of an input")
struct GhostInputTests {
  /// A track without points, one of 10 s and one of 30 s.
  private static let tracks = """
    <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg/></trk><trk><trkseg>
    <trkpt lat="0" lon="0"><time>2024-05-17T06:00:00Z</time></trkpt>
    <trkpt lat="0" lon="0.001"><time>2024-05-17T06:00:10Z</time></trkpt>
    </trkseg></trk><trk><trkseg>
    <trkpt lat="0" lon="1"><time>2024-05-17T07:00:00Z</time></trkpt>
    <trkpt lat="0" lon="1.003"><time>2024-05-17T07:00:30Z</time></trkpt>
    </trkseg></trk></gpx>
    """

  private static func ghost(
    _ text: String, track: Int? = nil, isStrict: Bool = false, rules: ImportOptions = ImportOptions()
  ) throws(TrackError) -> GhostInput {
    var opening = TrackOpening()
    opening.isStrict = isStrict
    opening.stages = GhostInput.stages
    var input = try opening.open(ByteInput(bytes: Array(text.utf8)))
    return try GhostInput(&input.reader, track: track, isStrict: isStrict, rules: rules)
  }

  @Test(
    "The first track with points is chosen, or the one with the given number",
    arguments: [(nil, 10), (1, 10), (2, 30)] as [(Int?, Double)])
  func choice(track: Int?, duration: Double) throws {
    #expect(try Self.ghost(Self.tracks, track: track).trail.duration == duration)
  }

  @Test(
    "An input without the track is an error",
    arguments: [
      (Self.tracks, 3, "contains 2 tracks; track 3 was requested"),
      ("<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"/>", nil, "no track with points"),
    ] as [(String, Int?, String)])
  func missing(text: String, track: Int?, message: String) {
    let error = #expect(throws: TrackError.self) { _ = try Self.ghost(text, track: track) }
    #expect(error?.code == .noTracks)
    #expect(error?.message == message)
  }

  @Test("Points without times need a duration or a speed, and are spread evenly")
  func untimed() throws {
    let text = """
      <gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      <trkpt lat="0" lon="0"/><trkpt lat="0" lon="0.01"/></trkseg></trk></gpx>
      """
    let error = #expect(throws: TrackError.self) { _ = try Self.ghost(text) }
    #expect(error?.code == .noTimes)
    var rules = ImportOptions()
    rules.duration = 60
    let trail = try Self.ghost(text, rules: rules).trail
    #expect(trail.duration == 60)
    let middle = try #require(trail.state(at: 30))
    #expect(abs(middle.coordinate.longitude - 0.005) < 1e-6)
  }

  @Test("Omitted points and options are reported once per kind, with their number")
  func doubts() throws {
    var points = (10..<30).map { second in
      "<trkpt lat=\"0\" lon=\"1.00\(second)\"><time>2024-05-17T06:00:\(second)Z</time></trkpt>"
    }
    points[5] = "<trkpt lat=\"0\" lon=\"1.0015\"/>"
    points.swapAt(9, 10)
    let text =
      "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    var rules = ImportOptions()
    rules.speed = 10
    let ghost = try Self.ghost(text, rules: rules)
    #expect(ghost.trail.count == 18)
    #expect(ghost.warnings.map(\.code) == [.unusedOption, .missingTime, .outOfOrder])
    #expect(ghost.warnings.map(\.count) == [1, 1, 1])
  }

  @Test("Damage after the track is an error only in strict mode", arguments: ["", "</b>"])
  func damage(rest: String) throws {
    let end = try #require(Self.tracks.ranges(of: "</trk>").dropFirst().first?.upperBound)
    let text = String(Self.tracks[..<end]) + rest
    #expect(try Self.ghost(text).trail.duration == 10)
    #expect(throws: TrackError.self) { _ = try Self.ghost(text, isStrict: true) }
  }

  @Test("Positions are written as waypoints in GeoJSON, otherwise as a track")
  func writing() throws {
    try withFolder { folder in
      let trail = try Self.ghost(Self.tracks).trail
      try trail.write(at: [0, 5], name: "a", as: .track(.geojson), to: folder.file("a.geojson"))
      let points = try folder.text("a.geojson")
      #expect(points.contains("\"Point\"") && !points.contains("LineString"))
      #expect(points.contains("2024-05-17T06:00:05Z"))
      try trail.write(at: [0, 5], name: "a", as: .track(.gpx), to: folder.file("a.gpx"))
      let track = try folder.text("a.gpx")
      #expect(track.contains("<name>a</name>") && track.contains("lon=\"0.0005\""))
      // More positions than a batch contains.
      let moments = (0..<5000).map { Double($0) / 500 }
      try trail.write(at: moments, name: "a", as: .track(.gpx), to: folder.file("b.gpx"))
      #expect(try folder.text("b.gpx").ranges(of: "<trkpt").count == 5000)
    }
  }
}
