import TrackModel
import TrackTransforms

/// The method of making the points of a drive evenly spaced in time, as the app assumes.
public enum Cadence: Sendable, Hashable {
  /// The maximum number of points of a drive: four months at 1 s.
  package static let maximumPoints = 10_000_000

  /// Keeps points that are evenly spaced, and otherwise resamples to the even step nearest to 1 s, or to the
  /// median interval of a denser recording.
  ///
  /// Points are evenly spaced if every step is within 50 ms of the mean step, and every point within 50 ms of
  /// its time in the even spread.
  case auto
  /// Resamples to the even step nearest to a number of seconds.
  case seconds(Double)
  /// Keeps the recorded points. A warning reports a timing error above 50 ms.
  case keepPoints

  /// The tolerance in microseconds.
  static let tolerance = 50_000.0
}

/// The evenly spaced coordinates of a drive.
struct UniformResampling {
  private(set) var latitudes: [Double] = []
  private(set) var longitudes: [Double] = []
  private(set) var isResampled = false
  /// The largest difference between index × duration / (count − 1) and the actual time of a point, in
  /// seconds.
  private(set) var largestTimeError = 0.0
  /// The largest distance between a recorded point and the app's position at its time, in metres.
  private(set) var largestPlaceError = 0.0
  private(set) var warnings: [TrackWarning] = []

  /// The maximum ratio of points to recorded points. Above this ratio, nearly all of the drive is
  /// interpolated.
  static let densestFactor = 100
  /// The number of points below which the ratio is not limited, for example for a drive between two places.
  static let densePoints = 10_000

  /// The number of points that a drive of `count` recorded points must stay below.
  static func pointLimit(recorded count: Int) -> Int { max(densePoints, densestFactor * count) }

  /// - Parameter rows: two or more rows of the timeline.
  init(
    _ selection: PointSelection, _ rows: Range<Int>, _ timeline: Timeline, cadence: Cadence
  ) throws(TrackError) {
    let offsets = timeline.offsets.span
    let isKept =
      switch cadence {
      case .auto: Self.isEven(offsets)
      case .keepPoints: true
      case .seconds: false
      }
    if isKept {
      latitudes = Array(selection.latitudes[rows])
      longitudes = Array(selection.longitudes[rows])
      measure(offsets)
      if largestTimeError > Cadence.tolerance / 1e6 { warnings.append(uneven) }
      largestPlaceError = placeError(
        selection.latitudes.span.extracting(rows), selection.longitudes.span.extracting(rows), offsets)
      return
    }
    // Uses `Double`, because the quotient of two times can overflow integers.
    func count(every seconds: Double) -> Double { max(1, (timeline.duration / seconds).rounded()) }
    var gaps =
      if case .seconds(let step) = cadence { count(every: step) } else {
        count(every: Self.usualStep(offsets))
      }
    if cadence == .auto, gaps >= Double(min(Cadence.maximumPoints, Self.pointLimit(recorded: rows.count))) {
      gaps = count(every: 1)
    }
    guard gaps < Double(Cadence.maximumPoints) else {
      throw TrackError(
        .limitExceeded, "the drive would have more than \(Cadence.maximumPoints / 1_000_000) million points",
        suggestion: Self.fewerPoints(selection))
    }
    guard gaps < Double(Self.pointLimit(recorded: rows.count)) else {
      throw TrackError(
        .limitExceeded,
        "even spacing needs \(Int(gaps) + 1) points, more than \(Self.densestFactor) times the \(rows.count) recorded",
        suggestion: Self.fewerPoints(selection))
    }
    isResampled = true
    resample(
      selection.latitudes.span.extracting(rows), selection.longitudes.span.extracting(rows), offsets,
      gaps: Int(gaps))
    largestPlaceError = placeError(
      selection.latitudes.span.extracting(rows), selection.longitudes.span.extracting(rows), offsets)
  }

  /// Returns the suggestion for reducing the number of points. Only recordings with times can be split at
  /// gaps.
  private static func fewerPoints(_ selection: PointSelection) -> Suggestion {
    guard selection.isTimed else { return .lengthenCadence }
    return .either(
      .splitAtGaps(seconds: Int(LongGaps.limit / 1_000_000)),
      .either(.splitAtStops(seconds: 600), .lengthenCadence))
  }

  private static func isEven(_ offsets: Span<Double>) -> Bool {
    let step = offsets[offsets.count - 1] / Double(offsets.count - 1)
    for index in 1..<offsets.count {
      let isEvenStep = abs(offsets[index] - offsets[index - 1] - step) <= Cadence.tolerance
      guard isEvenStep, abs(offsets[index] - Double(index) * step) <= Cadence.tolerance else { return false }
    }
    return true
  }

  /// Returns the median interval in seconds, at most 1.
  private static func usualStep(_ offsets: Span<Double>) -> Double {
    var short = 0
    for index in 1..<offsets.count where offsets[index] - offsets[index - 1] < dense { short += 1 }
    guard short > offsets.count / 2 else { return 1 }
    let steps = (1..<offsets.count).map { (offsets[$0] - offsets[$0 - 1]) / 1e6 }.filter { $0 > 0 }
    return max(shortest, min(1, steps.upperMedian ?? 1))
  }

