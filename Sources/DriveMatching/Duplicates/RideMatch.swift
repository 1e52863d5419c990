public import GhostModel
import TrackModel

/// Compares two recordings by their positions at the same times.
///
/// The fixes of the recording with fewer fixes are compared with the fixes of the other recording at about
/// the same times. The distances are split into components along and across the road. For two receivers in
/// one car, both components have similar errors apart from a constant lag. Two cars do not keep their
/// distance that accurately.
public struct RideMatch: Sendable, Hashable {
  /// The relation of the two recordings.
  public let relation: RideRelation
  /// The seconds by which the second recording lags: the difference of the clocks and filters, or, for
  /// companions, the time between them.
  public let lag: Double
  /// Whether the distance between simultaneous recordings varies over minutes as that of two people does who
  /// stay within seconds of each other. The clocks do not show their times then.
  let variesSlowly: Bool

  /// Compares two drives by their positions at the same times.
  ///
  /// A copy has the same fixes, possibly rounded or thinned. If no fix is missing, it is found even if one of
  /// the clocks was wrong.
  ///
  /// - Parameters:
  ///   - first: a recording.
  ///   - second: another recording.
  ///   - clockError: the largest error in seconds of the clock of a complete copy. A clock is wrong by hours
  ///     if local time is taken for UTC, and by 1,024 weeks if a receiver counts them wrongly.
  /// - Returns: `nil` for unrelated drives.
  public init?(_ first: RideFingerprint, _ second: RideFingerprint, clockError: Double = 60) {
    if let difference = first.clockDifference(toCopy: second, upTo: clockError) {
      (relation, lag, variesSlowly) = (.duplicate, difference, false)
      return
    }
    guard first.isConcurrent(with: second), !RideMatch.areMostlyApart(first, second) else { return nil }
    var fixes = Fixes(first, second)
    // If the clocks differ, positions at the same time of the ride are compared. The remaining difference
    // is a fraction of a second.
    var shift = 0.0
    if let lag = fixes?.lag, abs(lag) > 0.05, let (shifted, found) = RideMatch.shifted(first, second, lag) {
      (fixes, shift) = (shifted, found)
    }
    if let fixes, fixes.areSame(fixes.lag ?? 0), abs(shift) <= Limit.lag {
      (relation, lag, variesSlowly) = (.duplicate, shift + (fixes.lag ?? 0), false)
      // The times of a copy differ after a pause that was removed from it, or added.
      guard !RideMatch.areApartAtEnd(first, second, lag), !RideMatch.arePartingOrMeeting(first, second, lag)
      else { return nil }
    } else if !first.hasTimestamps || !second.hasTimestamps
      || min(first.count, second.count) < Limit.directFixes
    {
      guard RideMatch.isSameDrive(first, second) else { return nil }
      (relation, lag, variesSlowly) = (.duplicate, 0, false)
    } else {
      guard let fixes, let rest = fixes.lag, let isOneRide = fixes.isOneRide(rest) else { return nil }
      let lag = shift + rest
      self.lag = lag
      relation =
        isOneRide && abs(rest) <= Limit.lag && !RideMatch.arePartingOrMeeting(first, second, lag)
          && !RideMatch.areApartAtEnd(first, second, lag)
          && !RideSeparation.isFound(between: first, second, lag: lag)
        ? .simultaneous : .companion
      variesSlowly = relation == .simultaneous && fixes.varySlowly(rest)
    }
  }

  /// Returns the fixes at the same times of the ride, and the difference of the clocks, or `nil` if it is
  /// neither a lag nor shown to be the difference of the clocks of one ride.
  private static func shifted(
    _ first: RideFingerprint, _ second: RideFingerprint, _ lag: Double
  ) -> (Fixes, Double)? {
    if abs(lag) <= Limit.lag { return Fixes(first, second, behind: lag).map { ($0, lag) } }
    guard first.hasTimestamps, second.hasTimestamps else { return nil }
    // The speed at one time shows a long lag only approximately.
    var shift = lag
    for _ in 0..<Limit.clockAttempts {
      guard abs(shift) <= Limit.clockDifference, let fixes = Fixes(first, second, behind: shift),
        let rest = fixes.lag
      else { return nil }
      if abs(rest) <= Limit.clockRest {
        return fixes.isOneRide(rest) == true && fixes.showsClocks(rest, isLong: abs(shift) > Limit.longLag)
          ? (fixes, shift) : nil
      }
      shift += rest
    }
    return nil
  }

