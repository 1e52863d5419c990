/// An index of routes by their ends.
struct RouteEnds {
  private struct Key: Hashable {
    var start: UInt64
    var end: UInt64
  }

  private let tolerance: (start: Double, end: Double)
  private let startCells: SpatialCells
  private let endCells: SpatialCells
  /// The numbers of the routes whose ends are in two cubes.
  private var routes: [Key: [Int]] = [:]
  /// The ends of each route.
  private var places: [(start: SIMD3<Double>, end: SIMD3<Double>)] = []

  /// - Parameter tolerance: the tolerance in metres.
  init(tolerance: (start: Double, end: Double)) {
    self.tolerance = tolerance
    startCells = SpatialCells(size: max(2 * tolerance.start, 100))
    endCells = SpatialCells(size: max(2 * tolerance.end, 100))
  }

  /// Creates an index with the largest tolerance of ends.
  init(_ settings: RouteSettings, slack: Double = 0) {
    self.init(
      tolerance: (settings.lateStart(.infinity) + slack, settings.endReach(.infinity) + slack))
  }

  /// Adds the ends of the next route.
  mutating func append(start: SIMD3<Double>, end: SIMD3<Double>) {
    routes[Key(start: startCells.key(start), end: endCells.key(end)), default: []].append(places.count)
    places.append((start, end))
  }

  /// Appends the routes whose ends are both within the tolerance, ascending. The number of lookups is 64,
  /// regardless of the number of routes.
  func find(start: SIMD3<Double>, end: SIMD3<Double>, into found: inout [Int]) {
    found.removeAll(keepingCapacity: true)
    startCells.forEachKey(about: start) { startKey in
      endCells.forEachKey(about: end) { endKey in
        for route in routes[Key(start: startKey, end: endKey)] ?? [] where isNear(route, start, end) {
          found.append(route)
        }
      }
    }
    found.sort()
  }

  /// Removes and returns the routes whose ends are both within the tolerance, in any order.
  mutating func remove(start: SIMD3<Double>, end: SIMD3<Double>) -> [Int] {
    var removed: [Int] = []
    var keys: [Key] = []
    startCells.forEachKey(about: start) { startKey in
      endCells.forEachKey(about: end) { keys.append(Key(start: startKey, end: $0)) }
    }
    for key in keys {
      guard let numbers = routes[key] else { continue }
      var rest: [Int] = []
      for route in numbers {
        if isNear(route, start, end) { removed.append(route) } else { rest.append(route) }
      }
      routes[key] = rest.isEmpty ? nil : rest
    }
    return removed
  }

  @inline(__always)
  private func isNear(_ route: Int, _ start: SIMD3<Double>, _ end: SIMD3<Double>) -> Bool {
    // Over this distance the chord equals the arc.
    (places[route].start - start).length <= tolerance.start
      && (places[route].end - end).length <= tolerance.end
  }
}
