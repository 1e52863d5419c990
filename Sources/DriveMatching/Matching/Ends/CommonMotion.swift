import GhostModel
import TrackModel

/// The common motion of two recordings: by two devices in one vehicle, or a recording and a copy of it.
///
/// Near an end of the road, the gap between them hardly changes. It is also known at the end, where the
/// jitter of stationary receivers hides it. Recordings that were made at the same time have one motion if
/// their gap varies little. Other recordings, such as copies with other times, have one only if noise of the
/// fixes explains the variation for so long, over motion so irregular, that no two drives are that similar.
/// Two drives at a steady pace may well be.
///
/// Simultaneous recordings have one motion as well if both drives are at the same place at each time. Their
/// gap may vary then: with little speed, the noise of the fixes changes the passing times by minutes.
struct CommonMotion {
  /// The difference of the elapsed times at a position in seconds, second drive minus first.
  private(set) var gap: Double
  /// The variance of the gap in square seconds, without the part explained by the noise of the fixes.
  private(set) var variance: Double
  /// Whether one ride explains both recordings, so that an end with another gap is wrong: both drives are at
  /// the same place at each time while they depart or arrive, or two clocks and a steady gap show it.
  private(set) var isOneRide = false

  /// The longest time near the end of the road that is evaluated, and the shortest that is required without
  /// clocks, in seconds.
  static let span = (most: 900.0, least: 300.0)
  /// The largest difference between the clocks of two devices in seconds.
  static let clockDifference = 20.0
  /// The largest variation of the gap in seconds and in standard deviations of the noise, with and without
  /// clocks.
  static let variation = (simultaneous: (seconds: 1.5, noise: 2.0), alike: (seconds: 0.15, noise: 1.5))
  /// The largest standard deviation of the distance between a recording and a copy of it with other times in
  /// metres.
  static let largestNoise = 5.0
  /// The time in seconds after which the errors of fixes are independent.
  static let noiseSeconds = 60.0
  /// The standard deviation of the difference between two devices for one motion: in seconds, and in metres
  /// of the distance between them.
  static let lag = (seconds: 0.3, metres: 1.0)
  /// The standard deviation of the difference between the clocks of two devices in seconds, the largest
  /// difference of one ride, and the minimum time span and number of positions that show one.
  static let clocks = (deviation: 1.0, most: 5.0, span: 120.0, samples: 30)
  /// The deviation from a steady pace that makes the similarity of two drives remarkable, relative to the
  /// allowed variation of the gap.
  static let leastIrregularity = 2.0
  /// The largest difference between the gaps of the first and the last third of the positions, in standard
  /// deviations of the noise.
  static let largestTrend = 1.2
  /// The distance in metres within which two drives are at the same place, while they move and while the
  /// receivers of stationary drives drift, and the share of the time for which they are.
  static let together = (moving: 25.0, drifting: MotionOnset.jitterReach.late, share: 0.9)
  /// The seconds before the motion of both drives and after it has begun, or after both have arrived and
  /// before, in which they are compared, and the interval between the times that are compared.
  static let ending = (outside: 10.0, inside: 30.0, interval: 2.0)
  /// The minimum distance from the end of the other drive's line at which a drive waits, the maximum distance
  /// next to the line in metres, and the minimum share of the time.
  static let waitingPlace = (depth: 15.0, lateral: 8.0, share: 0.5)
  /// The number of standard deviations of the noise that explain a gap, the share of the positions at which
  /// they do, and the distance in metres over which the pace there is measured.
  static let explained = (noise: 3.0, share: 0.9, metres: 20.0)
  /// The number of times that are compared on the whole road, and the minimum distance from its start that
  /// the drives reach in metres.
  static let overlap = (times: 400.0, metres: 250.0)
  /// The minimum number of positions with and without clocks, and the approximate maximum.
  static let samples = (simultaneous: 3, alike: 10, most: 1_000)

