import TrackModel

/// Cuts laps at the ends of a time interval to keep.
///
/// Laps outside the interval are removed, as are laps without a start. A cut lap loses its totals, which were
/// those of the whole lap. Writers then compute totals from the remaining points.
struct LapCut {
  /// A time interval to keep, including both ends; a nil end is open.
  struct Stretch {
    var from: Instant?
    var to: Instant?
  }

  /// The number of laps that were removed and that were cut.
  private(set) var removed = 0
  private(set) var cut = 0

  /// `, 2 laps left out, 1 lap cut`; empty for none.
  var words: String {
    (removed == 0 ? "" : ", \(Counted.of(removed, "lap")) removed")
      + (cut == 0 ? "" : ", \(Counted.of(cut, "lap")) cut")
  }

  /// Returns the laps within the interval.
  ///
  /// - Parameter stretch: returns the interval that contains a time, otherwise the next one, or nil if none
  ///   follows.
  mutating func laps(_ laps: [Lap], _ stretch: (Instant) -> Stretch?) -> [Lap] {
    var result: [Lap] = []
    for (index, lap) in laps.enumerated() {
      let end = lap.end(before: index + 1 < laps.count ? laps[index + 1] : nil)
      if let rest = rest(of: lap, to: end, stretch) { result.append(rest) } else { removed += 1 }
    }
    return result
  }

  private mutating func rest(of lap: Lap, to end: Instant?, _ stretch: (Instant) -> Stretch?) -> Lap? {
    guard let start = lap.start, let kept = stretch(start) else { return nil }
    let first = max(start, kept.from ?? start)
    if start < first, let end, end <= first { return nil }
    let isEndKept = kept.to.map { to in end.map { $0 <= to } ?? false } ?? true
    if first == start, isEndKept { return lap }
    cut += 1
    var rest = Lap(start: first)
    if isEndKept { rest.trigger = lap.trigger }
    return rest
  }
}
