import GhostModel
import TestSupport
import Testing
import TrackModel

struct GhostTrailTests {
  /// Along the equator: at 0° after 0 s, at 0.1° after 10 s, at 0.3° after 30 s.
  static let trail = GhostTrail([
    waypoint(0, 0, 0, altitude: 100), waypoint(10, 0, 0.1, altitude: 200), waypoint(30, 0, 0.3),
  ])

  static func waypoint(
    _ seconds: Double, _ latitude: Double, _ longitude: Double, altitude: Double? = nil
  ) -> GhostTrail.Point {
    GhostTrail.Point(
      coordinate: Coordinate(latitude: latitude, longitude: longitude),
      timestamp: Recording.instant(seconds), altitude: altitude)
  }

  @Test("The trail of a recording has its elevations")
  func elevations() throws {
    var segment = Recording.Segment()
    for second in 0..<4 {
      segment.append(
        Coordinate(latitude: Double(second) * 1e-4, longitude: 0),
        time: Instant(microseconds: Int64(second) * 1_000_000),
        elevation: second == 2 ? nil : Double(100 + second))
    }
    let trail = try GhostTrail(Recording(segments: [segment]))
    #expect(trail.altitudes.map { $0.isNaN ? -1 : $0 } == [100, 101, -1, 103])
    #expect(trail.state(at: 0.5)?.altitude == 100.5)
    var bare = Recording.Segment()
    bare.append(Coordinate(latitude: 0, longitude: 0), time: Instant(microseconds: 0))
    #expect(try GhostTrail(Recording(segments: [bare])).altitudes.isEmpty)
  }

  @Test(
    "The ghost is on the straight line between two waypoints",
    arguments: [
      (-5, 0), (0, 0), (5, 0.05), (10, 0.1), (20, 0.2), (25, 0.25), (30, 0.3), (31, 0.3),
      (Double.infinity, 0.3), (-Double.infinity, 0), (Double.nan, 0),
    ] as [(Double, Double)])
  func interpolates(elapsed: Double, longitude: Double) throws {
    let place = try #require(Self.trail.position(at: elapsed))
    #expect(abs(place.longitude - longitude) < 1e-15)
    #expect(place.latitude == 0)
  }

  @Test("An empty trail has no ghost")
  func empty() {
    #expect(GhostTrail().position(at: 0) == nil)
    #expect(GhostTrail().state(at: 0) == nil)
    #expect(GhostTrail().duration == 0)
    var cursor = GhostCursor(GhostTrail())
    let place = cursor.position(at: 1)
    #expect(place == nil)
  }

  @Test("The ghost of a trail with one waypoint is always at that waypoint", arguments: [-1.0, 0, 1e9])
  func single(elapsed: Double) {
    let trail = GhostTrail([Self.waypoint(7, 1, 2)])
    #expect(trail.position(at: elapsed) == Coordinate(latitude: 1, longitude: 2))
    #expect(trail.state(at: elapsed)?.speed == 0)
  }

  @Test("Across the antimeridian, the ghost uses the shorter side")
  func antimeridian() throws {
    let trail = GhostTrail([Self.waypoint(0, 10, 179.9), Self.waypoint(10, 10, -179.9)])
    let before = try #require(trail.position(at: 2.5))
    let after = try #require(trail.position(at: 7.5))
    #expect(abs(before.longitude - 179.95) < 1e-9)
    #expect(abs(after.longitude + 179.95) < 1e-9)
  }

  @Test("At a repeated time, the ghost is at the last waypoint with that time")
  func repeated() throws {
    let trail = GhostTrail([
      Self.waypoint(0, 0, 0), Self.waypoint(10, 0, 1), Self.waypoint(10, 0, 5), Self.waypoint(20, 0, 6),
    ])
    #expect(trail.count == 4)
    #expect(abs(try #require(trail.position(at: 9)).longitude - 0.9) < 1e-12)
    #expect(trail.position(at: 10)?.longitude == 5)
    #expect(trail.position(at: 15)?.longitude == 5.5)
  }

  @Test("If all times are equal, the ghost is at the last waypoint")
  func frozen() {
    let trail = GhostTrail([Self.waypoint(3, 0, 0), Self.waypoint(3, 0, 1)])
    #expect(trail.position(at: -1)?.longitude == 0)
    #expect(trail.position(at: 0)?.longitude == 1)
    #expect(trail.position(at: 1)?.longitude == 1)
  }

  @Test("A waypoint that is earlier than the previous one is not stored, but counted")
  func backwards() {
    let trail = GhostTrail([
      Self.waypoint(0, 0, 0), Self.waypoint(10, 0, 1), Self.waypoint(5, 0, 9), Self.waypoint(20, 0, 2),
    ])
    #expect(trail.count == 3)
    #expect(trail.outOfOrderCount == 1)
    #expect(trail.position(at: 15)?.longitude == 1.5)
  }

