import CMath
import GhostModel

/// Forecasts the pace of a drive with sparse fixes on a stretch of road between two of its fixes.
///
/// The pace between later fixes is known, as is the pace of the other drive on the same road. The share of
/// variation that the two drives have in common depends on the road and the traffic, so the forecast is the
/// mean over several shares, weighted by how well each explains the known intervals. The rest varies smoothly
/// along the road and is modelled as a Gaussian process with a Matérn covariance. Some intervals contain
/// delays of unknown length, which are not part of the process.
struct PaceForecast {
  /// The distance along the sparse drive's line from the end of the road inwards, in metres.
  private var places: [Double] = []
  /// The logarithms of seconds per metre between two fixes: with stops for the sparse drive, without for
  /// the other.
  private var sparse: [Double] = []
  private var dense: [Double] = []
  /// Whether the first drive is the one with sparse fixes.
  let isFirstSparse: Bool
  /// The processes for several shares of the other drive's variation, with weights whose sum is 1.
  private var models: [(share: Double, process: Process, weight: Double)] = []

  /// The maximum number of intervals, and the minimum number for a forecast.
  static let intervals = (most: 16, least: 3)
  /// The minimum length in metres and duration in seconds of an interval.
  static let leastInterval = (metres: 20.0, seconds: 3.0)
  /// The shares of the other drive's variation.
  static let shares = [1, 0.5, 0]
  /// One standard deviation of the logarithm of an unknown pace.
  static let unknown = 0.3

