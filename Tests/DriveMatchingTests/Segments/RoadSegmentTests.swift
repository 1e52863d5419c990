import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Segments along the tracks of a file")
struct RoadSegmentTests {
  /// Returns points to the north, 11.1 m apart.
  ///
  /// - Parameter isTimed: whether there is a point per second instead of points without times.
  private func points(_ count: Int, longitude: Double, isTimed: Bool = false) -> PointColumns {
    var points = PointColumns()
    for index in 0..<count {
      points.append(
        Coordinate(latitude: 46.5 + 0.0001 * Double(index), longitude: longitude),
        time: isTimed ? Recording.instant(Double(index)) : nil)
    }
    return points
  }

  private func track(_ name: String?, _ points: PointColumns) -> TrackDocument.Track {
    TrackDocument.Track(info: TrackInfo(name: name), segments: [TrackDocument.Segment(points: points)])
  }

  @Test("The longest line of a file without times is the segment, with the name of its track")
  func longest() throws {
    var document = TrackDocument()
    document.tracks = [
      track("short", points(10, longitude: 7)), track("long", points(30, longitude: 8)),
      track("dot", points(1, longitude: 9)),
    ]
    var reader = TrackDocumentReader(document)
    let segment = try RoadSegment(longestOf: &reader) { _, _ in
      Issue.record("a line without times is not centered")
      return []
    }
    #expect(segment.name == "long")
    #expect(segment.line.count == 30)
    #expect(segment.line.allSatisfy { $0.longitude == 8 })
  }

  @Test("The places where a recording begins and ends are left out")
  func recording() throws {
    var document = TrackDocument()
    document.tracks = [track(nil, points(101, longitude: 8, isTimed: true))]
    var reader = TrackDocumentReader(document)
    var ends: [Coordinate] = []
    let segment = try RoadSegment(longestOf: &reader, name: "climb") { start, end in
      ends = [start, end]
      return []
    }
    #expect(segment.name == "climb")
    // 1,112 m without 50 m at both ends; the points are 11 m apart.
    #expect(abs(segment.length - 1012) < 25)
    #expect(ends == [segment.line[0], segment.line[segment.line.count - 1]])
  }

  @Test("A segment of more than 5,000 km is refused with the limit")
  func tooLong() throws {
    func line(_ degrees: Double) -> [Coordinate] {
      [Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: degrees)]
    }
    #expect(try RoadSegment(name: "long", line: line(44)).length < RoadSegment.maximumLength)
    let error = #expect(throws: TrackError.self) { try RoadSegment(name: "world", line: line(46)) }
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("5000 km") == true)
  }

  @Test("The positions of the median of drives do not grow with the length beyond 1,000 km")
  func longMedian() {
    let places = [0.0, 45, 90].map { EarthFixed.vector(latitude: 0, longitude: $0) }
    #expect(CommonRoad.middle(GuideLine(places), []).count == 100_001)
  }

  @Test("A file without a line has no segment")
  func none() throws {
    var document = TrackDocument()
    document.tracks = [track("dot", points(1, longitude: 9))]
    var reader = TrackDocumentReader(document)
    expectError(.noTracks) { try RoadSegment(longestOf: &reader) { _, _ in [] } }
  }
}
