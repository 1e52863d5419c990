import TrackModel

/// Points that wait for a date: in a log it may come behind them. Their times count from the midnight before
/// the beginning of the log.
struct NMEADating {
  enum State {
    case waiting
    /// Points that have waited are on their way out.
    case draining
    case known
    /// Too many points have waited; none waits any more.
    case given
  }

  private(set) var state = State.waiting
  private var points = PointColumns()
  /// The first of them that was not yet given out.
  private var row = 0

  private static let maximum = 1 << 16

  /// How many points wait.
  var count: Int { points.count }

  /// Whether no more points can wait.
  var isFull: Bool { points.count >= NMEADating.maximum }

  /// Lets the points of a batch wait.
  mutating func hold(_ batch: inout PointBatch) {
    points.append(batch)
    batch.removeAll()
  }

  /// Lets the points that wait go, those of a batch as the last of them, with the times that are known or
  /// none; the first come out at once.
  ///
  /// - Parameter origin: microseconds since 1970 of that midnight; nil as long as no date is known.
  mutating func release(_ batch: inout PointBatch, origin: Int64?) {
    guard state == .waiting else { return }
    hold(&batch)
    state = .draining
    _ = drain(into: &batch, origin: origin)
  }

  /// Takes notice of a date: the points that have waited go next, those of a batch stay in it where there are
  /// none.
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

  /// Fills an empty batch with points that have waited and are on their way out.
  ///
  /// - Returns: false where there are none.
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

  /// Gives points the times that are known, or none.
  private static func shift(_ batch: inout PointBatch, by origin: Int64?) {
    var times = batch.mutableTimes
    for row in times.indices where times[row] != Instant.absent {
      times[row] = origin.map { times[row] + $0 } ?? Instant.absent
    }
  }
}
