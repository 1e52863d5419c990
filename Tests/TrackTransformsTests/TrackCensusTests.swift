import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite("Points that an import would skip")
struct TrackCensusTests {
  private func census(_ tracks: [PointColumns]...) throws -> [TrackWarning] {
    var document = TrackDocument()
    document.tracks = tracks.map { segments in
      TrackDocument.Track(segments: segments.map { TrackDocument.Segment(points: $0) })
    }
    var reader = TrackDocumentReader(document)
    var batch = PointBatch(capacity: 3)
    var census = TrackCensus()
    while let event = try reader.next(into: &batch) { census.add(event, batch) }
    return census.warnings
  }

  @Test("Each descending time is counted once")
  func backwards() throws {
    let ahead = try census([.equator(seconds: [0, 100, 2, nil, 3, 4])])
    #expect(ahead.map(\.code) == [.outOfOrder] && ahead.map(\.count) == [1])
    let behind = try census([.equator(seconds: [0, 1, -100, 3, 3, -5])])
    #expect(behind.map(\.count) == [2])
    #expect(try census([.equator(seconds: [5, 6])], [.equator(seconds: [0, 1])]).isEmpty)
    #expect(try census([.equator(seconds: [nil, nil, 5, nil, 6])]).isEmpty)
  }

  @Test("A track with the times and positions of the previous one is a repetition up to its latest time")
  func repetition() throws {
    let points = PointColumns.equator(seconds: [0, 1, 2, 3])
    let longer = PointColumns.equator(seconds: [0, 1, 2, 3, 4])
    let found = try census([points, longer])
    #expect(found.map(\.code) == [.repeatedPoints] && found.map(\.count) == [4])
    // Another position at the same time.
    let other = PointColumns.line([(0, 5, 5), (1, 5, 5.1)])
    #expect(try census([points, other]).map(\.code) == [.outOfOrder])
  }
}
