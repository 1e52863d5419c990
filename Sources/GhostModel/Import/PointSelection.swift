import TrackModel
import TrackTransforms

/// The points of a recording that become drives, as columns for all segments.
struct PointSelection {
  /// Ascending microseconds since 1970, or ``Instant/absent`` for all points if the recording has no usable
  /// times.
  private(set) var times: [Int64] = []
  private(set) var latitudes: [Double] = []
  private(set) var longitudes: [Double] = []
  /// The first row of each segment with points, ascending from 0.
  private(set) var segmentStarts: [Int] = []
  /// Whether the times are recorded.
  private(set) var isTimed = false
  private(set) var warnings: [TrackWarning] = []
  private var inaccurate = 0
  private var repeated = 0
  /// The fixes at 0°, 0° far from the rest, by index across all segments.
  private let nullIsland: Set<Int>

  /// - Parameter clockErrors: the original indices of points removed because of their times.
  /// - Throws: `noTimes` or `outOfOrder` if too many points have no time or are out of order.
  init(_ recording: Recording, _ options: ImportOptions, clockErrors: [Int] = []) throws(TrackError) {
    let limit = options.maximumAccuracy ?? .infinity
    let nullFixes = recording.isolatedNullFixes
    nullIsland = Set(nullFixes)
    let census = Census(recording, accuracyLimit: limit, ignoring: nullIsland)
    inaccurate = census.inaccurate.count
    isTimed = try Self.hasUsableTimes(census, options, &warnings)
    census.invalid.report(
      .invalidPosition, "position out of range, point skipped", to: &warnings)
    census.inaccurate.report(
      .inaccuratePosition, "horizontal accuracy above \(Formatted.shortest(limit)) m, point skipped",
      to: &warnings)
    if let first = nullFixes.first {
      Omission(count: nullFixes.count, first: first).report(
        .nullIsland, NullIsland.isolated, to: &warnings)
    }
    if recording.isAtNullIsland {
      warnings.append(TrackWarning(.nullIsland, NullIsland.everywhere, count: recording.count))
    }
    if isTimed { census.untimed.report(.missingTime, "no time, point skipped", to: &warnings) }
    let timed = census.positioned - census.untimed.count
    var backwards = gather(recording, limit)
    if backwards.earlier > 0 {
      // A single time far ahead makes all following points appear late, so it is the one to skip.
      let strays = strays(recording, limit)
      guard min(strays.count, backwards.earlier) <= StrayTimes.limit(of: timed) else {
        throw Self.outOfOrder(backwards.all, of: timed, recording)
      }
      if strays.count < backwards.earlier {
        (times, latitudes, longitudes, segmentStarts) = ([], [], [], [])
        backwards = gather(recording, limit, leavingOut: strays)
      }
    }
    if isTimed {
      removeHeldFixes()
      joinSegments()
    }
    backwards.repetitions.report(
      .repeatedPoints, "exact repetition of an earlier point, skipped", to: &warnings)
    repeated = backwards.all.count - backwards.earlier
    let late = backwards.late
    let unordered = Omission(
      count: late.count + clockErrors.count,
      first: min(clockErrors.first ?? .max, late.count > 0 ? late.first : .max))
    unordered.report(.outOfOrder, "time out of order, point skipped", to: &warnings)
    backwards.simultaneous.report(
      .outOfOrder, "time equal to that of the last point, point skipped", to: &warnings)
  }

  /// Returns the first rows of the segments that begin within a range of rows, after its first row.
  ///
  /// - Complexity: O(log *n* + *m*) for *n* segments, *m* of which begin within the range.
  func segmentStarts(within rows: Range<Int>) -> ArraySlice<Int> {
    let first = segmentStarts.partitionIndex { $0 > rows.lowerBound }
    let end = segmentStarts.partitionIndex { $0 >= rows.upperBound }
    return segmentStarts[first..<max(first, end)]
  }

  /// Returns the parts of a range of rows that are within one segment.
  func stretches(within rows: Range<Int>) -> [Range<Int>] {
    let starts = segmentStarts(within: rows)
    return zip([rows.lowerBound] + starts, starts + [rows.upperBound]).map { $0..<$1 }
  }

