import GhostModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Forecasts the pace of a drive with sparse fixes on a stretch of road between two of its fixes.
///
/// The pace between later fixes is known, as is the pace of the other drive on the same road. The share of
/// variation that the two drives have in common depends on the road and the traffic, so the share is used
/// that best forecasts the known intervals. The rest varies smoothly along the road and is modelled as a
/// Gaussian process with a Matérn covariance. Intervals with delays are slower than the process, so each is
/// weighted by the probability that it contains no delay.
struct PaceForecast {
  /// The distance along the sparse drive's line from the end of the road inwards, in metres.
  private var places: [Double] = []
  /// The logarithms of seconds per metre between two fixes: with stops for the sparse drive, without for
  /// the other.
  private var rare: [Double] = []
  private var dense: [Double] = []
  /// Whether the first drive is the one with sparse fixes.
  let isFirstRare: Bool
  /// The share of the other drive's variation, and the corresponding process.
  private var share = 1.0
  private var process: Process?

  /// The maximum number of intervals, and the minimum number for a forecast.
  static let intervals = (most: 16, least: 3)
  /// The minimum length in metres and duration in seconds of an interval.
  static let leastInterval = (metres: 20.0, seconds: 3.0)
  /// One standard deviation of the logarithm of an unknown pace.
  static let unknown = 0.3

  /// Creates a forecast.
  ///
  /// - Parameters:
  ///   - isFirstRare: whether the first drive is the one with sparse fixes.
  ///   - shared: the shared places near the end of the road.
  ///   - side: the end to forecast.
  init(
    _ first: MatchablePolyline, _ second: MatchablePolyline, isFirstRare: Bool,
    _ shared: [SharedRoad.Place], _ side: StretchEnd.Side
  ) {
    self.isFirstRare = isFirstRare
    let (line, other) = isFirstRare ? (first, second) : (second, first)
    var previous: (distance: Double, arrival: Double, departure: Double, other: Double, time: Double)?
    for step in 0..<line.count where places.count < Self.intervals.most {
      let vertex = side == .start ? step : line.count - 1 - step
      let distance = line.distanceAlong[vertex]
      guard
        let place = isFirstRare
          ? shared.interpolated(at: distance, \.first, \.second)
          : shared.interpolated(at: distance, \.second, \.first)
      else { continue }
      let time = other.passage(at: place, in: other.segment(at: place)).departure
      let here = (distance, line.arrivals[vertex], line.departures[vertex], place, time)
      if let previous {
        let metres = abs(distance - previous.distance)
        let seconds =
          side == .start ? here.1 - previous.departure : previous.arrival - here.2
        let span = (min(time, previous.time), max(time, previous.time))
        let otherSeconds = span.1 - span.0 - other.waiting(from: span.0, to: span.1)
        if min(metres, abs(place - previous.other)) > Self.leastInterval.metres,
          min(seconds, otherSeconds) > Self.leastInterval.seconds
        {
          places.append(
            side == .start
              ? (distance + previous.distance) / 2 : line.length - (distance + previous.distance) / 2)
          rare.append(log(seconds / metres))
          dense.append(log(otherSeconds / abs(place - previous.other)))
        }
      }
      previous = here
    }
    guard places.count > Self.intervals.least else { return }
    // The first interval may include the time before the departure.
    places.removeFirst()
    rare.removeFirst()
    dense.removeFirst()
    for share in [1, 0.5, 0] {
      let candidate = Process(at: places, zip(rare, dense).map { $0 - share * $1 })
      // Without a better forecast, use the pace of the other drive on the same road.
      if process.map({ candidate.error < 0.9 * $0.error }) ?? true {
        self.share = share
        process = candidate
      }
    }
  }

  /// Returns the ratio of the sparse drive's time to the other drive's time on a stretch of road, and one
  /// standard deviation of its logarithm.
  ///
  /// - Parameters:
  ///   - distance: the distance from the end of the road to the middle of the stretch, in metres.
  ///   - pace: the other drive's pace there, in seconds per metre.
  func ratio(at distance: Double, pace: Double) -> (value: Double, deviation: Double) {
    guard let process else { return (1, Self.unknown) }
    let forecast = process.value(at: distance)
    let logarithm = forecast.mean + (share - 1) * log(max(pace, 1e-3))
    return (exp(min(max(logarithm, -0.9), 0.9)), forecast.deviation)
  }

