import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

/// Simulated roads, for which the correct result is known.
@Suite("Comparison by place")
struct DriveComparisonTests {
  /// Returns the median and the largest error of the gap along the profile, without the first and the last
  /// 100 m of the road.
  private func gapErrors(
    _ pair: PairComparison, _ first: SimulatedDrive, _ second: SimulatedDrive,
    matching: (Double) -> Double? = { $0 }
  ) -> (median: Double, worst: Double) {
    var errors: [Double] = []
    let profile = pair.profile
    for row in 0..<profile.count {
      let metres = first.metres(at: profile.firstElapsed[row])
      guard metres > 100, metres < first.road.length - 100, let other = matching(metres) else { continue }
      let truth = second.time(at: other) - first.time(at: metres)
      errors.append(abs(profile.secondElapsed[row] - profile.firstElapsed[row] - truth))
    }
    errors.sort()
    return (errors.isEmpty ? .infinity : errors[errors.count / 2], errors.last ?? .infinity)
  }

  private func metres(_ event: RouteEvent, _ place: SIMD2<Double>) -> Double {
    Geodesy.distance(
      from: event.coordinate, to: Projection.plane(latitude: 47, longitude: 8).coordinate(place))
  }

  @Test(
    "On one road at two paces, the gap is known everywhere, there are no events, and the faster drive wins",
    arguments: [
      ("every second", SimulatedDrive.Sampling.every(1)), ("five seconds", .every(5)),
      ("ten metres", .metres(10)), ("smart", .smart), ("five a second", .every(0.2)),
    ])
  func samplings(name: String, sampling: SimulatedDrive.Sampling) throws {
    let road = SimulatedRoad().winding(16)
    let slow = SimulatedDrive(road, speed: 12, sway: 0.2, stops: [(1500, 40)], idle: (33, 20))
    let fast = SimulatedDrive(road, speed: 14, sway: 0.2, stops: [(2900, 15)], idle: (5, 0))
    let result = try DriveComparison.compare([
      slow.trace("slow", sampling, seed: 3), fast.trace("fast", seed: 4),
    ])
    let pair = result.pairs[0]
    #expect(pair.relation == .shared)
    #expect(pair.events.isEmpty)
    #expect(pair.legs.map(\.kind) == [.shared])
    #expect(abs(pair.sharedDistance - road.length) < 0.03 * road.length)
    #expect(pair.agreement > 0.95)
    let errors = gapErrors(pair, slow, fast)
    #expect(errors.median < 0.5, "\(name)")
    #expect(result.winner == 1)
    let truth = (slow.motionEnd - slow.motionStart) - (fast.motionEnd - fast.motionStart)
    // Start and end are estimated from fixes that may be seconds apart.
    let isDense = name == "every second" || name == "five a second"
    #expect(abs((result.margin ?? 0) - truth) < (isDense ? 3 : 5))
    #expect(abs(result.drives[0].motionStart - 33) < 3)
    #expect(abs(result.drives[1].motionStart - 5) < 3)
    #expect(result.drives[0].stops.count == 1)
    #expect(abs(result.drives[0].waiting - 40) < 6)
  }

  @Test(
    "A detour is a separate leg, with an event at each end", arguments: [10.0, 25, 60], [1.0, 5])
  func detours(angle: Double, step: Double) throws {
    let base = SimulatedRoad().winding(5).straight(3400).then(SimulatedRoad().winding(5, seed: 2))
    let from = Int(SimulatedRoad().winding(5).length) + 200
    let other = base.detour(over: from...(from + 3000), offset: 150, angle: angle)
    let extra = other.length - base.length
    let first = SimulatedDrive(base, speed: 14, sway: 0.2)
    let second = SimulatedDrive(other, speed: 15, sway: 0.2, idle: (10, 0))
    let result = try DriveComparison.compare(
      [first.trace("a", .every(step), seed: 5), second.trace("b", seed: 6)], mode: .lastConvergence)
    let pair = result.pairs[0]
    #expect(pair.events.map(\.kind) == [.divergence, .convergence])
    #expect(pair.legs.map(\.kind) == [.shared, .detour, .shared])
    #expect(result.fallback == nil)
    #expect(result.mode == .lastConvergence)
    for (event, place) in zip(pair.events, [Double(from), Double(from + 3000)]) {
      // Noise across the road moves a fork along the road by the cotangent of the angle.
      let tolerance = angle < 15 ? 60.0 : 30
      #expect(metres(event, base.place(at: place)) < tolerance)
      #expect(abs(event.elapsed.first - first.time(at: place)) < tolerance / 12)
      let otherPlace = place == Double(from) ? place : place + extra
      #expect(abs(event.elapsed.second - second.time(at: otherPlace)) < tolerance / 12)
    }
    if pair.legs.count == 3 {
      let leg = pair.legs[1]
      #expect(abs(leg.sides.first.length - 3000) < 120)
      #expect(abs(leg.sides.second.length - 3000 - extra) < 120)
      let change =
        second.time(at: Double(from + 3000) + extra) - second.time(at: Double(from))
        - (first.time(at: Double(from + 3000)) - first.time(at: Double(from)))
      #expect(abs(leg.gapChange - change) < 6)
    }
  }

