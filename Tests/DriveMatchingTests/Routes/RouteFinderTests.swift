import CMath
import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Routes among drives")
struct RouteFinderTests {
  private static func groups(_ routes: [DrivenRoute]) -> Set<Set<UUID>> { Set(routes.map { Set($0.drives) }) }

  @Test(
    "A road that is driven several times is a route; the way back and another road are different ones",
    arguments: 1...6)
  func grouping(seed: UInt64) throws {
    let world = try RouteWorld.random(seed: seed)
    #expect(Self.groups(RouteFinder.routes(among: world.drives)) == world.expected)
  }

  @Test("The order of the drives does not matter")
  func order() throws {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    var drives = try RouteWorld.random(seed: seed).drives
    let routes = RouteFinder.routes(among: drives)
    #expect(!routes.isEmpty)
    for _ in 0..<2 {
      drives.shuffle(using: &generator)
      #expect(RouteFinder.routes(among: drives) == routes)
    }
  }

  @Test("Later drives do not change the routes of earlier ones or their ids")
  func stability() throws {
    let seed = SeededGenerator.printedSeed()
    let world = try RouteWorld.random(seed: seed)
    var settings = RouteSettings()
    settings.leastDrives = 1
    let sorted = world.drives.sorted(by: RouteDrive.comesFirst)
    let later = RouteFinder.routes(among: sorted, settings: settings)
    for count in stride(from: 5, to: sorted.count, by: 7) {
      let known = Set(sorted[..<count].map(\.id))
      for route in RouteFinder.routes(among: Array(sorted[..<count]), settings: settings) {
        let grown = try #require(later.first { $0.id == route.id })
        #expect(grown.drives.filter(known.contains) == route.drives)
      }
    }
  }

  /// A straight road of 3 km to the east.
  private static let road = SimulatedRoad().straight(1200).arc(200, turning: 60).straight(1600)

  @Test("Many roads between the same two places are distinguished, and each is found again")
  func crowd() throws {
    var world = RouteWorld(seed: 5)
    for turn in 0..<2 {
      for number in 0..<45 {
        // Straight to one of 45 places on a circle with a radius of 1.5 km, 209 m apart, and from there to
        // the destination.
        let angle = Double(number) / 45 * 2 * Double.pi
        let road = SimulatedRoad(from: SIMD2(-300, 0))
          .following([SIMD2(1500 * cos(angle), 1500 * sin(angle)), SIMD2(300, 0)]).evenlySpaced
        try world.add(road, route: number, day: Double(100 * turn + number), sampling: .every(4))
      }
    }
    #expect(Self.groups(RouteFinder.routes(among: world.drives)) == world.expected)
  }

  @Test("Ends that move from drive to drive do not form one route with distant ends")
  func drift() throws {
    var world = RouteWorld(seed: 1)
    // Each drive begins 250 m after the previous one. Only two are within 450 m of the first drive of a
    // route.
    for number in 0..<6 {
      try world.add(
        Self.road.part((250 * number)...3000), route: number / 2, day: Double(number), noise: 0.1)
    }
    #expect(Self.groups(RouteFinder.routes(among: world.drives)) == world.expected)
  }

  @Test(
    "A detour around a block is the same route; more than a fifth on another road is a different one",
    arguments: [
      // 240 m instead of 120 m of 3,000 m: 8 % of the longer drive are not shared. Then 17 % and 23 %, and
      // finally 40 % of both.
      (120, 60.0, true), (400, 70, true), (400, 180, false), (1200, 80, false),
    ])
  func detours(metres: Int, aside: Double, isSame: Bool) throws {
    var world = RouteWorld(seed: 2)
    try world.add(Self.road, route: 0, day: 0)
    try world.add(
      Self.road.detour(over: 1500...(1500 + metres), offset: aside, angle: 89), route: 1, day: 1)
    #expect(RouteFinder.routes(among: world.drives).count == (isSame ? 1 : 0))
  }

  @Test(
    "Ends up to 130 m apart and a late first fix are the same route",
    arguments: [(130.0, 0), (-130, 130), (300, 0), (400, 100)])
  func ends(start: Double, end: Double) throws {
    var world = RouteWorld(seed: 8)
    let before = SimulatedRoad(from: SIMD2(-200, 0)).straight(3600)
    try world.add(before.part(200...3400), route: 0, day: 0)
    try world.add(before.part(Int(200 + start)...Int(3400 - end)), route: 0, day: 1)
    #expect(Self.groups(RouteFinder.routes(among: world.drives)) == world.expected)
  }

  @Test("A late first fix may be in a side street", arguments: [(90, true), (200, false)])
  func lateStartAside(metres: Int, isSame: Bool) throws {
    var world = RouteWorld(seed: 12)
    let road = SimulatedRoad().straight(5000)
    try world.add(road, route: 0, day: 0)
    let street = SimulatedRoad(from: SIMD2(500, Double(metres)), heading: -90).straight(metres)
    try world.add(street.following(Array(road.points[500...])), route: isSame ? 0 : 1, day: 1)
    #expect(Self.groups(RouteFinder.routes(among: world.drives)) == world.expected)
  }

  @Test("A drive that stands 400 m farther along the road before it departs starts there")
  func laterStart() throws {
    var world = RouteWorld(seed: 11)
    let road = SimulatedRoad().straight(4000)
    try world.add(road, route: 0, day: 0)
    try world.add(road.part(400...4000), route: 1, day: 1, idle: 60)
    #expect(RouteFinder.routes(among: world.drives).isEmpty)
  }

  @Test("A place 500 m farther along the road is a different destination")
  func destination() throws {
    var world = RouteWorld(seed: 9)
    let road = SimulatedRoad().straight(5000)
    try world.add(road.part(0...4000), route: 0, day: 0)
    try world.add(road.part(0...4500), route: 1, day: 1)
    #expect(RouteFinder.routes(among: world.drives).isEmpty)
  }

