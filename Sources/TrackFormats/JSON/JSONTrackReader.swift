import TrackModel

/// A reader of a format that is JSON, step by step through its grammar: how it goes from one event to the
/// next, and what becomes of a fault. What the members mean is the format's own.
protocol JSONTrackReader: TrackReader, ~Copyable {
  /// Events that are known before they are asked for, the next one last.
  var queue: [TrackEvent] { get set }
  /// The fault that is thrown once what was whole before it is delivered.
  var pendingError: TrackError? { get set }
  /// How many trackpoints were delivered.
  var sentTrackpoints: Int { get set }
  var hasSentWaypoint: Bool { get set }
  /// Whether nothing more comes than what is in the queue.
  var isAtEnd: Bool { get }

  /// Goes one step on; nil where it gave no event.
  mutating func step(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent?

  /// Sees to it that what was whole before a fault is delivered first, behind what the batch holds: a file
  /// that was cut off is closed, other faults become the pending one.
  ///
  /// - Parameter rows: how many points the batch holds, which are not among those that were sent yet.
  mutating func recover(from error: TrackError, rows: Int) throws(TrackError)
}

extension JSONTrackReader where Self: ~Copyable {
  /// The next event, as ``TrackReader/next(into:)`` delivers it.
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
