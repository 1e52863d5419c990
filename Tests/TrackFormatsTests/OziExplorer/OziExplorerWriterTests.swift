import Testing
import TrackModel

@testable import TrackFormats

@Suite("PLT and WPT writers")
struct OziExplorerWriterTests {
  private static func written(_ document: TrackDocument, as format: TrackFormat) throws -> (
    bytes: [UInt8], losses: String
  ) {
    var reader = TrackDocumentReader(document)
    if format == .plt {
      var writer = PLTWriter(ByteSink())
      try Conversion.copy(&reader, to: &writer, capacity: 7)
      return (writer.bytes, writer.losses.text)
    }
    var writer = WPTWriter(ByteSink())
    try Conversion.copy(&reader, to: &writer, capacity: 7)
    return (writer.bytes, writer.losses.text)
  }

  private static func point(
    _ latitude: Double, _ longitude: Double, _ time: String? = nil, elevation: Double? = nil
  ) -> Waypoint {
    Waypoint(
      coordinate: Coordinate(latitude: latitude, longitude: longitude),
      time: time.flatMap { ISO8601.read(Array($0.utf8).span)?.instant },
      values: elevation.map { [.elevation: $0] } ?? [:])
  }

  @Test("The letter that represents commas is counted as lost", arguments: [TrackFormat.plt, .wpt])
  func lettersForCommas(_ format: TrackFormat) throws {
    var waypoint = Self.point(1, 2)
    waypoint.details.name = "Ñandú"
    var document = TrackDocument()
    document.waypoints = [waypoint]
    document.tracks = [
      TrackDocument.Track(
        info: TrackInfo(name: "Ñandú"),
        segments: [TrackDocument.Segment(points: PointColumns([Self.point(1, 2)]))])
    ]
    #expect(try Self.written(document, as: format).losses.contains("1 letter Ñ"))
  }

  @Test("Times before 1900 are counted as lost")
  func earlyTimes() throws {
    var document = TrackDocument()
    document.tracks = [
      TrackDocument.Track(
        info: TrackInfo(),
        segments: [
          TrackDocument.Segment(
            points: PointColumns([
              Self.point(1, 2, "1899-12-29T00:00:00Z"), Self.point(1, 3, "1901-01-01T00:00:00Z"),
            ]))
        ])
    ]
    let (bytes, losses) = try Self.written(document, as: .plt)
    #expect(losses == "1 time before 1900")
    // 1 January 1901 is 367 days after 30 December 1899.
    #expect(
      String(decoding: bytes, as: UTF8.self).hasSuffix(
        ",1,-777,0,,\r\n1,3,0,-777,367, 01-Jan-01, 00:00:00\r\n"))
  }

  @Test("Tracks are rows with feet, days since 1899, and a mark at the start of each segment")
  func tracks() throws {
    var info = TrackInfo(name: "Côté, one")
    info.style = LineStyle(color: TrackColor(red: 1, green: 2, blue: 3), width: 4)
    var document = TrackDocument()
    document.tracks = [
      TrackDocument.Track(
        info: info,
        segments: [
          TrackDocument.Segment(
            points: PointColumns([
              Self.point(46.5, 7.25, "2024-07-27T06:00:00Z", elevation: 304.8), Self.point(-46.5, -7.25),
            ])),
          TrackDocument.Segment(points: PointColumns([Self.point(1, 2, "2024-07-27T18:00:00.001Z")])),
        ])
    ]
    let (bytes, losses) = try Self.written(document, as: .plt)
    // The colour has blue in its high byte: 3 × 65536 + 2 × 256 + 1.
    #expect(
      bytes
        == Array(
          "OziExplorer Track Point File Version 2.1\r\nWGS 84\r\nAltitude is in Feet\r\nReserved 3\r\n0,4,197121,C"
            .utf8) + [0xF4] + Array("t".utf8) + [0xE9, 0xD1] + Array(" one,0,0,2,8421376\r\n0\r\n".utf8)
        + Array(
          """
          46.5,7.25,1,1000,45500.25, 27-Jul-24, 06:00:00\r
          -46.5,-7.25,0,-777,0,,\r
          1,2,1,-777,45500.7500000116, 27-Jul-24, 18:00:00\r\n
          """.utf8))
    #expect(losses == "")
  }

  @Test("Waypoints keep their name, description, elevation and time")
  func waypoints() throws {
    var place = Self.point(46.5, 7.25, "2024-07-27T06:00:00Z", elevation: 304.8)
    place.details.name = "Home, sweet"
    place.details.description = "two\nlines"
    place.details.symbol = "Flag"
    var document = TrackDocument()
    document.waypoints = [place, Self.point(1, 2)]
    document.tracks = [TrackDocument.Track(segments: [])]
    let (bytes, losses) = try Self.written(document, as: .wpt)
    #expect(
      String(decoding: bytes.map { $0 == 0xD1 ? UInt8(ascii: "#") : $0 }, as: UTF8.self) == """
        OziExplorer Waypoint File Version 1.1\r
        WGS 84\r
        Reserved 2\r
        Reserved 3\r
        1,Home# sweet,46.5,7.25,45500.25,0,1,3,0,65535,two lines,0,0,0,1000,6,0,17\r
        2,,1,2,0,0,1,3,0,65535,,0,0,0,-777,6,0,17\r\n
        """)
    #expect(losses.contains("1 track") && losses.contains("1 symbol of waypoints"), "\(losses)")
    #expect(
      try Transcript(.wpt, bytes).lines == [
        "header", "waypoint 46.5 7.25 2024-07-27T06:00:00Z elevation 304.8", "  name \"Home, sweet\"",
        "  description \"two lines\"", "waypoint 1 2",
      ])
  }

  @Test("Nothing to write is an error", arguments: [TrackFormat.plt, .wpt])
  func nothing(_ format: TrackFormat) {
    let error = #expect(throws: TrackError.self) { try Self.written(TrackDocument(), as: format) }
    #expect(error?.code == .noTracks)
  }
}