  @Test("A ride that two devices recorded counts once")
  func simultaneous() throws {
    var world = RouteWorld(seed: 10)
    let first = try world.add(Self.road, route: 0, day: 0)
    // The clocks of both devices agree.
    let second = try world.add(Self.road, route: 0, day: 0, sampling: .every(2), noise: 3)
    #expect(RouteFinder.routes(among: world.drives).isEmpty)
    try world.add(Self.road, route: 0, day: 1)
    let route = try #require(RouteFinder.routes(among: world.drives).first)
    #expect(route.count == 2)
    #expect(route.otherRecordings.count == 1)
    #expect(route.contains(first.id) && route.contains(second.id))
  }

  @Test("A loop is a route, and the opposite direction is another one")
  func loops() throws {
    let loop = SimulatedRoad().straight(800).arc(200, turning: 90).straight(500).arc(200, turning: 90)
      .straight(800).arc(200, turning: 90).straight(500).arc(200, turning: 90)
    var world = RouteWorld(seed: 3)
    for day in 0..<3 { try world.add(loop, route: 0, day: Double(day)) }
    for day in 3..<5 { try world.add(loop.reversed, route: 1, day: Double(day)) }
    let routes = RouteFinder.routes(among: world.drives)
    #expect(Self.groups(routes) == world.expected)
    #expect(routes.allSatisfy { $0.isLoop && $0.bearing == nil })
  }

  @Test("Out and back on one road is a separate route")
  func thereAndBack() throws {
    var world = RouteWorld(seed: 4)
    let both = Self.road.following(Array(Self.road.points.reversed().dropFirst()))
    for day in 0..<2 { try world.add(both, route: 0, day: Double(day)) }
    for day in 2..<4 { try world.add(Self.road, route: 1, day: Double(day)) }
    #expect(Self.groups(RouteFinder.routes(among: world.drives)) == world.expected)
  }

  @Test("Recordings with few and with many points are the same route", arguments: [60.0, 140, 240])
  func sparse(step: Double) throws {
    var world = RouteWorld(seed: 5)
    try world.add(Self.road, route: 0, day: 0)
    try world.add(Self.road, route: 0, day: 1, sampling: .metres(step))
    try world.add(Self.road, route: 0, day: 2, sampling: .metres(step))
    #expect(Self.groups(RouteFinder.routes(among: world.drives)) == world.expected)
  }

  @Test("A drive that is too short or remains in a car park is not a route")
  func tooShort() throws {
    var world = RouteWorld(seed: 6)
    for day in 0..<2 { try world.add(Self.road.part(0...250), route: nil, day: Double(day)) }
    let carPark = SimulatedRoad().straight(60).arc(20, turning: 180).straight(60).arc(20, turning: 180)
    let round = carPark.then(carPark).then(carPark)
    #expect(round.length > 300)
    for day in 0..<2 { try world.add(round, route: nil, day: Double(day)) }
    #expect(RouteFinder.routes(among: world.drives).isEmpty)
  }

  @Test(
    "Routes are found at the antimeridian and in the far north",
    arguments: [(0.0, 180.0), (-17, 179.99), (84, 20)])
  func anywhere(latitude: Double, longitude: Double) throws {
    var drives: [RouteDrive] = []
    for day in 0..<3 {
      let trace = try SimulatedDrive(Self.road, speed: 12).trace(
        "", seed: UInt64(day), projection: .plane(latitude: latitude, longitude: longitude))
      let coordinates = (0..<trace.count).map(trace.coordinate)
      drives.append(
        RouteDrive(
          id: UUID(), name: "", startTime: Instant(secondsSince1970: Double(day) * 86_400),
          duration: trace.duration,
          distance: 3000, path: try #require(SimplifiedRoute(coordinates, duration: trace.duration))))
    }
    let routes = RouteFinder.routes(among: drives)
    #expect(routes.map(\.drives) == [drives.map(\.id)])
  }

  @Test(
    "The drives connected to one drive have the same route as among all drives",
    arguments: 1...2)
  func connected(seed: UInt64) throws {
    let drives = try RouteWorld.random(seed: seed).drives
    let routes = RouteFinder.routes(among: drives)
    let ends = drives.map { (start: $0.path.start, end: $0.path.end) }
    // Drives that are connected to the same drives are searched once.
    var searched: [[Int]: [DrivenRoute]] = [:]
    for (index, drive) in drives.enumerated() {
      let part = RouteFinder.indices(connectedTo: index, among: ends)
      #expect(part.contains(index))
      #expect(part.count < drives.count)
      let found = searched[part] ?? RouteFinder.routes(among: part.map { drives[$0] })
      searched[part] = found
      #expect(found.first { $0.contains(drive.id) } == routes.first { $0.contains(drive.id) })
    }
  }

  @Test("An invalid position is connected to nothing and does not stop the search")
  func noPlace() {
    let bad = Coordinate(latitude: .infinity, longitude: .nan)
    let good = Coordinate(latitude: 1, longitude: 1)
    #expect(RouteFinder.indices(connectedTo: 1, among: [(good, bad), (good, good), (bad, bad)]) == [1])
  }

  @Test("Routes are sorted by their number of drives")
  func sorting() throws {
    var world = RouteWorld(seed: 7)
    for day in 0..<2 { try world.add(Self.road, route: 0, day: Double(day)) }
    for day in 2..<5 { try world.add(Self.road.reversed, route: 1, day: Double(day)) }
    #expect(RouteFinder.routes(among: world.drives).map(\.count) == [3, 2])
    #expect(RouteFinder.routes(among: []).isEmpty)
  }
}
