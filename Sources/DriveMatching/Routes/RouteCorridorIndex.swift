/// An index of corridors that finds those that can contain a line without checking each.
///
/// The index lists the corridors of each cube. Corridors that contain enough of a line's sample positions are
/// candidates.
struct RouteCorridorIndex {
  /// The tables by edge length of the cubes, in powers of two of the longest steps.
  private var levels: [Double: [UInt64: [Int32]]] = [:]
  /// Whether a route's corridor is in the index.
  private var isIndexed: [Bool] = []
  /// The number of matching positions per route. Zero between queries.
  private var votes: [UInt8] = []

  func contains(_ route: Int) -> Bool { route < isIndexed.count && isIndexed[route] }

  /// - Complexity: O(*n*) in the number of cubes of the corridor.
  mutating func insert(_ corridor: RouteCorridor, of route: Int) {
    guard !contains(route), let number = Int32(exactly: route) else { return }
    while isIndexed.count <= route {
      isIndexed.append(false)
      votes.append(0)
    }
    isIndexed[route] = true
    for key in corridor.keys { levels[corridor.cells.size, default: [:]][key, default: []].append(number) }
  }

  /// Keeps the routes whose corridors contain enough of the positions, and routes that are not in the index.
  ///
  /// - Complexity: O(*nk*) for *n* positions and *k* corridors per cube.
  mutating func keep(in routes: inout [Int], holding probes: [RouteCorridor.Probe]) {
    let least = UInt8(clamping: max(probes.count - RouteCorridor.strayCount, 1))
    // A local variable for speed.
    var counts = votes
    votes = []
    for (size, corridors) in levels {
      let cells = SpatialCells(size: size)
      for probe in probes.prefix(Int(UInt8.max)) {
        guard let touching = corridors[cells.key(probe.place)] else { continue }
        for route in touching { counts[Int(route)] &+= 1 }
      }
    }
    routes.removeAll { contains($0) && counts[$0] < least }
    for index in counts.indices { counts[index] = 0 }
    votes = counts
  }
}
