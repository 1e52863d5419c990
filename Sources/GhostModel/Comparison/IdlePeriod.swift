import TrackModel

/// An end of a drive.
public enum TrimPosition: Sendable, Hashable, CaseIterable {
  /// The first points of the drive.
  case start
  /// The last points of the drive.
  case end
}

extension DriveComparisonEngine {
  /// Returns the idle points at one end of a drive, from the end inwards to the first motion.
  ///
  /// The speed between two points is their distance divided by the average time per point. Drives with fewer
  /// than two points or without a duration have no speed and no idle points.
  ///
  /// - Parameters:
  ///   - trail: the drive with decoded coordinates.
  ///   - position: the end of the drive to examine.
  ///   - threshold: the speed in miles per hour (of 1609.34 m, as in the app) below which a step is idle.
  /// - Returns: `0..<idle` for the start, `(count − idle)..<count` for the end, where `idle` is the number of
  ///   steps before the first motion or after the last. A drive that never moves has `count − 1` idle points
  ///   at each end.
  /// - Complexity: O(*n*) in the number of idle points.
  public static func detectIdlePeriod(
    _ trail: DecodedDrive, at position: TrimPosition, threshold: Double
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
        // Without a duration the speed is infinite or NaN, so the comparison is false.
        guard milesPerHour < threshold else { break }
        previous = next
        idle += 1
      }
    }
    return position == .start ? 0..<idle : (count - idle)..<count
  }

  /// Trims the idle ends of a segment according to the settings.
  ///
  /// The start moves to the point at which the first motion starts, the end to the first point of the idle
  /// run. A drive that never moves keeps its last point, or its first two points if only the end is trimmed.
  ///
  /// If nothing is idle at the end, the end is unchanged. The app's description would move it past the last
  /// point, which would make the segment empty.
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
