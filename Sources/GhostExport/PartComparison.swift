package import DriveMatching
package import GhostModel
package import TrackModel

/// Compares parts of drives between the same positions, such as laps or passages of a segment.
package enum PartComparison {
  /// Compares parts with the first part.
  ///
  /// If there are more than two parts, the document ranks all of them leg by leg.
  ///
  /// - Parameters:
  ///   - traces: at least two parts with different labels.
  ///   - shown: the number of parts that are drawn, in addition to the last part.
  ///   - uncertainties: one standard deviation of the duration of each part in seconds.
  ///   - laps: the laps that the parts are, whose sectors become the legs.
  package static func document(
    _ title: String, _ traces: [TimedDrive], uncertainties: [Double], laps: [TimedLap] = [], shown: Int = .max
  ) throws(TrackError) -> ComparisonDocument {
    var drawn = Array(traces.indices.prefix(shown))
    if traces.count > shown { drawn.append(traces.count - 1) }
    var settings = ComparisonSettings()
    settings.areParts = true
    // A part begins at its gate, not at the first motion.
    settings.trimStartIdle = false
    let compared = drawn.map { traces[$0] }
    var comparison = try DriveComparison.compare(compared, settings: settings)
    comparison.setUncertainties(ofParts: drawn.map { uncertainties[$0] })
    if !laps.isEmpty { comparison.setLegs(sectorsOf: drawn.map { laps[$0] }) }
    var document = ComparisonDocument(comparison, traces: compared)
    guard traces.count > 2 else { return document }
    let map = RouteMap(traces[0], settings: settings)
    let passages = traces.map { map.passage(of: $0) }
    var ranking = RouteComparison(map, passages)
    ranking.setLegs(sectorsOf: laps, reference: traces[0])
    document.route = RouteFigures(
      title: title, labels: traces.map(\.label), marks: map.marks, passages: passages,
      comparison: ranking, shown: drawn)
    return document
  }
}
