public import TrackModel

/// A moment at which two drives part or meet, as the app's detector finds it: the same number of points
/// behind the start of both.
public struct AnchorPoint: Sendable, Hashable {
  /// Into the coordinates of the first drive.
  public var firstIndex: Int
  /// Into the coordinates of the second drive.
  public var secondIndex: Int
  /// Where the first drive is then.
  public var coordinate: Coordinate
}

extension DriveComparisonEngine {
  /// Where two drives are apart and heading apart.
  ///
  /// Both are stepped through together from where they start, and looked at every
  /// ``ComparisonSettings/samplingStride`` points while both last. A place counts where the distance is
  /// beyond ``ComparisonSettings/convergenceRadius`` and the headings, each towards the drive's next point,
  /// differ by more than ``ComparisonSettings/divergenceAngle``. Each such place is a point of its own, as
  /// the app has it: a way apart gives several while the headings differ, and none where the roads run side
  /// by side.
  ///
  /// - Returns: in driving order.
  /// - Complexity: O(n / stride).
  public static func findDivergencePoints(
    between first: DriveSegment, and second: DriveSegment, settings: ComparisonSettings
  ) -> [AnchorPoint] {
    let detector = DivergenceDetector(settings)
    let walk = PairWalk(first, second, settings)
    return walk.samples.filter { detector.fires(at: $0, in: walk) }.map(walk.anchor)
  }

  /// Where two drives meet again.
  ///
  /// Looked at as in ``findDivergencePoints(between:and:settings:)``. A place counts where the distance is
  /// within ``ComparisonSettings/convergenceRadius`` and was more than twice that since the last one: drives
  /// that are close all the way never meet.
  ///
  /// - Returns: in driving order.
  /// - Complexity: O(n / stride).
  public static func findConvergencePoints(
    between first: DriveSegment, and second: DriveSegment, settings: ComparisonSettings
  ) -> [AnchorPoint] {
    var detector = ConvergenceDetector(settings)
    let walk = PairWalk(first, second, settings)
    return walk.samples.filter { detector.fires(at: $0) }.map(walk.anchor)
  }
}

/// Two segments in step, every few points of both.
struct PairWalk {
  private let first: ArraySlice<Coordinate>
  private let second: ArraySlice<Coordinate>
  private let interval: Int

  /// One look at both.
  struct Sample {
    /// Points behind the start of both segments.
    var step: Int
    /// Metres between the two.
    var distance: Double
  }

  init(_ first: DriveSegment, _ second: DriveSegment, _ settings: ComparisonSettings) {
    self.first = first.coordinates
    self.second = second.coordinates
    interval = max(settings.samplingStride, 1)
  }

  /// The points that both segments have.
  private var count: Int { min(first.count, second.count) }

  /// In driving order, computed as they are asked for.
  var samples: some Sequence<Sample> {
    stride(from: 0, to: count, by: interval).lazy.map { step in
      Sample(
        step: step,
        distance: Geodesy.distance(
          from: first[first.startIndex + step], to: second[second.startIndex + step]))
    }
  }

  /// Degrees between the headings of the two towards their next points, 0…180; nil where one has no next
  /// point.
  ///
  /// A drive that stands heads north, as the formula has it.
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

/// Says where two drives are apart and heading apart.
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

/// Says where two drives meet after they were apart; asked sample by sample in driving order.
struct ConvergenceDetector {
  private let radius: Double
  /// Whether they were more than twice the radius apart since they last met.
  private var wasDiverged = false

  init(_ settings: ComparisonSettings) { radius = settings.convergenceRadius }

  mutating func fires(at sample: PairWalk.Sample) -> Bool {
    if sample.distance > 2 * radius { wasDiverged = true }
    guard wasDiverged, sample.distance <= radius else { return false }
    wasDiverged = false
    return true
  }
}
