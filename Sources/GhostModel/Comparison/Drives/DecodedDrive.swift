public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A drive with its coordinates as an array, for repeated access.
///
/// Copies share their storage, so a ``DriveSegment`` is only a few words.
public struct DecodedDrive: Sendable, Identifiable {
  /// The drive.
  public let drive: Drive
  /// The coordinates in driving order.
  public let coordinates: [Coordinate]

  /// Creates a trail from a drive.
  ///
  /// - Complexity: O(*n*)
  public init(_ drive: Drive) {
    self.drive = drive
    coordinates = drive.coordinates
  }

  /// The id of the drive.
  public var id: UUID { drive.id }

  /// The seconds per interval between points: duration / (n − 1).
  ///
  /// 0 for fewer than two points or an invalid duration.
  public var averageTimePerPoint: Double {
    guard coordinates.count > 1, drive.duration >= 0, drive.duration.isFinite else { return 0 }
    return drive.duration / Double(coordinates.count - 1)
  }
}

extension DecodedDrive: Hashable {
  // The coordinates follow from the drive.
  /// Returns whether the drives are equal.
  public static func == (left: DecodedDrive, right: DecodedDrive) -> Bool { left.drive == right.drive }
  /// Hashes the drive.
  public func hash(into hasher: inout Hasher) { hasher.combine(drive) }
}
