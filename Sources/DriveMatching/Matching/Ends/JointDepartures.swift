import CMath
import GhostModel

/// The departures of two drives near one end of the compared stretch, estimated together, or their arrivals.
///
/// A walker needs seconds for the metres by which a receiver errs. So the moment of a departure, the place of
/// it and the speed after it are not read off single fixes, but all are estimated from all fixes around it.
/// Each drive has a set of equally likely cases, and the gap is the mean over all pairs of cases: in each of
/// them the stretch begins at the place that is farther inside.
struct JointDepartures {
  /// The times at which each drive leaves the end of the stretch, in seconds from the end of its recording.
  private(set) var moments = Paired(0.0, 0.0)
  /// The variance of the difference of the two times, in square seconds.
  private(set) var variance: Double

  /// The largest distance between the two ends in metres.
  static let reach = 60.0
  /// The 5-quantiles of the standard normal distribution at 1/10, 3/10, … 9/10, as equally likely values of
  /// the drift between the two places, and the smallest drift in metres that matters.
  static let shifts = [-1.2816, -0.5244, 0, 0.5244, 1.2816]
  static let leastShift = 0.5

  /// - Parameters:
  ///   - depth: the distance of the second drive's end inside the first line in metres, negative if the first
  ///     drive's end is inside the second line.
  ///   - deviation: one standard deviation of the distance along the road between two fixes at one place, in
  ///     metres.
  ///   - drift: the part of it that lasts for half a minute, which the fixes of one drive do not show.
  /// - Returns: nil unless the fixes of both drives show a departure.
  init?(_ ends: Paired<EndFixes>, depth: Double, deviation: Double, drift: Double) {
    guard ends.first.isSlow == ends.second.isSlow, abs(depth) <= Self.reach,
      let path = EndPath(depth >= 0 ? ends.first : ends.second),
      let first = DepartureCases(ends.first, path, deviation),
      let second = DepartureCases(ends.second, path, deviation)
    else { return nil }
    // The cases contain a part of the drift.
    let unseen = ends.first.isSlow ? 0 : drift * drift - first.placeVariance - second.placeVariance
    let shifts =
      unseen > Self.leastShift * Self.leastShift ? Self.shifts.map { $0 * unseen.squareRoot() } : [0]
    var squares = 0.0
    for one in first.cases {
      for other in second.cases {
        for shift in shifts {
          let lead = one.place - other.place + shift
          let times =
            lead >= 0
            ? Paired(one.moment, other.time(after: lead)) : Paired(one.time(after: -lead), other.moment)
          moments.first += times.first
          moments.second += times.second
          squares += (times.second - times.first) * (times.second - times.first)
        }
      }
    }
    let count = Double(first.cases.count * second.cases.count * shifts.count)
    moments = Paired(moments.first / count, moments.second / count)
    let gap = moments.second - moments.first
    variance = max(squares / count - gap * gap, 0)
  }
}

/// Equally likely cases of a departure: a drive stands, and then moves at an even speed, which a car reaches
/// by an even acceleration.
///
/// The errors of the fixes are correlated (``OnsetFit/drift``); their size is estimated with the fit. For
/// each moment of departure, place and speed follow from a linear fit, and the fit of all moments gives their
/// probabilities.
struct DepartureCases {
  struct Case {
    /// The departure in seconds since the first point.
    var moment: Double
    /// The place that is left, in metres along the path.
    var place: Double
    /// In metres per second.
    var speed: Double

    /// The seconds in which it is reached.
    var gaining: Double

    /// The time after a way along the path in seconds since the first point.
    func time(after way: Double) -> Double {
      way < speed * gaining / 2
        ? moment + (2 * gaining * max(way, 0) / speed).squareRoot() : moment + gaining / 2 + way / speed
    }
  }
  private(set) var cases: [Case] = []

