import GhostModel
import TrackModel

/// The common motion of two recordings without a common clock, such as a recording and a copy of it with
/// other times.
///
/// Near an end of the road, the gap between them hardly changes. It is also known at the end, where the
/// jitter of stationary receivers hides it. Two recordings have one motion if noise of the fixes explains
/// the variation of the gap for so long, over motion so irregular, that no two drives are that similar. Two
/// drives at a steady pace may well be.
struct CommonMotion {
  /// The difference of the elapsed times at a position in seconds, second drive minus first.
  private(set) var gap: Double
  /// The variance of the gap in square seconds, without the part explained by the noise of the fixes.
  private(set) var variance: Double

  /// The longest time near the end of the road that is evaluated, and the shortest that is required, in
  /// seconds.
  static let span = (most: 900.0, least: 300.0)
  /// The largest variation of the gap in seconds and in standard deviations of the noise.
  static let variation = (seconds: 0.15, noise: 1.5)
  /// The largest standard deviation of the distance between a recording and a copy of it with other times in
  /// metres.
  static let largestNoise = 5.0
  /// The time in seconds after which the errors of fixes are independent.
  static let noiseSeconds = 60.0
  /// The standard deviation of the difference between two devices for one motion in seconds.
  static let lag = 0.3
  /// The deviation from a steady pace that makes the similarity of two drives remarkable, relative to the
  /// allowed variation of the gap.
  static let leastIrregularity = 2.0
  /// The largest difference between the gaps of the first and the last third of the positions, in standard
  /// deviations of the noise.
  static let largestTrend = 1.2
  /// The minimum number of positions, and the approximate maximum.
  static let samples = (least: 10, most: 1_000)

  /// Returns `nil` if the motions differ, or if there is too little evidence.
  init?(_ road: SharedRoad, _ side: StretchEnd.Side) {
    let lines = road.lines
    let samples = Self.samples(road, side)
    guard samples.count >= Self.samples.least, let nearest = samples.first, let farthest = samples.last,
      case let span = abs(farthest.time - nearest.time), span >= Self.span.least
    else { return nil }
    let pace = (lines.first.pace + lines.second.pace) / 2
    let noise = road.deviation * pace
    let gaps = GapDistribution(samples.map(\.gap), noise: noise)
    // Between sparse fixes, the distance between the lines is not noise.
    let deviation = samples.map(\.offset).robustDeviation ?? road.deviation
    let fixNoise = min(max(deviation, 1), road.deviation, Self.largestNoise) * pace
    guard gaps.isSteady(Self.variation, fixNoise: fixNoise),
      Self.irregularity(samples) >= Self.leastIrregularity * (fixNoise + Self.variation.seconds),
      abs(Self.trend(samples)) <= Self.largestTrend * fixNoise + Self.variation.seconds
    else { return nil }
    gap = gaps.median
    let spread = gaps.deviation
    // The errors of fixes that are near each other in time are alike.
    let independent = max(1, min(Double(samples.count), span / Self.noiseSeconds))
    // What the noise does not explain.
    let excess = max(spread * spread - noise * noise, 0)
    variance = max(excess, spread * spread / independent) + Self.lag * Self.lag
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
      let first = Int((share * Double(gaps.count)).rounded(.up))
      return gaps[gaps.count - 1 - first] - gaps[first]
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
    let isFirstSparser = lines.first.count < lines.second.count
    let (sparser, other) = isFirstSparser ? (lines.first, lines.second) : (lines.second, lines.first)
    let rows = road.stretches.flatMap { Array($0.places) }
    let step = max(1, rows.count / samples.most)
    var found: [Sample] = []
    var hint = 0
    for index in stride(from: 0, to: rows.count, by: step) {
      let place = road.places[rows[side == .start ? index : rows.count - 1 - index]]
      let (own, distance) = isFirstSparser ? (place.first, place.second) : (place.second, place.first)
      var vertex = sparser.segment(at: own)
      if sparser.distanceAlong[vertex + 1] - own < own - sparser.distanceAlong[vertex] { vertex += 1 }
      guard abs(sparser.distanceAlong[vertex] - own) < 0.5,
        sparser.arrivals[vertex] == sparser.departures[vertex]
      else {
        continue
      }
      let segment = other.segment(at: distance, near: &hint)
      let passage = other.passage(at: distance, in: segment)
      guard passage.arrival == passage.departure else { continue }
      let time = sparser.arrivals[vertex]
      if let first = found.first, abs(time - first.time) > span.most { break }
      let difference = passage.arrival - time
      let here = sparser.places[vertex]
      let offset = other.place(at: distance, near: &hint) - here
      let left = (other.places[segment + 1] - other.places[segment]).cross(offset).dot(here) < 0
      found.append(
        Sample(
          time: time, distance: own, gap: isFirstSparser ? difference : -difference,
          offset: left ? -offset.length : offset.length))
    }
    return found
  }
}

extension MatchablePolyline {
  /// The seconds per metre in motion.
  fileprivate var pace: Double { movingTime(from: 0, to: length) / max(length, 1) }
}
