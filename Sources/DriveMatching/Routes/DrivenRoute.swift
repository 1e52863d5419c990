import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Drives from one position to another on the same road.
public struct DrivenRoute: Sendable, Hashable, Identifiable {
  /// The id of the first of its drives.
  ///
  /// It is unchanged when later drives are added. Adding an earlier drive or removing the first one changes
  /// it; the ids of the other drives still identify the route (``contains(_:)``).
  public let id: UUID
  /// The most common name of its drives, or `nil` if names differ.
  public let name: String?
  /// The drives ordered by start time, followed by those without one. If several devices recorded a ride,
  /// only the recording that started first is included.
  public let drives: [UUID]
  /// The other recordings of those rides, ordered by start time.
  public let otherRecordings: [UUID]
  /// The start and end of the first drive.
  public private(set) var start: Coordinate
  /// The end of the first drive.
  public private(set) var end: Coordinate
  /// The median distance in metres.
  public let distance: Double
  /// The duration of the fastest drive in seconds.
  public let bestDuration: Double
  /// The fastest drive. A drive that began late or ended early, and is therefore shorter, does not win by
  /// that.
  public let best: UUID
  /// The median duration in seconds.
  public let usualDuration: Double
  /// The start times of the first and last drives, or `nil` if no drive has one.
  public let firstTime: Instant?
  /// The start of the last drive, or `nil` if no drive has a start time.
  public let lastTime: Instant?

  /// The number of drives.
  public var count: Int { drives.count }
  /// Whether the route ends where it starts.
  public let isLoop: Bool
  /// The bearing from start to end in degrees clockwise from true north, or `nil` for a loop.
  public var bearing: Double? { isLoop ? nil : Geodesy.initialBearing(from: start, to: end) }

  /// Summarises all or some of the drives of a route.
  ///
  /// - Parameters:
  ///   - drives: the drives in any order.
  ///   - settings: the tolerances for equal roads.
  /// - Returns: `nil` if `drives` is empty.
  public init?(_ drives: [RouteDrive], settings: RouteSettings = RouteSettings()) {
    let sorted = drives.sorted(by: RouteDrive.comesFirst)
    let others = Self.otherRecordings(sorted)
    otherRecordings = sorted.map(\.id).filter(others.contains)
    let drives = sorted.filter { !others.contains($0.id) }
    let distance = drives.map(\.distance).median ?? 0
    guard let first = drives.first,
      let best = drives.min(by: { $0.duration(over: distance) < $1.duration(over: distance) })
    else { return nil }
    id = first.id
    self.drives = drives.map(\.id)
    start = first.path.start
    end = first.path.end
    isLoop = Geodesy.distance(from: start, to: end) <= settings.endTolerance
    self.distance = distance
    bestDuration = best.duration
    self.best = best.id
    usualDuration = drives.map(\.duration).median ?? 0
    let times = drives.compactMap(\.startTime)
    firstTime = times.first
    lastTime = times.last
    name = Self.commonName(drives)
  }

  /// Returns the route with its ends moved, so that they tell nothing of a place that is hidden.
  package func moved(start: Coordinate, end: Coordinate) -> DrivenRoute {
    var route = self
    route.start = start
    route.end = end
    return route
  }

  /// Returns whether a drive belongs to the route, as one of its drives or as another recording.
  public func contains(_ drive: UUID) -> Bool { drives.contains(drive) || otherRecordings.contains(drive) }

  /// Returns the drives that record the same ride as a preceding drive.
  private static func otherRecordings(_ drives: [RouteDrive]) -> Set<UUID> {
    var others: Set<UUID> = []
    var rides: Set<UUID> = []
    // Drives that can still be in progress.
    var open: [(end: Instant, fingerprint: RideFingerprint)] = []
    for drive in drives {
      if let ride = drive.ride {
        if !rides.insert(ride).inserted { others.insert(drive.id) }
        continue
      }
      guard let start = drive.startTime, let fingerprint = drive.path.ride(from: start) else { continue }
      open.removeAll { $0.end < start }
      if open.contains(where: {
        RideMatch($0.fingerprint, fingerprint).map { $0.relation != .companion } ?? false
      }) {
        others.insert(drive.id)
      } else if let seconds = Instant(secondsSince1970: start.secondsSince1970 + fingerprint.duration) {
        open.append((seconds, fingerprint))
      }
    }
    return others
  }

  /// Returns the most frequent name, or the first of several equally frequent ones.
  private static func commonName(_ drives: [RouteDrive]) -> String? {
    var counts: [String: Int] = [:]
    for drive in drives where !drive.name.isEmpty { counts[drive.name, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    // A rare name does not represent the route.
    guard most > 1 || drives.count == 1, most * 4 >= drives.count else { return nil }
    return drives.first { counts[$0.name] == most }?.name
  }
}

extension RouteDrive {
  /// The share of a route by which a complete drive may be shorter, due to the noise of its fixes.
  private static let shortfall = 0.03

  /// Returns the duration in seconds, extrapolated at the mean speed if the drive covers a part of a route.
  fileprivate func duration(over route: Double) -> Double {
    distance > 0 && distance < (1 - Self.shortfall) * route ? duration * route / distance : duration
  }
}

extension DrivenRoute {
  /// The name, or the start and the end of the route.
  public var title: String {
    if let name { return name }
    let places = [start, end].map {
      [$0.latitude, $0.longitude].map { Formatted.fixed($0, 3) }.joined(separator: ",")
    }
    return isLoop ? "round \(places[0])" : places.joined(separator: " → ")
  }

  /// The compass direction from start to end: `N`, `NE`, …; `loop` if both are the same.
  public var direction: String {
    guard let bearing, bearing.isFinite else { return "loop" }
    let points = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    return points[Int((bearing / 45).rounded()) % points.count]
  }
}
