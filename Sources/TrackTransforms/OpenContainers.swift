import TrackModel

/// The tracks, routes and segments of a stream that are open.
///
/// For stages that emit something at the end of the stream: one that broke off has left them open.
struct OpenContainers: Sendable {
  /// The events that end them, the innermost last.
  private var ends: [TrackEvent] = []

  mutating func take(_ event: TrackEvent) {
    switch event {
    case .beginTrack: ends.append(.endTrack)
    case .beginRoute: ends.append(.endRoute)
    case .beginSegment: ends.append(.endSegment)
    case .endTrack, .endRoute, .endSegment: _ = ends.popLast()
    default: break
    }
  }

  /// Ends all that are open, from the innermost outwards.
  mutating func close(_ output: inout StageOutput) {
    while let end = ends.popLast() { output.emit(end) }
  }
}
