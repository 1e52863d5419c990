import GhostModel
import TrackModel

/// The common motion of two recordings: by two devices in one vehicle, or a recording and a copy of it.
///
/// Near an end of the road, the gap between them hardly changes. It is also known at the end, where the
/// jitter of stationary receivers hides it. Recordings that were made at the same time have one motion if
/// their gap varies little. Other recordings, such as copies with other times, have one only if noise of the
/// fixes explains the variation for so long, over motion so irregular, that no two drives are that similar.
/// Two drives at a steady pace may well be.
struct CommonMotion {
  /// The difference of the elapsed times at a position in seconds, second drive minus first.
  private(set) var gap: Double
  /// The variance of the gap in square seconds, without the part explained by the noise of the fixes.
  private(set) var variance: Double

  /// The longest time near the end of the road that is evaluated, and the shortest that is required without
  /// clocks, in seconds.
  static let span = (most: 900.0, least: 300.0)
  /// The largest difference between the clocks of two devices in seconds.
  static let clockDifference = 20.0
  /// The largest variation of the gap in seconds and in standard deviations of the noise, with and without
  /// clocks.
  static let variation = (simultaneous: (seconds: 1.5, noise: 2.0), alike: (seconds: 0.15, noise: 1.5))
  /// The standard deviation of the difference between two devices for one motion, in seconds.
  static let lag = 0.3
  /// The deviation from a steady pace that makes the similarity of two drives remarkable, relative to the
  /// allowed variation of the gap.
  static let leastIrregularity = 2.0
  /// The largest difference between the gaps of the first and the last third of the positions, in standard
  /// deviations of the noise.
  static let largestTrend = 1.2
  /// The minimum number of positions with and without clocks, and the approximate maximum.
  static let samples = (simultaneous: 3, alike: 10, most: 1_000)

  /// Returns `nil` if the motions differ, or if there is too little evidence.
  init?(_ road: SharedRoad, _ side: StretchEnd.Side) {
    let lines = road.lines
    let samples = Self.samples(road, side)
    guard samples.count >= Self.samples.simultaneous, let nearest = samples.first, let farthest = samples.last
    else { return nil }
    var gaps = samples.map(\.gap)
    gaps.sort()
    func quantile(_ share: Double) -> Double { gaps[Int(share * Double(gaps.count - 1))] }
    gap = quantile(0.5)
    var allowed = Self.variation.alike
    let pace = lines.first.movingTime(from: 0, to: lines.first.length) / max(lines.first.length, 1)
    let noise = road.deviation * pace
    if let first = lines.first.startTime, let second = lines.second.startTime,
      abs(gap + Double(second.microseconds - first.microseconds) / 1e6) <= Self.clockDifference
    {
      allowed = Self.variation.simultaneous
    } else if samples.count < Self.samples.alike || abs(farthest.time - nearest.time) < Self.span.least
      || Self.irregularity(samples) < Self.leastIrregularity * (noise + allowed.seconds)
      || abs(Self.trend(samples)) > Self.largestTrend * noise + allowed.seconds
    {
      return nil
    }
    let spread = (quantile(0.84) - quantile(0.16)) / 2
    guard spread <= allowed.noise * noise + allowed.seconds,
      quantile(0.95) - quantile(0.05) <= 6 * (noise + allowed.seconds)
    else { return nil }
    variance = max(spread * spread - noise * noise, 0) + Self.lag * Self.lag
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
    func median(_ part: ArraySlice<Sample>) -> Double { part.map(\.gap).sorted()[part.count / 2] }
    let third = samples.count / 3
    return median(samples.suffix(third)) - median(samples.prefix(third))
  }

  /// A position of both drives: the elapsed time and the distance of one of them, and the gap.
  private struct Sample {
    var time: Double
    var distance: Double
    var gap: Double
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
      let passage = other.passage(at: distance, near: &hint)
      guard passage.arrival == passage.departure else { continue }
      let time = rarer.arrivals[vertex]
      if let first = found.first, abs(time - first.time) > span.most { break }
      let difference = passage.arrival - time
      found.append(Sample(time: time, distance: own, gap: isFirstRarer ? difference : -difference))
    }
    return found
  }
}
