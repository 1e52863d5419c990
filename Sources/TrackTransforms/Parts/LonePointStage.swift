public import TrackModel

/// Removes segments and routes of a single point.
public struct LonePointStage: SegmentStage {
  var accumulator = SegmentAccumulator()
  private var removed = 0

  /// Creates a stage for one stream.
  public init() {}

  public var summary: String? { nil }

  public var warnings: [TrackWarning] {
    removed == 0
      ? [] : [TrackWarning(.shortPart, "part of fewer than two points skipped", count: removed)]
  }

  mutating func changed(_ points: PointColumns) -> PointColumns {
    guard points.count < 2 else { return points }
    removed += 1
    return PointColumns()
  }
}

extension TrackWarning.Code {
  /// A part of a track has fewer than two points and is skipped.
  public static let shortPart = Self("short-part")
}