  /// Creates a forecast.
  ///
  /// - Parameters:
  ///   - isFirstSparse: whether the first drive is the one with sparse fixes.
  ///   - shared: the shared places near the end of the road.
  ///   - side: the end to forecast.
  init(
    _ first: MatchablePolyline, _ second: MatchablePolyline, isFirstSparse: Bool,
    _ shared: [SharedRoad.Place], _ side: StretchEnd.Side
  ) {
    self.isFirstSparse = isFirstSparse
    let (line, other) = isFirstSparse ? (first, second) : (second, first)
    var previous: (distance: Double, arrival: Double, departure: Double, other: Double, time: Double)?
    for step in 0..<line.count where places.count < Self.intervals.most {
      let vertex = side == .start ? step : line.count - 1 - step
      let distance = line.distanceAlong[vertex]
      guard
        let place = isFirstSparse
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
        // The first interval may include the time before the departure.
        if step > 1, min(metres, abs(place - previous.other)) > Self.leastInterval.metres,
          min(seconds, otherSeconds) > Self.leastInterval.seconds
        {
          places.append(
            side == .start
              ? (distance + previous.distance) / 2 : line.length - (distance + previous.distance) / 2)
          sparse.append(log(seconds / metres))
          dense.append(log(otherSeconds / abs(place - previous.other)))
        }
      }
      previous = here
    }
    guard places.count >= Self.intervals.least else { return }
    models = Self.shares.map { share in
      (share, Process(at: places, zip(sparse, dense).map { $0 - share * $1 }), 0)
    }
    let best = models.reduce(-.infinity) { max($0, $1.process.likelihood) }
    let sum = models.reduce(0) { $0 + exp($1.process.likelihood - best) }
    for index in models.indices { models[index].weight = exp(models[index].process.likelihood - best) / sum }
  }

  /// Returns the ratio of the sparse drive's time to the other drive's time on a stretch of road, and one
  /// standard deviation of its logarithm.
  ///
  /// - Parameters:
  ///   - distance: the distance from the end of the road to the middle of the stretch, in metres.
  ///   - pace: the other drive's pace there, in seconds per metre.
  func ratio(at distance: Double, pace: Double) -> (value: Double, deviation: Double) {
    guard !models.isEmpty else { return (1, Self.unknown) }
    var mean = 0.0
    var square = 0.0
    for model in models {
      let forecast = model.process.value(at: distance)
      let logarithm = forecast.mean + (model.share - 1) * log(max(pace, 1e-3))
      mean += model.weight * logarithm
      square += model.weight * (logarithm * logarithm + forecast.variance)
    }
    return (exp(min(max(mean, -0.9), 0.9)), max(square - mean * mean, 0).squareRoot())
  }

  /// A smooth function of a position, fitted to values of which some are too large.
  ///
  /// The fit is by expectation propagation: what a value says about the process is approximated by a normal
  /// distribution, the one with which the process has the same mean and variance at its place as with the
  /// exact likelihood.
  private struct Process {
    private let places: [Double]
    private var level = 0.0
    /// The mean and the variance of the normal distribution for each value.
    private var sites: [(mean: Double, variance: Double)]
    /// The inverse of the covariance matrix of the sites in row order, and its product with their means.
    private var inverse: [Double] = []
    private var weighted: [Double] = []
    /// The logarithm of the probability density of the values, each given all others.
    private(set) var likelihood = 0.0

    /// The distance in metres over which values are correlated.
    static let length = 1_000.0
    /// The standard deviations of the process, of its mean, and of single values.
    static let deviation = (process: 0.2, mean: 0.2, single: 0.05)
    static let noise = deviation.single * deviation.single
    /// The share of values that are too large, and their mean excess.
    static let delay = (share: 0.5, mean: 0.3)
    /// The number of rounds, the share of each that is applied, and the smallest precision of a site.
    static let rounds = 12
    static let damping = 0.6
    static let leastPrecision = 0.05

    init(at places: [Double], _ values: [Double]) {
      self.places = places
      let level = values.sorted()[values.count / 3]
      self.level = level
      sites = values.map { ($0 - level, $0 - level > 0.3 ? 10 * Self.noise : Self.noise) }
      for _ in 0..<Self.rounds {
        solve()
        likelihood = 0
        for index in places.indices {
          let site = sites[index]
          // The forecast from all other values.
          let precision = inverse[index * places.count + index]
          let mean = site.mean - weighted[index] / precision
          let variance = max(1 / precision - site.variance, 1e-6)
          let excess = Self.excess(of: values[index] - level - mean, variance + Self.noise)
          likelihood += log(max(excess.density, .leastNormalMagnitude))
          // The process, given the value.
          let gain = variance / (variance + Self.noise)
          let shift = gain * (values[index] - level - mean - excess.mean)
          let rest = gain * Self.noise + gain * gain * excess.variance
          let wanted = min(max(1 / rest - 1 / variance, Self.leastPrecision), 1 / Self.noise)
          let product = wanted * mean + (wanted > Self.leastPrecision ? shift / rest : 0)
          let damped = (1 - Self.damping) / site.variance + Self.damping * wanted
          sites[index] = (
            ((1 - Self.damping) * site.mean / site.variance + Self.damping * product) / damped, 1 / damped
          )
        }
      }
      solve()
    }

    private mutating func solve() {
      let count = places.count
      var matrix = [Double](repeating: 0, count: count * count)
      for row in 0..<count {
        for column in 0..<count {
          matrix[row * count + column] = Self.covariance(places[row] - places[column])
        }
        matrix[row * count + row] += sites[row].variance
      }
      let inverse = Self.inverse(of: matrix, count)
      self.inverse = inverse
      weighted = (0..<count).map { row in
        (0..<count).reduce(0) { $0 + inverse[row * count + $1] * sites[$1].mean }
      }
    }

    func value(at place: Double) -> (mean: Double, variance: Double) {
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
      return (mean, max(variance, 0) + Self.noise)
    }

    /// Returns the Matérn covariance for ν = 5/2, plus that of an unknown mean.
    private static func covariance(_ distance: Double) -> Double {
      let scaled = 5.0.squareRoot() * abs(distance) / length
      return deviation.process * deviation.process * (1 + scaled + scaled * scaled / 3) * exp(-scaled)
        + deviation.mean * deviation.mean
    }

    /// Returns by how much a value is too large, as a mean and a variance, and the probability density of the
    /// value.
    ///
    /// The error of a forecast is normally distributed. Values that are too large have an additional
    /// exponential part, which then has a normal distribution above 0.
    ///
    /// - Parameters:
    ///   - rest: the difference between the value and its forecast.
    ///   - variance: the variance of the forecast.
    private static func excess(
      of rest: Double, _ variance: Double
    ) -> (mean: Double, variance: Double, density: Double) {
      let deviation = variance.squareRoot()
      let free =
        (1 - delay.share) * exp(-rest * rest / (2 * variance)) / (deviation * (2 * Double.pi).squareRoot())
      let rate = 1 / delay.mean
      let bound = (rate * variance - rest) / deviation
      let delayed =
        delay.share * rate / 2 * exp(min(rate / 2 * (rate * variance - 2 * rest), 500))
        * erfc(bound / 2.0.squareRoot())
      // The ratio of the normal density to its tail beyond the bound.
      let hazard =
        bound > 8
        ? bound + 1 / bound
        : exp(-bound * bound / 2) / (2 * Double.pi).squareRoot() / (0.5 * erfc(bound / 2.0.squareRoot()))
      let mean = deviation * (hazard - bound)
      let spread = max(variance * (1 + bound * hazard - hazard * hazard), 0)
      let share = free + delayed > 0 ? delayed / (free + delayed) : 1
      return (share * mean, share * (spread + mean * mean) - share * share * mean * mean, free + delayed)
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