  /// Returns `nil` if the motions differ, or if there is too little evidence.
  init?(_ road: SharedRoad, _ side: StretchEnd.Side) {
    let lines = road.lines
    let samples = Self.samples(road, side)
    guard samples.count >= Self.samples.simultaneous, let nearest = samples.first, let farthest = samples.last
    else { return nil }
    let pace = (lines.first.pace + lines.second.pace) / 2
    let noise = road.deviation * pace
    let gaps = GapDistribution(samples.map(\.gap), noise: noise)
    gap = gaps.median
    let spread = gaps.deviation
    // The errors of fixes that are near each other in time are alike.
    let independent = max(
      1, min(Double(samples.count), abs(farthest.time - nearest.time) / Self.noiseSeconds))
    let lag = Self.lag.seconds * Self.lag.seconds
    // What the noise does not explain.
    let excess = max(spread * spread - noise * noise, 0)
    variance = max(excess, spread * spread / independent) + lag
    var isSteadyByClocks = false
    if let clocks = lines.clockDifference, abs(gap + clocks) <= Self.clockDifference {
      if !gaps.isSteady(Self.variation.simultaneous, fixNoise: noise) {
        guard Self.isNoise(samples, around: -clocks, deviation: road.deviation),
          let metres = Self.distance(lines, gap: -clocks)
        else { return nil }
        gap = -clocks
        variance = metres * metres * pace * pace + lag
      } else if abs(gap + clocks) <= Self.clocks.most, samples.count >= Self.clocks.samples,
        abs(farthest.time - nearest.time) >= Self.clocks.span
      {
        // Two people who move together are not always at the same distance.
        let most = Self.variation.simultaneous.seconds
        guard excess <= most * most else { return nil }
        isSteadyByClocks = true
        // The clocks are another measurement of the gap.
        let measured = spread * spread / independent
        let clockVariance = Self.clocks.deviation * Self.clocks.deviation
        let share = measured / (measured + clockVariance)
        gap += share * (-clocks - gap)
        // The distance between the devices limits the variation that the noise does not explain.
        let apart = Self.lag.metres * pace
        variance = min(excess, apart * apart) + share * clockVariance + lag
      }
    } else {
      let allowed = Self.variation.alike
      // Between sparse fixes, the distance between the lines is not noise.
      let deviation = samples.map(\.offset).robustDeviation ?? road.deviation
      let fixNoise = min(max(deviation, 1), road.deviation, Self.largestNoise) * pace
      guard gaps.isSteady(allowed, fixNoise: fixNoise), samples.count >= Self.samples.alike,
        abs(farthest.time - nearest.time) >= Self.span.least,
        Self.irregularity(samples) >= Self.leastIrregularity * (fixNoise + allowed.seconds),
        abs(Self.trend(samples)) <= Self.largestTrend * fixNoise + allowed.seconds
      else { return nil }
    }
    let moments = Self.moments(lines, side, gap: gap)
    isOneRide =
      (isSteadyByClocks || Self.areTogether(lines, side, gap: gap, moments))
      && !Self.waits(lines, side, gap: gap)
  }

  /// The gaps at all positions, in seconds.
  private struct GapDistribution {
    private let gaps: [Double]
    /// The standard deviation of a gap due to the noise of the fixes.
    private let noise: Double

    var median: Double { gaps.median ?? 0 }
    /// The standard deviation, without regard to outliers.
    var deviation: Double { span(without: 0.16) / 2 }

    init(_ gaps: [Double], noise: Double) {
      self.gaps = gaps.sorted()
      self.noise = noise
    }

    /// Whether the gaps vary no more than allowed.
    ///
    /// - Parameter fixNoise: the noise that explains the standard deviation.
    func isSteady(_ allowed: (seconds: Double, noise: Double), fixNoise: Double) -> Bool {
      deviation <= allowed.noise * fixNoise + allowed.seconds
        && span(without: 0.05) <= 6 * (noise + allowed.seconds)
    }

    /// Returns the span of the gaps without a share of them at both ends.
    private func span(without share: Double) -> Double {
      let first = gaps.count < samples.alike ? 0 : Int((share * Double(gaps.count)).rounded(.up))
      return gaps[gaps.count - 1 - first] - gaps[first]
    }
  }

  /// Whether the noise of the fixes explains the differences of the gaps from a constant one. Where a drive
  /// is slow, noise changes the times by minutes. The gap between two people who move together varies more.
  private static func isNoise(_ samples: [Sample], around gap: Double, deviation: Double) -> Bool {
    let count = samples.indices.count { index in
      let sample = samples[index]
      func isApart(_ other: Sample) -> Bool { abs(other.distance - sample.distance) >= explained.metres }
      guard let other = samples[index...].first(where: isApart) ?? samples[..<index].last(where: isApart)
      else { return true }
      let pace = abs((other.time - sample.time) / (other.distance - sample.distance))
      return abs(sample.gap - gap) <= variation.simultaneous.seconds + explained.noise * deviation * pace
    }
    return Double(count) >= explained.share * Double(samples.count)
  }

