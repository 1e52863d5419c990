import TrackModel

/// The losses of a format that has only points in one sequence: no waypoints, routes, names or bounds between
/// tracks and segments.
struct FlatTracks {
  private var isInSegment = false
  private var segmentHasPoints = false
  private var segmentsWithPoints = 0
  private var trackSegments = 0

  /// Counts the losses of an event.
  ///
  /// - Returns: whether the event has trackpoints for the format. The points of a route are lost with it.
  mutating func take(_ event: TrackEvent, _ losses: inout LossReport) -> Bool {
    switch event {
    case .header(let info), .annotation(.file(let info)): losses.add(words: info)
    case .waypoint: losses.add("waypoints")
    case .beginTrack(let info):
      trackSegments = segmentsWithPoints
      losses.add(words: info)
    case .beginRoute(let info):
      losses.add("routes")
      losses.add(words: info)
    case .beginSegment:
      segmentHasPoints = false
      isInSegment = true
    case .points: return isInSegment
    case .endSegment:
      if segmentHasPoints { segmentsWithPoints += 1 } else { losses.add("segments without points") }
      isInSegment = false
    case .endTrack: if segmentsWithPoints == trackSegments { losses.add("tracks without points") }
    case .endRoute: break
    case .annotation(.track(let info)): losses.add(words: info)
    case .annotation(.extensions(let extensions)): losses.add("extensions", extensions.count)
    }
    return false
  }

  /// Records that a point of the open segment was written.
  mutating func addPoint() { segmentHasPoints = true }

  /// Counts the bounds that were lost, after the last event.
  func finish(_ losses: inout LossReport) {
    losses.add("bounds between segments and tracks", max(segmentsWithPoints - 1, 0))
  }
}