  @Test("Out and back on one road, each pass is matched with the pass in the same direction")
  func outAndBack() throws {
    let out = SimulatedRoad().winding(8)
    let road = out.following(out.reversed.points.dropFirst().map { $0 })
    let first = SimulatedDrive(road, speed: 13, sway: 0.2)
    let second = SimulatedDrive(road, speed: 15, sway: 0.2)
    let result = try DriveComparison.compare([first.trace("a", seed: 7), second.trace("b", seed: 8)])
    let pair = result.pairs[0]
    #expect(pair.events.isEmpty)
    let errors = gapErrors(pair, first, second)
    #expect(errors.median < 0.4)
    #expect(errors.worst < 6)
    #expect(abs(pair.sharedDistance - road.length) < 0.03 * road.length)
  }

  @Test("Laps of a circuit are distinguished by their order")
  func laps() throws {
    let lap = SimulatedRoad().straight(400).arc(600, turning: 180).straight(400).arc(600, turning: 180)
    let road = SimulatedRoad(from: SIMD2(-300, 0)).straight(300).then(lap).then(lap).then(lap).straight(500)
    let first = SimulatedDrive(road, speed: 13)
    let second = SimulatedDrive(road, speed: 16, stops: [(2500, 25)])
    let result = try DriveComparison.compare([first.trace("a", seed: 9), second.trace("b", seed: 10)])
    #expect(result.pairs[0].events.isEmpty)
    let errors = gapErrors(result.pairs[0], first, second)
    #expect(errors.median < 0.4)
    #expect(abs(result.pairs[0].sharedDistance - road.length) < 0.03 * road.length)
  }

  @Test("An additional round in a roundabout is a detour of one drive")
  func roundaboutTwice() throws {
    let lead = SimulatedRoad().winding(4)
    // A roundabout with a radius of 60 m.
    let once = lead.arc(188, turning: 180).then(SimulatedRoad().winding(4, seed: 3))
    let twice = lead.arc(377, turning: 360).arc(188, turning: 180)
      .then(SimulatedRoad().winding(4, seed: 3))
    let first = SimulatedDrive(once, speed: 12)
    let second = SimulatedDrive(twice, speed: 12)
    let result = try DriveComparison.compare([first.trace("a", seed: 11), second.trace("b", seed: 12)])
    let pair = result.pairs[0]
    #expect(pair.legs.map(\.kind) == [.shared, .detour, .shared])
    let detours = pair.legs.filter { $0.kind == .detour }
    #expect(detours.allSatisfy { abs($0.sides.second.length - $0.sides.first.length - 377) < 50 })
    #expect(result.winner == 0)
    let truth = second.motionEnd - first.motionEnd
    #expect(abs((result.margin ?? 0) - truth) < 2.5)
  }

  @Test("The opposite carriageway is a different road")
  func oppositeCarriageway() throws {
    let east = SimulatedRoad(heading: 0).straight(4000)
    let west = SimulatedRoad(from: SIMD2(4000, 14), heading: 180).straight(4000)
    let both = east.arc(22, turning: 180).following(west.points)
    let first = SimulatedDrive(both, speed: 20)
    let second = SimulatedDrive(west, speed: 22)
    let result = try DriveComparison.compare([first.trace("a", seed: 13), second.trace("b", seed: 14)])
    let pair = result.pairs[0]
    #expect(pair.relation == .shared)
    #expect(abs(pair.sharedDistance - 4000) < 120)
    // Only the way back has gaps.
    #expect(pair.profile.distances.allSatisfy { $0 > 3900 })
    let errors = gapErrors(pair, first, second) { $0 > 4122 ? $0 - 4022 : nil }
    #expect(errors.median < 0.3)
  }