  @Test("Waypoints with an accuracy worse than 15 m are not stored; waypoints with exactly 15 m are")
  func accuracy() {
    var trail = GhostTrail()
    let waypoint = Self.waypoint(0, 0, 0)
    let stored = [
      trail.append(waypoint, horizontalAccuracy: 15), trail.append(waypoint, horizontalAccuracy: 15.01),
      trail.append(waypoint, horizontalAccuracy: -1), trail.append(Self.waypoint(0, 91, 0)),
      trail.append(waypoint),
    ]
    #expect(stored == [true, false, false, false, true])
    #expect(trail.count == 2)
    #expect(trail.inaccurateCount == 1)
    #expect(trail.invalidCount == 2)
  }

  @Test("The altitude is interpolated, and missing if either waypoint has none")
  func altitude() {
    #expect(Self.trail.state(at: 5)?.altitude == 150)
    #expect(Self.trail.state(at: 10)?.altitude == 200)
    #expect(Self.trail.state(at: 20)?.altitude == nil)
    var late = GhostTrail([Self.waypoint(0, 0, 0)])
    late.append(Self.waypoint(10, 0, 1, altitude: 5))
    #expect(late.state(at: 0)?.altitude == nil)
    #expect(late.state(at: 10)?.altitude == 5)
  }

  @Test("Course and speed are those towards the next waypoint")
  func motion() throws {
    let state = try #require(Self.trail.state(at: 4))
    // 0.1° of the equator: 6,378,137 m × π / 1800 = 11,131.949 m, in 10 s.
    #expect(abs(state.speed - 1113.1949) < 0.001)
    #expect(state.course == 90)
    #expect(state.index == 0)
    #expect(abs(state.fraction - 0.4) < 1e-12)
    let end = try #require(Self.trail.state(at: 30))
    #expect(end.speed == 0)
    #expect(end.course == nil)
    #expect(end.index == 2)
    #expect(try #require(Self.trail.state(at: -1)).speed == 0)
  }

  @Test("A recording's trail omits points without a time and has the starts of its segments")
  func recording() throws {
    var recording = Recording.track([(0, 0), (10, 0.1)], [(60, 0.2), (70, 0.3)])
    recording.segments[1].append(Coordinate(latitude: 0, longitude: 9), time: nil)
    let trail = try GhostTrail(recording)
    #expect(trail.count == 4)
    #expect(trail.segmentStarts == [2])
    #expect(trail.startTime == Recording.origin)
    #expect(trail.elapsed == [0, 10, 60, 70])
  }

  @Test("A shuffled recording has no trail, and the error is that of a comparison")
  func shuffled() {
    var generator = SeededGenerator(seed: 1)
    let points = (0..<100).map { (seconds: Double($0), longitude: Double($0) / 1000) }
    let recording = Recording.track(points.shuffled(using: &generator))
    let error = #expect(throws: TrackError.self) { try GhostTrail(recording) }
    #expect(error?.code == .outOfOrder)
    let comparison = #expect(throws: TrackError.self) { try TimedDrive(recording, label: "") }
    #expect(error?.description == comparison?.description)
  }

  @Test("The trail of a recording whose times are all equal has all points, in linear time")
  func equalTimes() throws {
    let points = (0..<200_000).map { (seconds: 5.0, longitude: Double($0) / 10_000) }
    let clock = ContinuousClock()
    let begin = clock.now
    let trail = try GhostTrail(Recording.track(points))
    #expect(trail.count == points.count)
    #expect(trail.duration == 0)
    #expect(trail.startTime == Recording.instant(5))
    #expect(trail.position(at: 1)?.longitude == points.last?.longitude)
    #expect(clock.now - begin < .seconds(10))
  }

  @Test("A drive's trail spreads the duration evenly over the gaps between points")
  func drive() throws {
    let coordinates = [0.0, 0.1, 0.2, 0.3].map { Coordinate(latitude: 0, longitude: $0) }
    let drive = Drive(
      name: "", startTime: nil, endTime: nil, duration: 10, distance: 0,
      coordinates: coordinates)
    let trail = GhostTrail(drive)
    // 10 s over three gaps.
    let elapsed: [Double] = [0, 10.0 / 3, 20.0 / 3, 10]
    #expect(trail.elapsed == elapsed)
    let middle = try #require(trail.position(at: 5)).longitude
    #expect(abs(middle - 0.15) < 1e-7)
    #expect(trail.startTime == nil)
  }

  @Test("The cursor returns the same as the search, forwards and backwards in time", arguments: 1...20)
  func cursor(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var trail = GhostTrail()
    var seconds = 0.0
    for _ in 0..<Int.random(in: 1...300, using: &generator) {
      trail.append(
        Self.waypoint(
          seconds, .random(in: -80...80, using: &generator), .random(in: -180...180, using: &generator)))
      // A quarter of the times are repeated.
      seconds += max(0, Double(Int.random(in: -1...3, using: &generator)))
    }
    var cursor = GhostCursor(trail)
    var now = -3.0
    for _ in 0..<500 {
      now += Double.random(in: -2...4, using: &generator)
      if Int.random(in: 0..<40, using: &generator) == 0 {
        now = .random(in: 0...(trail.duration + 1), using: &generator)
      }
      let state = cursor.state(at: now)
      let place = cursor.position(at: now)
      #expect(state == trail.state(at: now), "seed \(seed), \(now) s")
      #expect(place == trail.position(at: now), "seed \(seed), \(now) s")
    }
  }
}
