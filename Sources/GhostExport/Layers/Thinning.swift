import DriveMatching

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Leaves out the positions of a line that a viewer puts back by itself.
///
/// The algorithm of Douglas and Peucker with the distance of Meratnia and de By ("Spatiotemporal compression
/// techniques for moving point objects", 2004): not from the nearest place of the line that is left, but from
/// the place where that line is at the same time. So the bound holds for where a ghost is at any moment, and
/// for the shape with it.
struct Thinning {
  private let latitudes: [Double]
  private let longitudes: [Double]
  /// Seconds, or metres along a road, per position; not descending.
  private let measures: [Double]
  /// Metres per degree of longitude at each position.
  private let eastScales: [Double]

  /// Metres per degree by the largest radius of curvature of WGS 84, which is that at the poles: distances
  /// come out up to 1 % too large, never too small.
  private static let metresPerDegree = 6_399_593.626 * Double.pi / 180
  /// Positions that are looked at together, so that time is linear in their number even where each division
  /// cuts off a single one.
  private static let stretch = 2048

  init(latitudes: [Double], longitudes: [Double], measures: [Double]) {
    self.latitudes = latitudes
    self.longitudes = longitudes
    self.measures = measures
    eastScales = latitudes.map { cos($0 * .pi / 180) * Thinning.metresPerDegree }
  }

  init(_ trace: TimedDrive) {
    self.init(latitudes: trace.latitudes, longitudes: trace.longitudes, measures: trace.elapsed)
  }

  /// The rows of a range that stay, ascending: its ends, and so many that no other is more than `bound`
  /// metres from where it would be drawn.
  func rows(_ range: Range<Int>, bound: Double) -> [Int] {
    guard range.count > 2 else { return Array(range) }
    var isKept = [Bool](repeating: false, count: range.count)
    isKept[0] = true
    let end = range.upperBound - 1
    var open: [(Int, Int)] = []
    for start in stride(from: range.lowerBound, to: end, by: Thinning.stretch) {
      let stop = min(start + Thinning.stretch, end)
      isKept[stop - range.lowerBound] = true
      open.append((start, stop))
      while let (first, last) = open.popLast() {
        guard let middle = farthest(first, last, bound * bound) else { continue }
        isKept[middle - range.lowerBound] = true
        open.append((first, middle))
        open.append((middle, last))
      }
    }
    return range.filter { isKept[$0 - range.lowerBound] }
  }

  /// The row between two that is farthest from where it would be drawn; nil where none is beyond the bound.
  private func farthest(_ first: Int, _ last: Int, _ square: Double) -> Int? {
    guard last - first > 1 else { return nil }
    let north = latitudes[last] - latitudes[first]
    let east = Thinning.east(longitudes[first], longitudes[last])
    let span = measures[last] - measures[first]
    var greatest = square
    var found: Int?
    for row in (first + 1)..<last {
      let share = span > 0 ? (measures[row] - measures[first]) / span : 0
      let northOff = (latitudes[row] - latitudes[first] - share * north) * Thinning.metresPerDegree
      let eastOff = (Thinning.east(longitudes[first], longitudes[row]) - share * east) * eastScales[row]
      let distance = northOff * northOff + eastOff * eastOff
      if distance > greatest {
        greatest = distance
        found = row
      }
    }
    return found
  }

  /// Degrees east from one longitude to another, the short way round.
  @inline(__always)
  private static func east(_ start: Double, _ end: Double) -> Double {
    let difference = end - start
    if difference > 180 { return difference - 360 }
    return difference < -180 ? difference + 360 : difference
  }
}