  /// Returns the start of the second recording, and the span in which both are recorded, in seconds since the
  /// start of the first one and by its clock.
  private static func overlap(
    _ first: RideFingerprint, _ second: RideFingerprint, behind lag: Double
  ) -> (offset: Double, begin: Double, end: Double) {
    let offset = second.start.seconds(since: first.start) - lag
    return (offset, max(0, offset), min(first.duration, offset + second.duration))
  }

  /// Whether two recordings are apart for half of the time, by more than companions are and than the
  /// difference of two clocks explains, so that no more need to be compared.
  private static func areMostlyApart(_ first: RideFingerprint, _ second: RideFingerprint) -> Bool {
    let (offset, begin, end) = overlap(first, second, behind: 0)
    guard first.hasTimestamps, second.hasTimestamps, begin < end,
      min(first.count, second.count) >= Limit.directFixes
    else { return false }
    var distances: [Double] = []
    var length = 0.0
    var previous: Coordinate?
    for sample in 0..<Limit.coarseSamples {
      let moment = begin + (Double(sample) + 0.5) / Double(Limit.coarseSamples) * (end - begin)
      let row = first.row(from: moment)
      let otherRow = second.row(from: moment - offset)
      let place = first.coordinate(at: row)
      let metres = Geodesy.distance(from: place, to: second.coordinate(at: otherRow))
      let seconds = Double(first.elapsed[row]) - (Double(second.elapsed[otherRow]) + offset)
      distances.append(metres - Limit.coarseSpeed * abs(seconds))
      if let previous { length += Geodesy.distance(from: previous, to: place) }
      previous = place
    }
    let speed = length / (end - begin) * Double(Limit.coarseSamples) / Double(Limit.coarseSamples - 1)
    let reach = Limit.companionReach + Limit.clockDifference * speed
    return distances.count { $0 > reach } > Limit.coarseSamples / 2
  }

  /// Whether two recordings of one road at the same time are apart near an end of their overlap, as two
  /// people are who do not ride all of the road together.
  private static func arePartingOrMeeting(
    _ first: RideFingerprint, _ second: RideFingerprint, _ lag: Double
  ) -> Bool {
    let ends = [-Limit.partingShare, Limit.partingShare]
    return ends.contains { Fixes(first, second, behind: lag, part: $0)?.areMovingApart == true }
  }

  /// Whether the recordings are at different places at an end of the overlap: one was paused or is
  /// stationary there, and continues afterwards.
  private static func areApartAtEnd(
    _ first: RideFingerprint, _ second: RideFingerprint, _ lag: Double
  ) -> Bool {
    let (offset, begin, end) = overlap(first, second, behind: lag)
    func areApart(_ moment: Double, isPaused: Bool) -> Bool {
      let (one, other) = (first.place(at: moment), second.place(at: moment - offset))
      let reach = isPaused ? Limit.apart : Limit.partingAnywhere
      return (!isPaused || max(one.seconds, other.seconds) > Limit.longGap)
        && Geodesy.distance(from: one.coordinate, to: other.coordinate)
          > reach + max(one.metres, other.metres)
    }
    // A single fix may be wrong.
    return [(begin, begin + Limit.partingDuration), (end, end - Limit.partingDuration)].contains {
      moment, inside in
      areApart(moment, isPaused: true)
        || areApart(moment, isPaused: false) && areApart(inside, isPaused: false)
    }
  }

  /// Compares drives without times per point, or with few points, by start, duration and road.
  private static func isSameDrive(_ first: RideFingerprint, _ second: RideFingerprint) -> Bool {
    DriveDuplicates.mayBeSame((first.start, first.duration), (second.start, second.duration))
      && GridFingerprint((0..<first.count).map(first.coordinate)).isSameRoad(
        as: GridFingerprint((0..<second.count).map(second.coordinate)))
  }

