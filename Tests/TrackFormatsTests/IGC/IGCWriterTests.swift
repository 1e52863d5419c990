import Testing
import TrackModel

@testable import TrackFormats

@Suite("IGC writer")
struct IGCWriterTests {
  private func written(_ segments: [[Waypoint]]) throws(TrackError) -> (text: String, losses: String) {
    var document = TrackDocument()
    document.tracks = [
      TrackDocument.Track(segments: segments.map { TrackDocument.Segment(points: PointColumns($0)) })
    ]
    var reader = TrackDocumentReader(document)
    var writer = IGCWriter(ByteSink())
    try Conversion.copy(&reader, to: &writer, capacity: 7)
    return (String(decoding: writer.bytes, as: UTF8.self), writer.losses.text)
  }

  private func point(
    _ latitude: Double, _ longitude: Double, _ time: String?, elevation: Double? = nil
  ) -> Waypoint {
    Waypoint(
      coordinate: Coordinate(latitude: latitude, longitude: longitude),
      time: time.flatMap { ISO8601.read(Array($0.utf8).span)?.instant },
      values: elevation.map { [.elevation: $0] } ?? [:])
  }

  @Test("Fixes have minutes with further digits, whole metres and milliseconds")
  func fixes() throws {
    // 46.500000123° are 46° 30.00000738′; 7.26° are 7° 15.6′.
    let (text, losses) = try written([
      [
        point(46.500000123, -7.26, "2024-08-31T08:56:06.250Z", elevation: 1571),
        point(-33.5, 170.5, "2024-08-31T08:56:07Z", elevation: -154),
        point(0, 0.00002, "2024-08-31T20:00:00Z"),
      ]
    ])
    #expect(
      text == """
        AXXX001 ghost-convert\r
        HFDTEDATE:310824,01\r
        HFDTMGPSDATUM:WGS84\r
        I033640LAD4145LOD4648TDS\r
        B0856064630000N00715600WA00000015710073800000250\r
        B0856073330000S17030000EA00000-01540000000000000\r
        B2000000000000N00000001EV00000000000000020000000\r\n
        """)
    #expect(losses == "")
    let points = Transcript(igc: Array(text.utf8)).points
    #expect(
      points.prefix(2) == [
        "point 46.500000123 -7.26 2024-08-31T08:56:06.250Z elevation 1571",
        "point -33.5 170.5 2024-08-31T08:56:07Z elevation -154",
      ])
  }

  @Test("Parts of metres, and points that would be records without a fix, are counted as lost")
  func rounding() throws {
    let (text, losses) = try written([
      [
        point(1, 2, "2024-08-31T08:56:06Z", elevation: 1571.4),
        point(0, 0.00001, "2024-08-31T08:56:07Z"), point(1, 2, "2024-08-31T08:56:08Z", elevation: 7),
      ]
    ])
    #expect(Transcript(igc: Array(text.utf8)).points.count == 2)
    #expect(losses.contains("1 fraction of metres"), "\(losses)")
    #expect(losses.contains("1 point at latitude 0, longitude 0"), "\(losses)")
  }

  @Test("Elevations of more digits than a record has are counted as out of range")
  func elevationRange() throws {
    let elevations = [1e9, 99_999.5, 99_999.4, 99_999, -9999, -9999.4, -10_000, -1e300]
    let (text, losses) = try written([
      elevations.map { point(1, 2, "2024-08-31T08:56:06Z", elevation: $0) }
    ])
    let records = text.split(separator: "\r\n").filter { $0.hasPrefix("B") }
    let read = records.map { $0.dropFirst(30).prefix(5) }
    #expect(read == ["99999", "99999", "99999", "99999", "-9999", "-9999", "-9999", "-9999"])
    // 1e9, 99,999.5, -10,000 and -1e300; 99,999.4 and -9,999.4 are rounded.
    #expect(losses.contains("4 elevations out of range"), "\(losses)")
    #expect(losses.contains("2 fractions of metres"), "\(losses)")
  }

  @Test("Points without times are counted, and nothing to write is an error")
  func losses() throws {
    let timed = point(1, 2, "2024-08-31T08:56:06Z")
    let (text, losses) = try written([
      [point(1, 2, nil), timed], [timed, point(1, 2, "2024-09-02T08:56:06Z")],
    ])
    #expect(text.split(separator: "\r\n").count { $0.hasPrefix("B") } == 3)
    #expect(losses.contains("1 point without times"), "\(losses)")
    #expect(losses.contains("1 bound between segments and tracks"), "\(losses)")
    #expect(losses.contains("1 day of times more than 12 hours"), "\(losses)")
    for points in [[], [point(1, 2, nil)], [point(1, 2, "1960-01-01T00:00:00Z")]] {
      let error = #expect(throws: TrackError.self) { try written([points]) }
      #expect(error?.code == .noTracks)
    }
  }
}
