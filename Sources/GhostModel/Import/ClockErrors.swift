import TrackModel

/// Short runs of fixes at the position of their neighbours whose times differ by hours.
struct ClockErrors {
  /// The maximum number of fixes in a run.
  static let longestRun = 10
  /// The smallest time difference between a run and its neighbours in microseconds, which is that of reported
  /// gaps.
  private static let gap = Int64(DriveWarnings.longGap)
  /// The largest distance between a run and its neighbours in metres.
  private static let reach = 1000.0

  private var indices: [Int] = []
  private var times: [Int64] = []
  private var places: [GeodeticPoint] = []

  private init(_ recording: Recording) {
    var index = 0
    for segment in recording.segments {
      for row in 0..<segment.count {
        if segment.times[row] != Instant.absent {
          indices.append(index)
          times.append(segment.times[row])
          places.append(GeodeticPoint(latitude: segment.latitudes[row], longitude: segment.longitudes[row]))
        }
        index += 1
      }
    }
  }

  /// Returns the fixes with a wrong time, by index across all segments in file order.
  ///
  /// - Parameter keepsEnds: whether to keep runs at the start and the end, which can be separate drives.
  static func indices(in recording: Recording, keepsEnds: Bool) -> [Int] {
    guard hasGap(recording) else { return [] }
    let search = ClockErrors(recording)
    let found = search.runs(keepsEnds: keepsEnds).flatMap { search.indices[$0] }
    return found.count <= StrayTimes.limit(of: search.times.count) ? found : []
  }

  private static func hasGap(_ recording: Recording) -> Bool {
    var last = Instant.absent
    for segment in recording.segments {
      for time in segment.times where time != Instant.absent {
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

extension Recording {
  /// Returns the recording without the fixes of ``ClockErrors``, and their indices.
  ///
  /// Sources with infrequent times are unchanged.
  package func withoutClockErrors(keepsEnds: Bool) -> (recording: Recording, indices: [Int]) {
    guard resolution == nil else { return (self, []) }
    let errors = ClockErrors.indices(in: self, keepsEnds: keepsEnds)
    return errors.isEmpty ? (self, []) : (without(Set(errors)), errors)
  }

  /// Returns the points with stray times (``StrayTimes``) by index across all segments. Empty if there are
  /// too many to be clock errors.
  var strayTimes: [Int] {
    let times = segments.flatMap(\.times)
    let strays = StrayTimes.indices(in: times)
    return strays.count <= StrayTimes.limit(of: times.count { $0 != Instant.absent }) ? strays : []
  }
}
