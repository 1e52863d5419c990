import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Passages of a segment")
struct SegmentSearchTests {
  private static let projection = Projection.plane(latitude: 47, longitude: 8)
  private static let road = SimulatedRoad().straight(500).arc(300, turning: 70).straight(600)
    .arc(300, turning: -50).straight(800)
  private static let stretch = road.part(600...1900)

  private static func coordinate(at metres: Double) -> Coordinate {
    projection.coordinate(road.place(at: metres))
  }

  private static func segment() throws -> RoadSegment {
    try RoadSegment(name: "hill", line: stretch.points.map { projection.coordinate($0) })
  }

  private func passages(_ road: SimulatedRoad, noise: Double = 1.5) throws -> [Passage] {
    let trace = try SimulatedDrive(road, speed: 15).trace("a", noise: noise)
    return SegmentSearch(try Self.segment()).passages(in: trace)
  }

  @Test("A drive along the whole segment is a passage, with the times of entering and leaving it")
  func whole() throws {
    let drive = SimulatedDrive(Self.road, speed: 15, stops: [(at: 1200, seconds: 40)])
    let passages = SegmentSearch(try Self.segment()).passages(in: try drive.trace("a", noise: 0))
    #expect(passages.count == 1)
    let passage = try #require(passages.first)
    #expect(abs(passage.start - drive.time(at: 600)) < 0.1)
    #expect(abs(passage.end - drive.time(at: 1900)) < 0.1)
    #expect(abs(passage.waiting - 40) < 5)
    #expect(abs(passage.distance - 1300) < 15)
  }

  @Test("A drive that leaves the line is not compared with the rest of it")
  func leaves() throws {
    let guide = try Self.segment().guide
    let road = Self.road.part(600...1000).arc(100, turning: 120).straight(900)
    let path = SmoothPath(try SimulatedDrive(road, speed: 15).trace("a", noise: 0))
    let end = try #require(path.times.last)
    #expect(guide.follow(path, from: 0, to: end).count > 80)
    let matches = guide.follow(path, from: 0, to: end, within: 45)
    #expect(matches.count < 50)
    #expect(matches.dropLast().allSatisfy { abs($0.left) <= 45 })
    #expect(matches.last.map { abs($0.left) > 45 } == true)
  }

  @Test("A long stop does not hide the passage of a short segment", arguments: 1...8)
  func longStop(seed: UInt64) throws {
    let segment = try RoadSegment(
      name: "short", line: Self.road.part(900...1200).points.map { Self.projection.coordinate($0) })
    let drive = SimulatedDrive(Self.road, speed: 15, stops: [(at: 1050, seconds: 600)])
    let passages = SegmentSearch(segment).passages(in: try drive.trace("a", noise: 2.5, seed: seed))
    #expect(passages.count == 1)
    #expect(passages.allSatisfy { abs($0.waiting - 600) < 15 && abs($0.distance - 300) < 40 })
  }

  @Test("Fixes every 30 s are sufficient for a passage of a segment that ends in bends", arguments: 0..<10)
  func sparseBends(phase: Int) throws {
    let road = SimulatedRoad().straight(500).arc(180, turning: 100).straight(900).arc(180, turning: -100)
      .straight(800)
    let segment = try RoadSegment(
      name: "bends", line: road.part(590...1670).points.map { Self.projection.coordinate($0) })
    let drive = road.part((40 * phase)...2500)
    let trace = try SimulatedDrive(drive, speed: 13).trace("a", .every(30), noise: 2.5)
    let passages = SegmentSearch(segment).passages(in: trace)
    #expect(passages.count == 1)
  }

  @Test("Drives that park 20 m apart are passages of the segment along one of them", arguments: 1...6)
  func wholeDrive(seed: UInt64) throws {
    let drive = SimulatedDrive(Self.road.part(20...2400), speed: 15, idle: (40, 60))
    let segment = try RoadSegment(name: "all", along: try drive.trace("a", noise: 4, seed: seed))
    // 50 m at each end, where the noise of the parked receiver can add some metres to the line.
    #expect(abs(segment.length - 2280) < 100)
    let other = SimulatedDrive(Self.road.part(0...2380), speed: 12, idle: (20, 30))
    let traces = [
      try drive.trace("a", noise: 4, seed: seed), try other.trace("b", noise: 4, seed: seed + 10),
    ]
    for trace in traces {
      #expect(SegmentSearch(segment).passages(in: trace).count == 1)
    }
  }