  /// The fixes of one recording relative to the positions of the other at the same times.
  private struct Fixes {
    /// The distance in metres per fix: ahead of the other along its road, and to the left of it.
    private var ahead: [Double] = []
    private var aside: [Double] = []
    /// The speed of the other recording in metres per second.
    private var speeds: [Double] = []
    /// Whether the other recording has a fix at about the same time, per fix.
    private var isDirect: [Bool] = []
    /// The seconds between the surrounding fixes of the other recording.
    private var steps: [Double] = []
    /// The time per fix in seconds since the start of the other recording.
    private var times: [Double] = []
    /// Whether the recording moves at a fix.
    private var isInMotion: [Bool] = []
    /// The mean distance at each stop of both recordings, ahead along the road before it and aside.
    private var stops: [(ahead: Double, aside: Double)] = []
    /// 1 if the fixes are those of the second recording, -1 if they are those of the first.
    private var sign = 1.0

    /// - Parameters:
    ///   - lag: the lag of the second recording in seconds.
    ///   - part: the fraction of the overlap that is compared, from its start, or from its end if negative.
    init?(_ first: RideFingerprint, _ second: RideFingerprint, behind lag: Double = 0, part: Double = 1) {
      // Relative to the clock of the first recording.
      let (offset, start, stop) = RideMatch.overlap(first, second, behind: lag)
      var (begin, end) = (start, stop)
      let shorter = min(first.duration, second.duration)
      let overlap = end - begin
      guard overlap > 0, overlap >= Limit.overlapShare * shorter,
        overlap >= min(Limit.overlap, 0.5 * shorter)
      else { return nil }
      let length = max(abs(part) * overlap, min(overlap, Limit.partingSeconds))
      if part > 0 { end = begin + length } else { begin = end - length }
      let firstRows = first.row(from: begin)..<first.row(from: end.nextUp)
      let secondRows = second.row(from: begin - offset)..<second.row(from: (end - offset).nextUp)
      guard min(firstRows.count, secondRows.count) > 1 else { return nil }
      if secondRows.count <= firstRows.count {
        add(second, secondRows, against: first, offset: offset)
      } else {
        sign = -1
        add(first, firstRows, against: second, offset: -offset)
      }
      guard ahead.count > 1 else { return nil }
    }

    /// - Parameter offset: the seconds from the start of the other recording to that of the fixes.
    private mutating func add(
      _ fingerprint: RideFingerprint, _ rows: Range<Int>, against other: RideFingerprint, offset: Double
    ) {
      let count = min(rows.count, Limit.samples)
      let last = other.count - 1
      var course: (north: Double, east: Double)?
      var stop = (fixes: 0.0, north: 0.0, east: 0.0)
      for sample in 0..<count {
        let row = rows.lowerBound + sample * (rows.count - 1) / max(count - 1, 1)
        let moment = Double(fingerprint.elapsed[row]) + offset
        let next = min(max(other.row(from: moment.nextUp), 1), last)
        let (from, to) = (Double(other.elapsed[next - 1]), Double(other.elapsed[next]))
        let plane = LocalPlane(at: other.coordinate(at: next - 1))
        let before = plane.way(to: other.coordinate(at: next))
        let fraction = min(max((moment - from) / (to - from), 0), 1)
        let away = plane.way(to: fingerprint.coordinate(at: row))
        let (north, east) = (away.north - fraction * before.north, away.east - fraction * before.east)
        let (way, speed) = other.motion(at: moment)
        let isMoving = speed > 0.3
        ahead.append(isMoving ? (north * way.north + east * way.east) / way.length : 0)
        aside.append(
          isMoving
            ? (north * way.east - east * way.north) / way.length : (north * north + east * east).squareRoot())
        speeds.append(isMoving ? speed : 0)
        isDirect.append(
          min(abs(moment - from), abs(to - moment)) <= Limit.roundedSeconds || to - from <= 2)
        steps.append(to - from)
        times.append(moment)
        let ownSpeed = fingerprint.motion(at: Double(fingerprint.elapsed[row])).speed
        isInMotion.append(ownSpeed > 0.5 * speed)
        if speed < Limit.standing, isDirect[isDirect.count - 1],
          ownSpeed < Limit.standing
        {
          stop = (stop.fixes + 1, stop.north + north, stop.east + east)
        } else if speed > Limit.moving {
          addStop(stop, course)
          stop = (0, 0, 0)
          course = (way.north / way.length, way.east / way.length)
        }
      }
      keepDirectFixes()
    }

