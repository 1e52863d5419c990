public import TrackModel

extension DriveComparisonEngine {
  /// Compares drives like the app, with the result as a ``DriveComparison``.
  ///
  /// Each drive is compared with the first. Its gap is the additional time for the stretch that the mode
  /// selects: the whole trimmed drives for start and end, the part before the anchor for a divergence, and
  /// the part after it for a convergence. Drives that stay within
  /// ``ComparisonSettings/convergenceRadius`` of their first point, or without a duration after trimming,
  /// have no gap and are not ranked. The gap profile, legs, stops, shared distance and uncertainty are empty,
  /// because the app does not compute them.
  ///
  /// The offset of a ``ComparedDrive`` is that of its ``DriveSegment``: seconds on the shared clock at its
  /// start index.
  ///
  /// - Parameters:
  ///   - trails: two or more drives. Their names are the labels.
  ///   - settings: the mode and the thresholds of the app.
  /// - Throws: `usage` for fewer than two drives.
  public static func compare(
    _ trails: [DecodedDrive], settings: ComparisonSettings
  ) throws(TrackError) -> DriveComparison {
    guard trails.count >= 2 else {
      throw TrackError(.usage, "a comparison needs two drives; there are \(trails.count)")
    }
    let alignment = alignment(of: trails, settings: settings)
    let segments = alignment.segments
    let pairs = segments.dropFirst().map { pair(segments[0], $0, alignment.mode, settings) }
    // The first drive is the reference.
    let gaps = [pairs.contains { $0.finalGap != nil } ? 0 : nil] + pairs.map(\.finalGap)
    let ranking = gaps.indices.compactMap { index in gaps[index].map { (index: index, gap: $0) } }
      .sorted { $0.gap < $1.gap }
    let margin = ranking.count > 1 ? ranking[1].gap - ranking[0].gap : 0
    return DriveComparison(
      requestedMode: alignment.requestedMode, mode: alignment.mode,
      fallback: alignment.fellBack ? .noSuchEvent : nil, engine: .app, timing: .even,
      drives: segments.map { compared($0, settings) }, pairs: pairs,
      winner: margin > 0 ? ranking[0].index : nil, margin: margin > 0 ? margin : nil, uncertainty: 0)
  }

  private static func compared(_ segment: DriveSegment, _ settings: ComparisonSettings) -> ComparedDrive {
    let trail = segment.trail
    let count = trail.coordinates.count
    let idleAtStart = detectIdlePeriod(trail, at: .start, threshold: settings.idleSpeedThreshold)
    let idleAtEnd = detectIdlePeriod(trail, at: .end, threshold: settings.idleSpeedThreshold)
    // A drive that never moves is idle throughout. Otherwise the last motion ends before the idle run at the
    // end.
    let last = max(count - 1, 0)
    let firstMoving = idleAtStart.upperBound
    let lastMoving = firstMoving == last ? last : max(idleAtEnd.lowerBound - 1, 0)
    let step = trail.averageTimePerPoint
    return ComparedDrive(
      label: segment.label, source: nil, points: count, startIndex: segment.startIndex,
      endIndex: segment.endIndex, timeOffset: segment.timeOffset, duration: segment.duration,
      distance: Geodesy.length(of: Array(segment.coordinates)), motionStart: Double(firstMoving) * step,
      motionEnd: Double(lastMoving) * step, elapsed: Double(last) * step, stops: [])
  }

  private static func pair(
    _ first: DriveSegment, _ second: DriveSegment, _ mode: ComparisonMode, _ settings: ComparisonSettings
  ) -> PairComparison {
    let walk = PairWalk(first, second, settings)
    func event(_ kind: RouteEvent.Kind, _ sample: PairWalk.Sample, isRepeated: Bool = false) -> RouteEvent {
      let point = walk.anchor(sample)
      return RouteEvent(
        kind: kind, coordinate: point.coordinate,
        elapsed: Paired(
          Double(point.firstIndex) * first.trail.averageTimePerPoint,
          Double(point.secondIndex) * second.trail.averageTimePerPoint),
        position: Paired(Double(point.firstIndex), Double(point.secondIndex)), isRepeated: isRepeated)
    }
    let divergence = DivergenceDetector(settings)
    var convergence = ConvergenceDetector(settings)
    var isApart = false
    var events: [RouteEvent] = []
    for sample in walk.samples {
      if sample.distance <= settings.convergenceRadius { isApart = false }
      if divergence.fires(at: sample, in: walk) {
        events.append(event(.divergence, sample, isRepeated: isApart))
        isApart = true
      }
      if convergence.fires(at: sample) { events.append(event(.convergence, sample)) }
    }
    return PairComparison(
      first: first.id, second: second.id, relation: .shared,
      events: events,
      finalGap: moves(first, settings) && moves(second, settings) ? gap(first, second, mode) : nil)
  }

  /// Whether a drive leaves the surroundings of its first point.
  private static func moves(_ segment: DriveSegment, _ settings: ComparisonSettings) -> Bool {
    guard let first = segment.trail.coordinates.first else { return false }
    return segment.trail.coordinates.contains {
      Geodesy.distance(from: first, to: $0) > settings.convergenceRadius
    }
  }

  /// Returns the additional seconds of the second drive for the stretch that the mode selects, or `nil` if
  /// either drive has no duration.
  private static func gap(_ first: DriveSegment, _ second: DriveSegment, _ mode: ComparisonMode) -> Double? {
    guard first.duration > 0, second.duration > 0 else { return nil }
    switch mode {
    case .startLocation, .firstConvergence, .lastConvergence:
      return (second.timeOffset + second.duration) - (first.timeOffset + first.duration)
    case .endLocation, .firstDivergence, .lastDivergence:
      return first.timeOffset - second.timeOffset
    }
  }
}