  @Test("The way back after a U-turn belongs to one drive only")
  func uTurn() throws {
    let road = SimulatedRoad().winding(6)
    let turn = 1200
    // Forward by 500 m, back to the same place, and forward again.
    let spur = road.part(0...(turn + 500))
      .following(road.part(turn...(turn + 500)).reversed.points)
      .following(road.part(turn...Int(road.length)).points)
    let first = SimulatedDrive(road, speed: 13)
    let second = SimulatedDrive(spur, speed: 13)
    let result = try DriveComparison.compare([first.trace("a", seed: 15), second.trace("b", seed: 16)])
    let pair = result.pairs[0]
    #expect(pair.legs.map(\.kind) == [.shared, .detour, .shared])
    let extra = pair.legs.filter { $0.kind == .detour }.map { $0.sides.second.length - $0.sides.first.length }
    #expect(extra.allSatisfy { abs($0 - 1000) < 80 })
    #expect(result.winner == 0)
    #expect(abs((result.margin ?? 0) - (second.motionEnd - first.motionEnd)) < 2.5)
  }

  @Test("A tunnel without fixes is unknown and has no events", arguments: [0.0, 90])
  func tunnel(turn: Double) throws {
    let road = SimulatedRoad().winding(5).arc(1500, turning: turn).then(SimulatedRoad().winding(5, seed: 4))
    let entrance = SimulatedRoad().winding(5).length
    let first = SimulatedDrive(road, speed: 15)
    let second = SimulatedDrive(road, speed: 17)
    let dark = first.time(at: entrance)...first.time(at: entrance + 1500)
    let result = try DriveComparison.compare([
      first.trace("a", seed: 17, blind: dark), second.trace("b", seed: 18),
    ])
    let pair = result.pairs[0]
    #expect(pair.events.isEmpty)
    #expect(pair.legs.map(\.kind) == [.shared, .unknown, .shared])
    #expect(pair.profile.stretchStarts.count == 2)
    let inside = pair.profile.firstElapsed.filter { dark.lowerBound + 2 < $0 && $0 < dark.upperBound - 2 }
    #expect(inside.isEmpty)
    #expect(gapErrors(pair, first, second).median < 0.4)
    #expect(result.winner == 1)
  }

  @Test("Different starts and ends on one road are not events")
  func cropped() throws {
    let road = SimulatedRoad().winding(14)
    let first = SimulatedDrive(road.part(0...4000), speed: 13, idle: (20, 0))
    let second = SimulatedDrive(road.part(700...Int(road.length)), speed: 15, idle: (45, 0))
    let result = try DriveComparison.compare([first.trace("a", seed: 19), second.trace("b", seed: 20)])
    let pair = result.pairs[0]
    #expect(pair.events.isEmpty)
    #expect(abs(pair.sharedDistance - 3300) < 100)
    #expect(gapErrors(pair, first, second) { $0 > 760 ? $0 - 700 : nil }.median < 0.4)
    // Aligned where the second drive begins.
    let truth = (second.time(at: 3300) - 45) - (first.time(at: 4000) - first.time(at: 700))
    #expect(abs((pair.finalGap ?? 0) - truth) < 2.5)
  }

  @Test("Drives from different places converge, and drives to different places diverge")
  func differentStarts() throws {
    let middle = SimulatedRoad(heading: 0).straight(1500).arc(500, turning: 40).straight(1500)
    // Straight from the south-west to the centre, and from there to the south.
    let in1 = SimulatedRoad(from: SIMD2(-900, 0)).straight(899)
    let in2 = SimulatedRoad(from: SIMD2(-700, -700), heading: 45).straight(989)
    let out1 = SimulatedRoad(from: middle.end, heading: 40).straight(900)
    let out2 = SimulatedRoad(from: middle.end, heading: -20).straight(900)
    let first = SimulatedDrive(
      in1.following(middle.points).following(Array(out1.points.dropFirst())), speed: 14)
    let second = SimulatedDrive(
      in2.following(middle.points).following(Array(out2.points.dropFirst())), speed: 16)
    let result = try DriveComparison.compare(
      [first.trace("a", seed: 21), second.trace("b", seed: 22)], mode: .firstConvergence)
    let pair = result.pairs[0]
    #expect(pair.events.map(\.kind) == [.convergence, .divergence])
    #expect(pair.legs.map(\.kind) == [.shared])
    #expect(metres(pair.events[0], .zero) < 30)
    #expect(metres(pair.events[1], middle.end) < 30)
    #expect(abs(pair.events[0].elapsed.first - first.time(at: 900)) < 3)
    #expect(abs(pair.events[0].elapsed.second - second.time(at: 990)) < 3)
    #expect(result.fallback == nil)
  }