  /// Whether both drives are at the same place at each time while they depart or arrive.
  private static func areTogether(
    _ lines: Paired<MatchablePolyline>, _ side: StretchEnd.Side, gap: Double, _ moments: ClosedRange<Double>
  ) -> Bool {
    let times =
      side == .start
      ? moments.lowerBound - ending.outside...moments.upperBound + ending.inside
      : moments.lowerBound - ending.inside...moments.upperBound + ending.outside
    return areTogether(distances(lines, gap: gap, times, every: ending.interval), within: together.drifting)
  }

  private static func areTogether(_ distances: [Double], within reach: Double) -> Bool {
    !distances.isEmpty && Double(distances.count { $0 <= reach }) >= together.share * Double(distances.count)
  }

  /// Whether one drive waited on the other's road before the other departed, or after it had arrived.
  ///
  /// The drift of a receiver has any direction, so that it rarely leads back along the road.
  static func waits(_ lines: Paired<MatchablePolyline>, _ side: StretchEnd.Side, gap: Double) -> Bool {
    let moments = moments(lines, side, gap: gap)
    let isFirst =
      side == .start
      ? lines.first.motionStart < lines.second.motionStart - gap
      : lines.first.motionEnd > lines.second.motionEnd - gap
    let (waiting, other) = isFirst ? (lines.first, lines.second) : (lines.second, lines.first)
    guard other.count > 1 else { return false }
    let part =
      side == .start
      ? 0...min(StretchEnd.searchReach, other.length)
      : max(other.length - StretchEnd.searchReach, 0)...other.length
    let times = Array(stride(from: moments.lowerBound, through: moments.upperBound, by: ending.interval))
    let onRoad = times.count { time in
      let place = waiting.place(atTime: isFirst ? time : time + gap).place
      let nearest = other.nearest(to: place, in: part)
      let depth = side == .start ? nearest.distanceAlong : other.length - nearest.distanceAlong
      return depth > waitingPlace.depth && nearest.offset.length < waitingPlace.lateral
    }
    return Double(onRoad) > waitingPlace.share * Double(times.count)
  }

  /// Returns the times at which the two drives departed, or arrived, in the first drive's seconds.
  private static func moments(
    _ lines: Paired<MatchablePolyline>, _ side: StretchEnd.Side, gap: Double
  ) -> ClosedRange<Double> {
    let (first, second) =
      side == .start
      ? (lines.first.motionStart, lines.second.motionStart - gap)
      : (lines.first.motionEnd, lines.second.motionEnd - gap)
    return min(first, second)...max(first, second)
  }

  /// Returns the median distance between the two drives in metres, or nil if they are not at the same place
  /// at each time, or hardly move.
  private static func distance(_ lines: Paired<MatchablePolyline>, gap: Double) -> Double? {
    let duration = lines.first.duration
    let distances = distances(lines, gap: gap, 0...duration, every: max(duration / overlap.times, 1))
    let origin = lines.first.places[0]
    guard areTogether(distances, within: together.moving),
      lines.first.places.contains(where: { ($0 - origin).length > overlap.metres })
    else { return nil }
    return distances.upperMedian
  }

  /// Returns the distances in metres between the places of the two drives at times of the first drive at
  /// which both places were recorded.
  private static func distances(
    _ lines: Paired<MatchablePolyline>, gap: Double, _ times: ClosedRange<Double>, every interval: Double
  ) -> [Double] {
    let start = max(times.lowerBound, 0, -gap)
    let end = min(times.upperBound, lines.first.duration, lines.second.duration - gap)
    guard start <= end else { return [] }
    var moments = Array(stride(from: start, through: end, by: interval))
    moments += lines.first.sparseFixes(from: start, to: end)
    moments += lines.second.sparseFixes(from: start + gap, to: end + gap).map { $0 - gap }
    return moments.compactMap { moment in
      let (first, second) = (lines.first.place(atTime: moment), lines.second.place(atTime: moment + gap))
      return first.isBetweenSparseFixes || second.isBetweenSparseFixes
        ? nil : (first.place - second.place).length
    }
  }

