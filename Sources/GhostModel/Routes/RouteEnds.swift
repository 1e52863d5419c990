/// Finds the routes that begin and end near two places.
struct RouteEnds {
  private struct Key: Hashable {
    var start: UInt64
    var end: UInt64
  }

  private let tolerance: Double
  private let cells: RouteCells
  /// The numbers of the routes whose ends lie in two cubes.
  private var routes: [Key: [Int]] = [:]
  /// The ends of each route.
  private var places: [(start: SIMD3<Double>, end: SIMD3<Double>)] = []

  /// - Parameter tolerance: metres, at both ends.
  init(tolerance: Double) {
    self.tolerance = tolerance
    cells = RouteCells(size: max(2 * tolerance, 100))
  }

  /// Adds the ends of the next route.
  mutating func append(start: SIMD3<Double>, end: SIMD3<Double>) {
    routes[Key(start: cells.key(start), end: cells.key(end)), default: []].append(places.count)
    places.append((start, end))
  }

  /// Writes the routes both of whose ends are within the tolerance: ascending. 64 look-ups, however many there are.
  func find(start: SIMD3<Double>, end: SIMD3<Double>, into found: inout [Int]) {
    found.removeAll(keepingCapacity: true)
    cells.forEachKey(about: start) { startKey in
      cells.forEachKey(about: end) { endKey in
        for route in routes[Key(start: startKey, end: endKey)] ?? [] where isNear(route, start, end) {
          found.append(route)
        }
      }
    }
    found.sort()
  }

  /// Takes out the routes both of whose ends are within the tolerance: in no order. They are not found again.
  mutating func remove(start: SIMD3<Double>, end: SIMD3<Double>) -> [Int] {
    var removed: [Int] = []
    var keys: [Key] = []
    cells.forEachKey(about: start) { startKey in
      cells.forEachKey(about: end) { keys.append(Key(start: startKey, end: $0)) }
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
    // Over so little a way the straight line is as long as the arc.
    (places[route].start - start).length <= tolerance && (places[route].end - end).length <= tolerance
  }
}
