public import TrackModel

/// Groups drives into routes: the same road driven repeatedly in the same direction.
///
/// Drives are processed by start time (``RouteDrive``), regardless of their input order. Each joins the route
/// whose first drive has the same ends and the same road, or else starts a new route. Therefore:
///
/// - All drives of a route are similar to its first drive, so ends cannot drift.
/// - A drive that is later than all others does not change other drives' routes or any route's id.
///
/// Of several routes, a drive joins the one with which it shares most. Differences of less than 5 points
/// are ignored, and 95 % counts as all; of similar routes, it joins the earliest. Therefore, a first drive
/// with a detour does not split the drives after it.
///
/// Ends, length and sample positions quickly reject most first drives. The rest are matched as in a
/// comparison.
public struct RouteFinder: Sendable {
  /// The first drive of a route with lazily created data.
  private struct Leader {
    let path: SimplifiedRoute
    var corridor: RouteCorridor?
    var line: MatchablePolyline?
    var members: [Int]
  }

  private let settings: RouteSettings
  private var ends: RouteEnds
  private var leaders: [Leader] = []
  /// The corridors of first drives that share their ends with many others.
  private var index = RouteCorridorIndex()

  private init(_ settings: RouteSettings) {
    self.settings = settings
    ends = RouteEnds(settings)
  }

  /// Finds the routes, ordered by number of drives and then by the most recent drive.
  ///
  /// - Parameters:
  ///   - drives: drives with unique ids, in any order.
  ///   - settings: the tolerances for equal roads.
  /// - Complexity: approximately linear. Each drive is matched with the first drives of routes with similar
  ///   ends and roads: one or two, regardless of the number of drives. If thousands of different routes have
  ///   the same ends, an index over sample positions finds the candidates.
  public static func routes(
    among drives: [RouteDrive], settings: RouteSettings = RouteSettings()
  ) -> [DrivenRoute] {
    let drives = drives.sorted(by: RouteDrive.comesFirst)
    var finder = RouteFinder(settings)
    for index in drives.indices where finder.isDrive(drives[index].path) {
      finder.add(drives[index].path, number: index)
    }
    let routes = finder.leaders.filter { $0.members.count >= settings.leastDrives }.compactMap { leader in
      DrivenRoute(leader.members.map { drives[$0] }, settings: settings)
    }.filter { $0.count >= settings.leastDrives }
    // The sort is stable, so the result depends on the drives only.
    return routes.enumerated().sorted { left, right in
      let (first, second) = (left.element, right.element)
      if first.count != second.count { return first.count > second.count }
      let (a, b) = (first.lastTime?.microseconds ?? .min, second.lastTime?.microseconds ?? .min)
      return a != b ? a > b : left.offset < right.offset
    }.map(\.element)
  }

  /// Returns the drives that the route of a drive can depend on: those connected to its ends by steps within
  /// the tolerance. Their routes are the same as among all drives.
  ///
  /// - Parameters:
  ///   - drive: the index of the drive.
  ///   - drives: the starts and ends of drives in any order.
  ///   - settings: the tolerances for equal roads.
  /// - Returns: ascending indices, including the drive itself.
  /// - Precondition: `drive` is a valid index.
  public static func indices(
    connectedTo drive: Int, among drives: [(start: Coordinate, end: Coordinate)],
    settings: RouteSettings = RouteSettings()
  ) -> [Int] {
    // A path rounds positions to a centimetre.
    var ends = RouteEnds(settings, slack: 0.05)
    let places = drives.map { (start: place($0.start), end: place($0.end)) }
    for place in places { ends.append(start: place.start, end: place.end) }
    var isConnected = [Bool](repeating: false, count: drives.count)
    isConnected[drive] = true
    var waiting = [drive]
    while let next = waiting.popLast() {
      for index in ends.remove(start: places[next].start, end: places[next].end) {
        if !isConnected[index] { waiting.append(index) }
        isConnected[index] = true
      }
    }
    return isConnected.indices.filter { isConnected[$0] }
  }

  /// The centre of the Earth for an invalid position.
  private static func place(_ coordinate: Coordinate) -> SIMD3<Double> {
    guard coordinate.isValid else { return .zero }
    return EarthFixed.vector(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  private func isDrive(_ path: SimplifiedRoute) -> Bool {
    path.length >= settings.leastLength && path.extent >= settings.leastExtent
  }

  private mutating func add(_ path: SimplifiedRoute, number: Int) {
    let start = path.place(at: 0)
    let end = path.place(at: path.count - 1)
    if let route = route(of: path, start, end) {
      leaders[route].members.append(number)
    } else {
      leaders.append(Leader(path: path, members: [number]))
      ends.append(start: start, end: end)
    }
  }

  /// The fraction that counts as complete, and the largest difference of a tie.
  private static let allShared = 0.95
  private static let alike = 0.05
  /// The additional tolerance of lengths for noise, as a fraction of the tolerated difference.
  private static let lengthSlack = 0.9

  /// The number of routes with the same ends from which the index is used.
  private static let crowd = 32

  private mutating func route(
    of path: SimplifiedRoute, _ start: SIMD3<Double>, _ end: SIMD3<Double>
  ) -> Int? {
    var found: [Int] = []
    ends.find(start: start, end: end, into: &found)
    guard !found.isEmpty else { return nil }
    let probes = RouteCorridor.probes(of: path)
    if found.count > Self.crowd {
      for route in found where !index.contains(route) { index.insert(corridor(of: route), of: route) }
      index.keep(in: &found, holding: probes)
    }
    var line: MatchablePolyline?
    var shares: [(route: Int, share: Double)] = []
    for route in found where isAbout(route, path, probes) {
      let own = line ?? path.line
      line = own
      let share = SharedShare(self.line(of: route), own, settings).share
      guard share >= settings.leastShare else { continue }
      shares.append((route, min(share, Self.allShared)))
      if share >= Self.allShared { break }
    }
    guard let most = shares.map(\.share).max() else { return nil }
    return shares.first { $0.share >= most - Self.alike }?.route
  }

  /// Whether the length and the sample positions match the first drive of a route.
  private mutating func isAbout(_ route: Int, _ path: SimplifiedRoute, _ probes: [RouteCorridor.Probe])
    -> Bool
  {
    let length = leaders[route].path.length
    let (shorter, longer) = (min(length, path.length), max(length, path.length))
    let slack = settings.lateStart(longer) + settings.endReach(longer)
    guard shorter + slack >= Self.lengthSlack * settings.leastShare * longer else { return false }
    return corridor(of: route).mayHold(probes, length: path.length)
  }

  private mutating func corridor(of route: Int) -> RouteCorridor {
    let corridor = leaders[route].corridor ?? RouteCorridor(leaders[route].path)
    leaders[route].corridor = corridor
    return corridor
  }

  private mutating func line(of route: Int) -> MatchablePolyline {
    let line = leaders[route].line ?? leaders[route].path.line
    leaders[route].line = line
    return line
  }
}
