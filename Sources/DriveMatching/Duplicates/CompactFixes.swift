import CMath
import TrackModel

/// Positions over time, in 12 bytes per fix.
struct CompactFixes: Sendable, Hashable {
  /// Per fix: the seconds since the first one, ascending, and the position in 1e-7 degrees (1 cm).
  private(set) var elapsed: [Float] = []
  private(set) var latitudes: [Int32] = []
  private(set) var longitudes: [Int32] = []

  /// The number of fixes.
  var count: Int { elapsed.count }
  var indices: Range<Int> { elapsed.indices }

  func coordinate(at row: Int) -> Coordinate {
    Coordinate(latitude: Double(latitudes[row]) / 1e7, longitude: Double(longitudes[row]) / 1e7)
  }

  /// Returns the greater of the differences in latitude and longitude of two fixes with the same row, in
  /// 1e-7 degrees.
  func difference(at row: Int, to other: CompactFixes) -> Int64 {
    let north = abs(Int64(latitudes[row]) - Int64(other.latitudes[row]))
    let east = abs(Int64(longitudes[row]) - Int64(other.longitudes[row]))
    return max(north, min(east, 3_600_000_000 - east))
  }

  mutating func append(_ coordinate: Coordinate, _ seconds: Double) {
    elapsed.append(Float(seconds))
    latitudes.append(Int32((coordinate.latitude * 1e7).rounded()))
    longitudes.append(Int32((coordinate.longitude * 1e7).rounded()))
  }

  mutating func append(_ fixes: CompactFixes) {
    elapsed += fixes.elapsed
    latitudes += fixes.latitudes
    longitudes += fixes.longitudes
  }

  /// Returns some of the fixes.
  subscript(rows: Range<Int>) -> CompactFixes {
    var part = CompactFixes()
    part.elapsed = Array(elapsed[rows])
    part.latitudes = Array(latitudes[rows])
    part.longitudes = Array(longitudes[rows])
    return part
  }

  /// Returns some of the fixes.
  subscript(rows: [Int]) -> CompactFixes {
    var part = CompactFixes()
    part.elapsed = rows.map { elapsed[$0] }
    part.latitudes = rows.map { latitudes[$0] }
    part.longitudes = rows.map { longitudes[$0] }
    return part
  }

  /// The region with all positions, or `nil` without fixes.
  var region: Region? {
    guard let south = latitudes.min(), let north = latitudes.max(), let west = longitudes.min(),
      let east = longitudes.max()
    else { return nil }
    return Region(latitudes: south...north, longitudes: west...east)
  }

  /// A range of latitudes and longitudes in 1e-7 degrees.
  struct Region: Sendable, Hashable {
    var latitudes: ClosedRange<Int32>
    var longitudes: ClosedRange<Int32>

    /// The distance between regions that are not near each other, in 1e-7 degrees of latitude: 2 km.
    private static let reach = 180_000.0

    /// Whether the distance to another region is at most two kilometres.
    func isNear(_ other: Region) -> Bool {
      guard Self.gap(latitudes, other.latitudes) <= Self.reach else { return false }
      let north = [latitudes, other.latitudes].map { max(abs($0.lowerBound), abs($0.upperBound)) }.max() ?? 0
      let circle = cos(Double(north) / 1e7 * .pi / 180)
      let gap = Self.gap(longitudes, other.longitudes)
      // Across the antimeridian.
      let east = max(longitudes.upperBound, other.longitudes.upperBound)
      let west = min(longitudes.lowerBound, other.longitudes.lowerBound)
      return min(gap, 3.6e9 - (Double(east) - Double(west))) * circle <= Self.reach
    }

    private static func gap(_ first: ClosedRange<Int32>, _ second: ClosedRange<Int32>) -> Double {
      Double(max(first.lowerBound, second.lowerBound)) - Double(min(first.upperBound, second.upperBound))
    }
  }
}
