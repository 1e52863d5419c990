import GhostModel
import TrackModel

/// An anchor of a pair: an end of the shared road, a divergence or a convergence.
struct PairAnchor: Sendable, Equatable {
  enum Kind: String, Sendable {
    /// The start of the shared road.
    case start
    /// The routes diverge.
    case divergence
    /// The routes converge.
    case convergence
    /// The end of the shared road.
    case end
  }

  var kind: Kind
  var coordinate: Coordinate
  /// The elapsed seconds of each drive since its first recorded point.
  var elapsed: Paired<Double>
}

extension PairComparison {
  /// Returns the anchors of a pair in driving order: the start of the shared road, divergences, convergences,
  /// and the end.
  ///
  /// A stop at an end of the road has one anchor: the alignment point, or the departure at the start and the
  /// arrival at the end. Several divergences of one detour are merged into the alignment point, or else into
  /// the first divergence.
  func anchors(_ mode: ComparisonMode) -> [PairAnchor] {
    var anchors: [PairAnchor] = []
    let lastDivergence = events.lastIndex { $0.kind == .divergence }
    for (index, event) in events.enumerated() {
      if event.isRepeated {
        guard mode == .lastDivergence, index == lastDivergence else { continue }
        anchors.lastIndex { $0.kind == .divergence }.map { _ = anchors.remove(at: $0) }
      }
      anchors.append(
        PairAnchor(
          kind: event.kind == .divergence ? .divergence : .convergence, coordinate: event.coordinate,
          elapsed: event.elapsed))
    }
    guard let first = profile.distances.first, let last = profile.distances.last else { return anchors }
    let starts = 0..<profile.distances.prefix { $0 == first }.count
    let ends = (profile.count - profile.distances.reversed().prefix { $0 == last }.count)..<profile.count
    func nearest(_ rows: Range<Int>) -> Int? { rows.min { abs(profile.gaps[$0]) < abs(profile.gaps[$1]) } }
    let start = mode == .startLocation ? nearest(starts) : starts.last
    let end = mode == .endLocation ? nearest(ends) : ends.first
    anchors.insert(anchor(.start, start ?? 0), at: 0)
    anchors.append(anchor(.end, end ?? profile.count - 1))
    return anchors
  }

  private func anchor(_ kind: PairAnchor.Kind, _ row: Int) -> PairAnchor {
    PairAnchor(
      kind: kind,
      coordinate: Coordinate(latitude: profile.latitudes[row], longitude: profile.longitudes[row]),
      elapsed: Paired(profile.firstElapsed[row], profile.secondElapsed[row]))
  }

  /// Returns the anchor at which the drives are aligned, or `nil` without one.
  func alignmentAnchor(_ mode: ComparisonMode) -> PairAnchor? {
    let anchors = anchors(mode)
    return alignmentAnchorIndex(mode, among: anchors).map { anchors[$0] }
  }

  /// The index of the alignment point.
  func alignmentAnchorIndex(_ mode: ComparisonMode, among anchors: [PairAnchor]) -> Int? {
    switch mode {
    case .startLocation: anchors.firstIndex { $0.kind == .start }
    case .endLocation: anchors.lastIndex { $0.kind == .end }
    default: mode.event(among: anchors.indices) { RouteEvent.Kind(rawValue: anchors[$0].kind.rawValue) }
    }
  }
}
