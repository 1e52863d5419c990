public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Drives from one place to another on the same road.
public struct DrivenRoute: Sendable, Hashable, Identifiable {
  /// The id of the first of its drives.
  ///
  /// It stays when later drives are added. An earlier one that is added, or the first one that is removed,
  /// changes it; the ids of the other drives still name the route then (``contains(_:)``).
  public let id: UUID
  /// The name that most of its drives have; nil where hardly two have the same.
  public let name: String?
  /// By start; those without one last. Of a ride that several devices have recorded, the recording that began
  /// first.
  public let drives: [UUID]
  /// The other recordings of those rides, by start.
  public let otherRecordings: [UUID]
  /// Where the first drive began and ended.
  public let start: Coordinate
  public let end: Coordinate
  /// Metres, the median of the drives'.
  public let distance: Double
  /// Seconds: that of the fastest drive, and which one it is.
  public let bestDuration: Double
  public let best: UUID
  /// Seconds, the median of the drives'.
  public let usualDuration: Double
  /// When the first and the last drive began; nil where no drive has a start.
  public let firstTime: Instant?
  public let lastTime: Instant?

  /// How many drives there are of it.
  public var count: Int { drives.count }
  /// Whether it ends where it began.
  public let isLoop: Bool
  /// Degrees clockwise from true north from start to end; nil for a loop.
  public var bearing: Double? { isLoop ? nil : Geodesy.initialBearing(from: start, to: end) }

  /// Summarises drives of one route, or some of them.
  ///
  /// - Parameter drives: in any order.
  /// - Returns: nil for none.
  public init?(_ drives: [RouteDrive], settings: RouteSettings = RouteSettings()) {
    let sorted = drives.sorted(by: RouteDrive.comesFirst)
    let others = Self.otherRecordings(sorted)
    otherRecordings = sorted.map(\.id).filter(others.contains)
    let drives = sorted.filter { !others.contains($0.id) }
    guard let first = drives.first, let best = drives.min(by: { $0.duration < $1.duration }) else {
      return nil
    }
    id = first.id
    self.drives = drives.map(\.id)
    start = first.sketch.start
    end = first.sketch.end
    isLoop = Geodesy.distance(from: start, to: end) <= settings.endTolerance
    distance = Self.median(drives.map(\.distance))
    bestDuration = best.duration
    self.best = best.id
    usualDuration = Self.median(drives.map(\.duration))
    let times = drives.compactMap(\.startTime)
    firstTime = times.first
    lastTime = times.last
    name = Self.commonName(drives)
  }

  public func contains(_ drive: UUID) -> Bool { drives.contains(drive) || otherRecordings.contains(drive) }

  /// The drives that record the same ride as one that comes before them.
  private static func otherRecordings(_ drives: [RouteDrive]) -> Set<UUID> {
    var others: Set<UUID> = []
    // Those that may still be under way.
    var open: [(end: Instant, sketch: RideSketch)] = []
    for drive in drives {
      guard let start = drive.startTime, let sketch = drive.sketch.ride(from: start) else { continue }
      open.removeAll { $0.end < start }
      if open.contains(where: { RideMatch($0.sketch, sketch).map { $0.relation != .companion } ?? false }) {
        others.insert(drive.id)
      } else if let seconds = Instant(secondsSince1970: start.secondsSince1970 + sketch.duration) {
        open.append((seconds, sketch))
      }
    }
    return others
  }

  /// The middle one, or the mean of the two in the middle.
  static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// Of names that are as frequent, the one that came first.
  private static func commonName(_ drives: [RouteDrive]) -> String? {
    var counts: [String: Int] = [:]
    for drive in drives where !drive.name.isEmpty { counts[drive.name, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    // One that is rare among many drives does not speak for them.
    guard most > 1 || drives.count == 1, most * 4 >= drives.count else { return nil }
    return drives.first { counts[$0.name] == most }?.name
  }
}
