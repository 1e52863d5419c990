import GhostModel
import TrackModel

/// The anchors of a comparison: the ends of the shared road, divergences and convergences, and which of them
/// is the alignment point.
enum AnchorLayer {
  static let color = ExportColor(0xFFFFFF)

  /// The anchors of a pair, in driving order.
  static func features(
    _ document: ComparisonDocument, _ pair: PairComparison, _ clock: ExportClock
  ) -> [LayerFeature] {
    let mode = document.comparison.mode
    let anchors = pair.anchors(mode)
    let aligned = pair.alignmentAnchorIndex(mode, among: anchors)
    let second = document.comparison.drives[pair.second].label
    var numbers: [PairAnchor.Kind: Int] = [:]
    return anchors.enumerated().map { index, anchor in
      numbers[anchor.kind, default: 0] += 1
      var name = anchor.kind.words
      if anchor.kind == .divergence || anchor.kind == .convergence {
        name += " (\(numbers[anchor.kind] ?? 1))"
      }
      if document.traces.count > 2 { name += ", \(second)" }
      if index == aligned { name += " (aligned here)" }
      return LayerFeature(
        kind: anchor.kind.rawValue, name: name, shape: .point(anchor.coordinate), color: color,
        time: clock.time(anchor.elapsed.first, of: pair.first), table: table(document, pair, anchor, clock))
    }
  }

  private static func table(
    _ document: ComparisonDocument, _ pair: PairComparison, _ anchor: PairAnchor, _ clock: ExportClock
  ) -> FactTable {
    let first = document.comparison.drives[pair.first].label
    let second = document.comparison.drives[pair.second].label
    let firstTime = clock.time(anchor.elapsed.first, of: pair.first)
    let secondTime = clock.time(anchor.elapsed.second, of: pair.second)
    let gap = secondTime - firstTime
    var table = FactTable(headings: [first, second])
    table.add(
      "Since its start", Fact("first_elapsed_s", .duration(anchor.elapsed.first)),
      Fact("second_elapsed_s", .duration(anchor.elapsed.second)))
    table.add(
      "Since noon on the shared clock", Fact("first_time_s", .change(firstTime)),
      Fact("second_time_s", .change(secondTime)))
    table.add("Ahead", Fact("ahead", .text(Quantity.ahead(gap, first, second))))
    table.add("Gap", Fact("gap_s", .change(gap)))
    return table
  }
}

extension PairAnchor.Kind {
  fileprivate var words: String {
    switch self {
    case .start: "Start of the shared road"
    case .divergence: "Divergence"
    case .convergence: "Convergence"
    case .end: "End of the shared road"
    }
  }
}