  /// Returns a value of each selected point of a recording, or `nil` if a point is not found.
  func values<Value>(
    in recording: Recording, _ value: (Recording.Segment, _ row: Int) -> Value
  ) -> [Value]? {
    var values: [Value] = []
    values.reserveCapacity(times.count)
    // The selected points are in the order of the recording, with ascending times.
    for segment in recording.segments {
      for row in 0..<segment.count where values.count < times.count {
        let next = values.count
        guard !isTimed || segment.times[row] == times[next], segment.latitudes[row] == latitudes[next],
          segment.longitudes[row] == longitudes[next]
        else { continue }
        values.append(value(segment, row))
      }
    }
    return values.count == times.count ? values : nil
  }

  /// Joins segments between which the recording went on, as at the laps of a TCX file: the time between them
  /// is not longer than usual.
  private mutating func joinSegments() {
    guard segmentStarts.count > 1 else { return }
    let starts = Set(segmentStarts)
    let steps = times.indices.dropFirst().filter { !starts.contains($0) }.map {
      Double(times[$0] &- times[$0 - 1])
    }
    guard steps.count > 3, let median = steps.upperMedian, let long = steps.quantile(Self.pause.share) else {
      return
    }
    let usual = max(Self.pause.median * median, long)
    segmentStarts.removeAll { $0 > 0 && Double(times[$0] &- times[$0 - 1]) <= usual }
  }

  /// A pause is longer than a multiple of the median interval, and than this share of the intervals.
  private static let pause = (median: 1.5, share: 0.9)

  /// Removes repetitions of the last fix (``HeldFixes``).
  private mutating func removeHeldFixes() {
    let held = HeldFixes.rows(times: times, latitudes: latitudes, longitudes: longitudes)
    guard !held.isEmpty else { return }
    let removed = Set(held).subtracting(segmentStarts)
    let rows = times.indices.filter { !removed.contains($0) }
    segmentStarts = segmentStarts.map { start in rows.partitionIndex { $0 >= start } }
    times = rows.map { times[$0] }
    latitudes = rows.map { latitudes[$0] }
    longitudes = rows.map { longitudes[$0] }
    warnings.append(
      TrackWarning(.heldFixes, "repetition of the last fix, point skipped", count: removed.count))
  }

  /// Points that are not later than the last kept point.
  private struct Backwards {
    var all = Omission()
    /// The points of ``all`` that are earlier, and those that repeat a time.
    var late = Omission()
    var simultaneous = Omission()
    var earlier: Int { late.count }
    /// Points with the time and position of an earlier point, in a repeated stretch of the recording.
    var repetitions = Omission()
  }

  /// Points that were skipped for one reason.
  struct Omission {
    var count = 0
    /// The index of the first such point across all segments.
    var first = 0

    mutating func add(_ index: Int) {
      if count == 0 { first = index }
      count += 1
    }

    func report(_ code: TrackWarning.Code, _ message: String, to warnings: inout [TrackWarning]) {
      guard count > 0 else { return }
      warnings.append(
        TrackWarning(code, message, count: count, place: InputLocation(path: "point \(first + 1)")))
    }
  }

  /// Counts of points, determined before copying.
  private struct Census {
    var positioned = 0
    var invalid = Omission()
    var inaccurate = Omission()
    var untimed = Omission()
    /// The points without time before the first time, and after the last one.
    var untimedEnds: Int { leading + trailing }
    private var leading = 0
    private var trailing = 0

    init(_ recording: Recording, accuracyLimit limit: Double, ignoring ignored: Set<Int>) {
      var index = 0
      for segment in recording.segments {
        if ignored.isEmpty, PointSelection.isComplete(segment) {
          if segment.count > 0 {
            if untimed.count == positioned { leading = untimed.count }
            trailing = 0
          }
          positioned += segment.count
          index += segment.count
          continue
        }
        for row in 0..<segment.count {
          if !ignored.isEmpty, ignored.contains(index) {
            index += 1
            continue
          }
          switch PointSelection.verdict(segment, row, limit) {
          case .invalid: invalid.add(index)
          case .inaccurate: inaccurate.add(index)
          case .good:
            positioned += 1
            if segment.times[row] == Instant.absent {
              untimed.add(index)
              trailing += 1
            } else {
              if untimed.count == positioned - 1 { leading = untimed.count }
              trailing = 0
            }
          }
          index += 1
        }
      }
    }
  }

