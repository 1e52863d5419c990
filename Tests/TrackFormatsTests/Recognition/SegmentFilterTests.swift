import Testing
import TrackFormats
import TrackModel

@Suite("Limits of segments")
struct SegmentFilterTests {
  /// Reads a file with at most two empty segments.
  private static func read(
    _ text: String, _ format: TrackFormat, isStrict: Bool = false, limit: Int = 2, segments: Int = 1000,
    capacity: Int = 64
  ) throws -> Transcript {
    var limits = ReadingLimits()
    limits.emptySegmentCount = limit
    limits.segmentCount = segments
    var reader = try format.reader(
      ByteInput(bytes: Array(text.utf8)), options: ReadingOptions(isStrict: isStrict, limits: limits))
    return Transcript(reading: &reader, capacity: capacity)
  }

  private static let segments = ["", "<trkpt lat='1' lon='2'/>", "", "", "", "<trkpt lat='3' lon='4'/>", ""]
  private static let gpx =
    "<gpx><trk>" + segments.map { "<trkseg>\($0)</trkseg>" }.joined() + "</trk><trk><trkseg/></trk></gpx>"

  @Test("Empty segments beyond the limit of a file are left out and counted, and all points are kept")
  func limit() throws {
    let whole = try Self.read(Self.gpx, .gpx, limit: 6)
    #expect(whole.lines.count { $0 == "segment" } == 8 && whole.warnings == [])
    for capacity in [1, 2, 64] {
      let transcript = try Self.read(Self.gpx, .gpx, capacity: capacity)
      #expect(transcript.error == nil && transcript.violations == [])
      #expect(transcript.points == whole.points && transcript.points.count == 2)
      // Two empty segments and two with points.
      #expect(transcript.lines.count { $0 == "segment" } == 4)
      #expect(transcript.lines.count { $0 == "end of segment" } == 4)
      #expect(transcript.lines.count { $0 == "track" } == 2)
      #expect(transcript.warnings.map(\.code) == [.limitExceeded] && transcript.warnings[0].count == 4)
    }
    #expect(try Self.read(Self.gpx, .gpx, isStrict: true).error?.code == .warning)
  }

  @Test("Segments of a track beyond the limit are joined to the last one and counted")
  func joined() throws {
    func point(_ latitude: Int) -> String { "<trkpt lat='\(latitude)' lon='2'/>" }
    let segments = (0..<6).map { "<trkseg>" + point(2 * $0) + point(2 * $0 + 1) + "</trkseg>" }.joined()
    let gpx = "<gpx><trk>\(segments)</trk><trk>\(segments)</trk><trk><trkseg>\(point(9))</trkseg></trk></gpx>"
    let whole = try Self.read(gpx, .gpx)
    #expect(whole.lines.count { $0 == "segment" } == 13 && whole.warnings == [])
    for capacity in [1, 2, 3, 64] {
      let transcript = try Self.read(gpx, .gpx, segments: 4, capacity: capacity)
      #expect(transcript.error == nil && transcript.violations == [])
      #expect(transcript.points == whole.points && transcript.points.count == 25)
      #expect(transcript.lines.count { $0 == "segment" } == 9)
      #expect(transcript.lines.count { $0 == "end of segment" } == 9)
      // Two of each track.
      #expect(transcript.warnings.map(\.code) == [.limitExceeded] && transcript.warnings[0].count == 4)
    }
    #expect(try Self.read(gpx, .gpx, isStrict: true, segments: 4).error?.code == .warning)
  }

  @Test(
    "The limit applies to every format",
    arguments: [
      (
        TrackFormat.tcx,
        "<TrainingCenterDatabase><Activities><Activity Sport='Biking'><Lap>"
          + String(repeating: "<Track/>", count: 5)
          + "</Lap></Activity></Activities></TrainingCenterDatabase>"
      ),
      (
        .geojson,
        """
        {"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":
        {"type":"MultiLineString","coordinates":[[],[],[],[],[]]}}]}
        """
      ),
    ] as [(TrackFormat, String)])
  func formats(format: TrackFormat, text: String) throws {
    let transcript = try Self.read(text, format)
    #expect(transcript.violations == [] && transcript.error == nil)
    #expect(transcript.lines.count { $0 == "segment" } == 2)
    #expect(transcript.warnings.map(\.code) == [.limitExceeded] && transcript.warnings[0].count == 3)
  }
}
