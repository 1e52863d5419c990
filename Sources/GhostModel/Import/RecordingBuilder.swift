public import TrackModel

/// Builds recordings from the events of a stream of tracks, one per track or route, in file order.
///
/// ```swift
/// var recordings = RecordingBuilder()
/// while let event = try reader.next(into: &batch) {
///   if let recording = recordings.add(event, batch) { … }
/// }
/// ```
///
/// One recording is in memory at a time. An empty track yields a recording without points.
public struct RecordingBuilder: Sendable {
  private var recording: Recording?
  private let keepsElevations: Bool
  private let keepsMotion: Bool
  private let keepsChannels: Bool

  /// Creates an empty builder.
  ///
  /// - Parameters:
  ///   - keepsElevations: whether to keep the elevations of the points.
  ///   - keepsMotion: whether to keep the recorded speeds and courses of the points.
  ///   - keepsChannels: whether to keep the values of the points in other channels.
  public init(keepsElevations: Bool = true, keepsMotion: Bool = false, keepsChannels: Bool = false) {
    self.keepsElevations = keepsElevations
    self.keepsMotion = keepsMotion
    self.keepsChannels = keepsChannels
  }

  /// Processes an event, with the rows of `TrackEvent.points` in `batch`.
  ///
  /// - Returns: the recording that the event ends, or `nil`.
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
      if let last = recording?.segments.indices.last {
        recording?.segments[last].append(
          batch, keepsElevations: keepsElevations, keepsMotion: keepsMotion, keepsChannels: keepsChannels)
      }
    case .annotation(.track(let info)): recording?.add(info)
    case .endTrack, .endRoute:
      defer { recording = nil }
      return recording
    case .header, .waypoint, .endSegment, .annotation: break
    }
    return nil
  }
}
