public import TrackModel

/// Measures the steps of a track that are faster than 500 km/h.
///
/// A track that is fast throughout, up to 1,500 km/h, is a flight and has no such steps.
package struct FastSteps {
  /// Metres per second.
  private static let impossibleSpeed = 500 / SpeedUnits.kilometresPerHour
  /// The speed of the fastest airliners with a tail wind, rounded up, in metres per second.
  private static let fastestFlight = 1500 / SpeedUnits.kilometresPerHour
  /// The fraction of the distance at impossible speeds above which a warning is reported.
  private static let doubtfulShare = 0.01
  /// The usual interval of a receiver's positions in microseconds.
  private static let longestRepetition: Int64 = 2_000_000

  private var previous: (time: Int64, latitude: Double, longitude: Double)?
  /// The time of the first point at the position of the previous point.
  private var arrival: Int64 = 0
  private var index = 0

  /// The number of steps to another position.
  private var steps = 0
  private var count = 0
  /// The index of the first point after a fast step.
  private var first = 0
  /// The distances in metres, that of all steps rounded for speed.
  private var fastDistance = 0.0
  private var distance = 0.0
  /// The duration of the fast steps in seconds.
  private var fastDuration = 0.0
  /// The last fast step, and the largest number of consecutive fast steps.
  private var lastFast = -1
  private var run = 0
  private var longestRun = 0

  /// The latitude of ``metresPerDegreeEast``.
  private var scaleLatitude = Double.nan
  private var metresPerDegreeEast = 0.0

  /// - Parameter firstPoint: the index of the first point in the recording.
  package init(firstPoint: Int = 0) { index = firstPoint }

  /// Starts a segment, so that the step to its first point is ignored.
  package mutating func beginSegment() { previous = nil }

  /// Adds a point.
  ///
  /// - Parameter time: microseconds. Points without a later time than the previous point end no step.
  @inline(__always)
  package mutating func add(_ time: Int64, _ latitude: Double, _ longitude: Double) {
    defer { index += 1 }
    guard time != Instant.absent, let last = previous, time > last.time else {
      return begin(time, latitude, longitude)
    }
    guard latitude != last.latitude || longitude != last.longitude else {
      previous?.time = time
      return
    }
    steps += 1
    // Loggers repeat a position until the receiver has a new one.
    let interval = max(min(time &- arrival, Self.longestRepetition), time &- last.time)
    begin(time, latitude, longitude)
    if !(abs(latitude - scaleLatitude) < 0.1) { setScale(latitude) }
    let degreesNorth = abs(latitude - last.latitude)
    let difference = abs(longitude - last.longitude)
    let degreesEast = min(difference, 360 - difference)
    let north = degreesNorth * Geodesy.longestMetresPerDegree
    let east = degreesEast * metresPerDegreeEast
    distance += (north * north + east * east).squareRoot()
    let reach = Double(interval) / 1e6 * Self.impossibleSpeed
    // Most steps are shorter than the bound and need no exact distance.
    guard (degreesNorth + degreesEast) * Geodesy.longestMetresPerDegree > reach else { return }
    addLong(last.latitude, last.longitude, to: latitude, longitude, interval: interval, reach: reach)
  }

  /// Adds the points of columns, as ``add(_:_:_:)`` does.
  ///
  /// Nearly all points end a short step from a point with a position of its own, which this finds out with
  /// fewer checks.
  ///
  /// - Parameter ignoringNullIsland: whether points at 0°, 0° have no time.
  package mutating func add(
    _ times: Span<Int64>, _ latitudes: Span<Double>, _ longitudes: Span<Double>, ignoringNullIsland: Bool
  ) {
    var row = 0
    while row < times.count {
      if let last = previous, arrival == last.time {
        row = addShortSteps(times, latitudes, longitudes, from: row, after: last)
      }
      guard row < times.count else { return }
      // The steps to and from 0°, 0° are the same problem as the position.
      let isNull = ignoringNullIsland && NullIsland.contains(latitudes[row], longitudes[row])
      add(isNull ? Instant.absent : times[row], latitudes[row], longitudes[row])
      row += 1
    }
  }

  /// Adds points up to the first one that does not end a short step.
  ///
  /// - Parameter last: the point before the first row.
  /// - Returns: the row of that point, or the end of the rows.
  private mutating func addShortSteps(
    _ times: Span<Int64>, _ latitudes: Span<Double>, _ longitudes: Span<Double>, from start: Int,
    after last: (time: Int64, latitude: Double, longitude: Double)
  ) -> Int {
    var (time, latitude, longitude) = last
    var distance = distance
    let scale = metresPerDegreeEast
    var row = start
    while row < times.count {
      let nextTime = times[row]
      let nextLatitude = latitudes[row]
      let nextLongitude = longitudes[row]
      let degreesNorth = abs(nextLatitude - latitude)
      let degreesEast = abs(nextLongitude - longitude)
      let degrees = degreesNorth + degreesEast
      // An invalid number fails one of these comparisons. An absent time is the smallest.
      guard nextTime > time, degrees > 0, degrees < 180, abs(nextLatitude - scaleLatitude) < 0.1,
        nextLatitude != 0 || nextLongitude != 0,
        degrees * Geodesy.longestMetresPerDegree <= Double(nextTime &- time) / 1e6 * Self.impossibleSpeed
      else { break }
      let north = degreesNorth * Geodesy.longestMetresPerDegree
      let east = degreesEast * scale
      distance += (north * north + east * east).squareRoot()
      (time, latitude, longitude) = (nextTime, nextLatitude, nextLongitude)
      row &+= 1
    }
    guard row > start else { return start }
    self.distance = distance
    previous = (time, latitude, longitude)
    arrival = time
    steps += row - start
    index += row - start
    return row
  }

  private mutating func begin(_ time: Int64, _ latitude: Double, _ longitude: Double) {
    guard time != Instant.absent, time != previous?.time else { return }
    previous = (time, latitude, longitude)
    arrival = time
  }

  private mutating func setScale(_ latitude: Double) {
    scaleLatitude = latitude
    metresPerDegreeEast = Geodesy.distance(
      from: GeodeticPoint(latitude: latitude, longitude: 0),
      to: GeodeticPoint(latitude: latitude, longitude: 1))
  }

  private mutating func addLong(
    _ lastLatitude: Double, _ lastLongitude: Double, to latitude: Double, _ longitude: Double,
    interval: Int64, reach: Double
  ) {
    let length = Geodesy.distance(
      from: GeodeticPoint(latitude: lastLatitude, longitude: lastLongitude),
      to: GeodeticPoint(latitude: latitude, longitude: longitude))
    guard length > reach else { return }
    if count == 0 { first = index }
    count += 1
    fastDistance += length
    fastDuration += Double(interval) / 1e6
    run = lastFast == steps - 1 ? run + 1 : 1
    lastFast = steps
    longestRun = max(longestRun, run)
  }

  /// The warning about the steps, if they matter for the distance.
  ///
  /// - Parameter suggestion: the suggestion if the recording is not fast throughout.
  package func warning(_ suggestion: Suggestion) -> TrackWarning? {
    guard count > 0, fastDistance > distance * Self.doubtfulShare else { return nil }
    // A spike is two fast steps, there and back. A flight has many.
    let isFastThroughout = longestRun > 2 && count * 10 > steps
    if isFastThroughout, fastDistance <= fastDuration * Self.fastestFlight { return nil }
    var kilometres = ByteBuffer()
    kilometres.append(decimal: (fastDistance / 100).rounded() / 10)
    return TrackWarning(
      .impossibleSpeed, "a step faster than 500 km/h adds to the distance", count: count,
      place: InputLocation(path: "point \(first + 1)"), offendingText: "\(kilometres.string) km",
      suggestion: isFastThroughout ? nil : suggestion)
  }
}

