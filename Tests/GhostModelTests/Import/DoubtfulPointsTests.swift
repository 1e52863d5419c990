import GhostModel
import TestSupport
import Testing
import TrackModel
import TrackTransforms

@testable import TestSupport
@testable import TrackTransforms

@Suite("Doubtful points")
struct DoubtfulPointsTests {
  private func one(_ recording: Recording, _ options: ImportOptions = ImportOptions()) throws -> ImportedDrive
  {
    try #require(try DriveImporter.drives(from: recording, options: options, name: "n").first)
  }

  /// Returns a track far from 0°, 0° with one point per second, at multiples of 0.0001°. `nil` is a fix at
  /// 0°, 0°.
  private func track(_ places: [Double?]) -> Recording {
    var segment = Recording.Segment()
    for (second, place) in places.enumerated() {
      segment.append(
        place.map { Coordinate(latitude: 50, longitude: 8 + $0 / 10_000) }
          ?? Coordinate(latitude: 0, longitude: 0),
        time: Recording.instant(Double(second)))
    }
    return Recording(segments: [segment])
  }

  @Test(
    "Fixes at 0°, 0° far from the other points are omitted, counted, and add no distance",
    arguments: [[0, 1, nil, nil, 4, 5], [nil, nil, 2, 3, 4, 5], [0, 1, 2, 3, nil, nil]] as [[Double?]])
  func nullIsland(places: [Double?]) throws {
    let result = try one(track(places))
    let warning = try #require(result.report.warnings.first)
    #expect(result.report.warnings.map(\.code) == [.nullIsland])
    #expect(warning.count == 2)
    #expect(warning.place.path == "point \((places.firstIndex { $0 == nil } ?? 0) + 1)")
    // 0.0001° at 50° north are at most 7.2 m.
    #expect(result.report.recordedDistance < 5 * 7.2)
    let trail = try GhostTrail(track(places))
    #expect(trail.warnings == result.report.warnings)
    #expect(trail.count == 4)
  }

  @Test("A track that passes 0°, 0° or consists of such fixes keeps them")
  func atNullIsland() throws {
    let through = Recording.track([(0, -0.001), (10, 0), (20, 0.001)])
    #expect(try one(through).report.warnings.isEmpty)
    #expect(try GhostTrail(through).count == 3)
    #expect(try one(.track([(0, 0), (10, 0)])).report.pointsUsed == 2)
  }

  @Test("The spike filter removes isolated fixes at 0°, 0°, even without times and in pairs at an end")
  func nullIslandSpikes() throws {
    var document = TrackDocument()
    var points = PointColumns()
    for place in [nil, nil, 2, 3, nil, 5] as [Double?] {
      points.append(
        place.map { Coordinate(latitude: 50, longitude: 8 + $0 / 10_000) }
          ?? Coordinate(latitude: 0, longitude: 0))
    }
    document.tracks = [TrackDocument.Track(segments: [TrackDocument.Segment(points: points)])]
    var reader = StagedReader(TrackDocumentReader(document), [SpikeStage()])
    var batch = PointBatch()
    var count = 0
    var census = TrackCensus()
    while let event = try reader.next(into: &batch) {
      if case .points = event { count += batch.count }
      census.add(event, batch)
    }
    #expect(count == 3)
    #expect(census.warnings.isEmpty)
    var before = TrackDocumentReader(document)
    while let event = try before.next(into: &batch) { census.add(event, batch) }
    #expect(census.warnings.first?.count == 3)
    #expect(census.warnings.first?.suggestion == .dropSpikes)
  }

  @Test(
    "A few fixes with a clock error of hours are omitted wherever they are",
    arguments: [
      // The indices of the segments' first points, and of the points with a wrong time.
      ([], [39]), ([], [0]), ([38], [38, 39]), ([20, 23], [20, 21, 22]), ([0], [20]),
    ] as [([Int], [Int])], [63_072_000.0, -63_072_000, 25_000])
  func wrongClock(case: ([Int], [Int]), offset: Double) throws {
    var recording = Recording(segments: [])
    var segment = Recording.Segment()
    for index in 0..<40 {
      if `case`.0.contains(index), segment.count > 0 {
        recording.segments.append(segment)
        segment = Recording.Segment()
      }
      segment.append(
        Coordinate(latitude: 50, longitude: 8 + Double(index) / 10_000),
        time: Recording.instant(Double(index) + (`case`.1.contains(index) ? offset : 0)))
    }
    recording.segments.append(segment)
    let result = try one(recording)
    #expect(result.report.warnings.map(\.code) == [.outOfOrder])
    #expect(result.report.warnings.first?.count == `case`.1.count)
    #expect(result.report.warnings.first?.place.path == "point \((`case`.1.first ?? 0) + 1)")
    #expect(result.report.pointsRead == 40)
    #expect(result.report.pointsUsed == 40 - `case`.1.count)
    let ends = `case`.1.contains(0) || `case`.1.contains(39)
    #expect(result.drive.duration == (ends ? 39 - Double(`case`.1.count) : 39))
  }

