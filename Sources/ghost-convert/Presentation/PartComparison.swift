import DriveMatching
import GhostExport
import GhostModel
import TrackModel

/// Compares parts of drives between the same positions, such as laps or passages of a segment.
enum PartComparison {
  /// The number of parts that are drawn.
  private static let shown = 10

  /// Compares parts with the first part.
  ///
  /// If there are more than two parts, the document ranks all of them leg by leg, and draws the first parts
  /// and the last part.
  ///
  /// - Parameter traces: at least two parts with different labels.
  static func document(_ title: String, _ traces: [TimedDrive]) throws(TrackError) -> ComparisonDocument {
    var drawn = Array(traces.indices.prefix(shown))
    if traces.count > shown { drawn.append(traces.count - 1) }
    var settings = ComparisonSettings()
    // A part begins at its gate, not at the first motion.
    settings.trimStartIdle = false
    let compared = drawn.map { traces[$0] }
    var document = ComparisonDocument(
      try DriveComparison.compare(compared, settings: settings), traces: compared)
    guard traces.count > 2 else { return document }
    let map = RouteMap(traces[0])
    let passages = traces.map { map.passage(of: $0) }
    document.route = RouteFigures(
      title: title, labels: traces.map(\.label), marks: map.marks, passages: passages,
      comparison: RouteComparison(map, passages), shown: drawn)
    return document
  }
}