    /// - Parameters:
    ///   - stop: the number of fixes at a stop, and the sums of their distances in metres.
    ///   - course: the course before it, with length 1.
    private mutating func addStop(
      _ stop: (fixes: Double, north: Double, east: Double), _ course: (north: Double, east: Double)?
    ) {
      guard stop.fixes > 0, let course else { return }
      let (north, east) = (stop.north / stop.fixes, stop.east / stop.fixes)
      stops.append((north * course.north + east * course.east, north * course.east - east * course.north))
    }

    /// Whether one recording is ahead of the other by about the same distance at several stops, as cars in a
    /// convoy are. A lag does not cause that.
    private var areInConvoy: Bool {
      let count = Double(stops.count)
      guard stops.count >= Limit.convoyStops else { return false }
      let mean = stops.reduce(0) { $0 + $1.ahead } / count
      let along = stops.reduce(0) { $0 + ($1.ahead - mean) * ($1.ahead - mean) } / (count - 1)
      let across = stops.reduce(0) { $0 + $1.aside * $1.aside } / count
      let error = max(along, across, Limit.stopError * Limit.stopError).squareRoot()
      return abs(mean) >= max(Limit.convoyMetres, Limit.convoyErrors * error / count.squareRoot())
    }

    /// Removes the fixes between sparse fixes of the other recording, if there are enough others.
    private mutating func keepDirectFixes() {
      let direct = isDirect.count { $0 }
      let limit =
        direct >= Limit.directFixes ? 0 : steps.count { $0 <= 12 } >= Limit.directFixes ? 12.0 : nil
      guard let limit else { return }
      let rows = steps.indices.filter { isDirect[$0] || steps[$0] <= limit }
      ahead = rows.map { ahead[$0] }
      aside = rows.map { aside[$0] }
      speeds = rows.map { speeds[$0] }
      steps = rows.map { steps[$0] }
      times = rows.map { times[$0] }
      isInMotion = rows.map { isInMotion[$0] }
      isDirect = rows.map { isDirect[$0] }
    }

    /// Whether both move at a distance for some time that the errors of receivers do not explain.
    var areMovingApart: Bool {
      var begin: (row: Int, count: Int, isAhead: Bool)?
      for row in movingRows where isInMotion[row] {
        let bend = steps[row] * steps[row] / 8
        let isAlong =
          abs(ahead[row]) > Limit.partingAlong + bend
          && abs(ahead[row]) > Limit.lag * speeds[row]
          && abs(ahead[row]) > Limit.partingRatio * abs(aside[row])
        let distance = (ahead[row] * ahead[row] + aside[row] * aside[row]).squareRoot()
        guard isAlong || distance > Limit.partingAnywhere + bend else {
          begin = nil
          continue
        }
        let isAhead = ahead[row] > 0
        if let other = begin, other.isAhead == isAhead || !isAlong {
          begin = (other.row, other.count + 1, other.isAhead)
        } else {
          begin = (row, 1, isAhead)
        }
        if let begin, begin.count >= Limit.partingFixes,
          times[row] - times[begin.row] >= Limit.partingDuration
        {
          return true
        }
      }
      return false
    }

    /// Whether the mean distance along the road varies more than that across it. The errors of receivers have
    /// any direction.
    func varySlowly(_ lag: Double) -> Bool {
      let rows = movingRows
      guard rows.count >= Limit.slowFixes, let speed = rows.map({ speeds[$0] }).upperMedian else {
        return false
      }
      var (along, across): ([Double], [Double]) = ([], [])
      var sum = (along: 0.0, across: 0.0)
      func add(_ row: Int, _ factor: Double) {
        sum.along += factor * (ahead[row] + sign * lag * speeds[row])
        sum.across += factor * aside[row]
      }
      var (low, high) = (0, 0)
      for row in rows {
        while high < rows.count, times[rows[high]] <= times[row] + Limit.slowSeconds {
          add(rows[high], 1)
          high += 1
        }
        while times[rows[low]] < times[row] - Limit.slowSeconds {
          add(rows[low], -1)
          low += 1
        }
        along.append(sum.along / Double(high - low))
        across.append(sum.across / Double(high - low))
      }
      guard let mostAlong = along.deviations.quantile(0.9), let mostAcross = across.deviations.quantile(0.9)
      else { return false }
      return mostAlong > Limit.slowRatio * (mostAcross + Limit.slowLag * speed + Limit.slowMetres)
    }

