import TrackModel

/// Removes the points of each segment whose positions and times can be interpolated from the others within a
/// tolerance (`LineSimplification`).
public struct SimplifyStage: TrackStage, SegmentStage {
  private let tolerance: Double
  private let zones: PrivacyZones
  var accumulator = SegmentAccumulator()
  private var total = 0
  private var removed = 0
  private var details = 0

  /// Creates a stage for one stream.
  ///
  /// - Parameters:
  ///   - metres: the largest error, not negative; 0 removes only points exactly on the line.
  ///   - circles: the privacy zones that the points are outside of. All points of a part are kept whose line
  ///     would touch one.
  public init(metres: Double, outside circles: [PrivacyStage.Circle] = []) {
    tolerance = metres >= 0 ? metres : 0
    zones = PrivacyZones(circles)
  }

  public var summary: String? {
    Counted.leftOut("simplify", removed, of: total).map { $0 + Counted.details(details) }
  }

  mutating func changed(_ points: PointColumns) -> PointColumns {
    let times = points.times
    var rows = LineSimplification.rows(
      0..<points.count, latitudes: points.latitudes, longitudes: points.longitudes, tolerance: tolerance
    ) { times[$0] == Instant.absent ? .nan : Double(times[$0]) }
    if !zones.isEmpty { rows = withDetours(rows, points) }
    total += points.count
    guard rows.count < points.count else { return points }
    let result = points.rows(at: rows)
    removed += points.count - result.count
    details += points.details.count - result.details.count
    return result
  }

  /// Returns rows with those between two of them whose line touches a zone.
  private func withDetours(_ rows: [Int], _ points: PointColumns) -> [Int] {
    guard var last = rows.first else { return rows }
    var result = [last]
    for row in rows.dropFirst() {
      let isTouching =
        row > last + 1
        && !zones.crossed(from: points.coordinate(at: last), to: points.coordinate(at: row)).isEmpty
      result += isTouching ? Array(last + 1...row) : [row]
      last = row
    }
    return result
  }
}
