public import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A drive as input for finding routes.
public struct RouteDrive: Sendable, Hashable, Identifiable {
  /// The id of the drive.
  public var id: UUID
  /// The name of the drive.
  public var name: String
  /// The start, or `nil` if the recording has no times.
  public var startTime: Instant?
  /// The duration in seconds.
  public var duration: Double
  /// The distance in metres.
  public var distance: Double
  /// The simplified line with its passing times.
  public var path: SimplifiedRoute
  /// The first drive that records the same ride, if that was determined from the recordings. Otherwise,
  /// drives at the same time are compared by their paths.
  public var ride: UUID?

  /// Creates a drive from its properties. The duration is in seconds, the distance in metres.
  public init(
    id: UUID, name: String, startTime: Instant?, duration: Double, distance: Double, path: SimplifiedRoute
  ) {
    self.id = id
    self.name = name
    self.startTime = startTime
    self.duration = duration
    self.distance = distance
    self.path = path
  }

  /// Creates the route drive of a drive, with its line and its times.
  ///
  /// - Returns: `nil` for a drive with fewer than two coordinates.
  public init?(_ drive: Drive) {
    guard let path = SimplifiedRoute(drive.coordinates, duration: drive.duration) else { return nil }
    self.init(
      id: drive.id, name: drive.name, startTime: drive.startTime, duration: drive.duration,
      distance: drive.distanceInMeters, path: path)
  }
}

extension RouteDrive {
  /// Whether a drive is processed before another: by start time, drives without one last, then by id.
  package static func comesFirst(_ left: RouteDrive, _ right: RouteDrive) -> Bool {
    switch (left.startTime, right.startTime) {
    case (let first?, let second?) where first != second: first < second
    case (_?, nil): true
    case (nil, _?): false
    default: left.id.words < right.id.words
    }
  }
}

extension UUID {
  /// The id as two numbers with the same order as its text.
  fileprivate var words: (UInt64, UInt64) {
    let bytes = uuid
    func word(_ bytes: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)) -> UInt64 {
      let high =
        UInt64(bytes.0) << 56 | UInt64(bytes.1) << 48 | UInt64(bytes.2) << 40 | UInt64(bytes.3) << 32
      let low = UInt64(bytes.4) << 24 | UInt64(bytes.5) << 16 | UInt64(bytes.6) << 8 | UInt64(bytes.7)
      return high | low
    }
    return (
      word((bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7)),
      word((bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15))
    )
  }
}
