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

  /// Returns the warnings other than that about the speed, which is high in these tests.
  private func order(_ tracks: [PointColumns]...) throws -> [TrackWarning] {
    try tracks.count == 1
      ? census(tracks[0]).filter { $0.code != .impossibleSpeed }
      : census(tracks[0], tracks[1]).filter { $0.code != .impossibleSpeed }
  }

  @Test("Each descending time is counted once")
  func backwards() throws {
    let ahead = try order([.equator(seconds: [0, 100, 2, nil, 3, 4])])
    #expect(ahead.map(\.code) == [.outOfOrder] && ahead.map(\.count) == [1])
    let behind = try order([.equator(seconds: [0, 1, -100, 3, 3, -5])])
    #expect(behind.map(\.count) == [2] && behind.map(\.suggestion) == [nil])
    let newestFirst = try order([.equator(seconds: [30, 20]), .equator(seconds: [10, 0])])
    #expect(newestFirst.map(\.count) == [3] && newestFirst.map(\.suggestion) == [.reverseTracks])
    #expect(try order([.equator(seconds: [5, 6])], [.equator(seconds: [0, 1])]).isEmpty)
    #expect(try order([.equator(seconds: [nil, nil, 5, nil, 6])]).isEmpty)
  }

  @Test("A track with the times and positions of the previous one is a repetition up to its latest time")
  func repetition() throws {
    let points = PointColumns.equator(seconds: [0, 1, 2, 3])
    let longer = PointColumns.equator(seconds: [0, 1, 2, 3, 4])
    let found = try order([points, longer])
    #expect(found.map(\.code) == [.repeatedPoints] && found.map(\.count) == [4])
    // Another position at the same time.
    let other = PointColumns.line([(0, 5, 5), (1, 5, 5.1)])
    #expect(try order([points, other]).map(\.code) == [.outOfOrder])
  }

  @Test("Gaps of more than six hours within a segment are counted with their longest")
  func gaps() throws {
    let hours = 6.0 * 3600
    let found = try census([
      .line([(0, 0, 1), (hours, 0, 1.1), (2 * hours + 1, 0, 1.2), (5 * hours, 0, 1.3)])
    ])
    #expect(found.map(\.code) == [.longGap] && found.map(\.count) == [2])
    #expect(found.first?.place.path == "point 3" && found.first?.offendingText == "18 h")
    #expect(found.first?.suggestion == .splitAtGaps(seconds: 21_600))
    #expect(try census([.line([(0, 0, 1)]), .line([(7 * hours, 0, 1)])]).isEmpty)
    #expect(try census([.line([(0, 0, 1)])], [.line([(7 * hours, 0, 1)])]).isEmpty)
  }

  @Test("Isolated steps faster than 500 km/h are counted, and those of a flight are not")
  func speeds() throws {
    /// Positions once per second on the equator, where 0.001° are 111.3 m: 401 km/h.
    func line(step: Double, spike: Double = 0) -> PointColumns {
      .line(
        (0..<10).map { (index: Int) -> (seconds: Double?, latitude: Double, longitude: Double) in
          (Double(index), 0, 1 + Double(index) * step + (index == 4 ? spike : 0))
        })
    }
    #expect(try census([line(step: 0.001)]).isEmpty)
    let found = try census([line(step: 0.0005, spike: 0.002)], [line(step: 0.0005, spike: 0.002)])
    // The second track also begins before the end of the first.
    let speeds = found.filter { $0.code == .impossibleSpeed }
    #expect(speeds.map(\.count) == [4])
    #expect(speeds.first?.place.path == "point 5" && speeds.first?.suggestion == .dropSpikes)
    // 1,202 km/h is a flight, 1,603 km/h is not.
    #expect(try census([line(step: 0.003)]).isEmpty)
    let wrong = try census([line(step: 0.004)])
    #expect(wrong.map(\.code) == [.impossibleSpeed] && wrong.first?.suggestion == nil)
  }

  @Test("A track with positions at 0°, 0° alone is reported")
  func nullIsland() throws {
    let found = try census([.line((0..<5).map { (Double($0), 0, 0) })], [.line([(0, 5, 5), (1, 5, 5)])])
    #expect(found.map(\.code) == [.nullIsland] && found.map(\.count) == [5])
    #expect(found.first?.message == "all positions of the track are 0°, 0°")
  }

  /// Points of a walk with repeated positions, missing times, leaps and positions at 0°, 0°.
  private static func walk(_ random: inout SeededGenerator, isOdd: Bool) -> (
    times: [Int64], [Double], [Double]
  ) {
    var columns: (times: [Int64], latitudes: [Double], longitudes: [Double]) = ([], [], [])
    var time: Int64 = 1_700_000_000_000_000
    var latitude = 46.9
    var longitude = 179.999
    for _ in 0..<200 {
      time += Int64.random(in: 0...3, using: &random) * 1_000_000
      latitude += Double.random(in: -1e-4...1e-4, using: &random)
      longitude += Double.random(in: -1e-4...1e-4, using: &random)
      if longitude > 180 { longitude -= 360 }
      let kind = isOdd ? Int.random(in: 0..<20, using: &random) : 20
      if kind == 0 { time += 30_000_000_000 }
      if kind == 1 { time -= 5_000_000 }
      if kind == 2 { latitude += 0.3 }
      columns.times.append(kind == 3 ? Instant.absent : time)
      columns.latitudes.append(kind == 4 ? 0 : kind == 5 ? columns.latitudes.last ?? 1 : latitude)
      columns.longitudes.append(kind == 4 ? 0 : kind == 5 ? columns.longitudes.last ?? 1 : longitude)
    }
    return (columns.times, columns.latitudes, columns.longitudes)
  }

  @Test(
    "Columns of points have the same speeds, gaps and positions at 0°, 0° as single points",
    arguments: [false, true], [false, true])
  func columns(isOdd: Bool, ignoresNull: Bool) {
    var random = SeededGenerator(seed: 22)
    for _ in 0..<200 {
      let (times, latitudes, longitudes) = Self.walk(&random, isOdd: isOdd)
      var single = (steps: FastSteps(), gaps: LongGaps(), search: NullIslandSearch())
      for row in times.indices {
        let isNull = ignoresNull && NullIsland.contains(latitudes[row], longitudes[row])
        single.steps.add(isNull ? Instant.absent : times[row], latitudes[row], longitudes[row])
        single.gaps.add(times[row])
        single.search.add(latitudes[row], longitudes[row])
      }
      var whole = (steps: FastSteps(), gaps: LongGaps(), search: NullIslandSearch())
      var row = 0
      while row < times.count {
        let rows = row..<min(row + Int.random(in: 1...60, using: &random), times.count)
        whole.steps.add(
          times.span.extracting(rows), latitudes.span.extracting(rows), longitudes.span.extracting(rows),
          ignoringNullIsland: ignoresNull)
        whole.gaps.add(times.span.extracting(rows))
        whole.search.add(latitudes.span.extracting(rows), longitudes.span.extracting(rows))
        row = rows.upperBound
      }
      single.search.finish()
      whole.search.finish()
      #expect(whole.steps.warning(.dropSpikes) == single.steps.warning(.dropSpikes))
      #expect(whole.gaps.warning(.dropSpikes) == single.gaps.warning(.dropSpikes))
      #expect(
        whole.search.ranges == single.search.ranges && whole.search.onlyCount == single.search.onlyCount)
    }
  }
}
