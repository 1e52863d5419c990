import TrackModel

/// An end of a drive.
public enum TrimPosition: Sendable, Hashable, CaseIterable {
  case start
  case end
}

extension DriveComparisonEngine {
  /// The idle points at one end of a drive: from the end inwards up to the first motion, so that a stop in
  /// the middle is never among them.
  ///
  /// The speed between two points is their distance over the average time per point. A drive of one point or
  /// none, and one without a duration, has no speed, and nothing in it is idle.
  ///
  /// - Parameter threshold: miles per hour, of 1609.34 m as in the app; slower steps are idle.
  /// - Returns: `0..<idle` for the start, `(count − idle)..<count` for the end, where `idle` is the number of
  ///   steps before the first motion or after the last. A drive that never moves has `count − 1` idle points
  ///   at each end.
  /// - Complexity: O(idle).
  public static func detectIdlePeriod(
    _ trail: DriveTrail, at position: TrimPosition, threshold: Double
  ) -> Range<Int> {
    let coordinates = trail.coordinates
    let count = coordinates.count
    let hours = trail.averageTimePerPoint / 3600
    var idle = 0
    if count > 1 {
      let isAtStart = position == .start
      var previous = GeodeticPoint(coordinates[isAtStart ? 0 : count - 1])
      while idle < count - 1 {
        let next = GeodeticPoint(coordinates[isAtStart ? idle + 1 : count - 2 - idle])
        let milesPerHour = Geodesy.distance(from: previous, to: next) / 1609.34 / hours
        // Without a duration the speed is infinite or no number, and neither is less.
        guard milesPerHour < threshold else { break }
        previous = next
        idle += 1
      }
    }
    return position == .start ? 0..<idle : (count - idle)..<count
  }

  /// Moves the indices of a segment past the idle ends of its drive, as far as the settings ask for it.
  ///
  /// The start moves to the point at which the first motion begins, the end to the first point of the idle
  /// run. A drive that never moves keeps its last point, with only the end trimmed its first two points.
  ///
  /// Where nothing is idle at the end, the end stays. The app's text moves it past the last point then, which
  /// makes every such drive empty.
  static func trim(_ segment: inout DriveSegment, settings: ComparisonSettings) {
    if settings.trimStartIdle {
      segment.startIndex =
        detectIdlePeriod(segment.trail, at: .start, threshold: settings.idleSpeedThreshold).upperBound
    }
    if settings.trimEndIdle {
      let idle = detectIdlePeriod(segment.trail, at: .end, threshold: settings.idleSpeedThreshold)
      if !idle.isEmpty { segment.endIndex = idle.lowerBound }
    }
  }
}
