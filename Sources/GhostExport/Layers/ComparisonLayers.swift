import GhostModel
import TrackModel

/// What is shown of a comparison, once for all formats: every writer draws these layers in its own way.
struct ComparisonLayers: Sendable {
  /// The names of the drives.
  var title: String
  /// Who won, and what there is to know about the layers, in sentences.
  var notes: [String]
  /// In the order of the comparison.
  var drives: [DriveLayer]
  /// A layer per pair that shares road.
  var gaps: [GapLayer]
  var detours: [LayerFeature]
  var anchors: [LayerFeature]
  var stops: [LayerFeature]
  var legend: Legend
  /// Seconds on the shared clock from the first moment to the last that is shown; nil where nothing is.
  var span: ClosedRange<Double>?

  /// Positions of drives that a viewer draws without effort.
  static let budget = 20_000

  init(_ document: ComparisonDocument, full: Bool) {
    let pairs = document.comparison.pairs
    let thinned = full ? nil : ThinnedTraces(document.traces, budget: ComparisonLayers.budget)
    func rows(_ drive: Int, _ range: Range<Int>) -> [Int] { thinned?.rows(drive, range) ?? Array(range) }
    let clock = SharedClock(document)
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
