import GhostModel
import TrackModel

/// The alignment of the clocks of two drives, and the resulting gap.
struct TimeAlignment {
  /// The mode that was used.
  private(set) var mode: ComparisonMode
  private(set) var fallback: DriveComparison.Fallback?
  /// The elapsed time of each drive at the alignment point, in seconds since its first recorded point.
  private(set) var anchor: Paired<Double>
  /// The seconds that the second drive lost on the compared stretch, or `nil` if nothing is shared.
  private(set) var finalGap: Double?
  /// The ends of the compared stretch.
  private(set) var compared: (from: SharedRoad.Place, to: SharedRoad.Place)?

  /// The alignment of drives that share no road: the times at which they began to move.
  init(
    _ lines: Paired<MatchablePolyline>, _ settings: ComparisonSettings,
    because fallback: DriveComparison.Fallback
  ) {
    mode = .startLocation
    self.fallback = fallback
    anchor = settings.trimStartIdle ? Paired(lines.first.motionStart, lines.second.motionStart) : Paired(0, 0)
  }

  init?(
    _ lines: Paired<MatchablePolyline>, _ passingTimes: PassingTimes,
    _ events: [(event: RouteEventSearch.Event, elapsed: Paired<Double>)],
    _ requested: ComparisonMode, _ settings: ComparisonSettings
  ) {
    guard let first = passingTimes.rows.first, let last = passingTimes.rows.last else { return nil }
    var start = first
    if !settings.trimStartIdle {
      // Timing then starts with the recordings that start here.
      if lines.first.begins(near: first.place.first) { start.elapsed.first = 0 }
      if lines.second.begins(near: first.place.second) { start.elapsed.second = 0 }
    }
    // From an event at the end of the shared road on, nothing is compared.
    let inside = events.filter { $0.event.place.first < last.place.first }
    let event = requested.event(among: inside) { $0.event.kind }
    mode = requested
    var from = start
    if requested == .endLocation {
      anchor = last.elapsed
    } else if let event {
      anchor = event.elapsed
      from = PassingTimes.Row(place: event.event.place, elapsed: event.elapsed)
    } else {
      anchor = start.elapsed
      if requested != .startLocation {
        mode = .startLocation
        fallback = .noSuchEvent
      }
    }
    compared = (from.place, last.place)
    finalGap = last.gap - from.gap
  }
}

extension MatchablePolyline {
  /// Whether the recording begins at a position, or was stationary near it at first.
  fileprivate func begins(near distance: Double) -> Bool {
    distance == 0 || atStart.isStationary && distance <= StretchEnd.leastReach
  }
}
