import CMath
import Testing
import TrackModel

@testable import DriveMatching
@testable import GhostModel

@Suite("Recordings of one ride")
struct RideMatchTests {
  /// A road of 3.4 km with bends, driven with one stop.
  private static let road = SimulatedRoad().straight(1200).arc(200, turning: 60).straight(1600).arc(
    150, turning: -90
  )
  .straight(200)
  private static let drive = SimulatedDrive(road, speed: 12, sway: 0.4, stops: [(1500, 30)], idle: (20, 20))

  /// Returns the fingerprint of the fixes of a receiver within `part`, in seconds.
  private static func fingerprint(
    _ drive: SimulatedDrive = drive, _ sampling: SimulatedDrive.Sampling = .every(1), noise: Double = 2.5,
    seed: UInt64, late: Double = 0, part: ClosedRange<Double> = 0...10_000
  ) throws -> RideFingerprint {
    let trace = try drive.trace("", sampling, noise: noise, seed: seed)
    let rows = (0..<trace.count).filter { part.contains(trace.elapsed[$0]) }
    return try fingerprint(rows.map { (trace.coordinate(at: $0), trace.elapsed[$0] + late) })
  }

  private static func fingerprint(_ fixes: [(place: Coordinate, seconds: Double)]) throws -> RideFingerprint {
    var segment = Recording.Segment()
    for fix in fixes {
      segment.append(fix.place, time: Instant(microseconds: Int64(1.7e15 + fix.seconds * 1e6)))
    }
    return try #require(RideFingerprint(Recording(segments: [segment])))
  }

  private static func relation(_ first: RideFingerprint, _ second: RideFingerprint) -> RideRelation? {
    let match = RideMatch(first, second)
    // The order of the two does not matter.
    #expect(RideMatch(second, first)?.relation == match?.relation)
    return match?.relation
  }

  @Test(
    "Another device's recording belongs to the same ride, at any recording interval",
    arguments: [SimulatedDrive.Sampling.every(1), .every(0.2), .every(15), .smart, .metres(10)])
  func otherDevice(sampling: SimulatedDrive.Sampling) throws {
    for seed in UInt64(1)...4 {
      let first = try Self.fingerprint(seed: seed)
      let second = try Self.fingerprint(Self.drive, sampling, noise: 4, seed: seed + 100)
      #expect(Self.relation(first, second) == .simultaneous, "\(seed)")
    }
  }

  @Test("The second recording may begin minutes later, contain only a part, and lag by a second")
  func part() throws {
    let first = try Self.fingerprint(seed: 1)
    let second = try Self.fingerprint(seed: 2, late: 1.2, part: 100...240)
    let match = try #require(RideMatch(first, second))
    #expect(match.relation == .simultaneous)
    #expect(abs(match.lag - 1.2) < 0.3)
    #expect(second.isCovered(by: first, lag: match.lag))
    #expect(!first.isCovered(by: second, lag: -match.lag))
  }

  @Test("A thinned, rounded or cut copy is a duplicate")
  func copies() throws {
    let first = try Self.fingerprint(seed: 1)
    let fixes = (0..<first.count).map {
      (place: first.coordinate(at: $0), seconds: Double(first.elapsed[$0]))
    }
    for step in [2, 5, 15, 30] {
      let thinned = fixes.enumerated().filter { $0.offset % step == 0 }.map(\.element)
      #expect(Self.relation(first, try Self.fingerprint(thinned)) == .duplicate, "\(step)")
    }
    let rounded = fixes.map { fix in
      (
        place: Coordinate(
          latitude: (fix.place.latitude * 1e5).rounded() / 1e5,
          longitude: (fix.place.longitude * 1e5).rounded() / 1e5), seconds: fix.seconds
      )
    }
    #expect(Self.relation(first, try Self.fingerprint(rounded)) == .duplicate)
    #expect(Self.relation(first, try Self.fingerprint(Array(fixes[40..<180]))) == .duplicate)
  }

  @Test("A copy may name the antimeridian differently", arguments: [180, -180, 179.9999999, -179.9999999])
  func antimeridian(longitude: Double) throws {
    func fingerprint(_ middle: Double) throws -> RideFingerprint {
      try Self.fingerprint(
        (0..<30).map { row in
          let east = 179.9985 + Double(row) * 1e-4
          let place = row == 15 ? middle : east >= 180 ? east - 360 : east
          return (Coordinate(latitude: 10, longitude: place), Double(row))
        })
    }
    #expect(Self.relation(try fingerprint(180), try fingerprint(longitude)) == .duplicate)
    #expect(Self.relation(try fingerprint(-180), try fingerprint(longitude)) == .duplicate)
  }

