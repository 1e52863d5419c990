import TrackModel

/// Points held until a date is known, which can follow later in the log. Their times are relative to the
/// midnight before the log starts.
struct NMEADating {
  enum State {
    case waiting
    /// The held points are being delivered.
    case draining
    case known
    /// Too many points have been held, so points are no longer held.
    case given
  }

  private(set) var state = State.waiting
  private var points = PointColumns()
  /// The index of the first held point that has not been delivered.
  private var row = 0

  private let limit: Int

  /// - Parameter limit: the number of points to hold.
  init(limit: Int) { self.limit = limit }

  /// The number of held points.
  var count: Int { points.count }

  /// Whether the limit of held points has been reached.
  var isFull: Bool { points.count >= limit }

  /// Adds the points of a batch to the held points.
  mutating func hold(_ batch: inout PointBatch) {
    points.append(batch)
    batch.removeAll()
  }

  /// Releases the held points and those of a batch, with absolute times if known, and delivers the first of
  /// them.
  ///
  /// - Parameter origin: the midnight in microseconds since 1970, or `nil` if no date is known.
  mutating func release(_ batch: inout PointBatch, origin: Int64?) {
    guard state == .waiting else { return }
    hold(&batch)
    state = .draining
    _ = drain(into: &batch, origin: origin)
  }

  /// Handles a known date: the held points are delivered next. If no points are held, the points of a batch
  /// stay in it.
  mutating func becomeKnown(_ batch: inout PointBatch, origin: Int64?) {
    guard state == .waiting else { return }
    if points.isEmpty {
      NMEADating.shift(&batch, by: origin)
      state = .known
    } else {
      hold(&batch)
      state = .draining
    }
  }

  /// Fills an empty batch with released points.
  ///
  /// - Returns: whether the batch received points.
  mutating func drain(into batch: inout PointBatch, origin: Int64?) -> Bool {
    guard state == .draining else { return false }
    row += batch.append(points, from: row)
    NMEADating.shift(&batch, by: origin)
    if row >= points.count {
      points = PointColumns()
      row = 0
      state = origin == nil ? .given : .known
    }
    return batch.count > 0
  }

  /// Sets the times of points, or removes them if no date is known.
  private static func shift(_ batch: inout PointBatch, by origin: Int64?) {
    var times = batch.mutableTimes
    for row in times.indices where times[row] != Instant.absent {
      times[row] = origin.map { times[row] + $0 } ?? Instant.absent
    }
  }
}
