package import TrackModel

/// Finds problems that make the duration or the distance of a drive unreliable.
package enum DriveWarnings {
  /// The largest plausible speed in metres per second: 500 km/h.
  static let impossibleSpeed = 500 / 3.6
  /// The fraction of the distance at impossible speeds above which a warning is reported.
  static let doubtfulShare = 0.01
  /// The usual interval of a receiver's positions in microseconds.
  static let longestRepetition: Int64 = 2_000_000
  /// Microseconds.
  static let longGap = 6 * 3.6e9

  /// - Parameter rows: the rows of the timeline.
  static func find(
    _ selection: PointSelection, _ rows: Range<Int>, _ timeline: Timeline, _ options: ImportOptions
  ) -> [TrackWarning] {
    guard selection.isTimed else { return [] }
    let gaps =
      options.splitGap == nil
      ? longGaps(
        timeline.offsets.count, firstPoint: rows.lowerBound,
        suggestion: .splitAtGaps(seconds: Int(longGap / 1e6))
      ) { timeline.offsets[$0] / 1e6 } : []
    return gaps + speeds(selection, rows, timeline)
  }

  /// Returns a warning about long gaps in the times of a drive, or `nil`.
  ///
  /// - Parameters:
  ///   - count: the number of points.
  ///   - firstPoint: the index of the first point in the recording.
  ///   - suggestion: the suggestion of the warning.
  ///   - elapsed: returns the seconds from the first point to a point.
  package static func longGaps(
    _ count: Int, firstPoint: Int = 0,
    suggestion: Suggestion = .text("split the recording at its gaps first"),
    _ elapsed: (Int) -> Double
  ) -> [TrackWarning] {
    var gaps = 0
    var first = 0
    var longest = 0.0
    for row in 0..<max(count - 1, 0) {
      let gap = elapsed(row + 1) - elapsed(row)
      guard gap > longGap / 1e6 else { continue }
      if gaps == 0 { first = row + 1 }
      gaps += 1
      longest = max(longest, gap)
    }
    guard gaps > 0 else { return [] }
    var hours = ByteBuffer()
    hours.append(decimal: (longest / 360).rounded() / 10)
    return [
      TrackWarning(
        .longGap, "gap of more than 6 h between points of one drive", count: gaps,
        place: InputLocation(path: "point \(firstPoint + first + 1)"), offendingText: "\(hours.string) h",
        suggestion: suggestion)
    ]
  }

  private static func speeds(
    _ selection: PointSelection, _ rows: Range<Int>, _ timeline: Timeline
  ) -> [TrackWarning] {
    let latitudes = selection.latitudes.span
    let longitudes = selection.longitudes.span
    let times = selection.times.span
    let starts = Set(selection.segmentStarts)
    var count = 0
    var first = 0
    var distance = 0.0
    var steps = 0
    /// The last fast step, and the largest number of consecutive fast steps.
    var lastFast = -1
    var run = 0
    var longestRun = 0
    /// The first row at the position of the previous row.
    var arrival = rows.lowerBound
    for row in rows.dropFirst() {
      guard latitudes[row] != latitudes[row - 1] || longitudes[row] != longitudes[row - 1] else { continue }
      steps += 1
      // Loggers repeat a position until the receiver has a new one.
      let step = max(min(times[row] - times[arrival], longestRepetition), times[row] - times[row - 1])
      arrival = row
      let reach = Double(step) / 1e6 * impossibleSpeed
      // Most steps are shorter than the bound and need no exact distance.
      let east = abs(longitudes[row] - longitudes[row - 1])
      let bound =
        (abs(latitudes[row] - latitudes[row - 1]) + min(east, 360 - east)) * Geodesy.longestMetresPerDegree
      guard bound > reach, !starts.contains(row) else { continue }
      let length = Geodesy.distance(
        from: GeodeticPoint(latitude: latitudes[row - 1], longitude: longitudes[row - 1]),
        to: GeodeticPoint(latitude: latitudes[row], longitude: longitudes[row]))
      guard length > reach else { continue }
      if count == 0 { first = row }
      count += 1
      distance += length
      run = lastFast == steps - 1 ? run + 1 : 1
      lastFast = steps
      longestRun = max(longestRun, run)
    }
    guard distance > timeline.distance * doubtfulShare else { return [] }
    // A spike is two fast steps, there and back. A flight has many.
    let isFastThroughout = longestRun > 2 && count * 10 > steps
    var kilometres = ByteBuffer()
    kilometres.append(decimal: (distance / 100).rounded() / 10)
    return [
      TrackWarning(
        .impossibleSpeed, "a step faster than 500 km/h adds to the distance", count: count,
        place: InputLocation(path: "point \(first + 1)"), offendingText: "\(kilometres.string) km",
        suggestion: isFastThroughout ? nil : .dropSpikes)
    ]
  }
}