  @Test(
    "Drives at the same time on opposite sides of the earth are unrelated", arguments: [100.0, 140, 179.9])
  func oppositeSides(longitude: Double) throws {
    func fingerprint(_ side: Double) throws -> RideFingerprint {
      try Self.fingerprint(
        (0..<30).map {
          (Coordinate(latitude: 10, longitude: side * (longitude - Double($0) * 1e-4)), Double($0))
        })
    }
    #expect(Self.relation(try fingerprint(1), try fingerprint(-1)) == nil)
  }

  @Test("A car that follows at a constant or varying distance is a companion", arguments: [4.0, -6])
  func companions(seconds: Double) throws {
    let first = try Self.fingerprint(seed: 1)
    #expect(Self.relation(first, try Self.fingerprint(seed: 2, late: seconds)) == .companion)
    // On average at the same place as the first one.
    let other = try Self.fingerprint(seed: 2)
    let swaying = (0..<other.count).map { row in
      let time = Double(other.elapsed[row])
      return (place: other.coordinate(at: row), seconds: time + 0.6 * abs(seconds) * sin(time / 30))
    }
    #expect(Self.relation(first, try Self.fingerprint(swaying)) == .companion)
  }

  @Test(
    "A car that follows at a distance at every stop is a companion, even if its lag is small",
    arguments: [UInt64(1), 2, 3, 4])
  func convoy(seed: UInt64) throws {
    let stops = stride(from: 500.0, to: 3000, by: 500).map { ($0, 30.0) }
    let first = SimulatedDrive(Self.road, speed: 12, sway: 0.4, stops: stops, idle: (20, 20))
    let behind = SimulatedDrive(
      Self.road, speed: 12, sway: 0.4, stops: stops.map { ($0.0 - 15, $0.1) }, idle: (20, 20))
    let leader = try Self.fingerprint(first, seed: seed)
    #expect(Self.relation(leader, try Self.fingerprint(behind, seed: seed + 100, late: 1.2)) == .companion)
    for sampling in [SimulatedDrive.Sampling.every(1), .smart, .metres(10)] {
      let device = try Self.fingerprint(first, sampling, noise: 4, seed: seed + 200, late: 1.2)
      #expect(Self.relation(leader, device) == .simultaneous)
    }
  }

  @Test(
    "The distance of walkers varies over minutes by more than that of two watches of one of them",
    arguments: [UInt64(1), 2, 3, 4])
  func walkers(seed: UInt64) throws {
    let walk = SimulatedDrive(SimulatedRoad().winding(8), speed: 1.4, sway: 0.2, idle: (20, 20))
    let first = try Self.fingerprint(walk, seed: seed)
    let other = try Self.fingerprint(walk, seed: seed + 100)
    let watches = try #require(RideMatch(first, other))
    #expect(watches.relation == .simultaneous && !watches.variesSlowly)
    let behind = (0..<other.count).map { row in
      let time = Double(other.elapsed[row])
      return (place: other.coordinate(at: row), seconds: time + 6 * sin(time / 150))
    }
    let walkers = try #require(RideMatch(first, try Self.fingerprint(behind)))
    #expect(walkers.relation == .companion || walkers.variesSlowly)
  }

  @Test("A companion who stays behind while the other drives on is no other device", arguments: [0.5, 0.7])
  func stayingBehind(share: Double) throws {
    let first = try Self.fingerprint(seed: 1)
    let other = try Self.fingerprint(seed: 2)
    let last = Int(share * Double(other.count))
    let staying = (0..<other.count).map { row in
      (place: other.coordinate(at: min(row, last)), seconds: Double(other.elapsed[row]))
    }
    let second = try Self.fingerprint(staying)
    #expect(RideMatch(first, second)?.relation != .simultaneous)
    #expect(RideMatch(second, first)?.relation != .simultaneous)
  }

