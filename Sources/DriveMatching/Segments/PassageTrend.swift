public import TrackModel

/// The durations of the passages of a segment over time.
public struct PassageTrend: Sendable {
  /// The passages with their start and their duration in seconds, in order of time.
  public var passages: [(time: Instant, duration: Double)]
  /// Whether these are all passages, so that the fastest is the personal best.
  public var isComplete: Bool

  /// Creates a trend from passages in order of time.
  ///
  /// - Parameters:
  ///   - passages: the starts and the durations in seconds.
  ///   - isComplete: whether these are all passages of the segment.
  public init(_ passages: [(time: Instant, duration: Double)], isComplete: Bool = true) {
    self.passages = passages
    self.isComplete = isComplete
  }

  /// The change of the durations in seconds per year by linear regression, and its standard error.
  ///
  /// The value is nil for fewer than five passages, less than a quarter of a year, or a change of less than
  /// two standard errors, which chance can explain.
  public var perYear: (change: Double, error: Double)? {
    let points = passages.map { (years: $0.time.secondsSince1970 / Self.year, seconds: $0.duration) }
    guard let first = points.first, let last = points.last, points.count >= 5,
      last.years - first.years >= 0.25
    else { return nil }
    let count = Double(points.count)
    let years = points.reduce(0) { $0 + $1.years } / count
    let seconds = points.reduce(0) { $0 + $1.seconds } / count
    let spread = points.reduce(0) { $0 + ($1.years - years) * ($1.years - years) }
    guard spread > 0 else { return nil }
    let change = points.reduce(0) { $0 + ($1.years - years) * ($1.seconds - seconds) } / spread
    let squares = points.reduce(0) { sum, point in
      let rest = point.seconds - seconds - change * (point.years - years)
      return sum + rest * rest
    }
    let error = (squares / (count - 2) / spread).squareRoot()
    return abs(change) > 2 * error ? (change, error) : nil
  }

  /// The mean length of a year of the Gregorian calendar in seconds.
  private static let year = 31_556_952.0
}
