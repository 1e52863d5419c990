/// How far the second drive is behind the first, along the road that both drove.
///
/// Columns of equal length, a row per place in driving order. A place where a drive stands has two rows, with
/// the time of its arrival and of its departure; the other drive's time is the same in both.
public struct GapProfile: Sendable, Hashable {
  /// Degrees north, on the first drive.
  public var latitudes: [Double] = []
  /// Degrees east, on the first drive.
  public var longitudes: [Double] = []
  /// Metres along the first drive, not descending.
  public var distances: [Double] = []
  /// Seconds since the first drive's first recorded point, not descending.
  public var firstElapsed: [Double] = []
  /// Seconds since the second drive's first recorded point, not descending.
  public var secondElapsed: [Double] = []
  /// Seconds by which the second drive is behind the first where both are lined up; negative where it is
  /// ahead.
  public var gaps: [Double] = []
  /// The first row of each stretch of shared road, ascending from 0; between two stretches lies a detour or a
  /// part that is unknown, over which no line should be drawn.
  public var stretchStarts: [Int] = []

  public init() {}

  /// The number of rows.
  public var count: Int { gaps.count }

  /// The rows of each stretch.
  public var stretches: [Range<Int>] {
    stretchStarts.indices.map { index in
      stretchStarts[index]..<(index + 1 < stretchStarts.count ? stretchStarts[index + 1] : count)
    }
  }
}
