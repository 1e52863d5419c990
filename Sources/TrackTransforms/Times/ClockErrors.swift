import TrackModel

/// Finds short runs of fixes whose times differ by hours from those of neighbours at the same position.
package struct ClockErrors {
  /// The maximum number of fixes in a run.
  static let longestRun = 10
  /// The smallest time difference between a run and its neighbours, 6 h in microseconds, the same as for
  /// reported gaps.
  private static let gap: Int64 = 6 * 3_600_000_000
  /// The largest distance between a run and its neighbours in metres.
  private static let reach = 1000.0

  private var rows: [Int] = []
  private var times: [Int64] = []
  private var places: [GeodeticPoint] = []

  private init(_ times: [Int64], _ latitudes: [Double], _ longitudes: [Double]) {
    for row in times.indices where times[row] != Instant.absent {
      rows.append(row)
      self.times.append(times[row])
      places.append(GeodeticPoint(latitude: latitudes[row], longitude: longitudes[row]))
    }
  }

  /// Returns the rows of fixes with a wrong time, in file order.
  ///
  /// - Parameters:
  ///   - times: microseconds since 1970, or ``Instant/absent``.
  ///   - keepsEnds: whether to keep runs at the start and the end, which can be separate drives.
  package static func rows(
    times: [Int64], latitudes: [Double], longitudes: [Double], keepsEnds: Bool
  ) -> [Int] {
    guard hasGap([times]) else { return [] }
    let search = ClockErrors(times, latitudes, longitudes)
    let found = search.runs(keepsEnds: keepsEnds).flatMap { search.rows[$0] }
    return found.count <= StrayTimes.limit(of: search.times.count) ? found : []
  }

  /// Returns whether two consecutive times in consecutive columns differ by hours.
  package static func hasGap(_ columns: [[Int64]]) -> Bool {
    var last = Instant.absent
    for times in columns {
      for time in times where time != Instant.absent {
        if last != Instant.absent, isGap(last, time) { return true }
        last = time
      }
    }
    return false
  }

  private static func isGap(_ first: Int64, _ second: Int64) -> Bool {
    let (difference, overflow) = second.subtractingReportingOverflow(first)
    return overflow || difference.magnitude > gap.magnitude
  }

  /// Returns whether a fix is near the previous one in place, but hours apart in time.
  static func isError(_ fix: LocationFix, after previous: LocationFix) -> Bool {
    isGap(previous.time.microseconds, fix.time.microseconds) && isNear(fix, previous)
  }

  /// Returns whether two fixes are near each other in place.
  static func isNear(_ first: LocationFix, _ second: LocationFix) -> Bool {
    Geodesy.distance(from: first.coordinate, to: second.coordinate) <= reach
  }

  private func runs(keepsEnds: Bool) -> [Range<Int>] {
    var starts = [0]
    for row in times.indices.dropFirst() where Self.isGap(times[row - 1], times[row]) { starts.append(row) }
    let runs = zip(starts, starts.dropFirst() + [times.count]).map { $0..<$1 }
    return runs.indices.compactMap { index in
      let run = runs[index]
      guard run.count <= Self.longestRun else { return nil }
      let before = index > 0 ? runs[index - 1] : nil
      let after = index + 1 < runs.count ? runs[index + 1] : nil
      if let before, let after {
        let isContinued = !Self.isGap(times[before.upperBound - 1], times[after.lowerBound])
        return isContinued && isNear(run, before, after) ? run : nil
      }
      guard !keepsEnds, let neighbour = before ?? after, neighbour.count > Self.longestRun else { return nil }
      return isNear(run, before, after) ? run : nil
    }
  }

  private func isNear(_ run: Range<Int>, _ before: Range<Int>?, _ after: Range<Int>?) -> Bool {
    let steps = [
      before.map { ($0.upperBound - 1, run.lowerBound) }, after.map { (run.upperBound - 1, $0.lowerBound) },
    ]
    return steps.compactMap(\.self).allSatisfy {
      Geodesy.distance(from: places[$0.0], to: places[$0.1]) <= Self.reach
    }
  }
}
