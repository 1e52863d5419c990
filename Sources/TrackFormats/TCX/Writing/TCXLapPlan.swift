import TrackModel

/// The assignment of an activity's points to its laps.
///
/// In TCX, laps contain the points; in the model, laps and points are separate. A lap starts with the segment
/// that starts at about the same time. A lap that starts inside a segment splits it.
struct TCXLapPlan {
  struct PlannedLap {
    var lap: Lap
    /// The segments that start or continue in the lap. If ``end`` is set, only the part of the last segment
    /// before it belongs to the lap.
    var segments: Range<Int>
    /// The time at which the last segment continues in the next lap; nil if the lap ends with the segment.
    var end: Instant?
    /// The seconds and metres given by the lap or by its segments; NaN if only the points determine them,
    /// see ``TCXLapPlan/measure(_:)``.
    var timerTime: Double
    var distance: Double
  }

  private(set) var laps: [PlannedLap] = []
  /// The number of splits inside segments.
  var partedSegments: Int { laps.count { $0.end != nil } }

  /// The start of a lap: at the start of a segment, or at a time inside it.
  private struct Cut {
    var segment: Int
    var time: Instant?
  }

  /// The largest difference in seconds between the start of a lap and that of its segment. Devices write the
  /// same second into both laps, or start the next lap with its first fix.
  private static let tolerance = 5.0
  /// The difference in seconds above which points before the first lap or after the last are not part of its
  /// figures. Some recorders state starts in whole seconds.
  private static let precision = 1.0

  /// Whether some figures of the laps must be computed from their points.
  var needsMeasuring: Bool { laps.contains { $0.timerTime.isNaN || $0.distance.isNaN } }

  /// Sets the missing figures of the laps.
  ///
  /// - Parameter figures: the figures computed from the points of each lap.
  mutating func measure(_ figures: [TCXLapFigures]) {
    for index in laps.indices where index < figures.count {
      if laps[index].timerTime.isNaN { laps[index].timerTime = figures[index].timerTime }
      if laps[index].distance.isNaN { laps[index].distance = figures[index].distance }
    }
  }

  /// - Returns: nil if the start times of the laps are missing or not in order.
  init?(_ laps: [Lap], _ segments: [TCXSegment]) {
    guard !laps.isEmpty, let cuts = TCXLapPlan.cuts(laps, segments) else { return nil }
    for (index, lap) in laps.enumerated() {
      let begin = cuts[index]
      let end = index + 1 < cuts.count ? cuts[index + 1] : Cut(segment: segments.count)
      let isParted = begin.time != nil || end.time != nil
      let range = begin.segment..<(end.segment + (end.time == nil ? 0 : 1))
      var timerTime = lap.timerTime ?? lap.elapsedTime
      if timerTime == nil, isParted, lap.distance != nil {
        let last = index + 1 < laps.count ? laps[index + 1].start : segments.last?.lastTime
        if let last, let start = lap.start { timerTime = max(last.seconds(since: start), 0) }
      }
      self.laps.append(
        PlannedLap(
          lap: lap, segments: range, end: end.time,
          timerTime: timerTime ?? (isParted ? .nan : segments[range].reduce(0) { $0 + $1.duration }),
          distance: lap.distance
            ?? (isParted
              || TCXLapPlan.isPart(
                lap, of: segments[range], isFirst: index == 0, isLast: index == laps.count - 1)
              ? .nan : segments[range].reduce(0) { $0 + $1.distance })))
    }
  }

  /// Whether a lap starts after the first point or ends before the last.
  private static func isPart(
    _ lap: Lap, of segments: ArraySlice<TCXSegment>, isFirst: Bool, isLast: Bool
  ) -> Bool {
    guard let start = lap.start, let first = segments.first?.firstTime, let last = segments.last?.lastTime
    else { return false }
    return start.seconds(since: first) > (isFirst ? precision : tolerance)
      || lap.end.map { last.seconds(since: $0) > (isLast ? precision : tolerance) } ?? false
  }

  private static func cuts(_ laps: [Lap], _ segments: [TCXSegment]) -> [Cut]? {
    var cuts = [Cut(segment: 0)]
    for (lap, previous) in zip(laps.dropFirst(), laps) {
      guard let start = lap.start, let before = previous.start, start >= before else { return nil }
      let open = cuts[cuts.count - 1].segment
      var segment = open
      var time: Instant?
      while segment < segments.count {
        guard let first = segments[segment].firstTime, let last = segments[segment].lastTime else {
          return nil
        }
        let next = segment + 1 < segments.count ? segments[segment + 1].firstTime : nil
        let toNext = next.map { abs($0.seconds(since: start)) } ?? .infinity
        let sinceFirst = start.seconds(since: first)
        if toNext > tolerance || toNext > abs(sinceFirst) {
          if sinceFirst <= tolerance {
            // The segment starts in the previous lap.
            if segment == open, sinceFirst > 0, start > before { time = start }
            break
          }
          if last > start, toNext > tolerance || last.seconds(since: start) > tolerance {
            time = start
            break
          }
        }
        segment += 1
      }
      cuts.append(Cut(segment: segment, time: time))
    }
    return cuts
  }
}
