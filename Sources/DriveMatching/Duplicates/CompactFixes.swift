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
}