  /// The variance of the place that is left, in square metres.
  var placeVariance: Double {
    let count = Double(cases.count)
    let mean = cases.reduce(0) { $0 + $1.place } / count
    return cases.reduce(0) { $0 + ($1.place - mean) * ($1.place - mean) } / count
  }

  static let count = 200
  /// The seconds before and after the estimated departure in which it is searched, and the interval between
  /// two moments that are tried.
  static let search = (
    slow: (before: 60.0, after: 30.0, step: 1.0), fast: (before: 30.0, after: 10.0, step: 0.5)
  )
  /// The durations in seconds for which cars accelerate.
  static let accelerations = [0.0, 2, 3, 4, 5, 6, 7, 8, 10]
  /// The usual speed of slow drives in metres per second, and one standard deviation.
  static let speed = (usual: 1.2, deviation: 1.0)
  /// The number of fixes that the expected size of errors counts for.
  static let errorSamples = 4.0
  /// The factor of the variance of the errors, measured on simulated drives: the path follows their noise,
  /// and the speed is not quite even.
  static let errorFactor = 1.8
  /// The distance from the path in metres from which fixes are ignored, and the distance along the path
  /// between two fixes.
  static let outlier = (metres: 25.0, distanceAlong: 40.0)
  /// The smallest relative probability of a moment.
  static let leastWeight = 1e-4
  /// The 11-quantiles of the standard normal distribution, and three points with its mean and variance.
  private static let points = (place: StretchEnd.quantiles, speed: [-1.2247, 0, 1.2247])

  init?(_ end: EndFixes, _ path: EndPath, _ deviation: Double) {
    let samples = Samples(end, path)
    let search = end.isSlow ? Self.search.slow : Self.search.fast
    let count = samples.list.count
    guard count >= 6 else { return nil }
    let low = max(end.start, end.departure - search.before)
    let high = min(end.departure + search.after, samples.list[count - 4].time)
    guard low <= high else { return nil }
    // The errors of two drives differ by this deviation.
    let error = max(deviation / 2.0.squareRoot(), 1)
    let fits = stride(from: low, through: high, by: search.step).flatMap { moment in
      (end.isSlow ? [0] : Self.accelerations).compactMap {
        Fit(
          samples, departure: moment, gaining: $0, error: error,
          acceleration: end.isSlow ? nil : end.acceleration)
      }
    }
    guard let best = fits.map(\.cost).min() else { return nil }
    var weighted: [(value: Case, weight: Double)] = []
    for fit in fits {
      let weight = exp((best - fit.cost) / (2 * Self.errorFactor))
      guard weight > Self.leastWeight else { continue }
      for place in Self.points.place {
        for speed in Self.points.speed { weighted.append((fit.value(place, speed), weight)) }
      }
    }
    draw(weighted)
  }

  /// Draws cases evenly according to their weights.
  private mutating func draw(_ weighted: [(value: Case, weight: Double)]) {
    let total = weighted.reduce(0) { $0 + $1.weight }
    var sum = 0.0
    for one in weighted {
      sum += one.weight / total * Double(Self.count)
      while cases.count < Self.count, sum > Double(cases.count) + 0.5 { cases.append(one.value) }
    }
  }

  /// The fixes along the path, without the part of each error that the previous one explains, and the sums
  /// that do not depend on the moment of departure.
  private struct Samples {
    struct Sample {
      /// In seconds since the first point.
      var time: Double
      /// In metres along the path.
      var distanceAlong: Double
      /// The correlation with the error of the previous fix, and the factor that gives the rest the same
      /// variance.
      var decay: Double
      var scale: Double
      /// The distance along the path without the explained part.
      var value: Double
    }
    private(set) var list: [Sample] = []
    private(set) var (ones, level, squares) = (0.0, 0.0, 0.0)

