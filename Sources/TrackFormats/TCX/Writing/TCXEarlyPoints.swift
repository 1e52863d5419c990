import TrackModel

/// Course points that arrived before a course and may belong to the next one. They are spooled because there
/// may be many.
struct TCXEarlyPoints: ~Copyable {
  private var spool = Spool()
  private(set) var count = 0
  /// The losses of these points, which are counted only if a course follows.
  private var losses = LossReport()

  mutating func add(_ waypoint: Waypoint, _ points: inout TCXPointWriter) throws(TrackError) {
    let others = points.losses
    points.losses = losses
    points.append(waypoint, to: &spool.buffer)
    losses = points.losses
    points.losses = others
    count += 1
    try spool.flush()
  }

  /// Moves the points into a course.
  ///
  /// - Parameter log: receives their losses.
  mutating func move(to course: inout Spool, _ log: inout LossReport) throws(TrackError) {
    try spool.drain(into: &course)
    log.add(losses)
    losses = LossReport()
    count = 0
  }
}
