import TrackModel

/// The time span and the laps of a track, which GPX cannot represent. Nothing is lost if the points imply the
/// same values.
struct GPXTrackTimes {
  private var timeSpan: TimeSpan?
  private var laps: [Lap] = []
  private var first: Instant?
  private var last: Instant?

  /// The tolerance between the times of the track and those of its points, in seconds: devices write whole
  /// seconds.
  private static let tolerance = 1.0

  /// Stores the time span and the laps, and returns the information without them.
  mutating func take(_ info: TrackInfo) -> TrackInfo {
    var rest = info
    timeSpan = timeSpan ?? info.timeSpan
    laps += info.laps
    rest.timeSpan = nil
    rest.laps = []
    return rest
  }

  /// Records the first and last time of the points.
  mutating func take(_ batch: borrowing PointBatch) {
    guard timeSpan != nil || !laps.isEmpty else { return }
    let times = batch.times
    if first == nil {
      var row = 0
      while row < times.count, times[row] == Instant.absent { row += 1 }
      if row < times.count { first = Instant(microseconds: times[row]) }
    }
    var row = times.count - 1
    while row >= 0, times[row] == Instant.absent { row -= 1 }
    if row >= 0 { last = Instant(microseconds: times[row]) }
  }

  var losses: LossReport {
    var losses = LossReport()
    if let timeSpan, !isNear(timeSpan.begin, first) || !isNear(timeSpan.end, last) {
      losses.add("spans of time of whole tracks")
    }
    if laps.count == 1, isWhole(laps[0]) {
      if (laps[0].calories ?? 0) != 0 { losses.add("calorie counts of laps") }
    } else {
      losses.add("laps", laps.count)
    }
    return losses
  }

  /// Returns whether a lap spans the whole track from the first point to the last, so that it is redundant.
  private func isWhole(_ lap: Lap) -> Bool {
    guard let start = lap.start, let seconds = lap.elapsedTime ?? lap.timerTime, seconds.isFinite, let first,
      let last
    else { return false }
    return isNear(start, first)
      && abs(seconds - last.seconds(since: first)) <= GPXTrackTimes.tolerance
  }

  private func isNear(_ time: Instant?, _ other: Instant?) -> Bool {
    guard let time, let other else { return time == nil }
    return abs(time.seconds(since: other)) <= GPXTrackTimes.tolerance
  }
}