  /// Returns the last time of a segment, or nil unless all its points are kept and later than a time.
  private static func lastTime(ascending segment: Recording.Segment, after latest: Int64) -> Int64? {
    guard isComplete(segment) else { return nil }
    let times = segment.times.span
    var last = latest
    for row in times.indices {
      guard times[row] > last else { return nil }
      last = times[row]
    }
    return times.isEmpty ? nil : last
  }

  /// Whether all points have a valid position and a time, and none a stated accuracy.
  private static func isComplete(_ segment: Recording.Segment) -> Bool {
    guard segment.horizontalAccuracies == nil else { return false }
    let times = segment.times.span
    let latitudes = segment.latitudes.span
    let longitudes = segment.longitudes.span
    for row in times.indices {
      guard abs(latitudes[row]) <= 90, abs(longitudes[row]) <= 180, times[row] != Instant.absent else {
        return false
      }
    }
    return true
  }

  private enum Verdict { case good, invalid, inaccurate }

  @inline(__always)
  private static func verdict(_ segment: Recording.Segment, _ row: Int, _ limit: Double) -> Verdict {
    guard abs(segment.latitudes[row]) <= 90, abs(segment.longitudes[row]) <= 180 else { return .invalid }
    if let accuracies = segment.horizontalAccuracies, accuracies[row] > limit { return .inaccurate }
    return .good
  }

  private static func hasUsableTimes(
    _ census: Census, _ options: ImportOptions, _ warnings: inout [TrackWarning]
  ) throws(TrackError) -> Bool {
    let isConstant = options.duration != nil || options.speed != nil
    let untimed = census.untimed.count
    guard census.positioned > 0 else { return false }
    if untimed == census.positioned {
      if isConstant { return false }
      throw TrackError(.noTimes, "no times", suggestion: .provideDurationOrSpeed)
    }
    // A drive without some points of its road is too short. One that begins later, or ends earlier, is not
    // wrong, if it is most of the recording.
    let inner = census.positioned - census.untimedEnds
    if (untimed - census.untimedEnds) * 10 > inner || untimed * 2 > census.positioned {
      guard isConstant else {
        throw TrackError(
          .noTimes, "\(untimed) of \(census.positioned) points have no time",
          suggestion: .provideDurationOrSpeed)
      }
      warnings.append(
        TrackWarning(
          .missingTime, "too many points without a time; all times are ignored",
          count: untimed))
      return false
    }
    if isConstant {
      let option = options.duration != nil ? "duration" : "speed"
      warnings.append(
        TrackWarning(.unusedOption, "the recording has times; the given \(option) is ignored"))
    }
    return true
  }

  /// Copies the valid points in runs.
  ///
  /// - Parameter strays: points to skip as out of order, by index across all segments.
  /// - Returns: the points that were not later than the last kept one.
  private mutating func gather(
    _ recording: Recording, _ limit: Double, leavingOut strays: Set<Int> = []
  ) -> Backwards {
    var backwards = Backwards()
    // Any time is later than the absent one.
    var latest = Instant.absent
    var index = 0
    /// Whether the previous point was a repetition.
    var isRepeating = false
    let total = recording.count
    for segment in recording.segments {
      let start = times.count
      if isTimed, nullIsland.isEmpty, strays.isEmpty,
        let last = Self.lastTime(ascending: segment, after: latest)
      {
        append(segment, 0..<segment.count, of: total)
        segmentStarts.append(start)
        latest = last
        isRepeating = false
        index += segment.count
        continue
      }
      var run = 0
      // A segment that starts with the last point of the previous one continues it.
      var isJoined = false
      for row in 0..<segment.count {
        var isKept = Self.verdict(segment, row, limit) == .good
        if isKept, !nullIsland.isEmpty, nullIsland.contains(index) { isKept = false }
        let time = segment.times[row]
        if isKept, isTimed {
          if time > latest, strays.isEmpty || !strays.contains(index) {
            latest = time
            isRepeating = false
          } else {
            isKept = false
            append(segment, run..<row, of: total)
            run = row
            if times.count == start, !isRepeating, isLast(segment, row) {
              isJoined = true
              isRepeating = false
            } else if time != Instant.absent {
              isRepeating = (time < latest || isRepeating) && isKnown(segment, row)
              if isRepeating {
                backwards.repetitions.add(index)
              } else {
                backwards.all.add(index)
                if time == latest { backwards.simultaneous.add(index) } else { backwards.late.add(index) }
              }
            }
          }
        }
        index += 1
        if isKept { continue }
        append(segment, run..<row, of: total)
        run = row + 1
      }
      append(segment, run..<segment.count, of: total)
      if times.count > start, !isJoined || segmentStarts.isEmpty { segmentStarts.append(start) }
    }
    return backwards
  }

