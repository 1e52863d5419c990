import TrackModel

/// A reader of a JSON format that reads step by step: the loop over events and the handling of faults. Each
/// format implements its members.
protocol JSONTrackReader: TrackReader, ~Copyable {
  /// Events that are ready for delivery, the next one last.
  var queue: [TrackEvent] { get set }
  /// The fault that is thrown after the complete content before it has been delivered.
  var pendingError: TrackError? { get set }
  /// The number of delivered trackpoints.
  var sentTrackpoints: Int { get set }
  var hasSentWaypoint: Bool { get set }
  /// Whether nothing follows the events in the queue.
  var isAtEnd: Bool { get }

  /// Performs one step. Returns nil if it produced no event.
  mutating func step(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent?

  /// Prepares the delivery of the complete content before a fault, after the points in the batch. A
  /// truncated file is closed; other faults become the pending error.
  ///
  /// - Parameter rows: the number of points in the batch, which are not counted as sent yet.
  mutating func recover(from error: TrackError, rows: Int) throws(TrackError)
}

extension JSONTrackReader where Self: ~Copyable {
  /// Returns the next event, like ``TrackReader/next(into:)``.
  mutating func nextEvent(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    while true {
      do throws(TrackError) {
        return try nextEventOfSteps(&batch)
      } catch {
        if isAtEnd { throw error }
        try recover(from: error, rows: batch.count)
        guard batch.count > 0 else { continue }
        sentTrackpoints += batch.count
        return .points
      }
    }
  }

  private mutating func nextEventOfSteps(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    while true {
      if let event = queue.popLast() { return event }
      if let event = try step(&batch) {
        switch event {
        case .points: sentTrackpoints += batch.count
        case .waypoint: hasSentWaypoint = true
        default: break
        }
        return event
      }
      if isAtEnd, queue.isEmpty {
        guard let error = pendingError else { return nil }
        pendingError = nil
        throw error
      }
    }
  }
}
