public import TrackModel

/// Leaves out points that no vehicle can have been at: `--drop-spikes`.
///
/// A point is a spike where getting to it and away from it both need an impossible speed, while its neighbours
/// can be reached from each other without it; at the ends of a segment one neighbour decides together with the
/// one behind it. Points without times are never spikes.
public struct SpikeStage: TrackStage {
  /// 100 m/s is 360 km/h.
  public static let defaultSpeed = 100.0

  private let speed: Double
  private var gathering = SegmentGathering()
  private var total = 0
  private var removed = 0

  /// - Parameter speed: the greatest possible one, in metres per second.
  public init(speed: Double = SpikeStage.defaultSpeed) { self.speed = speed }

  public var summary: String? { Counted.leftOut("drop-spikes", removed, of: total) }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    gathering.take(event, batch, &output) { [speed] points in
      let rows = SpikeStage.rows(of: points, speed: speed)
      total += points.count
      removed += points.count - rows.count
      return rows.count == points.count ? points : points.rows(at: rows)
    }
  }

  public mutating func finish(_ output: inout StageOutput) {
    gathering.finish(&output) { $0 }
  }

  /// The rows that stay, ascending.
  static func rows(of points: PointColumns, speed limit: Double) -> [Int] {
    guard points.count > 2 else { return Array(0..<points.count) }
    func isImpossible(_ first: Int, _ second: Int) -> Bool {
      guard let start = points.time(at: first), let end = points.time(at: second) else { return false }
      let distance = Geodesy.distance(from: points.coordinate(at: first), to: points.coordinate(at: second))
      // Fixes of one moment may differ by what fixes differ by.
      let seconds = max(abs(end.seconds(since: start)), 0.1)
      return distance > limit * seconds && distance > 50
    }
    let last = points.count - 1
    var kept: [Int] = []
    for row in 0...last {
      let isSpike: Bool
      if row == 0 {
        isSpike = isImpossible(0, 1) && isImpossible(0, 2) && !isImpossible(1, 2)
      } else if row == last {
        isSpike =
          kept.count > 1 && isImpossible(kept[kept.count - 1], row) && isImpossible(kept[kept.count - 2], row)
          && !isImpossible(kept[kept.count - 2], kept[kept.count - 1])
      } else {
        // Against the last point that stayed, so that a run of spikes goes as a whole.
        let before = kept.last ?? row - 1
        isSpike = isImpossible(before, row) && (isImpossible(row, row + 1) || !isImpossible(before, row + 1))
      }
      if !isSpike { kept.append(row) }
    }
    // Where most of the points would go the limit is wrong, not the points.
    return kept.count * 2 < points.count ? Array(0...last) : kept
  }
}
