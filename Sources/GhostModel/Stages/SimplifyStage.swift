public import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Leaves out points that lie within a distance of the line that is left: `--simplify`.
///
/// The algorithm of Ramer, Douglas and Peucker on each segment: the first and the last point stay, and no point
/// that was left out is farther from the simplified line than the tolerance. Stretches of 8,192 points are
/// simplified one after the other, with their ends kept, so that time stays near-linear.
public struct SimplifyStage: TrackStage {
  private let tolerance: Double
  private var gathering = SegmentGathering()
  private var total = 0
  private var kept = 0

  private static let stretch = 8192

  /// - Parameter metres: the greatest error, not negative.
  public init(metres: Double) { tolerance = metres }

  public var summary: String? { Counted.leftOut("simplify", total - kept, of: total) }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    gathering.take(event, batch, &output) { [tolerance] points in
      let rows = SimplifyStage.rows(of: points, tolerance: tolerance)
      total += points.count
      kept += rows.count
      return rows.count == points.count ? points : points.rows(at: rows)
    }
  }

  public mutating func finish(_ output: inout StageOutput) {
    gathering.finish(&output) { $0 }
  }

  /// The rows that stay, ascending.
  static func rows(of points: PointColumns, tolerance: Double) -> [Int] {
    guard points.count > 2 else { return Array(0..<points.count) }
    var isKept = [Bool](repeating: false, count: points.count)
    isKept[0] = true
    var first = 0
    while first < points.count - 1 {
      let last = min(first + stretch, points.count - 1)
      isKept[last] = true
      keep(first, last, points, tolerance, &isKept)
      first = last
    }
    return isKept.indices.filter { isKept[$0] }
  }

  private static func keep(
    _ first: Int, _ last: Int, _ points: PointColumns, _ tolerance: Double, _ isKept: inout [Bool]
  ) {
    var open = [(first, last)]
    while let (first, last) = open.popLast() {
      guard last - first > 1 else { continue }
      let chord = LocalChord(points.coordinate(at: first), points.coordinate(at: last))
      var farthest = first
      var greatest = -1.0
      for row in (first + 1)..<last {
        let distance = chord.distance(to: points.coordinate(at: row))
        if distance > greatest {
          greatest = distance
          farthest = row
        }
      }
      guard greatest > tolerance else { continue }
      isKept[farthest] = true
      open.append((first, farthest))
      open.append((farthest, last))
    }
  }
}

/// A straight line between two positions, in a local plane with metres as units.
///
/// Equirectangular about the line's middle latitude: exact to 0.1 % for lines of some kilometres, which is far
/// below any tolerance that a line is simplified with.
struct LocalChord {
  private let start: Coordinate
  private let metresPerLongitude: Double
  private let east: Double
  private let north: Double

  /// Metres per degree of latitude on the mean sphere (6,371,008.8 m).
  private static let metresPerDegree = 6_371_008.8 * .pi / 180

  init(_ start: Coordinate, _ end: Coordinate) {
    self.start = start
    let middle = (start.latitude + end.latitude) / 2 * .pi / 180
    metresPerLongitude = LocalChord.metresPerDegree * cos(middle)
    north = (end.latitude - start.latitude) * LocalChord.metresPerDegree
    east = Geodesy.longitudeDifference(from: start.longitude, to: end.longitude) * metresPerLongitude
  }

  /// Metres from a position to the nearest point of the line.
  func distance(to point: Coordinate) -> Double {
    let y = (point.latitude - start.latitude) * LocalChord.metresPerDegree
    let x = Geodesy.longitudeDifference(from: start.longitude, to: point.longitude) * metresPerLongitude
    let square = east * east + north * north
    let share = square > 0 ? max(0, min(1, (x * east + y * north) / square)) : 0
    let dx = x - share * east
    let dy = y - share * north
    return (dx * dx + dy * dy).squareRoot()
  }
}