/// Measures the long gaps in the times of a track.
package struct LongGaps {
  /// Microseconds.
  package static let limit: Int64 = 6 * 3_600_000_000

  private var previous = Instant.absent
  private var index = 0
  private var count = 0
  /// The index of the first point after a gap.
  private var first = 0
  private var longest: Int64 = 0

  /// - Parameter firstPoint: the index of the first point in the recording.
  package init(firstPoint: Int = 0) { index = firstPoint }

  /// Starts a segment, so that the gap before its first point is ignored.
  package mutating func beginSegment() { previous = Instant.absent }

  /// - Parameter time: microseconds. Points without a time are ignored.
  @inline(__always)
  package mutating func add(_ time: Int64) {
    defer { index += 1 }
    guard time != Instant.absent else { return }
    defer { previous = time }
    guard previous != Instant.absent else { return }
    let (gap, overflow) = time.subtractingReportingOverflow(previous)
    guard gap > Self.limit, !overflow else { return }
    if count == 0 { first = index }
    count += 1
    longest = max(longest, gap)
  }

  /// Adds the points of a column of times, as ``add(_:)`` does.
  package mutating func add(_ times: Span<Int64>) {
    var row = 0
    if previous != Instant.absent {
      var last = previous
      // An absent time is the smallest.
      while row < times.count, times[row] >= last, times[row] &- last <= Self.limit {
        last = times[row]
        row &+= 1
      }
      previous = last
      index += row
    }
    while row < times.count {
      add(times[row])
      row += 1
    }
  }

  /// The warning about the gaps, if any.
  package func warning(_ suggestion: Suggestion?) -> TrackWarning? {
    guard count > 0 else { return nil }
    var hours = ByteBuffer()
    hours.append(decimal: (Double(longest) / 3.6e8).rounded() / 10)
    return TrackWarning(
      .longGap, "gap of more than 6 h between points of one drive", count: count,
      place: InputLocation(path: "point \(first + 1)"), offendingText: "\(hours.string) h",
      suggestion: suggestion)
  }
}

extension TrackWarning.Code {
  /// The speed between two points of a drive exceeds 500 km/h, so that its distance is too long.
  public static let impossibleSpeed = Self("impossible-speed")
  /// There are more than 6 h between two points of a drive.
  public static let longGap = Self("long-gap")
}
