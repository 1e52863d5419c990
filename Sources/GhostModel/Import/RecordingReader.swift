public import TrackModel

/// Gathers recordings from a stream of tracks, one per track and one per route, in the order of the file.
///
/// ```swift
/// var recordings = RecordingReader()
/// while let recording = try recordings.next(from: &reader) { … }
/// ```
///
/// Memory holds one recording at a time.
public struct RecordingReader: ~Copyable {
  private var batch: PointBatch
  private var gathering = RecordingGathering()

  public init() { batch = PointBatch() }

  /// Reads on to the end of the next track or route.
  ///
  /// - Returns: nil at the end of the stream; a recording without points for a track without any.
  /// - Throws: what the reader throws.
  public mutating func next<Reader: TrackReader & ~Copyable>(
    from reader: inout Reader
  ) throws(TrackError) -> Recording? {
    while let event = try reader.next(into: &batch) {
      if let recording = gathering.add(event, batch) { return recording }
    }
    return nil
  }
}

/// The same event by event, for who looks at the other events of the stream as well.
public struct RecordingGathering: Sendable {
  private var recording: Recording?

  public init() {}

  /// Takes an event, with the rows of ``TrackEvent/points`` in `batch`.
  ///
  /// - Returns: the recording that the event ends.
  public mutating func add(_ event: TrackEvent, _ batch: borrowing PointBatch) -> Recording? {
    switch event {
    case .beginTrack(let info):
      recording = Recording(kind: .track)
      recording?.add(info)
    case .beginRoute(let info):
      recording = Recording(kind: .route, segments: [Recording.Segment()])
      recording?.add(info)
    case .beginSegment: recording?.segments.append(Recording.Segment())
    case .points:
      if let last = recording?.segments.indices.last { recording?.segments[last].append(batch) }
    case .annotation(.track(let info)): recording?.add(info)
    case .endTrack, .endRoute:
      defer { recording = nil }
      return recording
    case .header, .waypoint, .endSegment, .annotation: break
    }
    return nil
  }
}
