import TrackModel

/// Course points that came before a course, and wait for the one that may follow; in a spool, since they may
/// be many.
struct TCXEarlyPoints: ~Copyable {
  private var spool = Spool()
  private(set) var count = 0
  /// What was lost of them, which counts only where a course comes.
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

  /// Moves them into a course.
  ///
  /// - Parameter log: gets what was lost of them.
  mutating func move(to course: inout Spool, _ log: inout LossReport) throws(TrackError) {
    try spool.drain(into: &course)
    log.add(losses)
    losses = LossReport()
    count = 0
  }
}
