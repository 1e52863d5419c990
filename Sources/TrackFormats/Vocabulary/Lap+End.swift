import TrackModel

extension Lap {
  /// The end of the elapsed time, or nil if it or the start is unknown.
  var end: Instant? { elapsedTime.flatMap { start?.advanced(bySeconds: $0) } }
}
