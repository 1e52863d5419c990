import TestSupport
import Testing
import TrackFormats
import TrackModel

@Suite("Polyline writer")
struct PolylineWriterTests {
  private func written(
    _ document: TrackDocument, _ precision: PolylinePrecision, capacity: Int = 64
  ) throws(TrackError) -> (text: String, losses: String) {
    var reader = TrackDocumentReader(document)
    var writer = PolylineWriter(ByteSink(), precision: precision)
    try Conversion.copy(&reader, to: &writer, capacity: capacity)
    return (String(decoding: writer.bytes, as: UTF8.self), writer.losses.text)
  }

  private func document(_ segments: [[(Double, Double)]]) -> TrackDocument {
    var document = TrackDocument()
    document.tracks = [
      TrackDocument.Track(
        segments: segments.map { points in
          var columns = PointColumns()
          for point in points { columns.append(Coordinate(latitude: point.0, longitude: point.1)) }
          return TrackDocument.Segment(points: columns)
        })
    ]
    return document
  }

  @Test("The specification's example is written exactly")
  func specification() throws {
    let document = document([[(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)]])
    for capacity in [1, 2, 64] {
      #expect(try written(document, .five, capacity: capacity) == ("_p~iF~ps|U_ulLnnqC_mqNvxq`@\n", ""))
      #expect(try written(document, .six, capacity: capacity) == ("_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI\n", ""))
    }
  }

  @Test("Without trackpoints there is nothing to write")
  func noPoints() throws {
    var document = document([[]])
    document.waypoints = [Waypoint(coordinate: Coordinate(latitude: 1, longitude: 1))]
    let error = #expect(throws: TrackError.self) { try written(document, .five) }
    #expect(error?.code == .noTracks)
  }

  @Test("Each segment is written as a line; values the format cannot store are counted")
  func losses() throws {
    var document = document([[(0, 0)], [], [(0.000004, 0)]])
    document.waypoints = [Waypoint(coordinate: Coordinate(latitude: 1, longitude: 1))]
    document.tracks[0].info.name = "drive"
    var points = PointColumns()
    points.append(
      Coordinate(latitude: 0, longitude: 0.00001), time: Instant(microseconds: 0),
      values: [.heartRate: 1, .speed: 2])
    document.routes = [TrackDocument.Route(points: points)]
    let (text, losses) = try written(document, .five)
    #expect(text == "?A\n??\n??\n")
    #expect(
      losses == """
        1 waypoint, 1 time, 1 value of speed, 1 value of heart rate, \
        1 distinction of routes from tracks, 1 name of tracks, 1 segment without points, \
        1 position with more than 5 decimals (rounded), 1 bound between segments of one track
        """)
  }

  @Test("A line of any length is read back with the same rounded values")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: SeededGenerator.printedSeed())
    for precision in [PolylinePrecision.five, .six] {
      let scale = precision == .five ? 1e5 : 1e6
      var points: [(Double, Double)] = [(-90, -180), (90, 180), (0, 0)]
      for _ in 0..<3000 {
        points.append(
          (
            (Double.random(in: -90...90, using: &generator) * scale).rounded() / scale,
            (Double.random(in: -180...180, using: &generator) * scale).rounded() / scale
          ))
      }
      let (text, losses) = try written(document([points]), precision)
      #expect(losses == "")
      var reader = PolylineReader(ByteInput(bytes: Array(text.utf8), chunk: 1000), precision: precision)
      let read = try TrackDocument(reading: &reader).tracks[0].segments[0].points
      #expect(read.latitudes == points.map(\.0))
      #expect(read.longitudes == points.map(\.1))
    }
  }

  @Test("Rounding errors do not accumulate along a line")
  func noDrift() throws {
    let points = (0..<1000).map { (row: Int) -> (Double, Double) in
      let steps = Double(row)
      return (46 + steps * 0.0000123, 7 + steps * 0.0000077)
    }
    let (text, _) = try written(document([points]), .five)
    var reader = PolylineReader(ByteInput(bytes: Array(text.utf8)))
    let read = try TrackDocument(reading: &reader).tracks[0].segments[0].points
    for (row, point) in points.enumerated() {
      #expect(abs(read.latitudes[row] - point.0) <= 0.5000001e-5)
      #expect(abs(read.longitudes[row] - point.1) <= 0.5000001e-5)
    }
  }
}
