public import TrackModel

/// A divergence or convergence found by the app's algorithm. It has the same number of points after the start
/// of each drive.
public struct AnchorPoint: Sendable, Hashable {
  /// The index into the coordinates of the first drive.
  public var firstIndex: Int
  /// The index into the coordinates of the second drive.
  public var secondIndex: Int
  /// The position of the first drive.
  public var coordinate: Coordinate
}

extension DriveComparisonEngine {
  /// Returns the divergences of two drives in driving order.
  ///
  /// Both drives are sampled from their starts every ``ComparisonSettings/samplingStride`` points. A sample
  /// is a divergence if the distance exceeds ``ComparisonSettings/convergenceRadius`` and the bearings to the
  /// next points differ by more than ``ComparisonSettings/divergenceAngle``. As in the app, a detour yields
  /// several divergences while the bearings differ, and none while the roads are parallel.
  ///
  /// - Complexity: O(*n* / stride)
  public static func findDivergencePoints(
    between first: DriveSegment, and second: DriveSegment, settings: ComparisonSettings
  ) -> [AnchorPoint] {
    let detector = DivergenceDetector(settings)
    let walk = PairWalk(first, second, settings)
    return walk.samples.filter { detector.fires(at: $0, in: walk) }.map(walk.anchor)
  }

  /// Returns the convergences of two drives in driving order.
  ///
  /// Drives are sampled as in ``findDivergencePoints(between:and:settings:)``. A sample is a convergence if
  /// the distance is within ``ComparisonSettings/convergenceRadius`` and was more than twice the radius since
  /// the last convergence. Drives that are always close never converge.
  ///
  /// - Complexity: O(*n* / stride)
  public static func findConvergencePoints(
    between first: DriveSegment, and second: DriveSegment, settings: ComparisonSettings
  ) -> [AnchorPoint] {
    var detector = ConvergenceDetector(settings)
    let walk = PairWalk(first, second, settings)
    return walk.samples.filter { detector.fires(at: $0) }.map(walk.anchor)
  }
}

/// Samples of two segments, at the same number of points after each start.
struct PairWalk {
  private let first: ArraySlice<Coordinate>
  private let second: ArraySlice<Coordinate>
  private let interval: Int

  /// A sample of both segments.
  struct Sample {
    /// The number of points after both starts.
    var step: Int
    /// The distance between the drives in metres.
    var distance: Double
  }

  init(_ first: DriveSegment, _ second: DriveSegment, _ settings: ComparisonSettings) {
    self.first = first.coordinates
    self.second = second.coordinates
    interval = max(settings.samplingStride, 1)
  }

  /// The number of points of the shorter segment.
  private var count: Int { min(first.count, second.count) }

  /// The samples in driving order, computed lazily.
  var samples: some Sequence<Sample> {
    stride(from: 0, to: count, by: interval).lazy.map { step in
      Sample(
        step: step,
        distance: Geodesy.distance(
          from: first[first.startIndex + step], to: second[second.startIndex + step]))
    }
  }

  /// Returns the difference of the bearings to the next points in degrees, 0…180, or `nil` if there is no
  /// next point.
  ///
  /// The bearing of a stationary drive is north, as in the formula.
  func angle(at step: Int) -> Double? {
    guard step + 1 < count else { return nil }
    let difference = abs(PairWalk.heading(first, step) - PairWalk.heading(second, step))
    return min(difference, 360 - difference)
  }

  private static func heading(_ coordinates: ArraySlice<Coordinate>, _ step: Int) -> Double {
    let index = coordinates.startIndex + step
    return Geodesy.initialBearing(from: coordinates[index], to: coordinates[index + 1])
  }

  func anchor(_ sample: Sample) -> AnchorPoint {
    let index = first.startIndex + sample.step
    return AnchorPoint(
      firstIndex: index, secondIndex: second.startIndex + sample.step, coordinate: first[index])
  }
}

/// Detects divergences.
struct DivergenceDetector {
  private let radius: Double
  private let angle: Double

  init(_ settings: ComparisonSettings) {
    radius = settings.convergenceRadius
    angle = settings.divergenceAngle
  }

  func fires(at sample: PairWalk.Sample, in walk: PairWalk) -> Bool {
    guard sample.distance > radius, let apart = walk.angle(at: sample.step) else { return false }
    return apart > angle
  }
}

/// Detects convergences in samples that are passed in driving order.
struct ConvergenceDetector {
  private let radius: Double
  /// Whether the drives were more than twice the radius apart since the last convergence.
  private var wasDiverged = false

  init(_ settings: ComparisonSettings) { radius = settings.convergenceRadius }

  mutating func fires(at sample: PairWalk.Sample) -> Bool {
    if sample.distance > 2 * radius { wasDiverged = true }
    guard wasDiverged, sample.distance <= radius else { return false }
    wasDiverged = false
    return true
  }
}
