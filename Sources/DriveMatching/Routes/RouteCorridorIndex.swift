/// Finds among thousands of corridors the few that may hold a way, without a look at each of them.
///
/// Per cube it has the corridors that touch it. A way has some places, of which a corridor must hold most:
/// those that turn up at enough places are left.
struct RouteCorridorIndex {
  /// By the length of the cubes' edges: there are as many sizes as the longest steps of ways differ by
  /// factors of two.
  private var levels: [Double: [UInt64: [Int32]]] = [:]
  /// Per route: whether its corridor is in here.
  private var isIndexed: [Bool] = []
  /// Per route: at how many of the places it was found; all zero between two questions.
  private var votes: [UInt8] = []

  func contains(_ route: Int) -> Bool { route < isIndexed.count && isIndexed[route] }

  /// - Complexity: O(cubes that the corridor touches).
  mutating func insert(_ corridor: RouteCorridor, of route: Int) {
    guard !contains(route), let number = Int32(exactly: route) else { return }
    while isIndexed.count <= route {
      isIndexed.append(false)
      votes.append(0)
    }
    isIndexed[route] = true
    for key in corridor.keys { levels[corridor.cells.size, default: [:]][key, default: []].append(number) }
  }

  /// Leaves the routes whose corridors hold so many of the places; those that are not in here stay.
  ///
  /// - Complexity: O(places · corridors that touch the cube of one).
  mutating func keep(in routes: inout [Int], holding probes: [RouteCorridor.Probe]) {
    let least = UInt8(clamping: max(probes.count - RouteCorridor.strayCount, 1))
    // As a variable of its own: counting is all that this does.
    var counts = votes
    votes = []
    for (size, corridors) in levels {
      let cells = RouteCells(size: size)
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
