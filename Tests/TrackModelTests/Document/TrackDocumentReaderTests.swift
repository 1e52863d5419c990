import Testing
import TrackModel

/// A reader that passes on another reader's events and points through a separate batch.
private struct Rebatching<Source: TrackReader>: TrackReader, ~Copyable {
  private var source: Source
  private var small: PointBatch
  private(set) var rows: [Int] = []

  init(_ source: Source, capacity: Int) {
    self.source = source
    small = PointBatch(capacity: capacity)
  }

  var warnings: [TrackWarning] { source.warnings }

  mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    let event = try source.next(into: &small)
    rows.append(small.count)
    var points = PointColumns()
    points.append(small)
    _ = batch.append(points, from: 0)
    return event
  }
}

@Suite("Reading a track document as a stream")
struct TrackDocumentReaderTests {
  private func points(_ count: Int, _ random: inout SeededRandom) -> PointColumns {
    var columns = PointColumns()
    for row in 0..<count {
      var values: [Channel: Double] = [:]
      // Channels start late and end early.
      if row > count / 3 { values[.elevation] = Double(random.integer(-9...9)) }
      if row < count / 2, random.integer(0...1) == 0 { values[.heartRate] = Double(random.integer(60...180)) }
      columns.append(
        Coordinate(
          latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random)),
        time: random.integer(0...4) == 0
          ? nil : Instant(microseconds: Int64(random.integer(0...1_000_000_000))),
        values: values, details: PointDetails(name: random.integer(0...9) == 0 ? "point \(row)" : nil))
    }
    return columns
  }

  private func sample(_ random: inout SeededRandom) -> TrackDocument {
    let note = ExtensionElement(namespace: "urn:x", prefix: "x", name: "note", text: "n")
    var document = TrackDocument()
    document.info.creator = "tester"
    document.info.extensions = [note]
    document.info.namespaces = [NamespaceDeclaration(prefix: "x", uri: "urn:x")]
    document.waypoints = [
      Waypoint(coordinate: Coordinate(latitude: 1, longitude: 2)),
      Waypoint(
        coordinate: Coordinate(latitude: 3, longitude: 4), time: Instant(microseconds: 5),
        values: [.elevation: 6],
        details: PointDetails(name: "w")),
    ]
    document.routes = [
      TrackDocument.Route(),
      TrackDocument.Route(info: TrackInfo(name: "r"), points: points(14, &random)),
    ]
    var annotated = TrackDocument.Segment(points: points(8, &random))
    annotated.extensions = [note, note]
    var bare = TrackDocument.Segment()
    bare.extensions = [note]
    document.tracks = [
      TrackDocument.Track(),
      TrackDocument.Track(
        info: TrackInfo(name: "t"),
        segments: [
          TrackDocument.Segment(points: points(21, &random)), TrackDocument.Segment(), annotated, bare,
          TrackDocument.Segment(points: points(5000, &random)),
        ]),
      TrackDocument.Track(segments: [TrackDocument.Segment(points: points(1, &random))]),
    ]
    return document
  }

  @Test("A document read in batches of any size is unchanged", arguments: [1, 2, 7, 4096])
  func roundTrip(capacity: Int) throws {
    var random = SeededRandom()
    let document = sample(&random)
    var reader = Rebatching(TrackDocumentReader(document), capacity: capacity)
    let copy = try TrackDocument(reading: &reader)
    #expect(copy == document, "\(random)")
    let rows = reader.rows
    let total = rows.reduce(0, +)
    #expect(total == 14 + 21 + 8 + 5000 + 1)
    #expect(rows.max() == min(capacity, 4096))
  }

  @Test("The events follow the grammar: header, waypoints, routes, tracks, including empty ones")
  func events() throws {
    var random = SeededRandom()
    let document = sample(&random)
    var reader = TrackDocumentReader(document)
    var batch = PointBatch(capacity: 7)
    var said: [String] = []
    while let event = try reader.next(into: &batch) {
      switch event {
      case .points: said.append("points \(batch.count)")
      default:
        #expect(batch.count == 0)
        #expect(batch.channels == [])
      }
      switch event {
      case .header(let info):
        said.append("header")
        #expect(info == document.info)
      case .waypoint(let waypoint): said.append("waypoint \(waypoint.details.name ?? "-")")
      case .beginRoute(let info): said.append("route \(info.name ?? "-")")
      case .beginTrack(let info): said.append("track \(info.name ?? "-")")
      case .beginSegment: said.append("segment")
      case .endRoute, .endSegment, .endTrack: said.append("end")
      case .annotation(.extensions(let extensions)): said.append("extensions \(extensions.count)")
      case .annotation: said.append("unexpected")
      case .points: break
      }
    }
    let long = Array(repeating: "points 7", count: 714) + ["points 2"]
    #expect(
      said == [
        "header", "waypoint -", "waypoint w", "route -", "end", "route r", "points 7", "points 7", "end",
        "track -",
        "end", "track t", "segment", "points 7", "points 7", "points 7", "end", "segment", "end", "segment",
        "points 7",
        "points 1", "extensions 2", "end", "segment", "extensions 1", "end", "segment",
      ] + long + ["end", "end", "track -", "segment", "points 1", "end", "end"])
  }

  @Test("After its end, the stream returns nil with an empty batch")
  func end() throws {
    var document = TrackDocument()
    document.tracks = [TrackDocument.Track(info: TrackInfo(name: "only"))]
    var reader = TrackDocumentReader(document)
    var batch = PointBatch(capacity: 1)
    for _ in 0..<3 { #expect(try reader.next(into: &batch) != nil) }
    batch.append(latitude: 1, longitude: 1)
    for _ in 0..<3 { #expect(try reader.next(into: &batch) == nil) }
    #expect(batch.count == 0)
    #expect(reader.warnings == [])
  }

  @Test("An empty document has a header only")
  func empty() throws {
    var reader = TrackDocumentReader(TrackDocument())
    var batch = PointBatch()
    #expect(try reader.next(into: &batch) == .header(FileInfo()))
    #expect(try reader.next(into: &batch) == nil)
  }

  @Test("The reader replaces the content of a batch that is also used elsewhere")
  func emptiesTheBatch() throws {
    var reader = TrackDocumentReader(TrackDocument())
    var batch = PointBatch(capacity: 2)
    batch.append(latitude: 1, longitude: 1)
    batch.set(.elevation, 1)
    batch.set(PointDetails(name: "old"))
    _ = try reader.next(into: &batch)
    #expect(batch.count == 0)
    #expect(batch.channels == [])
    #expect(batch.details == [])
  }
}
