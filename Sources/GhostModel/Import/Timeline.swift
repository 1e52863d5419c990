import TrackModel

/// The times of a drive's points.
struct Timeline {
  /// Microseconds since the start per point, from 0, not descending. Adjacent values are equal if a segment
  /// starts without a pause after the previous one.
  private(set) var offsets: [Double] = []
  /// The last offset in seconds.
  var duration: Double { (offsets.last ?? 0) / 1e6 }
  /// The seconds from the first recorded time to the last.
  private(set) var elapsed = 0.0
  /// The seconds without pauses between segments.
  private(set) var moving = 0.0
  /// The distance within segments in metres.
  private(set) var distance = 0.0

  /// - Parameter rows: two or more rows.
  init(_ selection: PointSelection, _ rows: Range<Int>, _ options: ImportOptions) throws(TrackError) {
    let stretches = selection.stretches(within: rows)
    if selection.isTimed {
      for stretch in stretches {
        distance += Geodesy.length(
          latitudes: selection.latitudes.span, longitudes: selection.longitudes.span, rows: stretch)
      }
      try recorded(selection, stretches, options.timing)
    } else {
      try constantSpeed(selection, stretches, options)
    }
  }

  private mutating func recorded(
    _ selection: PointSelection, _ stretches: [Range<Int>], _ timing: ImportOptions.Timing
  ) throws(TrackError) {
    let times = selection.times.span
    guard let first = stretches.first?.lowerBound, let end = stretches.last?.upperBound else { return }
    // The times ascend, so no other difference overflows.
    guard !times[end - 1].subtractingReportingOverflow(times[first]).overflow else {
      throw TrackError(
        .limitExceeded, "the times span more than 292,000 years",
        suggestion: .provideSplitGap(seconds: 3600))
    }
    offsets.reserveMemory(end - first)
    var pauses: Int64 = 0
    var origin = times[first]
    for stretch in stretches {
      if stretch.lowerBound > first {
        let pause = times[stretch.lowerBound] - times[stretch.lowerBound - 1]
        pauses += pause
        if timing == .moving { origin += pause }
      }
      for row in stretch { offsets.append(Double(times[row] - origin)) }
    }
    let microseconds = times[end - 1] - times[first]
    elapsed = Double(microseconds) / 1e6
    moving = Double(microseconds - pauses) / 1e6
  }

  private mutating func constantSpeed(
    _ selection: PointSelection, _ stretches: [Range<Int>], _ options: ImportOptions
  ) throws(TrackError) {
    let latitudes = selection.latitudes.span
    let longitudes = selection.longitudes.span
    for stretch in stretches {
      var previous: GeodeticPoint?
      for row in stretch {
        let point = GeodeticPoint(latitude: latitudes[row], longitude: longitudes[row])
        if let previous { distance += Geodesy.distance(from: previous, to: point) }
        previous = point
        offsets.append(distance)
      }
    }
    let seconds: Double
    if let speed = options.speed {
      guard distance > 0 else {
        throw TrackError(
          .noTimes, "no times, and a speed gives no duration for a line without length",
          suggestion: .provideDuration)
      }
      seconds = distance / speed
      guard seconds <= ImportOptions.longestDuration else {
        throw TrackError(
          .invalidValue, "at \(speed) m/s the duration would be too long",
          suggestion: .text("use a higher speed"))
      }
    } else {
      seconds = options.duration ?? 0
    }
    let last = offsets.count - 1
    let microseconds = seconds * 1e6
    for index in offsets.indices {
      let fraction = distance > 0 ? offsets[index] / distance : Double(index) / Double(last)
      offsets[index] = index == last ? microseconds : fraction * microseconds
    }
    elapsed = seconds
    moving = seconds
  }
}
