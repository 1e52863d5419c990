import TrackModel

/// How the points of a drive are made even in time, as the app takes them to be.
public enum Cadence: Sendable, Hashable {
  /// As they are where their steps are even already, otherwise resampled to the even step nearest 1 s.
  ///
  /// Even means that every step is within 50 ms of the mean step, and every point within 50 ms of where the
  /// even spread puts it: small errors add up.
  case auto
  /// Resampled to the even step nearest so many seconds.
  case seconds(Double)
  /// Verbatim; a warning names the largest time error where it is above 50 ms.
  case keepPoints

  /// Microseconds that a point may be off.
  static let tolerance = 50_000.0
}

/// The coordinates of a drive, which the app spreads evenly over its duration.
struct EvenSpread {
  private(set) var latitudes: [Double] = []
  private(set) var longitudes: [Double] = []
  private(set) var isResampled = false
  /// Seconds: the greatest difference between index × duration / (count − 1) and when the point was reached.
  private(set) var largestTimeError = 0.0
  /// Metres: the greatest distance between a recorded point and where the app puts the drive at its time.
  private(set) var largestPlaceError = 0.0
  private(set) var warnings: [TrackWarning] = []

  /// The greatest number of points of a drive: four months at 1 s.
  static let pointLimit = 10_000_000
  /// How many times the recorded points a drive may have. Beyond, nearly all of it is invented.
  static let densestFactor = 100
  /// A drive of fewer points may have more than that, such as one between two places.
  static let densePoints = 10_000

  /// - Parameter rows: at least two, those of the timeline.
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
    let wished = if case .seconds(let step) = cadence { step } else { 1.0 }
    // As doubles: the quotient of two times may be beyond any integer.
    let gaps = max(1, (timeline.duration / wished).rounded())
    guard gaps < Double(Self.pointLimit) else {
      throw TrackError(
        .limitExceeded, "the drive would have more than \(Self.pointLimit / 1_000_000) million points",
        suggestion: Self.fewerPoints(selection))
    }
    guard gaps < Double(max(Self.densePoints, Self.densestFactor * rows.count)) else {
      throw TrackError(
        .limitExceeded,
        "an even spacing needs \(Int(gaps) + 1) points, more than \(Self.densestFactor) times the \(rows.count) recorded",
        suggestion: Self.fewerPoints(selection))
    }
    isResampled = true
    resample(
      selection.latitudes.span.extracting(rows), selection.longitudes.span.extracting(rows), offsets,
      gaps: Int(gaps))
    largestPlaceError = placeError(
      selection.latitudes.span.extracting(rows), selection.longitudes.span.extracting(rows), offsets)
  }

  /// Only a recording with times of its own has gaps to split at.
  private static func fewerPoints(_ selection: PointSelection) -> Suggestion {
    guard selection.isTimed else { return .lengthenCadence }
    return .either(.splitAtGaps(seconds: Int(DriveWarnings.longGap / 1e6)), .lengthenCadence)
  }

  private static func isEven(_ offsets: Span<Double>) -> Bool {
    let step = offsets[offsets.count - 1] / Double(offsets.count - 1)
    for index in 1..<offsets.count {
      let isEvenStep = abs(offsets[index] - offsets[index - 1] - step) <= Cadence.tolerance
      guard isEvenStep, abs(offsets[index] - Double(index) * step) <= Cadence.tolerance else { return false }
    }
    return true
  }

  private mutating func measure(_ offsets: Span<Double>) {
    // In microseconds, so that whole ones stay whole.
    let step = offsets[offsets.count - 1] / Double(offsets.count - 1)
    var largest = 0.0
    for index in offsets.indices { largest = max(largest, abs(Double(index) * step - offsets[index])) }
    largestTimeError = largest / 1e6
  }

  /// Compares every recorded point with where the even spread is at its time.
  ///
  /// On a local plane; the cosine of the latitude is taken anew every hundredth of a degree, which changes a
  /// distance by less than a thousandth except within 10 km of a pole.
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
    // Whole milliseconds, upwards: never less than it is.
    var bytes = ByteBuffer()
    bytes.append(decimal: (largestTimeError * 1000).rounded(.up) / 1000)
    return TrackWarning(
      .unevenCadence,
      "points kept that are not even in time, up to \(bytes.string) s off in the app's even spread")
  }

  /// Fills the columns with `gaps` + 1 points, first and last exact, the others interpolated between
  /// neighbours.
  ///
  /// A sample within half a microsecond of a recorded time, the smallest difference that times can have, is
  /// the recorded point, and the earlier one where two have the same.
  private mutating func resample(
    _ recordedLatitudes: Span<Double>, _ recordedLongitudes: Span<Double>, _ offsets: Span<Double>, gaps: Int
  ) {
    let last = offsets.count - 1
    let step = offsets[last] / Double(gaps)
    latitudes.reserveCapacity(gaps + 1)
    longitudes.reserveCapacity(gaps + 1)
    latitudes.append(recordedLatitudes[0])
    longitudes.append(recordedLongitudes[0])
    var row = 0
    for sample in 1..<max(gaps, 1) {
      let time = Double(sample) * step
      while row < last, offsets[row] < time - 0.5 { row += 1 }
      if row == 0 || offsets[row] <= time + 0.5 {
        largestTimeError = max(largestTimeError, abs(offsets[row] - time) / 1e6)
        // Rounded like its neighbours: sixteen decimals of a receiver are noise that a blob need not carry.
        latitudes.append(Self.rounded(recordedLatitudes[row]))
        longitudes.append(Self.rounded(recordedLongitudes[row]))
        continue
      }
      let fraction = (time - offsets[row - 1]) / (offsets[row] - offsets[row - 1])
      let position = Geodesy.interpolate(
        from: Coordinate(latitude: recordedLatitudes[row - 1], longitude: recordedLongitudes[row - 1]),
        to: Coordinate(latitude: recordedLatitudes[row], longitude: recordedLongitudes[row]),
        fraction: fraction)
      latitudes.append(Self.rounded(position.latitude))
      longitudes.append(Self.rounded(position.longitude))
    }
    latitudes.append(recordedLatitudes[last])
    longitudes.append(recordedLongitudes[last])
  }

  /// To nine decimals of a degree, a tenth of a millimetre: a computed position has no more to say.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e9).rounded() / 1e9 }
}
