public import TrackModel

/// Finds which drives are the same way driven again.
///
/// Drives are looked at by their start (``RouteDrive``), whatever the order in which they are given. Each
/// joins the route whose first drive has the same ends and the same road, driven the same way; where there is
/// none, it is the first drive of a new one. So:
///
/// - All drives of a route are alike to its first one: ends cannot drift from drive to drive.
/// - A drive that comes later than all others changes no other drive's route, nor any route's id.
///
/// Of several routes a drive joins the one that it shares most with. Differences of less than 5 points are
/// ignored, and 95 % counts as all; of similar routes it joins the earliest. So a first drive with a detour
/// of its own does not split the drives that came after it.
///
/// A coarse look at ends, length and some places of the way leaves few first drives; each of those is then
/// laid on the drive by the matching engine, as in a comparison.
public struct RouteFinder: Sendable {
  /// The first drive of a route, and what is made of it when it is needed.
  private struct Leader {
    let sketch: SimplifiedRoute
    var corridor: RouteCorridor?
    var line: MatchablePolyline?
    var members: [Int]
  }

  private let settings: RouteSettings
  private var ends: RouteEnds
  private var leaders: [Leader] = []
  /// The corridors of those first drives that have the same ends as many others.
  private var index = RouteCorridorIndex()

  private init(_ settings: RouteSettings) {
    self.settings = settings
    ends = RouteEnds(settings)
  }

  /// The routes among drives, those with most drives first, then those that were driven last.
  ///
  /// - Parameter drives: in any order, with different ids.
  /// - Complexity: near-linear. Each drive is matched with the first drives of the routes that have its ends
  ///   and about its way: one or two, however many drives there are. Where thousands of different ways lead
  ///   from one place to the same other, as those of a runner do, an index over places finds these; what is
  ///   left per way are some nanoseconds.
  public static func routes(
    among drives: [RouteDrive], settings: RouteSettings = RouteSettings()
  ) -> [DrivenRoute] {
    let drives = drives.sorted(by: RouteDrive.comesFirst)
    var finder = RouteFinder(settings)
    for index in drives.indices where finder.isDrive(drives[index].sketch) {
      finder.add(drives[index].sketch, number: index)
    }
    let routes = finder.leaders.filter { $0.members.count >= settings.leastDrives }.compactMap { leader in
      DrivenRoute(leader.members.map { drives[$0] }, settings: settings)
    }.filter { $0.count >= settings.leastDrives }
    // Sorting keeps the order of what is equal, so that it follows from the drives alone.
    return routes.enumerated().sorted { left, right in
      let (first, second) = (left.element, right.element)
      if first.count != second.count { return first.count > second.count }
      let (a, b) = (first.lastTime?.microseconds ?? .min, second.lastTime?.microseconds ?? .min)
      return a != b ? a > b : left.offset < right.offset
    }.map(\.element)
  }

  /// The drives that the route of one may depend on: those whose ends are joined to its ends by steps as long
  /// as those of a route may be apart. The routes among them are those that they have among all drives.
  ///
  /// - Parameter drives: with where they begin and end, in any order.
  /// - Returns: their indices, ascending, the drive's own among them.
  /// - Precondition: `drive` is one of the indices.
  public static func indices(
    connectedTo drive: Int, among drives: [(start: Coordinate, end: Coordinate)],
    settings: RouteSettings = RouteSettings()
  ) -> [Int] {
    // A sketch rounds places to a centimetre.
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

  /// The centre of the Earth for what is no place.
  private static func place(_ coordinate: Coordinate) -> SIMD3<Double> {
    guard coordinate.isValid else { return .zero }
    return EarthFixed.vector(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  private func isDrive(_ sketch: SimplifiedRoute) -> Bool {
    sketch.length >= settings.leastLength && sketch.extent >= settings.leastExtent
  }

  private mutating func add(_ sketch: SimplifiedRoute, number: Int) {
    let start = sketch.place(at: 0)
    let end = sketch.place(at: sketch.count - 1)
    if let route = route(of: sketch, start, end) {
      leaders[route].members.append(number)
    } else {
      leaders.append(Leader(sketch: sketch, members: [number]))
      ends.append(start: start, end: end)
    }
  }

  /// As good as the whole way, and how much less is still alike.
  private static let allShared = 0.95
  private static let alike = 0.05
  /// Parts of the tolerated difference by which lengths may differ further, for noise.
  private static let lengthSlack = 0.9

  /// So many routes with the same ends are looked up rather than looked at.
  private static let crowd = 32

  private mutating func route(
    of sketch: SimplifiedRoute, _ start: SIMD3<Double>, _ end: SIMD3<Double>
  ) -> Int? {
    var found: [Int] = []
    ends.find(start: start, end: end, into: &found)
    guard !found.isEmpty else { return nil }
    let probes = RouteCorridor.probes(of: sketch)
    if found.count > Self.crowd {
      for route in found where !index.contains(route) { index.insert(corridor(of: route), of: route) }
      index.keep(in: &found, holding: probes)
    }
    var line: MatchablePolyline?
    var shares: [(route: Int, share: Double)] = []
    for route in found where isAbout(route, sketch, probes) {
      let own = line ?? sketch.line
      line = own
      let share = SharedShare(self.line(of: route), own, settings).share
      guard share >= settings.leastShare else { continue }
      shares.append((route, min(share, Self.allShared)))
      if share >= Self.allShared { break }
    }
    guard let most = shares.map(\.share).max() else { return nil }
    return shares.first { $0.share >= most - Self.alike }?.route
  }

  /// Whether the length and some places go with the first drive of a route.
  private mutating func isAbout(_ route: Int, _ sketch: SimplifiedRoute, _ probes: [RouteCorridor.Probe])
    -> Bool
  {
    let length = leaders[route].sketch.length
    let (shorter, longer) = (min(length, sketch.length), max(length, sketch.length))
    let slack = settings.lateStart(longer) + settings.endReach(longer)
    guard shorter + slack >= Self.lengthSlack * settings.leastShare * longer else { return false }
    return corridor(of: route).mayHold(probes, length: sketch.length)
  }

  private mutating func corridor(of route: Int) -> RouteCorridor {
    let corridor = leaders[route].corridor ?? RouteCorridor(leaders[route].sketch)
    leaders[route].corridor = corridor
    return corridor
  }

  private mutating func line(of route: Int) -> MatchablePolyline {
    let line = leaders[route].line ?? leaders[route].sketch.line
    leaders[route].line = line
    return line
  }
}
