import TrackModel

/// The gap between two drives along their shared road.
///
/// Columns of equal length with one row per position in driving order. A stop has two rows, with the times of
/// arrival and departure; the other drive's time is the same in both.
public struct GapProfile: Sendable, Hashable {
  /// The latitude on the first drive in degrees.
  public var latitudes: [Double] = []
  /// The longitude on the first drive in degrees.
  public var longitudes: [Double] = []
  /// The distance along the first drive in metres, not descending.
  public var distances: [Double] = []
  /// The elapsed seconds of the first drive, not descending.
  public var firstElapsed: [Double] = []
  /// The elapsed seconds of the second drive, not descending.
  public var secondElapsed: [Double] = []
  /// The gap in seconds after alignment: positive if the second drive is behind, negative if it is ahead.
  public var gaps: [Double] = []
  /// The first row of each stretch of shared road, ascending from 0. Stretches are separated by detours or
  /// gaps in a recording. Do not connect them with lines.
  public var stretchStarts: [Int] = []

  /// Creates an empty profile.
  public init() {}

  /// The number of rows.
  public var count: Int { gaps.count }

  /// The rows of each stretch.
  public var stretches: [Range<Int>] {
    stretchStarts.indices.map { index in
      stretchStarts[index]..<(index + 1 < stretchStarts.count ? stretchStarts[index + 1] : count)
    }
  }

  /// Returns the gap at a distance along the first drive in seconds, interpolated between the given rows, of
  /// which there is at least one.
  package func gap(at distance: Double, in rows: Range<Int>) -> Double {
    guard rows.count > 1 else { return gaps[rows.lowerBound] }
    let next = (rows.lowerBound + 1..<rows.upperBound - 1).partitionIndex { distances[$0] >= distance }
    let start = distances[next - 1]
    let length = distances[next] - start
    let fraction = length > 0 ? max(0, min(1, (distance - start) / length)) : 0
    return gaps[next - 1] + (gaps[next] - gaps[next - 1]) * fraction
  }
}
