import TrackModel

/// The total of a column of distances in metres. Loggers restart their totals, for example in each lap, or
/// write the distance since the last row.
struct CSVDistance {
  /// Whether a value is the distance since the last row.
  let isPerRow: Bool
  private var last = 0.0
  /// The distance of the values before the last restart.
  private var offset = 0.0

  init(isPerRow: Bool) { self.isPerRow = isPerRow }

  /// Returns the total at the next value.
  mutating func total(_ value: Double) -> Double {
    guard value.isFinite else { return value }
    if isPerRow {
      offset += max(value, 0)
      return offset
    }
    if value < last * Self.restart { offset += last }
    last = value
    return offset + value
  }

  /// The share of the last total below which a value is that after a restart.
  private static let restart = 0.5

  // MARK: Detection

  /// The meaning of a column of distances.
  enum Meaning: Equatable {
    /// The positions are too few or too close to show it.
    case unknown
    case total(CSVUnit)
    case perRow(CSVUnit)
    /// The distances are not those between the positions.
    case other
  }

  /// The length of a path in metres from which the errors of positions do not matter, and the length of its
  /// parts.
  static let shortestPath = 100.0
  static let part = 15.0
  /// The ranges of a distance's share of the path.
  private static let shareOfTotal = 0.5...2.0
  private static let shareOfRows = 0.67...1.5
  /// The number of rows for each restart of a total.
  private static let rowsPerRestart = 20

  /// Compares distances with the path between their positions.
  ///
  /// - Parameter unit: the unit of the heading. Without one, it is metres or kilometres.
  static func meaning(of rows: [(distance: Double, coordinate: Coordinate)], unit: CSVUnit) -> Meaning {
    guard let first = rows.first else { return .unknown }
    var path = 0.0
    var anchor = first.coordinate
    var rise = 0.0
    var sum = 0.0
    var restarts = 0
    for (row, next) in zip(rows, rows.dropFirst()) {
      let length = Geodesy.sphericalDistance(from: anchor, to: next.coordinate)
      if length >= part {
        path += length
        anchor = next.coordinate
      }
      sum += unit.converted(next.distance)
      let change = unit.converted(next.distance) - unit.converted(row.distance)
      if next.distance < row.distance * restart { rise += unit.converted(next.distance) }
      if change > 0 { rise += change }
      if change < 0 { restarts += 1 }
    }
    guard path >= shortestPath else { return .unknown }
    for candidate in unit.isOwn ? [unit, .kilometres] : [unit] {
      let factor = candidate.converted(1) / unit.converted(1)
      if shareOfTotal.contains(rise * factor / path), restarts <= max(1, rows.count / rowsPerRestart) {
        return .total(candidate)
      }
      if shareOfRows.contains(sum * factor / path) { return .perRow(candidate) }
    }
    return .other
  }
}
