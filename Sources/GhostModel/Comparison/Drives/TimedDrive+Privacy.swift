public import TrackModel
public import TrackTransforms

extension TimedDrive {
  /// A drive without the points in privacy zones.
  public struct Discreet: Sendable {
    /// The rest of the drive. No line of its segments touches a zone.
    public var drive: TimedDrive
    /// The number of points in zones.
    public var removed: Int
    /// The indices of the zones that contain a point or are touched by a line between two points.
    public var zones: Set<Int>
  }

  /// Returns the drive without the points in privacy zones, such as the one around home.
  ///
  /// ```swift
  /// let home = PrivacyStage.Circle(center: Coordinate(latitude: 46.5, longitude: 7.5), radius: 300)
  /// let shared = try drive.outside([home]).drive
  /// ```
  ///
  /// A comparison of such drives begins where both are outside the zones. The time that a drive spends in a
  /// zone between two points counts.
  ///
  /// - Parameter circles: the zones.
  /// - Throws: `tooFewPoints` if fewer than two points are outside the zones.
  /// - Complexity: O(*n* · *m*) for *n* points and *m* zones.
  public func outside(_ circles: [PrivacyStage.Circle]) throws(TrackError) -> Discreet {
    let zones = PrivacyZones(circles)
    var touched: Set<Int> = []
    var removed: [Int] = []
    var cuts: [Int] = []
    for row in 0..<count {
      let place = coordinate(at: row)
      let containing = zones.containing(place)
      touched.formUnion(containing)
      guard containing.isEmpty else {
        removed.append(row)
        cuts.append(row + 1)
        continue
      }
      guard row > 0, cuts.last != row else { continue }
      let crossed = zones.crossed(from: coordinate(at: row - 1), to: place)
      touched.formUnion(crossed)
      if !crossed.isEmpty { cuts.append(row) }
    }
    guard count - removed.count > 1 else {
      throw TrackError(.tooFewPoints, "fewer than two points are outside the privacy zones")
    }
    var result = self
    result.cut(at: cuts)
    result.remove(removed)
    return Discreet(drive: result, removed: removed.count, zones: touched)
  }
}
