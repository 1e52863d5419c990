/// An event of a track stream.
///
/// A stream follows this grammar, where `x*` is any number of x and `late` is an ``annotation(_:)``:
///
///     file    := header (waypoint | route | track | late)*
///     route   := beginRoute (points | late)* endRoute
///     track   := beginTrack (segment | late)* endTrack
///     segment := beginSegment (points | late)* endSegment
///
/// Events carry the structure, and the batch carries the points, which are far more numerous. Empty
/// containers have events too. A `points` event has at least one row, and its rows continue those of the
/// previous `points` event in the same segment.
///
/// Payloads are boxed, so that an event is one word wide: most events are `points` without a payload.
public indirect enum TrackEvent: Sendable, Equatable {
  /// The start of the file. The first event, exactly once.
  case header(FileInfo)
  /// A place that belongs to no track or route. It is complete in the event.
  case waypoint(Waypoint)
  /// The start of a planned route. Its points follow without segments.
  case beginRoute(TrackInfo)
  /// The end of the open route.
  case endRoute
  /// The start of a recorded track. Its segments follow.
  case beginTrack(TrackInfo)
  /// The start of a segment: a part of a track without an interruption of the recording.
  case beginSegment
  /// The rows of the batch belong to the open segment or route.
  case points
  /// The end of the open segment.
  case endSegment
  /// The end of the open track.
  case endTrack
  /// Information that came after the event it belongs to, or that no other event can carry.
  case annotation(TrackAnnotation)
}

/// Additional information about an open container.
public enum TrackAnnotation: Sendable, Equatable {
  /// About the file. Merged into its header by ``FileInfo/merge(_:)``.
  case file(FileInfo)
  /// About the open track or route. Merged by ``TrackInfo/merge(_:)``.
  case track(TrackInfo)
  /// Extensions of the innermost open container: segment, track, route or file.
  case extensions([ExtensionElement])
}
