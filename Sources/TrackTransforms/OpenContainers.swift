import TrackModel

/// The open tracks, routes and segments of a stream.
///
/// For stages that emit events at the end of the stream, because an interrupted stream leaves containers
/// open.
struct OpenContainers: Sendable {
  /// The events that close them, the innermost last.
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

  /// Closes all open containers, innermost first.
  mutating func close(_ output: inout StageOutput) {
    while let end = ends.popLast() { output.emit(end) }
  }
}