  @Test("The part of a drive begins and ends at the given times")
  func partOfDrive() throws {
    let drive = SimulatedDrive(Self.road, speed: 15)
    let segment = try RoadSegment(
      name: "part", along: try drive.trace("a", noise: 0), from: drive.time(at: 600), to: drive.time(at: 1900)
    )
    #expect(abs(segment.length - 1300) < 2)
  }

  @Test("The ends of a segment must differ, and a drive must pass all positions in order")
  func impossibleEnds() throws {
    let trace = try SimulatedDrive(Self.road, speed: 15).trace("a", noise: 0)
    let first = Self.coordinate(at: 600)
    let middle = Self.coordinate(at: 1200)
    let last = Self.coordinate(at: 1900)
    func code(_ start: Coordinate, _ end: Coordinate, via: [Coordinate] = []) -> TrackError.Code? {
      do throws(TrackError) {
        _ = try RoadSegment(name: "x", from: start, to: end, via: via, in: [trace])
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code(first, first) == .invalidValue)
    #expect(code(first, last, via: [middle]) == nil)
    #expect(code(first, middle, via: [last]) == .noTracks)
  }

  @Test(
    "The ends of a segment are on the road next to the given positions", arguments: [-28.0, -20, 0, 20, 28])
  func besideTheRoad(left: Double) throws {
    let traces = try (1...6).map { seed in
      try SimulatedDrive(Self.road, speed: 15).trace("a", noise: 1.5, seed: seed)
    }
    func beside(_ metres: Double) -> Coordinate {
      let (place, next) = (Self.road.place(at: metres), Self.road.place(at: metres + 1))
      return Self.projection.coordinate(
        SIMD2(place.x - left * (next.y - place.y), place.y + left * (next.x - place.x)))
    }
    let segment = try RoadSegment(name: "x", from: beside(700), to: beside(1900), in: traces)
    #expect(abs(segment.length - 1200) < 5)
    for trace in traces {
      let passages = SegmentSearch(segment).passages(in: trace)
      #expect(passages.count == 1)
      #expect(passages.allSatisfy { abs($0.duration - 80) < 0.6 })
    }
  }

  @Test(
    "A stop at the start of a segment makes the time uncertain",
    arguments: [(0.0, 20.0), (2.5, 14.6), (20, 0.5)])
  func stopAtGate(metres: Double, uncertainty: Double) throws {
    // On either side with probabilities of 1/2, and of 0.16 at one standard deviation: 40 s · √(p (1 − p)).
    let drive = SimulatedDrive(Self.road, speed: 15, stops: [(at: 600 + metres, seconds: 40)])
    let passages = SegmentSearch(try Self.segment()).passages(in: try drive.trace("a", noise: 0))
    let passage = try #require(passages.first)
    #expect(abs(passage.uncertainty - uncertainty) < 3)
  }

  @Test(
    "A segment may begin and end where drives turn", arguments: [-150.0, -120, -90, -60, 60, 90, 120, 150],
    1...6)
  func turns(angle: Double, seed: UInt64) throws {
    let road = SimulatedRoad().straight(500).arc(8, turning: angle).straight(800).arc(8, turning: -angle)
      .straight(500)
    let segment = try RoadSegment(
      name: "turns", line: road.part(504...1312).points.map { Self.projection.coordinate($0) })
    let drive = SimulatedDrive(road, speed: 10, stops: [(at: 470, seconds: 30), (at: 1340, seconds: 30)])
    let passages = SegmentSearch(segment).passages(in: try drive.trace("a", noise: 2, seed: seed))
    #expect(passages.count == 1)
    let passage = try #require(passages.first)
    #expect(abs(passage.start - drive.time(at: 504)) < 1)
    #expect(abs(passage.end - drive.time(at: 1312)) < 1)
    #expect(passage.uncertainty < 1.5)
  }

  @Test(
    "Drives pass a segment between junctions in whatever direction they come and leave",
    arguments: [-135.0, -90, -45, 0, 45, 90, 135], 1...4)
  func junctions(angle: Double, seed: UInt64) throws {
    let segment = try RoadSegment(
      name: "junctions", line: SimulatedRoad().straight(800).points.map { Self.projection.coordinate($0) })
    func road(from start: SIMD2<Double>) -> SimulatedRoad {
      SimulatedRoad(from: start, heading: -angle).straight(500).arc(8, turning: angle).straight(800)
        .arc(8, turning: angle).straight(500)
    }
    // The straight road in the middle is the segment.
    let drive = SimulatedDrive(road(from: -1 * road(from: [0, 0]).place(at: 508)), speed: 10)
    let passages = SegmentSearch(segment).passages(in: try drive.trace("a", noise: 2, seed: seed))
    #expect(passages.count == 1)
    let passage = try #require(passages.first)
    #expect(abs(passage.start - drive.time(at: 508)) < 1)
    #expect(abs(passage.end - drive.time(at: 1308)) < 1)
  }

  @Test("Drives are searched in parallel with the same result")
  func onAllCores() throws {
    let search = SegmentSearch(try Self.segment())
    let traces = try (1...9).map { seed in
      try SimulatedDrive(Self.road, speed: Double(10 + seed)).trace("a", noise: 1.5, seed: seed)
    }
    #expect(search.passages(inEach: traces) == traces.map { search.passages(in: $0) })
  }

  @Test("A drive in the opposite direction is not a passage")
  func reversed() throws { #expect(try passages(Self.road.reversed).isEmpty) }

  @Test("A drive along a part of the segment is not a passage")
  func part() throws {
    #expect(try passages(Self.road.part(0...1500)).isEmpty)
    #expect(try passages(Self.road.part(900...2500)).isEmpty)
  }

  @Test("A drive on a parallel road 25 m away is not a passage")
  func parallel() throws {
    #expect(try passages(Self.road.detour(over: 700...1800, offset: 25, angle: 30)).isEmpty)
    #expect(try passages(Self.road.detour(over: 100...2450, offset: 25, angle: 30)).isEmpty)
  }

  @Test("A parallel road is recognized with fixes every 20 s", arguments: 1...5)
  func sparseParallel(seed: UInt64) throws {
    let segment = try Self.segment()
    func passages(_ road: SimulatedRoad) throws -> Int {
      let trace = try SimulatedDrive(road, speed: 15).trace("a", .every(20), noise: 2.5, seed: seed)
      return SegmentSearch(segment).passages(in: trace).count
    }
    #expect(try passages(Self.road) == 1)
    #expect(try passages(Self.road.detour(over: 700...1750, offset: 25, angle: 30)) == 0)
  }

  @Test("A drive with a detour inside the segment is not a passage")
  func detour() throws {
    #expect(try passages(Self.road.detour(over: 900...1400, offset: 120, angle: 40)).isEmpty)
  }

  @Test("If a drive enters several times, the last entry before the rest of the segment counts")
  func turnedBack() throws {
    let back = SimulatedRoad(from: Self.road.points[0]).following(Array(Self.road.points[1...1000]))
      .following(Self.road.points[300...1000].reversed()).following(Array(Self.road.points[300...]))
    let drive = SimulatedDrive(back, speed: 15)
    let passages = SegmentSearch(try Self.segment()).passages(in: try drive.trace("a", noise: 0))
    #expect(passages.count == 1)
    // 1,001 points forward, 701 back, and 300 more to the start.
    #expect(abs(try #require(passages.first).start - drive.time(at: 2002)) < 0.5)
  }

  @Test("A passage across the antimeridian is found")
  func antimeridian() throws {
    let projection = Projection.plane(latitude: -17, longitude: 179.999)
    let segment = try RoadSegment(
      name: "fiji", line: Self.stretch.points.map { projection.coordinate($0) })
    let trace = try SimulatedDrive(Self.road, speed: 15).trace("a", noise: 0, projection: projection)
    #expect(SegmentSearch(segment).passages(in: trace).count == 1)
  }

  @Test("The shared road of drives begins and ends 200 m inside of what nine in ten of them drove")
  func sharedRoad() throws {
    var traces: [TimedDrive] = []
    for (seed, range) in [0...2500, 100...2450, 150...2400].enumerated() {
      let road = Self.road.part(range)
      traces.append(try SimulatedDrive(road, speed: 15).trace("\(seed)", noise: 1, seed: UInt64(seed)))
    }
    let segment = try RoadSegment(name: "shared", sharedBy: traces)
    // From 100 + 200 m to 2,450 - 200 m.
    #expect(abs(segment.length - 1950) < 30)
    #expect(Geodesy.distance(from: segment.line[0], to: Self.coordinate(at: 300)) < 20)
    #expect(throws: TrackError.self) {
      try RoadSegment(
        name: "short", sharedBy: [SimulatedDrive(Self.road.part(0...500), speed: 15).trace("a")])
    }
  }

  @Test("A segment may pass its own ends: the road of a loop and of drives that share it", arguments: 1...5)
  func loop(seed: UInt64) throws {
    // The road goes through 500 m of its straight twice in the same direction, with a loop in between.
    let road = SimulatedRoad().straight(500).arc(600, turning: 360).straight(400)
    let drive = SimulatedDrive(road, speed: 12)
    // 20 m after the end of the loop, where it also begins.
    let segment = try RoadSegment(
      name: "loop", line: road.part(250...1120).points.map { Self.projection.coordinate($0) })
    let passages = SegmentSearch(segment).passages(in: try drive.trace("a", noise: 1, seed: seed))
    #expect(passages.count == 1)
    let passage = try #require(passages.first)
    #expect(abs(passage.start - drive.time(at: 250)) < 0.5)
    #expect(abs(passage.end - drive.time(at: 1120)) < 0.5)

    // 300 m remain of the second straight; without 200 m at the ends, the road ends 20 m after the loop.
    let traces = try (0..<4).map { number in
      try SimulatedDrive(road.part(0...1320), speed: 11 + Double(number))
        .trace("\(number)", noise: 1, seed: seed + 10 * UInt64(number))
    }
    let shared = try RoadSegment(name: "shared", sharedBy: traces)
    #expect(abs(shared.length - 920) < 30)
    #expect(traces.map { SegmentSearch(shared).passages(in: $0).count } == [1, 1, 1, 1])
    let between = try RoadSegment(
      name: "via", from: Self.projection.coordinate(road.place(at: 250)),
      to: Self.projection.coordinate(road.place(at: 1120)),
      via: [Self.projection.coordinate(road.place(at: 800))], in: traces)
    #expect(abs(between.length - 870) < 30)
  }

  @Test("Without a line, the segment is the road that most drives used")
  func usualWay() throws {
    var traces: [TimedDrive] = []
    for seed in 1...3 {
      traces.append(try SimulatedDrive(Self.road, speed: 15).trace("\(seed)", noise: 2, seed: UInt64(seed)))
    }
    let detour = Self.road.detour(over: 900...1400, offset: 120, angle: 40)
    traces.append(try SimulatedDrive(detour, speed: 15).trace("4", noise: 2, seed: 4))
    let segment = try RoadSegment(
      name: "way", from: Self.coordinate(at: 600), to: Self.coordinate(at: 1900), in: traces)
    #expect(abs(segment.length - 1300) < 20)
    let search = SegmentSearch(segment)
    #expect(traces.map { search.passages(in: $0).count } == [1, 1, 1, 0])
    expectError(.noTracks) {
      try RoadSegment(
        name: "none", from: Self.coordinate(at: 1900), to: Self.coordinate(at: 600), in: traces)
    }
  }

  @Test("A part of a segment extends from one place to the other, also against the direction of the line")
  func partOfLine() throws {
    let segment = try Self.segment()
    let part = try segment.part(from: Self.coordinate(at: 800), to: Self.coordinate(at: 1000))
    #expect(abs(part.length - 200) < 1)
    let back = try segment.part(from: Self.coordinate(at: 1000), to: Self.coordinate(at: 800))
    #expect(abs(back.length - 200) < 1)
    #expect(Geodesy.distance(from: try #require(back.line.first), to: Self.coordinate(at: 1000)) < 1)
  }

  @Test("A line with a length of zero is an error")
  func noLength() {
    let place = Coordinate(latitude: 1, longitude: 1)
    expectError(.tooFewPoints) { try RoadSegment(name: "x", line: [place, place]) }
    expectError(.tooFewPoints) { try RoadSegment(name: "x", line: []) }
  }
}
