/// One step in a stream of tracks.
///
/// A stream follows this grammar, where `x*` is any number of x and `late` is an ``annotation(_:)``:
///
///     file    := header (waypoint | route | track | late)*
///     route   := beginRoute (points | late)* endRoute
///     track   := beginTrack (segment | late)* endTrack
///     segment := beginSegment (points | late)* endSegment
///
/// Structure is rare and travels in the event; points are many and travel in the batch beside it. A container
/// appears even when it is empty. A `points` event has at least one row, and its rows follow those of the
/// `points` event before in the same segment.
///
/// What cases carry is boxed, so that an event is one word wide: millions of steps only say `points` or
/// nothing.
public indirect enum TrackEvent: Sendable, Equatable {
  /// The beginning of the file; the first event, once.
  case header(FileInfo)
  case waypoint(Waypoint)
  case beginRoute(TrackInfo)
  case endRoute
  case beginTrack(TrackInfo)
  /// A stretch of track without an interruption of the recording.
  case beginSegment
  /// The rows of the batch belong to the open segment or route.
  case points
  case endSegment
  case endTrack
  /// What a file says too late for the event it belongs to, or about a container that has no event for it.
  case annotation(Annotation)
}

/// More about a container that is already open.
public enum Annotation: Sendable, Equatable {
  /// More about the file; merged into its header by ``FileInfo/merge(_:)``.
  case file(FileInfo)
  /// More about the open track or route; merged by ``TrackInfo/merge(_:)``.
  case track(TrackInfo)
  /// What the model has no place for, about the innermost open container: segment, track, route or file.
  case extensions([ExtensionElement])
}
