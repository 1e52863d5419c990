import GhostModel
import TrackModel

/// The layers of a comparison that all formats share. Each writer renders them in its own way.
struct ComparisonLayers: Sendable {
  /// The names of the drives.
  var title: String
  /// Sentences about the result and the layers.
  var notes: [String]
  /// One layer per drive, in the order of the comparison.
  var drives: [DriveLayer]
  /// One layer per pair that shares road.
  var gaps: [GapLayer]
  var detours: [LayerFeature]
  var anchors: [LayerFeature]
  var stops: [LayerFeature]
  var legend: Legend
  /// The time range of all layers in seconds on the shared clock, or `nil` if nothing is shown.
  var span: ClosedRange<Double>?

  /// The number of positions that viewers draw without delay.
  static let budget = 20_000

  init(_ document: ComparisonDocument, full: Bool) {
    let pairs = document.comparison.pairs
    let thinned = full ? nil : ThinnedTraces(document.traces, budget: ComparisonLayers.budget)
    func rows(_ drive: Int, _ range: Range<Int>) -> [Int] { thinned?.rows(drive, range) ?? Array(range) }
    let clock = ExportClock(document)
    title = Quantity.list(document.comparison.drives.map(\.label))
    drives = document.traces.indices.map { drive in
      DriveLayer(document, drive: drive, clock) { rows(drive, $0) }
    }
    let scale =
      pairs.contains { $0.profile.count > 1 }
      ? GapColors(gaps: pairs.flatMap(\.profile.gaps), uncertainty: pairs.map(\.uncertainty).max() ?? 0) : nil
    gaps =
      scale.map { scale in
        pairs.filter { $0.profile.count > 1 }
          .map { GapLayer(document, $0, scale: scale, bound: thinned?.bound) }
      } ?? []
    detours = pairs.flatMap { DetourLayer.features(document, $0, clock, rows: rows) }
    anchors = pairs.flatMap { AnchorLayer.features(document, $0, clock) }
    stops = document.traces.indices.flatMap { StopLayer.features(document, drive: $0, clock) }
    legend = Legend(document, scale)
    let ends = drives.flatMap(\.runs).flatMap { [$0.times.first, $0.times.last].compactMap(\.self) }
    span = ends.min().flatMap { first in ends.max().map { first...max(first, $0) } }
    notes = ComparisonNotes.sentences(document, bound: thinned?.bound)
  }
}
