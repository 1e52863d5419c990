import TrackModel

/// Removes the points of each segment whose positions and times can be interpolated from the others within a
/// tolerance (`LineSimplification`).
public struct SimplifyStage: TrackStage, SegmentStage {
  private let tolerance: Double
  var accumulator = SegmentAccumulator()
  private var total = 0
  private var removed = 0
  private var details = 0

  /// Creates a stage for one stream.
  ///
  /// - Parameter metres: the largest error, not negative; 0 removes only points exactly on the line.
  public init(metres: Double) { tolerance = metres >= 0 ? metres : 0 }

  public var summary: String? {
    Counted.leftOut("simplify", removed, of: total).map { $0 + Counted.details(details) }
  }

  mutating func changed(_ points: PointColumns) -> PointColumns {
    let times = points.times
    let rows = LineSimplification.rows(
      0..<points.count, latitudes: points.latitudes, longitudes: points.longitudes, tolerance: tolerance
    ) { times[$0] == Instant.absent ? .nan : Double(times[$0]) }
    total += points.count
    guard rows.count < points.count else { return points }
    let result = points.rows(at: rows)
    removed += points.count - result.count
    details += points.details.count - result.details.count
    return result
  }
}
