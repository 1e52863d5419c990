public import TrackModel
public import TrackTransforms

extension TimedDrive {
  /// A drive without the points in privacy zones.
  public struct Discreet: Sendable {
    /// The rest of the drive. No line of its segments touches a zone.
    public var drive: TimedDrive
    /// The number of points in zones.
    public var removed: Int
    /// The number of places where the drive is cut between points.
    public var cuts: Int
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
  /// A comparison of such drives begins where both are outside the zones. The part in a zone between two
  /// points is not recorded; its time counts.
  ///
  /// - Parameter circles: the zones.
  /// - Throws: `tooFewPoints` if fewer than two points are outside the zones.
  /// - Complexity: O(*n* · *m*) for *n* points and *m* zones.
  public func outside(_ circles: [PrivacyStage.Circle]) throws(TrackError) -> Discreet {
    let zones = PrivacyZones(circles)
    var touched: Set<Int> = []
    var removed: [Int] = []
    var cuts: [Int] = []
    /// The times without a position.
    var hidden: [(start: Double, end: Double)] = []
    var last: Int?
    for row in 0..<count {
      let place = coordinate(at: row)
      let containing = zones.containing(place)
      touched.formUnion(containing)
      guard containing.isEmpty else {
        removed.append(row)
        continue
      }
      defer { last = row }
      guard let last else { continue }
      if last == row - 1 {
        let crossed = zones.crossed(from: coordinate(at: last), to: place)
        if crossed.isEmpty { continue }
        touched.formUnion(crossed)
      }
      cuts.append(row)
      hidden.append((elapsed[last], elapsed[row]))
    }
    guard count - removed.count > 1 else {
      throw TrackError(.tooFewPoints, "fewer than two points are outside the privacy zones")
    }
    var result = self
    result.hide(hidden, segmentsFrom: cuts)
    result.remove(removed)
    return Discreet(drive: result, removed: removed.count, cuts: cuts.count, zones: touched)
  }
}
