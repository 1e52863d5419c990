import GhostModel
import Testing
import TrackModel

@testable import TestSupport

@Suite struct RecordingBuilderTests {
  private func columns(_ count: Int, first: Double, accuracy: (Int) -> Double? = { _ in nil }) -> PointColumns
  {
    var points = PointColumns()
    for index in 0..<count {
      points.append(
        Coordinate(latitude: first, longitude: Double(index) / 1000),
        time: index % 7 == 3 ? nil : Recording.instant(Double(index)),
        values: accuracy(index).map { [.horizontalAccuracy: $0] } ?? [:])
    }
    return points
  }

  private func recordings(_ document: TrackDocument) throws -> [Recording] {
    var reader: any TrackReader & ~Copyable = TrackDocumentReader(document)
    var builder = RecordingBuilder()
    var batch = PointBatch()
    var found: [Recording] = []
    while let event = try reader.next(into: &batch) {
      if let recording = builder.add(event, batch) { found.append(recording) }
    }
    return found
  }

  @Test("Each track and each route is a recording with its name and its segments")
  func structure() throws {
    var document = TrackDocument()
    document.waypoints = [Waypoint(coordinate: Coordinate(latitude: 1, longitude: 2))]
    document.routes = [.init(info: TrackInfo(name: "plan"), points: columns(3, first: 1))]
    document.tracks = [
      .init(
        info: TrackInfo(name: "out"),
        segments: [.init(points: columns(2, first: 2)), .init(), .init(points: columns(5, first: 3))]),
      .init(), .init(info: TrackInfo(name: "back"), segments: [.init(points: columns(1, first: 4))]),
    ]
    let found = try recordings(document)
    #expect(found.map(\.kind) == [.route, .track, .track, .track])
    #expect(found.map(\.name) == ["plan", "out", nil, "back"])
    #expect(found.map { $0.segments.map(\.count) } == [[3], [2, 0, 5], [], [1]])
    #expect(found.map(\.count) == [3, 7, 0, 1])
    #expect(found[1].segments[2].latitudes == [3, 3, 3, 3, 3])
  }

  @Test("Columns are complete over several batches, even if accuracies begin late")
  func columns() throws {
    var document = TrackDocument()
    let points = columns(10_000, first: 5) { $0 >= 5000 && $0 % 2 == 0 ? 4 : nil }
    document.tracks = [.init(segments: [.init(points: points), .init(points: columns(10, first: 6))])]
    let recording = try #require(try recordings(document).first)
    let segment = recording.segments[0]
    #expect(segment.times == points.times)
    #expect(segment.latitudes == points.latitudes)
    #expect(segment.longitudes == points.longitudes)
    let accuracies = try #require(segment.horizontalAccuracies)
    #expect(accuracies.count == 10_000)
    for (row, accuracy) in accuracies.enumerated() {
      #expect(accuracy == points.value(.horizontalAccuracy, at: row) ?? Recording.Segment.unknownAccuracy)
    }
    #expect(recording.segments[1].horizontalAccuracies == nil)
  }

  @Test("A late name is used unless there is an earlier one")
  func lateName() throws {
    var builder = RecordingBuilder()
    let batch = PointBatch()
    func events(_ events: [TrackEvent]) -> Recording? {
      var last: Recording?
      for event in events { last = builder.add(event, batch) }
      return last
    }
    let late = events([
      .beginTrack(TrackInfo()), .beginSegment, .endSegment,
      .annotation(.track(TrackInfo(name: "late"))), .endTrack,
    ])
    #expect(late?.name == "late")
    let first = events([
      .beginRoute(TrackInfo(name: "first")), .annotation(.track(TrackInfo(name: "late"))), .endRoute,
    ])
    #expect(first?.name == "first")
    #expect(first?.kind == .route)
    // A stream of events in an invalid order results in nothing and does not crash.
    #expect(events([.endTrack, .points, .endSegment, .beginSegment, .endRoute]) == nil)
  }
}
