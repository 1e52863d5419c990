import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Index of route corridors")
struct RouteCorridorIndexTests {
  /// Returns routes of 3 km in all directions with evenly spaced points. Many of them cross or share a part.
  private static func paths(
    _ count: Int, using generator: inout SeededGenerator
  ) throws -> [SimplifiedRoute] {
    let projection = Projection.plane(latitude: 47, longitude: 8)
    var paths: [SimplifiedRoute] = []
    for _ in 0..<count {
      let origin = SIMD2<Double>(
        .random(in: -200...200, using: &generator), .random(in: -200...200, using: &generator))
      let road = SimulatedRoad(from: origin, heading: .random(in: 0..<360, using: &generator))
        .straight(1500).arc(150, turning: .random(in: -170...170, using: &generator)).straight(1200)
      let step = [20, 60, 500, 1000].randomElement(using: &generator) ?? 20
      let coordinates = stride(from: 0, to: road.points.count, by: step).map {
        projection.coordinate(road.points[$0])
      }
      paths.append(try #require(SimplifiedRoute(coordinates, duration: 300)))
    }
    return paths
  }

  @Test("All corridors that may contain a route are kept, and most others are removed")
  func keeps() throws {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    let paths = try Self.paths(150, using: &generator)
    let corridors = paths.map { RouteCorridor($0) }
    var index = RouteCorridorIndex()
    for route in corridors.indices { index.insert(corridors[route], of: route) }
    var (kept, wanted) = (0, 0)
    for (number, path) in paths.enumerated() {
      let probes = RouteCorridor.probes(of: path)
      var routes = Array(corridors.indices)
      index.keep(in: &routes, holding: probes)
      let holding = corridors.indices.filter { corridors[$0].mayHold(probes, length: path.length) }
      #expect(Set(holding).isSubset(of: routes))
      #expect(routes.contains(number))
      #expect(routes == routes.sorted())
      kept += routes.count
      wanted += holding.count
    }
    // The other corridors contain the same places at another distance or in the opposite direction.
    #expect(kept < 4 * wanted + 150, "\(kept) for \(wanted)")
    #expect(kept < 150 * 150 / 2)
  }

  @Test("Corridors that are not in the index are kept")
  func unknown() throws {
    var generator = SeededGenerator(seed: 3)
    let paths = try Self.paths(2, using: &generator)
    var index = RouteCorridorIndex()
    index.insert(RouteCorridor(paths[0]), of: 4)
    #expect(index.contains(4) && !index.contains(3) && !index.contains(9))
    var routes = [3, 4, 9]
    index.keep(in: &routes, holding: RouteCorridor.probes(of: paths[0]))
    #expect(routes == [3, 4, 9])
    let far = try #require(
      SimplifiedRoute(
        [Coordinate(latitude: 1, longitude: 1), Coordinate(latitude: 1.05, longitude: 1)], duration: 9))
    index.keep(in: &routes, holding: RouteCorridor.probes(of: far))
    #expect(routes == [3, 9])
  }
}
