import TestSupport
import Testing
import TrackModel

/// A reader that delivers given events with their points, optionally followed by an error.
private struct Script: TrackReader {
  struct Step {
    var event: TrackEvent
    var points = PointColumns()
  }

  var steps: [Step]
  var error: TrackError?
  let warnings: [TrackWarning] = []

  init(_ steps: [Step], error: TrackError? = nil) {
    self.steps = steps
    self.error = error
  }

  mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    guard !steps.isEmpty else {
      guard let error else { return nil }
      self.error = nil
      throw error
    }
    let step = steps.removeFirst()
    _ = batch.append(step.points, from: 0)
    return step.event
  }
}

@Suite("Track document")
struct TrackDocumentTests {
  private func points(_ latitudes: Double...) -> PointColumns {
    var columns = PointColumns()
    for latitude in latitudes { columns.append(Coordinate(latitude: latitude, longitude: 0)) }
    return columns
  }

  private func document(_ steps: [Script.Step]) throws -> TrackDocument {
    var script = Script(steps)
    return try TrackDocument(reading: &script)
  }

  private func info(creator: String? = nil, name: String? = nil) -> FileInfo {
    var info = FileInfo()
    info.creator = creator
    info.name = name
    return info
  }

  private let color = ExtensionElement(namespace: "urn:x", prefix: nil, name: "color", text: "red")
  private let speed = ExtensionElement(namespace: "urn:x", prefix: nil, name: "limit", text: "50")

  @Test("An empty stream becomes an empty document")
  func empty() throws {
    #expect(try document([]) == TrackDocument())
  }

  @Test("All parts of a stream are stored in order")
  func parts() throws {
    let waypoint = Waypoint(
      coordinate: Coordinate(latitude: 9, longitude: 9), details: PointDetails(name: "summit"))
    let document = try document([
      .init(event: .header(info(creator: "c"))), .init(event: .beginTrack(TrackInfo(name: "first"))),
      .init(event: .beginSegment), .init(event: .points, points: points(1, 2)),
      .init(event: .points, points: points(3)), .init(event: .endSegment), .init(event: .beginSegment),
      .init(event: .endSegment), .init(event: .endTrack), .init(event: .waypoint(waypoint)),
      .init(event: .beginRoute(TrackInfo(name: "route"))), .init(event: .points, points: points(4)),
      .init(event: .points, points: points(5, 6)), .init(event: .endRoute),
      .init(event: .beginTrack(TrackInfo(name: "second"))), .init(event: .beginSegment),
      .init(event: .points, points: points(7)), .init(event: .endSegment), .init(event: .endTrack),
      .init(event: .beginTrack(TrackInfo())), .init(event: .endTrack),
    ])
    #expect(document.info == info(creator: "c"))
    #expect(document.waypoints == [waypoint])
    #expect(document.routes == [TrackDocument.Route(info: TrackInfo(name: "route"), points: points(4, 5, 6))])
    #expect(
      document.tracks == [
        TrackDocument.Track(
          info: TrackInfo(name: "first"),
          segments: [TrackDocument.Segment(points: points(1, 2, 3)), TrackDocument.Segment()]),
        TrackDocument.Track(
          info: TrackInfo(name: "second"), segments: [TrackDocument.Segment(points: points(7))]),
        TrackDocument.Track(),
      ])
  }

  @Test("Information that arrives late is stored as if it had arrived on time")
  func late() throws {
    var late = TrackInfo(name: "late")
    late.type = "drive"
    let document = try document([
      .init(event: .header(info(creator: "c"))), .init(event: .annotation(.extensions([color]))),
      .init(event: .beginRoute(TrackInfo())), .init(event: .annotation(.track(late))),
      .init(event: .points, points: points(1)), .init(event: .annotation(.extensions([color]))),
      .init(event: .points, points: points(2)), .init(event: .endRoute),
      .init(event: .beginTrack(TrackInfo(name: "early"))), .init(event: .beginSegment),
      .init(event: .annotation(.extensions([color]))), .init(event: .points, points: points(3)),
      .init(event: .annotation(.extensions([speed]))), .init(event: .annotation(.track(late))),
      .init(event: .endSegment), .init(event: .annotation(.extensions([speed]))),
      .init(event: .annotation(.file(info(creator: "other", name: "n")))), .init(event: .endTrack),
      .init(event: .annotation(.extensions([speed]))),
    ])
    var expected = info(creator: "c", name: "n")
    expected.extensions = [color, speed]
    #expect(document.info == expected)
    #expect(document.routes.map(\.info.name) == ["late"])
    #expect(document.routes.map(\.info.extensions) == [[color]])
    #expect(document.routes.map(\.points.count) == [2])
    #expect(document.tracks.map(\.info.name) == ["early"])
    #expect(document.tracks.map(\.info.type) == ["drive"])
    #expect(document.tracks.map(\.info.extensions) == [[speed]])
    #expect(document.tracks.map { $0.segments.map(\.extensions) } == [[[color, speed]]])
  }

  @Test("Several headers are merged")
  func headers() throws {
    let document = try document([
      .init(event: .header(info(creator: "a"))), .init(event: .header(info(creator: "b", name: "n"))),
    ])
    #expect(document.info == info(creator: "a", name: "n"))
  }

  @Test("Events that violate the grammar do not trap")
  func brokenGrammar() throws {
    var random = SeededRandom()
    let events: [TrackEvent] = [
      .header(FileInfo()), .waypoint(Waypoint(coordinate: Coordinate(latitude: 0, longitude: 0))),
      .beginRoute(TrackInfo()), .endRoute, .beginTrack(TrackInfo()), .beginSegment, .points, .endSegment,
      .endTrack,
      .annotation(.file(FileInfo())), .annotation(.track(TrackInfo(name: "x"))),
      .annotation(.extensions([color])),
    ]
    for event in events { _ = try document([Script.Step(event: event, points: points(1))]) }
    for _ in 0..<Effort.rounds(4000) {
      let steps = (0..<random.integer(1...12)).map { _ in
        Script.Step(event: events[random.integer(0...events.count - 1)], points: points(1))
      }
      let document = try document(steps)
      let begun = steps.count { $0.event == .beginTrack(TrackInfo()) }
      guard document.tracks.count == begun else {
        Issue.record("\(steps.map(\.event)); \(random)")
        return
      }
    }
  }

  @Test("An error of the stream is thrown")
  func error() {
    var script = Script(
      [.init(event: .header(FileInfo()))], error: TrackError(.truncated, "the file ends in a track"))
    expectError(.truncated) { try TrackDocument(reading: &script) }
  }
}
