import TrackModel

/// Removes points that a vehicle cannot have reached.
///
/// A run of up to 30 points is a spike if moving to it and away from it both require an impossible speed,
/// while its neighbours can be reached from each other. If the preceding point was itself reached at an
/// impossible speed, the recording is fast and there is no spike, so flights are kept. A single point at the
/// end of a segment is a spike if its two nearest points can be reached from each other but not from it. A
/// jump after which the line continues is not a spike. Points without times are never spikes. Isolated points
/// at 0°, 0° always are.
public struct SpikeStage: TrackStage, SegmentStage {
  /// 100 m/s is 360 km/h.
  public static let defaultSpeed = 100.0
  /// The largest number of points in a spike.
  static let longestRun = 30

  private let speed: Double
  var accumulator = SegmentAccumulator()
  private var total = 0
  private var removed = 0

  /// Creates a stage for one stream.
  ///
  /// - Parameter speed: the highest possible speed, in metres per second.
  public init(speed: Double = SpikeStage.defaultSpeed) { self.speed = speed }

  public var summary: String? { Counted.leftOut("drop-spikes", removed, of: total) }

  mutating func changed(_ points: PointColumns) -> PointColumns {
    let nullFixes = Set(NullIsland.isolatedFixes(of: points))
    let positioned =
      nullFixes.isEmpty ? points : points.rows(at: (0..<points.count).filter { !nullFixes.contains($0) })
    let rows = SpikeSearch(points: positioned, speed: speed).rows
    total += points.count
    removed += points.count - rows.count
    return rows.count == positioned.count ? positioned : positioned.rows(at: rows)
  }
}

private struct SpikeSearch {
  let points: PointColumns
  let speed: Double

  private var last: Int { points.count - 1 }

  /// The rows to keep, ascending.
  var rows: [Int] {
    guard points.count > 2 else { return Array(0..<points.count) }
    var kept: [Int] = []
    var row = isImpossible(0, 1) && isImpossible(0, 2) && !isImpossible(1, 2) ? 1 : 0
    while row < points.count {
      if let before = kept.last, let back = back(from: row, to: before, behind: kept.dropLast().last) {
        row = back
      } else {
        kept.append(row)
        row += 1
      }
    }
    if let end = kept.last, end == last, kept.count > 2 {
      let near = kept[kept.count - 2]
      let far = kept[kept.count - 3]
      if isImpossible(near, end), isImpossible(far, end), !isImpossible(far, near) { kept.removeLast() }
    }
    // If most of the points would be removed, the limit is wrong, not the points.
    return kept.count * 2 < points.count ? Array(0...last) : kept
  }

  /// Returns the first row after the spike that begins at `row`, or nil if no spike begins there.
  ///
  /// - Parameters:
  ///   - before: the last row that was kept.
  ///   - earlier: the kept row before that row, if any.
  private func back(from row: Int, to before: Int, behind earlier: Int?) -> Int? {
    guard isImpossible(before, row), row < last else { return nil }
    if let earlier, isImpossible(earlier, before) { return nil }
    return ((row + 1)...min(row + SpikeStage.longestRun, last)).first {
      isImpossible($0 - 1, $0) && !isImpossible(before, $0)
    }
  }

  private func isImpossible(_ first: Int, _ second: Int) -> Bool {
    guard let start = points.time(at: first), let end = points.time(at: second) else { return false }
    let distance = Geodesy.distance(from: points.coordinate(at: first), to: points.coordinate(at: second))
    // Fixes with the same time may differ by the accuracy of fixes.
    let seconds = max(abs(end.seconds(since: start)), 0.1)
    return distance > speed * seconds && distance > 50
  }
}