  /// Whether a point has the time and position of a kept point.
  private func isKnown(_ segment: Recording.Segment, _ row: Int) -> Bool {
    let time = segment.times[row]
    let kept = times.partitionIndex { $0 >= time }
    return kept < times.count && times[kept] == time && latitudes[kept] == segment.latitudes[row]
      && longitudes[kept] == segment.longitudes[row]
  }

  /// Whether a point has the time and position of the last kept point.
  private func isLast(_ segment: Recording.Segment, _ row: Int) -> Bool {
    guard let time = times.last, let latitude = latitudes.last, let longitude = longitudes.last else {
      return false
    }
    return segment.times[row] == time && segment.latitudes[row] == latitude
      && segment.longitudes[row] == longitude
  }

  /// The points with stray times (``StrayTimes``), by index across all segments.
  private func strays(_ recording: Recording, _ limit: Double) -> Set<Int> {
    var indices: [Int] = []
    var times: [Int64] = []
    var index = 0
    for segment in recording.segments {
      for row in 0..<segment.count {
        if Self.verdict(segment, row, limit) == .good, segment.times[row] != Instant.absent,
          !nullIsland.contains(index)
        {
          indices.append(index)
          times.append(segment.times[row])
        }
        index += 1
      }
    }
    return Set(StrayTimes.indices(in: times).map { indices[$0] })
  }

  /// - Parameter total: the number of points in the recording.
  private mutating func append(_ segment: Recording.Segment, _ rows: Range<Int>, of total: Int) {
    guard !rows.isEmpty else { return }
    if rows.count == total {
      // Shares the columns of the recording instead of copying them.
      (times, latitudes, longitudes) = (segment.times, segment.latitudes, segment.longitudes)
      return
    }
    if times.isEmpty {
      times.reserveCapacity(total)
      latitudes.reserveCapacity(total)
      longitudes.reserveCapacity(total)
    }
    times.append(contentsOf: segment.times[rows])
    latitudes.append(contentsOf: segment.latitudes[rows])
    longitudes.append(contentsOf: segment.longitudes[rows])
  }

  private static func outOfOrder(
    _ backwards: Omission, of timed: Int, _ recording: Recording
  ) -> TrackError {
    TrackError(
      .outOfOrder,
      "\(backwards.count) of \(timed) points are earlier than their predecessors",
      place: InputLocation(path: "point \(backwards.first + 1)"),
      suggestion: recording.hasConcurrentSegments ? .combineRecordings : .text("sort the points by time"))
  }

  /// Whether several points have the same time, and only the first is kept.
  var isOneInstant: Bool { isTimed && latitudes.count == 1 && repeated > 0 }

  /// The error for a recording with fewer than two kept points.
  var tooFewPoints: TrackError {
    let kept = latitudes.count
    if inaccurate > 0 {
      return TrackError(
        .tooFewPoints,
        "a drive needs at least two points; \(kept == 1 ? "only one" : "none") is accurate enough",
        suggestion: .allowLowerAccuracy)
    }
    if repeated > 0 {
      return TrackError(
        .tooFewPoints, "a drive needs at least two points at different times; all have the same time")
    }
    return TrackError(
      .tooFewPoints, "a drive needs at least two points; the recording has \(kept == 1 ? "one" : "none")")
  }
}
