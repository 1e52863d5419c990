public import TrackModel

/// Removes invalid points that an import recognises: isolated fixes at 0°, 0°, fixes with a wrong time, and
/// exact repetitions of earlier points.
///
/// Precedes stages that interpolate points, which would spread the error. Each segment or route is examined
/// separately.
public struct RepairStage: TrackStage, SegmentStage {
  private let keepsEnds: Bool
  var accumulator = SegmentAccumulator()
  private var isCoarse = false
  private var total = 0
  private var removed = 0

  /// Creates a stage for one stream.
  ///
  /// - Parameter keepsEnds: whether to keep a few fixes at the start or the end that are hours apart from the
  ///   others, because the track will be split there.
  public init(keepsEnds: Bool = false) { self.keepsEnds = keepsEnds }

  public var summary: String? { Counted.leftOut("wrong times or positions", removed, of: total) }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    if case .beginTrack(let info) = event { isCoarse = info.resolution != nil }
    collect(event, &output)
  }

  mutating func changed(_ points: PointColumns) -> PointColumns {
    total += points.count
    var result = points
    drop(NullIsland.isolatedFixes(of: result), from: &result)
    drop(repetitions(in: result), from: &result)
    // Sources with infrequent times have long gaps.
    if !isCoarse {
      drop(
        ClockErrors.rows(
          times: result.times, latitudes: result.latitudes, longitudes: result.longitudes,
          keepsEnds: keepsEnds), from: &result)
    }
    let strays = StrayTimes.indices(in: result.times)
    if strays.count <= StrayTimes.limit(of: result.times.count { $0 != Instant.absent }) {
      drop(strays, from: &result)
    }
    return result
  }

  private mutating func drop(_ rows: [Int], from points: inout PointColumns) {
    guard !rows.isEmpty else { return }
    removed += rows.count
    let dropped = Set(rows)
    points = points.rows(at: (0..<points.count).filter { !dropped.contains($0) })
  }

  /// The points of repeated stretches, which have the time and position of an earlier point.
  private func repetitions(in points: PointColumns) -> [Int] {
    var repeated: [Int] = []
    // Rows with ascending times.
    var kept: [Int] = []
    var isRepeating = false
    for row in 0..<points.count where points.times[row] != Instant.absent {
      let time = points.times[row]
      guard let last = kept.last, time <= points.times[last] else {
        kept.append(row)
        isRepeating = false
        continue
      }
      let first = kept.partitionIndex { points.times[$0] >= time }
      let known = kept[first]
      isRepeating =
        (isRepeating || time < points.times[last]) && points.times[known] == time
        && points.latitudes[known] == points.latitudes[row]
        && points.longitudes[known] == points.longitudes[row]
      if isRepeating { repeated.append(row) }
    }
    return repeated
  }
}