  @Test("People who part near the end, or meet after the start, are companions", arguments: [true, false])
  func parting(atEnd: Bool) throws {
    let road = SimulatedRoad().winding(12)
    let drive = SimulatedDrive(road, speed: 8, sway: 0.3, stops: [(1200, 60)], idle: (20, 20))
    for seed in UInt64(1)...4 {
      let first = try Self.fingerprint(drive, seed: seed)
      let other = try Self.fingerprint(drive, noise: 4, seed: seed + 100)
      let apart = 60.0
      let slower = (0..<other.count).map { row in
        let time = Double(other.elapsed[row])
        let late = atEnd ? max(0, time - (other.duration - apart)) : -max(0, apart - time)
        return (place: other.coordinate(at: row), seconds: 100 + time + 0.4 * late)
      }
      let together = try Self.fingerprint(
        (0..<first.count).map { (first.coordinate(at: $0), 100 + Double(first.elapsed[$0])) })
      #expect(Self.relation(first, other) == .simultaneous)
      #expect(Self.relation(together, try Self.fingerprint(slower)) == .companion, "\(seed)")
    }
  }

  @Test(
    "People are companions if one stops while the other waits farther on",
    arguments: [SimulatedDrive.Sampling.every(1), .smart, .every(15)])
  func waiting(sampling: SimulatedDrive.Sampling) throws {
    // Both stand at 1.2 km, one for 100 s, and the other one for 10 s and then for 90 s at 1.8 km.
    let road = SimulatedRoad().winding(12)
    let idle = (start: 20.0, end: 20.0)
    let stopping = SimulatedDrive(road, speed: 8, sway: 0.3, stops: [(1200, 100), (1800, 10)], idle: idle)
    let ahead = SimulatedDrive(road, speed: 8, sway: 0.3, stops: [(1200, 10), (1800, 100)], idle: idle)
    for seed in UInt64(1)...4 {
      let first = try Self.fingerprint(stopping, seed: seed)
      let same = try Self.fingerprint(stopping, sampling, noise: 4, seed: seed + 100)
      let other = try Self.fingerprint(ahead, sampling, noise: 4, seed: seed + 100)
      #expect(Self.relation(first, same) == .simultaneous, "\(seed)")
      #expect(Self.relation(first, other) == .companion, "\(seed)")
    }
  }

  @Test("A receiver that keeps a position for a minute, or is off the road, is in the same car")
  func receiverErrors() throws {
    let road = SimulatedRoad().winding(12)
    let drive = SimulatedDrive(road, speed: 8, sway: 0.3, stops: [(1200, 60)], idle: (20, 20))
    for seed in UInt64(1)...4 {
      let first = try Self.fingerprint(drive, seed: seed)
      let other = try Self.fingerprint(drive, noise: 4, seed: seed + 100)
      func changed(_ change: (Int, Coordinate) -> Coordinate) throws -> RideFingerprint {
        try Self.fingerprint(
          (0..<other.count).map { (change($0, other.coordinate(at: $0)), Double(other.elapsed[$0])) })
      }
      let frozen = try changed { row, place in (100..<160).contains(row) ? other.coordinate(at: 100) : place }
      // 220 m to the north for a minute.
      let astray = try changed { row, place in
        let metres = min(max(Double(min(row - 100, 180 - row)) * 10, 0), 220)
        return Coordinate(latitude: place.latitude + metres / 111_195, longitude: place.longitude)
      }
      #expect(Self.relation(first, frozen) == .simultaneous, "\(seed)")
      #expect(Self.relation(first, astray) == .simultaneous, "\(seed)")
    }
  }

  @Test("Another time, another road, the opposite direction and parked cars side by side do not match")
  func nothing() throws {
    let first = try Self.fingerprint(seed: 1)
    #expect(Self.relation(first, try Self.fingerprint(seed: 2, late: 86_400)) == nil)
    let elsewhere = SimulatedRoad(from: SIMD2(0, 2000)).straight(3000)
    #expect(Self.relation(first, try Self.fingerprint(SimulatedDrive(elsewhere, speed: 12), seed: 2)) == nil)
    #expect(
      Self.relation(first, try Self.fingerprint(SimulatedDrive(Self.road.reversed, speed: 12), seed: 2))
        == nil)
    let parked = (0..<300).map { (place: Coordinate(latitude: 47, longitude: 8), seconds: Double($0)) }
    let beside = (0..<300).map { (place: Coordinate(latitude: 47.0001, longitude: 8), seconds: Double($0)) }
    #expect(Self.relation(try Self.fingerprint(parked), try Self.fingerprint(beside)) == nil)
  }
}
