import GhostModel
import TrackModel

/// A place that the comparison of two drives hangs on.
struct PairAnchor: Sendable, Equatable {
  enum Kind: String, Sendable {
    /// The shared road begins.
    case start
    /// The ways part.
    case divergence
    /// The ways meet.
    case convergence
    /// The shared road ends.
    case end
  }

  var kind: Kind
  var coordinate: Coordinate
  /// Seconds since the first recorded point of each drive.
  var elapsed: Paired<Double>
}

extension PairComparison {
  /// Where the shared road begins and ends, and where the ways part and meet in between, in driving order.
  ///
  /// Standing at an end of the road does not count: of several moments at one end it is the one that the
  /// drives are lined up by, or the departure from the start and the arrival at the end. Divergences of one
  /// detour are one: the one that the drives are lined up by, or the first.
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

  /// The anchor at which both clocks are set to the same time; nil where the drives have no such place.
  func lineUp(_ mode: ComparisonMode) -> PairAnchor? {
    let anchors = anchors(mode)
    return lineUpIndex(mode, among: anchors).map { anchors[$0] }
  }

  /// The index of that anchor.
  func lineUpIndex(_ mode: ComparisonMode, among anchors: [PairAnchor]) -> Int? {
    switch mode {
    case .startLocation: anchors.firstIndex { $0.kind == .start }
    case .endLocation: anchors.lastIndex { $0.kind == .end }
    case .firstDivergence: anchors.firstIndex { $0.kind == .divergence }
    case .lastDivergence: anchors.lastIndex { $0.kind == .divergence }
    case .firstConvergence: anchors.firstIndex { $0.kind == .convergence }
    case .lastConvergence: anchors.lastIndex { $0.kind == .convergence }
    }
  }
}
