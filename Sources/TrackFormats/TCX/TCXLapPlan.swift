import TrackModel

/// Which points of an activity go into which of its laps.
///
/// In TCX points lie inside laps, here beside them. A lap begins with the segment that begins about when it
/// does; one that begins inside a segment parts it.
struct TCXLapPlan {
  struct PlannedLap {
    var lap: Lap
    /// The segments that begin in the lap or go on in it; the last belongs to it up to ``end`` alone, where
    /// that is given.
    var segments: Range<Int>
    /// When the last segment goes over to the next lap; nil where the lap ends with it.
    var end: Instant?
    /// Seconds and metres, as the lap says or as its segments do; NaN where only the points can tell, see
    /// ``TCXLapPlan/measure(_:)``.
    var timerTime: Double
    var distance: Double
  }

  private(set) var laps: [PlannedLap] = []
  /// How many segments are parted.
  var partedSegments: Int { laps.count { $0.end != nil } }

  /// Where a lap begins: at the beginning of a segment, or at a time inside of it.
  private struct Cut {
    var segment: Int
    var time: Instant?
  }

  /// How many seconds the beginnings of a lap and of its segment may lie apart: devices write the same second
  /// into both laps, or begin the next with its first fix.
  private static let tolerance = 5.0

  /// Whether figures of laps are missing that only their points can tell.
  var needsMeasuring: Bool { laps.contains { $0.timerTime.isNaN || $0.distance.isNaN } }

  /// Takes figures for laps that have none.
  ///
  /// - Parameter figures: of the points of each lap.
  mutating func measure(_ figures: [TCXLapFigures]) {
    for index in laps.indices where index < figures.count {
      if laps[index].timerTime.isNaN { laps[index].timerTime = figures[index].timerTime }
      if laps[index].distance.isNaN { laps[index].distance = figures[index].distance }
    }
  }

  /// - Returns: nil where the laps cannot be told apart by their starts.
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
          distance: lap.distance ?? (isParted ? .nan : segments[range].reduce(0) { $0 + $1.distance })))
    }
  }

  private static func cuts(_ laps: [Lap], _ segments: [TCXSegment]) -> [Cut]? {
    var cuts = [Cut(segment: 0)]
    for (lap, previous) in zip(laps.dropFirst(), laps) {
      guard let start = lap.start, let before = previous.start, start >= before else { return nil }
      var segment = cuts[cuts.count - 1].segment
      var time: Instant?
      while segment < segments.count {
        guard let first = segments[segment].firstTime, let last = segments[segment].lastTime else {
          return nil
        }
        if start.seconds(since: first) <= tolerance { break }
        if last.seconds(since: start) > tolerance {
          time = start
          break
        }
        segment += 1
      }
      cuts.append(Cut(segment: segment, time: time))
    }
    return cuts
  }
}