  /// Returns the standard deviation of the times from those at a steady pace, in seconds.
  private static func irregularity(_ samples: [Sample]) -> Double {
    let count = Double(samples.count)
    let time = samples.reduce(0) { $0 + $1.time } / count
    let distance = samples.reduce(0) { $0 + $1.distance } / count
    var (product, distances, times) = (0.0, 0.0, 0.0)
    for sample in samples {
      product += (sample.time - time) * (sample.distance - distance)
      distances += (sample.distance - distance) * (sample.distance - distance)
      times += (sample.time - time) * (sample.time - time)
    }
    return (max(times - (distances > 0 ? product * product / distances : 0), 0) / count).squareRoot()
  }

  /// Returns the difference between the median gaps of the last and the first third of the positions.
  private static func trend(_ samples: [Sample]) -> Double {
    func median(_ part: ArraySlice<Sample>) -> Double { part.map(\.gap).median ?? 0 }
    let third = samples.count / 3
    return median(samples.suffix(third)) - median(samples.prefix(third))
  }

  /// A position of both drives: the elapsed time and the distance of one of them, the gap, and the distance
  /// between the lines in metres, negative to the left.
  private struct Sample {
    var time: Double
    var distance: Double
    var gap: Double
    var offset: Double
  }

  /// The times and gaps at fixes of the drive that has fewer of them, from the end of the road inwards.
  private static func samples(_ road: SharedRoad, _ side: StretchEnd.Side) -> [Sample] {
    let lines = road.lines
    let isFirstRarer = lines.first.count < lines.second.count
    let (rarer, other) = isFirstRarer ? (lines.first, lines.second) : (lines.second, lines.first)
    let rows = road.stretches.flatMap { Array($0.places) }
    let step = max(1, rows.count / samples.most)
    var found: [Sample] = []
    var hint = 0
    for index in stride(from: 0, to: rows.count, by: step) {
      let place = road.places[rows[side == .start ? index : rows.count - 1 - index]]
      let (own, distance) = isFirstRarer ? (place.first, place.second) : (place.second, place.first)
      var vertex = rarer.segment(at: own)
      if rarer.distanceAlong[vertex + 1] - own < own - rarer.distanceAlong[vertex] { vertex += 1 }
      guard abs(rarer.distanceAlong[vertex] - own) < 0.5, rarer.arrivals[vertex] == rarer.departures[vertex]
      else {
        continue
      }
      let segment = other.segment(at: distance, near: &hint)
      let passage = other.passage(at: distance, in: segment)
      guard passage.arrival == passage.departure else { continue }
      let time = rarer.arrivals[vertex]
      if let first = found.first, abs(time - first.time) > span.most { break }
      let difference = passage.arrival - time
      let here = rarer.places[vertex]
      let offset = other.place(at: distance, near: &hint) - here
      let left = (other.places[segment + 1] - other.places[segment]).cross(offset).dot(here) < 0
      found.append(
        Sample(
          time: time, distance: own, gap: isFirstRarer ? difference : -difference,
          offset: left ? -offset.length : offset.length))
    }
    return found
  }
}

extension Paired<MatchablePolyline> {
  /// The time by which the second recording starts later than the first in seconds, or nil without times.
  fileprivate var clockDifference: Double? {
    guard let first = first.startTime, let second = second.startTime else { return nil }
    return Double(second.microseconds - first.microseconds) / 1e6
  }
}

extension MatchablePolyline {
  /// The seconds per metre in motion.
  fileprivate var pace: Double { movingTime(from: 0, to: length) / max(length, 1) }

  /// Returns the place at a time since the first recorded point, and whether it is interpolated between
  /// sparse fixes.
  fileprivate func place(atTime time: Double) -> (place: SIMD3<Double>, isBetweenSparseFixes: Bool) {
    let next = arrivals.indices.partitionIndex { arrivals[$0] > time }
    guard next > 0, next < count, time > departures[next - 1] else {
      return (places[max(next - 1, 0)], false)
    }
    let seconds = arrivals[next] - departures[next - 1]
    let fraction = (time - departures[next - 1]) / seconds
    return (
      places[next - 1] + fraction * (places[next] - places[next - 1]), seconds >= SharedRoad.rareInterval
    )
  }

  /// Returns the times in a time span that follow an interval between sparse fixes.
  fileprivate func sparseFixes(from start: Double, to end: Double) -> [Double] {
    let first = max(arrivals.indices.partitionIndex { arrivals[$0] >= start }, 1)
    return arrivals.indices[first...].prefix { arrivals[$0] <= end }
      .filter { arrivals[$0] - departures[$0 - 1] >= SharedRoad.rareInterval }.map { arrivals[$0] }
  }
}