  /// A smooth function of a position, fitted to values of which some are too large.
  private struct Process {
    private let places: [Double]
    private var level = 0.0
    /// The inverse of the covariance matrix of the values in row order, and its product with the values.
    private var inverse: [Double] = []
    private var weighted: [Double] = []
    /// The mean square error of values when each is forecast from all others.
    private(set) var error = 0.0

    /// The distance in metres over which values are correlated.
    static let length = 1_000.0
    /// The standard deviations of the process, of its mean, and of single values.
    static let deviation = (process: 0.2, mean: 0.2, single: 0.07)
    /// The share of values that are too large, and their mean excess.
    static let delay = (share: 0.4, mean: 0.3)
    static let rounds = 12

    init(at places: [Double], _ values: [Double]) {
      self.places = places
      let count = places.count
      level = values.sorted()[count / 3]
      let offsets = values.map { $0 - level }
      let noise = Self.deviation.single * Self.deviation.single
      var trust = offsets.map { $0 > 0.3 ? 0.1 : 0.9 }
      for _ in 0..<Self.rounds {
        var matrix = [Double](repeating: 0, count: count * count)
        for row in 0..<count {
          for column in 0..<count {
            matrix[row * count + column] = Self.covariance(places[row] - places[column])
          }
          matrix[row * count + row] += noise / max(trust[row], 1e-3)
        }
        inverse = Self.inverse(of: matrix, count)
        weighted = (0..<count).map { row in
          (0..<count).reduce(0) { $0 + inverse[row * count + $1] * offsets[$1] }
        }
        var sums = (errors: 0.0, trust: 0.0)
        for index in 0..<count {
          // The difference between the value and its forecast from all others.
          let precision = inverse[index * count + index]
          let rest = weighted[index] / precision
          let variance = max(1 / precision - noise / max(trust[index], 1e-3), 0) + noise
          sums.errors += trust[index] * min(rest * rest, 0.25)
          sums.trust += trust[index]
          trust[index] = 0.3 * trust[index] + 0.7 * Self.likelihoodOfNoDelay(rest, variance)
        }
        error = sums.errors / max(sums.trust, 1e-9)
      }
    }

    func value(at place: Double) -> (mean: Double, deviation: Double) {
      let count = places.count
      let covariances = places.map { Self.covariance($0 - place) }
      var mean = level
      var variance = Self.covariance(0)
      for row in 0..<count {
        mean += covariances[row] * weighted[row]
        for column in 0..<count {
          variance -= covariances[row] * inverse[row * count + column] * covariances[column]
        }
      }
      let noise = Self.deviation.single * Self.deviation.single
      return (mean, (max(variance, 0) + noise).squareRoot())
    }

    /// Returns the Matérn covariance for ν = 5/2, plus that of an unknown mean.
    private static func covariance(_ distance: Double) -> Double {
      let scaled = 5.0.squareRoot() * abs(distance) / length
      return deviation.process * deviation.process * (1 + scaled + scaled * scaled / 3) * exp(-scaled)
        + deviation.mean * deviation.mean
    }

    /// Returns the probability that a value is not too large. Such values are normally distributed, others
    /// have an additional exponential part.
    private static func likelihoodOfNoDelay(_ rest: Double, _ variance: Double) -> Double {
      let deviation = variance.squareRoot()
      let free =
        (1 - delay.share) * exp(-rest * rest / (2 * variance)) / (deviation * (2 * Double.pi).squareRoot())
      let rate = 1 / delay.mean
      let delayed =
        delay.share * rate / 2 * exp(rate / 2 * (rate * variance - 2 * rest))
        * erfc((rate * variance - rest) / (2.0.squareRoot() * deviation))
      return free + delayed > 0 ? free / (free + delayed) : 0
    }

    /// Returns the inverse of a symmetric positive definite matrix, by elimination.
    private static func inverse(of matrix: [Double], _ count: Int) -> [Double] {
      var left = matrix
      var right = [Double](repeating: 0, count: count * count)
      for index in 0..<count { right[index * count + index] = 1 }
      for pivot in 0..<count {
        let scale = 1 / left[pivot * count + pivot]
        for column in 0..<count {
          left[pivot * count + column] *= scale
          right[pivot * count + column] *= scale
        }
        for row in 0..<count where row != pivot {
          let factor = left[row * count + pivot]
          guard factor != 0 else { continue }
          for column in 0..<count {
            left[row * count + column] -= factor * left[pivot * count + column]
            right[row * count + column] -= factor * right[pivot * count + column]
          }
        }
      }
      return right
    }
  }
}
