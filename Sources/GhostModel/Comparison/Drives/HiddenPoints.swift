public import TrackModel
public import TrackTransforms

/// Removes the points in privacy zones from the drives of a comparison, and counts them.
///
/// ```swift
/// var hidden = HiddenPoints([home])
/// let drives = try drives.map { try hidden.hide($0) }
/// ```
public struct HiddenPoints: Sendable {
  /// The zones.
  public let circles: [PrivacyStage.Circle]
  /// The number of points in zones.
  public private(set) var removed = 0
  /// The number of places where drives are cut between points.
  public private(set) var cuts = 0
  /// The number of points of all drives.
  public private(set) var total = 0
  private var touched: Set<Int> = []

  /// Creates an empty count.
  ///
  /// - Parameter circles: the zones.
  public init(_ circles: [PrivacyStage.Circle]) { self.circles = circles }

  /// Returns a drive without the points in the zones, and counts them; see ``TimedDrive/outside(_:)``.
  ///
  /// - Throws: `tooFewPoints` if fewer than two points are outside the zones.
  public mutating func hide(_ drive: TimedDrive) throws(TrackError) -> TimedDrive {
    guard !circles.isEmpty else { return drive }
    let discreet = try drive.outside(circles)
    removed += discreet.removed
    cuts += discreet.cuts
    total += drive.count
    touched.formUnion(discreet.zones)
    return discreet.drive
  }

  /// Whether a zone contains a place.
  public func contains(_ place: Coordinate) -> Bool { !PrivacyZones(circles).containing(place).isEmpty }

  /// Warnings about the zones that contain no points of the drives.
  public var warnings: [TrackWarning] { PrivacyZones(circles).warnings(touched: touched) }
}