  @Test("A few fixes some hours later are kept if they are far away or if gaps begin new drives")
  func laterFixes() throws {
    var segment = Recording.Segment()
    for index in 0..<40 {
      segment.append(
        Coordinate(latitude: 50, longitude: 8 + (index > 37 ? 1 : 0) + Double(index) / 10_000),
        time: Recording.instant(Double(index) + (index > 37 ? 25_000 : 0)))
    }
    let far = Recording(segments: [segment])
    let refusal = #expect(throws: TrackError.self) { try one(far) }
    #expect(refusal?.code == .limitExceeded)
    var near = Recording.Segment()
    for index in 0..<40 {
      near.append(
        Coordinate(latitude: 50, longitude: 8 + Double(index) / 10_000),
        time: Recording.instant(Double(index) + (index > 37 ? 25_000 : 0)))
    }
    var options = ImportOptions()
    options.splitGap = 3600
    #expect(
      try DriveImporter.drives(from: Recording(segments: [near]), options: options, name: "n").count == 2)
  }

  @Test("A ghost omits a stretch that repeats earlier points, and counts it like an import")
  func repeatedStretch() throws {
    let once = track((0..<10).map { Double($0) })
    let twice = Recording(segments: once.segments + once.segments)
    let trail = try GhostTrail(twice)
    #expect(trail.count == 10)
    #expect(trail.warnings.map(\.code) == [.repeatedPoints])
    #expect(trail.warnings == (try one(twice)).report.warnings)
  }

  @Test("A drive at 0°, 0° alone is a warning")
  func nullIslandAlone() throws {
    let alone = Recording.track((0..<10).map { (seconds: Double($0), longitude: 0) })
    let warnings = try one(alone).report.warnings
    #expect(warnings.map(\.code) == [.nullIsland] && warnings.map(\.count) == [10])
    let passing = Recording.track((0..<10).map { (seconds: Double($0), longitude: Double($0) / 10_000) })
    #expect(try one(passing).report.warnings.isEmpty)
  }

  @Test("Impossible speeds are a warning, which suggests dropping spikes if they are isolated")
  func impossibleSpeed() throws {
    var places: [Double?] = (0..<20).map { Double($0) }
    places[10] = 100_000
    let warning = try #require(try one(track(places)).report.warnings.first)
    #expect(warning.code == .impossibleSpeed)
    #expect(warning.count == 2)
    #expect(warning.place.path == "point 11")
    #expect(warning.suggestion == .dropSpikes)
    // Fast throughout, in metres per second: an airliner at 1,400 km/h, and a recording whose times are
    // wrong.
    func flight(_ speed: Double) throws -> [TrackWarning] {
      let degrees = speed / 111_319.49
      return try one(.track((0..<100).map { (seconds: Double($0), longitude: Double($0) * degrees) }))
        .report.warnings
    }
    #expect(try flight(1400 / 3.6).isEmpty)
    let hasty = try flight(1600 / 3.6)
    #expect(hasty.map(\.code) == [.impossibleSpeed])
    #expect(hasty.first?.suggestion == nil)
    // A drive at 10 m/s, and an airliner at 480 km/h.
    #expect(try one(track((0..<20).map { Double($0) })).report.warnings.isEmpty)
    let airliner = (0..<20).map { (step: Int) -> (seconds: Double, longitude: Double) in
      (Double(step * 10), Double(step) * 0.012 / 1.002)
    }
    #expect(try one(.track(airliner)).report.warnings.isEmpty)
  }

  @Test("Points that repeat a position until the receiver has a new one are not a high speed")
  func repeatedPositions() throws {
    // Five points per second, one position per second: 33 m/s.
    let points = (0..<100).map { (row: Int) -> (seconds: Double, longitude: Double) in
      (Double(row) / 5, Double(row / 5) * 0.0003)
    }
    #expect(try one(.track(points)).report.warnings.map(\.code) == [.heldFixes])
  }

  @Test("A gap of more than six hours is a warning that suggests splitting; a gap of six hours is not")
  func longGap() throws {
    let hours = 6.0 * 3600
    let long = try one(.track([(0, 0), (1, 0.001), (hours + 2, 0.002)]), .with { $0.cadence = .keepPoints })
    let warning = try #require(long.report.warnings.first { $0.code == .longGap })
    #expect(warning.count == 1)
    #expect(warning.place.path == "point 3")
    #expect(warning.offendingText == "6 h")
    #expect(warning.suggestion == .splitAtGaps(seconds: 21_600))
    for recording in [
      Recording.track([(0, 0), (1, 0.001), (hours + 1, 0.002)]),
      .track([(0, 0), (1, 0.001)], [(2 * hours, 0.002), (2 * hours + 1, 0.003)]),
    ] {
      let moving = try one(recording, .with { ($0.cadence, $0.timing) = (.keepPoints, .moving) })
      #expect(!moving.report.warnings.contains { $0.code == .longGap })
    }
  }

  @Test("A drive with more than a hundred times the recorded points is an error with two suggestions")
  func invention() throws {
    // 101 points in 100 s, and one 10,000 s later: 10,101 points are less than a hundred times 102.
    let points = (0...100).map { (seconds: Double($0), longitude: Double($0) / 10_000) }
    #expect(try one(.track(points + [(10_100, 0.02)])).report.pointsInDrive == 10_101)
    let error = #expect(throws: TrackError.self) { try one(.track(points + [(10_201, 0.02)])) }
    #expect(error?.code == .limitExceeded)
    #expect(
      error?.suggestion
        == .either(.splitAtGaps(seconds: 21_600), .either(.splitAtStops(seconds: 600), .lengthenCadence)))
    #expect(try one(.track(points + [(10_201, 0.02)]), .with { $0.cadence = .seconds(2) }).report.resampled)
    // Few points of a coarse source may be far apart.
    #expect(try one(.track([(0, 0), (1, 0), (3600, 0.1)])).report.pointsInDrive == 3601)
  }

  @Test("A repeated stretch is omitted once, with or without a segment boundary", arguments: [false, true])
  func repetition(inSegments: Bool) throws {
    let points = (0..<100).map { (seconds: Double($0), longitude: Double($0) / 10_000) }
    let recording = inSegments ? Recording.track(points, points) : .track(points + points)
    let result = try one(recording)
    #expect(result.report.pointsUsed == 100)
    #expect(result.report.warnings.map(\.code) == [.repeatedPoints])
    #expect(result.report.warnings.first?.count == 100)
    #expect(result.report.warnings.first?.place.path == "point 101")
    #expect(result.drive.duration == 99)
    // Other positions at the same times are not a repetition.
    let other = points.map { (seconds: $0.seconds, longitude: $0.longitude + 0.001) }
    expectError(.outOfOrder) { try one(.track(points + other)) }
  }

  @Test("A single point near the end with a clock far ahead is omitted, not the points after it")
  func lateStray() throws {
    var points = (0..<100).map { (seconds: Double($0), longitude: Double($0) / 10_000) }
    points[95].seconds = 60_000_000
    let result = try one(.track(points))
    #expect(result.report.pointsUsed == 99)
    #expect(result.drive.duration == 99)
    #expect(result.report.warnings.map(\.code) == [.outOfOrder])
  }

  @Test(
    "A ghost omits only the fixes with a clock error, like an import",
    arguments: [63_072_000.0, 1800.0])
  func clockErrorOfGhost(seconds: Double) throws {
    var segment = Recording.Segment()
    for index in 0..<40 {
      segment.append(
        Coordinate(latitude: 50, longitude: 8 + Double(index) / 10_000),
        time: Recording.instant(Double(index) + (index == 0 ? seconds : 0)))
    }
    let recording = Recording(segments: [segment])
    let trail = try GhostTrail(recording)
    #expect(trail.count == 39)
    #expect(trail.warnings.map(\.code) == [.outOfOrder])
    #expect(trail.duration == 38)
    #expect(try one(recording).drive.duration == 38)
  }

  @Test("A recorder rejects fixes at 0°, 0° far from the route")
  func recorder() {
    var recorder = DriveRecorder()
    recorder.start(at: Recording.instant(0))
    for (second, latitude) in [0, 50, 50.001, 0, 50.002].enumerated() {
      let now = Recording.instant(Double(second))
      let place = Coordinate(latitude: latitude, longitude: latitude == 0 ? 0 : 8)
      recorder.add(LocationFix(coordinate: place, time: now), at: now)
    }
    #expect(recorder.refusals == [.nullIsland: 2])
    #expect(recorder.route.count == 3)
    // 0.002° of latitude are 222.4 m.
    #expect(abs(recorder.distance * 1609.344 - 222.4) < 0.5)
  }

  @Test("The count of fixes at 0°, 0° has no suggestion if the output omits them")
  func censusOfDrive() throws {
    var document = TrackDocument()
    var track = TrackDocument.Track()
    var points = PointColumns()
    for latitude in [50, 0, 50.0] {
      points.append(Coordinate(latitude: latitude, longitude: latitude == 0 ? 0 : 8))
    }
    track.segments = [TrackDocument.Segment(points: points)]
    document.tracks = [track]
    var reader = TrackDocumentReader(document)
    var batch = PointBatch()
    var census = TrackCensus(isLeftOut: true)
    while let event = try reader.next(into: &batch) { census.add(event, batch) }
    #expect(census.warnings.first?.count == 1)
    #expect(census.warnings.first?.suggestion == nil)
  }

  @Test("For a line without times, the limit on points does not suggest splitting at gaps")
  func longUntimed() {
    var options = ImportOptions()
    options.duration = 172_800
    var segment = Recording.Segment()
    for index in 0..<6 {
      segment.append(Coordinate(latitude: 50, longitude: 8 + Double(index * index) / 1000), time: nil)
    }
    let error = #expect(throws: TrackError.self) {
      try DriveImporter.drives(from: Recording(segments: [segment]), options: options, name: "n")
    }
    #expect(error?.suggestion == .lengthenCadence)
  }
}