  @Test("Drives that share no road are reported, even if they cross")
  func nothingShared() throws {
    let first = SimulatedDrive(SimulatedRoad(heading: 0).straight(4000), speed: 14, idle: (12, 0))
    let second = SimulatedDrive(
      SimulatedRoad(from: SIMD2(2000, -2000), heading: 90).straight(4000), speed: 16)
    let result = try DriveComparison.compare(
      [first.trace("a", seed: 23), second.trace("b", seed: 24)], mode: .firstDivergence)
    #expect(result.pairs[0].relation == .nothingShared)
    #expect(result.pairs[0].events.isEmpty)
    #expect(result.pairs[0].finalGap == nil)
    #expect(result.mode == .startLocation)
    #expect(result.fallback == .nothingShared)
    #expect(result.winner == nil)
    #expect(result.margin == nil)
    // Timed from when each drive started moving.
    #expect(abs(result.drives[1].timeOffset - 12) < 3)
  }

  @Test("Different roads from one place to another are a detour", arguments: [UInt64(1), 2, 3])
  func differentWays(seed: UInt64) throws {
    // Mirror images: both end 3,000 m · sin(60°) / (π / 3) to the east.
    let north = SimulatedRoad(heading: 60).arc(3000, turning: -120)
    let south = SimulatedRoad(heading: -60).arc(3000, turning: 120)
    let first = SimulatedDrive(north, speed: 12, idle: (20, 15))
    let second = SimulatedDrive(south, speed: 14, idle: (30, 25))
    let pair = try DriveComparison.compare([first.trace("a", seed: seed), second.trace("b", seed: seed + 10)])
      .pairs[0]
    let truth = second.time(at: 3000) - 30 - (first.time(at: 3000) - 20)
    #expect(pair.relation == .shared)
    #expect(abs(try #require(pair.finalGap) - truth) < 2 * pair.uncertainty)
    #expect(pair.uncertainty < 3)
    #expect(pair.legs.contains { $0.kind == .detour })
  }

  @Test("Different round trips from one place are not comparable")
  func roundTrips() throws {
    let drives = [360.0, -360].map { SimulatedDrive(SimulatedRoad().arc(3000, turning: $0), speed: 12) }
    let pair = try DriveComparison.compare([drives[0].trace("a", seed: 1), drives[1].trace("b", seed: 2)])
      .pairs[0]
    #expect(pair.relation == .nothingShared)
  }

  @Test("A drive of the same road in the opposite direction is reported as reversed")
  func reversed() throws {
    let road = SimulatedRoad().winding(10)
    let first = SimulatedDrive(road, speed: 14)
    let second = SimulatedDrive(road.reversed, speed: 16)
    let result = try DriveComparison.compare([first.trace("a", seed: 25), second.trace("b", seed: 26)])
    #expect(result.pairs[0].relation == .reversed)
    #expect(result.fallback == .reversed)
    #expect(result.winner == nil)
  }

  @Test(
    "Results are the same at the antimeridian and at the poles",
    arguments: [
      Projection.plane(latitude: -17, longitude: 179.98), .plane(latitude: 71, longitude: 179.95), .pole,
    ])
  func edges(projection: Projection) throws {
    let road = SimulatedRoad(from: SIMD2(-1800, -40)).winding(14)
    let first = SimulatedDrive(road, speed: 13, sway: 0.2)
    let second = SimulatedDrive(road, speed: 15, sway: 0.2)
    let result = try DriveComparison.compare([
      first.trace("a", seed: 27, projection: projection), second.trace("b", seed: 28, projection: projection),
    ])
    #expect(result.pairs[0].events.isEmpty)
    #expect(gapErrors(result.pairs[0], first, second).median < 0.4)
    #expect(abs(result.pairs[0].sharedDistance - road.length) < 0.03 * road.length)
  }
}
