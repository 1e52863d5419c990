/// Where the clocks of two drives are set to the same time, and what the gap is from there on.
struct LineUp {
  /// The mode that was used.
  private(set) var mode: ComparisonMode
  private(set) var fallback: DriveComparison.Fallback?
  /// Seconds since the first recorded point of each drive: the same moment once lined up.
  private(set) var anchor: Paired<Double>
  /// Seconds that the second drive lost on the compared stretch; nil where nothing is shared.
  private(set) var finalGap: Double?
  /// The ends of the compared stretch.
  private(set) var compared: (from: SharedRoad.Place, to: SharedRoad.Place)?

  /// For drives that share nothing: both as they began to move.
  init(_ lines: Paired<RoadLine>, _ settings: ComparisonSettings, because fallback: DriveComparison.Fallback)
  {
    mode = .startLocation
    self.fallback = fallback
    anchor = settings.trimStartIdle ? Paired(lines.first.motionStart, lines.second.motionStart) : Paired(0, 0)
  }

  init?(
    _ passages: Passages, _ events: [(event: RouteEventSearch.Event, elapsed: Paired<Double>)],
    _ requested: ComparisonMode, _ settings: ComparisonSettings
  ) {
    guard let first = passages.rows.first, let last = passages.rows.last else { return nil }
    let start = Self.start(passages, settings) ?? first
    let end = Self.end(passages) ?? last
    let event: (event: RouteEventSearch.Event, elapsed: Paired<Double>)? =
      switch requested {
      case .startLocation, .endLocation: nil
      case .firstDivergence: events.first { $0.event.kind == .divergence }
      case .lastDivergence: events.last { $0.event.kind == .divergence }
      case .firstConvergence: events.first { $0.event.kind == .convergence }
      case .lastConvergence: events.last { $0.event.kind == .convergence }
      }
    mode = requested
    var from = start
    if requested == .endLocation {
      anchor = end.elapsed
    } else if let event {
      anchor = event.elapsed
      from = Passages.Row(place: event.event.place, elapsed: event.elapsed)
    } else {
      anchor = start.elapsed
      if requested != .startLocation {
        mode = .startLocation
        fallback = .noSuchEvent
      }
    }
    compared = (from.place, end.place)
    finalGap = end.gap - from.gap
  }

  /// The last row at the first place, when both leave it; the first, when both are there, where idle counts.
  private static func start(_ passages: Passages, _ settings: ComparisonSettings) -> Passages.Row? {
    guard settings.trimStartIdle, let first = passages.rows.first else { return passages.rows.first }
    return passages.rows.prefix { $0.place == first.place }.last
  }

  /// The first row at the last place, when each arrives there.
  private static func end(_ passages: Passages) -> Passages.Row? {
    guard let last = passages.rows.last else { return nil }
    let same = passages.rows.reversed().prefix { $0.place == last.place }
    return same.last
  }
}