    init(_ end: EndFixes, _ path: EndPath) {
      for fix in end.fixes {
        let previous = list.last
        let part =
          previous.map { $0.distanceAlong - outlier.distanceAlong...$0.distanceAlong + outlier.distanceAlong }
          ?? -EndPath.beyond.metres...StretchEnd.searchReach
        let nearest = path.nearest(to: fix.place, in: part)
        guard nearest.offset <= outlier.metres else { continue }
        let decay = previous.map { exp(($0.time - fix.time) / OnsetFit.drift.seconds) } ?? 0
        let scale = 1 / max(1 - decay * decay, 1e-6).squareRoot()
        let one = (1 - decay) * scale
        let value = (nearest.distanceAlong - decay * (previous?.distanceAlong ?? 0)) * scale
        list.append(
          Sample(
            time: fix.time, distanceAlong: nearest.distanceAlong, decay: decay, scale: scale, value: value))
        ones += one * one
        level += one * value
        squares += value * value
      }
    }
  }

  /// The fit of place and speed for one moment of departure.
  private struct Fit {
    let departure: Double
    let gaining: Double
    /// Twice the negative log-likelihood, up to a constant.
    let cost: Double
    private let place: Double
    private let speed: Double
    /// The root of the covariance matrix of place and speed: a lower triangular matrix.
    private let root: (place: Double, both: Double, speed: Double)

    /// - Parameters:
    ///   - error: the expected size of errors in metres.
    ///   - acceleration: the usual acceleration in metres per second squared, or nil for a slow drive.
    init?(
      _ samples: Samples, departure: Double, gaining: Double, error: Double, acceleration: Double?
    ) {
      self.departure = departure
      self.gaining = gaining
      // The normal equations, with the usual speed as one more observation.
      let spread = DepartureCases.speed.deviation
      let prior = acceleration == nil ? error * error / (spread * spread) : 0
      let usual = DepartureCases.speed.usual
      let (ones, level) = (samples.ones, samples.level)
      let squares = samples.squares + prior * usual * usual
      var (mixed, moved, slope) = (0.0, prior, prior * usual)
      var previous = 0.0
      for sample in samples.list {
        let seconds = max(sample.time - departure, 0)
        let moving = seconds < gaining ? seconds * seconds / (2 * gaining) : seconds - gaining / 2
        let way = (moving - sample.decay * previous) * sample.scale
        previous = moving
        mixed += (1 - sample.decay) * sample.scale * way
        moved += way * way
        slope += way * sample.value
      }
      let determinant = ones * moved - mixed * mixed
      guard determinant > 1e-9 * ones * moved else { return nil }
      place = (moved * level - mixed * slope) / determinant
      speed = (ones * slope - mixed * level) / determinant
      let count = Double(samples.list.count) + DepartureCases.errorSamples
      let rest =
        max(squares - place * level - speed * slope, 0) + DepartureCases.errorSamples * error * error
      cost =
        count * log(rest) + log(determinant)
        + Self.unlikeliness(ofReaching: speed, in: gaining, usually: acceleration)
      let variance = DepartureCases.errorFactor * rest / count
      let first = (variance * moved / determinant).squareRoot()
      let both = -variance * mixed / determinant / first
      root = (first, both, max(variance * ones / determinant - both * both, 0).squareRoot())
    }

    /// Returns twice the negative logarithm of the likelihood of an acceleration, up to a constant.
    private static func unlikeliness(
      ofReaching speed: Double, in seconds: Double, usually acceleration: Double?
    ) -> Double {
      guard let acceleration else { return 0 }
      guard seconds > 0 else { return OnsetFit.leastLikely }
      let factor = log(max(speed, 0.1) / seconds / acceleration) / log(OnsetFit.usualFactor)
      return min(factor * factor, OnsetFit.leastLikely)
    }

    /// Returns the case at some standard deviations of the place and of the rest of the speed.
    func value(_ place: Double, _ speed: Double) -> Case {
      Case(
        moment: departure, place: self.place + place * root.place,
        speed: max(self.speed + place * root.both + speed * root.speed, EndPath.leastSpeed),
        gaining: gaining)
    }
  }
}