    private var movingRows: [Int] {
      guard let usual = speeds.filter({ $0 > 0.5 }).upperMedian else { return [] }
      let least = max(0.5, 0.5 * usual)
      return speeds.indices.filter { speeds[$0] > least }
    }

    /// The seconds by which the second recording lags, or `nil` if too little of it is in motion.
    var lag: Double? {
      let rows = movingRows
      guard rows.count >= 5 else { return nil }
      return rows.map { ahead[$0] / speeds[$0] }.upperMedian.map { -sign * $0 }
    }

    /// Whether the lag is as constant as the difference of two clocks, also before and after stops, from
    /// which two people depart together, or at varying speed if it is long.
    func showsClocks(_ lag: Double, isLong: Bool) -> Bool {
      let rows = movingRows
      let along = rows.map { ahead[$0] + sign * lag * speeds[$0] }.deviations
      let moving = speeds.filter { $0 > 0.5 }
      guard let mostAlong = along.quantile(0.9),
        let mostAcross = rows.map({ aside[$0] }).deviations.quantile(0.9),
        let speed = moving.upperMedian, let slow = moving.quantile(0.1), let fast = moving.quantile(0.9)
      else { return false }
      return mostAlong <= min(1.2 * mostAcross + 0.1 * speed + 0.5, Limit.clockVariation * speed)
        && (stops.count >= Limit.clockStops || isLong && fast >= Limit.clockSpeeds * slow)
    }

    /// Whether the fixes are fixes of the other recording.
    func areSame(_ lag: Double) -> Bool {
      guard abs(lag) <= Limit.lag else { return false }
      let direct = isDirect.indices.filter { isDirect[$0] }
      guard direct.count >= min(Limit.directFixes, isDirect.count) else { return false }
      let same = direct.count { row in
        abs(aside[row]) <= Limit.roundedMetres
          && abs(ahead[row] + sign * lag * speeds[row])
            <= Limit.roundedMetres + Limit.roundedSeconds * speeds[row]
      }
      return Double(same) >= Limit.roundedShare * Double(direct.count)
    }

    /// Whether the recordings are of one ride, or `nil` if they are on different roads.
    func isOneRide(_ lag: Double) -> Bool? {
      let rows = movingRows
      let along = rows.map { ahead[$0] + sign * lag * speeds[$0] }.deviations
      let across = rows.map { aside[$0] }.deviations
      let distances = rows.map { (ahead[$0] * ahead[$0] + aside[$0] * aside[$0]).squareRoot() }
      guard let distance = distances.quantile(0.75), distance <= Limit.companionReach,
        let usual = across.quantile(0.75), usual <= Limit.companionReach / 2,
        let mostAlong = along.quantile(0.9), let mostAcross = across.quantile(0.9),
        let speed = rows.map({ speeds[$0] }).upperMedian, let interval = rows.map({ steps[$0] }).upperMedian
      else { return nil }
      guard abs(lag) <= Limit.lag, !areInConvoy else { return false }
      // One of two companions may stand while the other drives on, which the rows in motion do not show.
      let far = ahead.indices.count { row in
        let distance = (ahead[row] * ahead[row] + aside[row] * aside[row]).squareRoot()
        return distance > Limit.apart + steps[row] * steps[row] / 8
      }
      guard Double(far) <= Limit.apartShare * Double(ahead.count) else { return false }
      let step = isDirect.allSatisfy(\.self) ? 0 : interval
      // The lag of filters varies with changes in speed, at 1 m/s² between sparse fixes.
      return mostAlong <= 1.6 * mostAcross + 0.25 * speed + 1 + step * step / 8
    }
  }
}
