public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A drive with its coordinates as one array, for code that uses them many times.
///
/// A value whose copies share their memory: a ``DriveSegment`` that holds one costs a few words, whatever the
/// length of the drive.
public struct DriveTrail: Sendable, Identifiable {
  public let drive: Drive
  /// In driving order.
  public let coordinates: [Coordinate]

  /// Takes the coordinates of a drive: O(n).
  public init(_ drive: Drive) {
    self.drive = drive
    coordinates = drive.coordinates
  }

  public var id: UUID { drive.id }

  /// Seconds from each point to the next, the duration spread over the gaps between the points: duration / (n
  /// − 1).
  ///
  /// 0 where there is no gap to spread it over, and where the duration is no number of seconds.
  public var averageTimePerPoint: Double {
    guard coordinates.count > 1, drive.duration >= 0, drive.duration.isFinite else { return 0 }
    return drive.duration / Double(coordinates.count - 1)
  }
}

extension DriveTrail: Hashable {
  // The coordinates follow from the drive.
  public static func == (left: DriveTrail, right: DriveTrail) -> Bool { left.drive == right.drive }
  public func hash(into hasher: inout Hasher) { hasher.combine(drive) }
}