  /// The interval in microseconds below which a recording is denser than one point per second.
  private static let dense = 750_000.0
  /// The shortest automatic step in seconds.
  private static let shortest = 0.02

  private mutating func measure(_ offsets: Span<Double>) {
    // In microseconds, so that whole microseconds stay exact.
    let step = offsets[offsets.count - 1] / Double(offsets.count - 1)
    var largest = 0.0
    for index in offsets.indices { largest = max(largest, abs(Double(index) * step - offsets[index])) }
    largestTimeError = largest / 1e6
  }

  /// Compares every recorded point with the position of the even spread at its time.
  ///
  /// Uses a local plane whose scale is updated every hundredth of a degree of latitude, which changes
  /// distances by less than a thousandth except within 10 km of a pole.
  private func placeError(
    _ recordedLatitudes: Span<Double>, _ recordedLongitudes: Span<Double>, _ offsets: Span<Double>
  ) -> Double {
    let gaps = latitudes.count - 1
    let length = offsets[offsets.count - 1]
    guard gaps > 0, length > 0 else { return 0 }
    let placedLatitudes = latitudes.span
    let placedLongitudes = longitudes.span
    let metresPerDegree = Geodesy.metresPerDegree
    var parallel = Double.infinity
    var metresPerLongitude = 0.0
    var largest = 0.0
    for row in offsets.indices {
      let position = offsets[row] / length * Double(gaps)
      let index = max(0, min(Int(position), gaps - 1))
      let fraction = position - Double(index)
      let latitude = recordedLatitudes[row]
      if abs(latitude - parallel) > 0.01 {
        parallel = latitude
        metresPerLongitude = metresPerDegree * GeodeticPoint(latitude: latitude, longitude: 0).cosLatitude
      }
      let start = placedLongitudes[index]
      let toward = Geodesy.longitudeDifference(from: start, to: placedLongitudes[index + 1])
      let east = Geodesy.longitudeDifference(from: start, to: recordedLongitudes[row]) - fraction * toward
      let north =
        latitude - placedLatitudes[index] - fraction * (placedLatitudes[index + 1] - placedLatitudes[index])
      let x = east * metresPerLongitude
      let y = north * metresPerDegree
      largest = max(largest, x * x + y * y)
    }
    return largest.squareRoot()
  }

  private var uneven: TrackWarning {
    // Rounded up to milliseconds.
    var bytes = ByteBuffer()
    bytes.append(decimal: (largestTimeError * 1000).rounded(.up) / 1000)
    return TrackWarning(
      .unevenCadence,
      "kept points are not evenly spaced in time; timing error up to \(bytes.string) s")
  }

  /// Fills the columns with `gaps` + 1 points: exact first and last points, and interpolated points in
  /// between.
  ///
  /// A sample within half a microsecond of a recorded time is the recorded point, the earlier one of two.
  private mutating func resample(
    _ recordedLatitudes: Span<Double>, _ recordedLongitudes: Span<Double>, _ offsets: Span<Double>, gaps: Int
  ) {
    let last = offsets.count - 1
    let step = offsets[last] / Double(gaps)
    latitudes.reserveMemory(gaps + 1)
    longitudes.reserveMemory(gaps + 1)
    latitudes.append(recordedLatitudes[0])
    longitudes.append(recordedLongitudes[0])
    var row = 0
    for sample in 1..<max(gaps, 1) {
      let time = Double(sample) * step
      while row < last, offsets[row] < time - 0.5 { row += 1 }
      if row == 0 || offsets[row] <= time + 0.5 {
        largestTimeError = max(largestTimeError, abs(offsets[row] - time) / 1e6)
        append(SIMD2(recordedLatitudes[row], recordedLongitudes[row]))
        continue
      }
      let fraction = (time - offsets[row - 1]) / (offsets[row] - offsets[row - 1])
      let start = SIMD2(recordedLatitudes[row - 1], recordedLongitudes[row - 1])
      let step = SIMD2(recordedLatitudes[row], recordedLongitudes[row]) - start
      var position = start + fraction * step
      if abs(step.y) > 180 {
        position.y =
          Geodesy.interpolate(
            from: Coordinate(latitude: start.x, longitude: start.y),
            to: Coordinate(latitude: recordedLatitudes[row], longitude: recordedLongitudes[row]),
            fraction: fraction
          ).longitude
      }
      append(position)
    }
    latitudes.append(recordedLatitudes[last])
    longitudes.append(recordedLongitudes[last])
  }

  /// Appends a position, rounded to nine decimals of a degree (0.1 mm): further decimals are noise.
  @inline(__always)
  private mutating func append(_ position: SIMD2<Double>) {
    let scaled = position * 1e9
    // Adding 1.5 × 2^52 rounds half to even, faster than a call of the standard library.
    var whole = (scaled + 0x1.8p52) - 0x1.8p52
    let rest = scaled - whole
    if abs(rest.x) == 0.5 || abs(rest.y) == 0.5 {
      whole = SIMD2(scaled.x.rounded(), scaled.y.rounded())
    }
    let rounded = whole / 1e9
    latitudes.append(rounded.x)
    longitudes.append(rounded.y)
  }
}
