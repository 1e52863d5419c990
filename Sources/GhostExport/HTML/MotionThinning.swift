/// Leaves out points of a motion that can be told from its neighbours, time included.
///
/// A line is thinned by the distance of a point from the line; a ghost that runs along it must also be there
/// at the right time. So a point may go only where moving evenly from the point kept before to the one kept
/// after passes it within the tolerance *at its own time*.
enum MotionThinning {
  /// So many points at most are spanned by one step, which bounds the time that a step may take to find.
  private static let span = 256

  /// The rows that stay, ascending, first and last among them.
  ///
  /// One pass that keeps, per axis, the velocities from the last kept row that pass every point since within
  /// the tolerance, as an interval that only narrows. Linear in the number of rows but for what is looked at
  /// twice after a step, 256 rows at most.
  ///
  /// - Parameters:
  ///   - times: not descending. Where rows share a time, each that lies beyond the tolerance of the one
  ///     before is kept.
  ///   - tolerance: along each axis.
  static func rows(times: [Double], x: [Double], y: [Double], tolerance: Double) -> [Int] {
    let last = times.count - 1
    guard last > 0 else { return Array(times.indices) }
    var kept = [0]
    var anchor = 0
    while anchor < last {
      let next = reach(from: anchor, times: times, x: x, y: y, tolerance: tolerance)
      kept.append(next)
      anchor = next
    }
    return kept
  }

  private static func reach(
    from anchor: Int, times: [Double], x: [Double], y: [Double], tolerance: Double
  ) -> Int {
    var reached = anchor
    var lowX = -Double.infinity
    var highX = Double.infinity
    var lowY = -Double.infinity
    var highY = Double.infinity
    var index = anchor + 1
    while index < times.count {
      let duration = times[index] - times[anchor]
      let east = x[index] - x[anchor]
      let south = y[index] - y[anchor]
      if duration <= 0 {
        // At one time in two places: nothing between them to move evenly in.
        if abs(east) > tolerance || abs(south) > tolerance { return index }
        index += 1
        continue
      }
      let velocityX = east / duration
      let velocityY = south / duration
      if velocityX >= lowX, velocityX <= highX, velocityY >= lowY, velocityY <= highY { reached = index }
      let slack = tolerance / duration
      lowX = max(lowX, velocityX - slack)
      highX = min(highX, velocityX + slack)
      lowY = max(lowY, velocityY - slack)
      highY = min(highY, velocityY + slack)
      if lowX > highX || lowY > highY || index - anchor >= span, reached > anchor { return reached }
      index += 1
    }
    // Nothing but rows at the anchor's own time and place is left where nothing was reached.
    return reached > anchor ? reached : times.count - 1
  }
}
