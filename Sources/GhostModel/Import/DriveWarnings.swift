package import TrackModel
import TrackTransforms

/// Finds problems that make the duration or the distance of a drive unreliable.
package enum DriveWarnings {
  /// - Parameter rows: the rows of the timeline.
  static func find(
    _ selection: PointSelection, _ rows: Range<Int>, _ timeline: Timeline, _ options: ImportOptions
  ) -> [TrackWarning] {
    guard selection.isTimed else { return [] }
    var gaps: [TrackWarning] = []
    if options.splitGap == nil, hasLongGap(timeline.offsets.span) {
      gaps = longGaps(
        timeline.offsets.count, firstPoint: rows.lowerBound,
        suggestion: .splitAtGaps(seconds: Int(LongGaps.limit / 1_000_000))
      ) { timeline.offsets[$0] / 1e6 }
    }
    return gaps + speeds(selection, rows)
  }

  /// Whether a gap is too long.
  ///
  /// - Parameter offsets: ascending microseconds since the start.
  private static func hasLongGap(_ offsets: Span<Double>) -> Bool {
    for row in 1..<max(offsets.count, 1)
    where offsets[row] - offsets[row - 1] > Double(LongGaps.limit) { return true }
    return false
  }

  /// Returns a warning about long gaps in the times of a drive, or `nil`.
  ///
  /// - Parameters:
  ///   - count: the number of points.
  ///   - firstPoint: the index of the first point in the recording.
  ///   - suggestion: the suggestion of the warning, if any.
  ///   - elapsed: returns the seconds from the first point to a point.
  static func longGaps(
    _ count: Int, firstPoint: Int = 0,
    suggestion: Suggestion? = splitFirst,
    _ elapsed: (Int) -> Double
  ) -> [TrackWarning] {
    var gaps = LongGaps(firstPoint: firstPoint)
    for row in 0..<count { gaps.add(Instant.microseconds(inSeconds: elapsed(row))) }
    return gaps.warning(suggestion).map { [$0] } ?? []
  }

  /// Returns a warning about impossible speeds in the given rows, or an empty array.
  private static func speeds(_ selection: PointSelection, _ rows: Range<Int>) -> [TrackWarning] {
    guard selection.isTimed else { return [] }
    var steps = FastSteps(firstPoint: rows.lowerBound)
    for stretch in selection.stretches(within: rows) {
      steps.beginSegment()
      steps.add(
        selection.times.span.extracting(stretch), selection.latitudes.span.extracting(stretch),
        selection.longitudes.span.extracting(stretch), ignoringNullIsland: false)
    }
    return steps.warning(.dropSpikes).map { [$0] } ?? []
  }

  /// Returns a warning about impossible speeds between points, or an empty array.
  ///
  /// - Parameters:
  ///   - elapsed: the seconds since the first point, one per point.
  ///   - coordinate: returns the position of a point.
  package static func speeds(
    _ elapsed: [Double], segmentStarts: [Int], coordinate: (Int) -> Coordinate
  ) -> [TrackWarning] {
    var starts = segmentStarts[...]
    var steps = FastSteps()
    for (row, seconds) in elapsed.enumerated() {
      if starts.first == row {
        starts = starts.dropFirst()
        steps.beginSegment()
      }
      let place = coordinate(row)
      steps.add(Instant.microseconds(inSeconds: seconds), place.latitude, place.longitude)
    }
    return steps.warning(removeFirst).map { [$0] } ?? []
  }

  /// Returns the warnings of an import for a command that neither removes points nor splits recordings.
  package static func withoutChanges(_ warnings: [TrackWarning]) -> [TrackWarning] {
    warnings.map { warning in
      var warning = warning
      switch warning.suggestion {
      case .dropSpikes: warning.suggestion = removeFirst
      case .splitAtGaps: warning.suggestion = splitFirst
      default: break
      }
      return warning
    }
  }

  static let removeFirst = Suggestion.text("remove these points from the recording first")
  static let splitFirst = Suggestion.text("split the recording at its gaps first")
}
