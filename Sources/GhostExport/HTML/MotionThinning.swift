/// Removes points of a motion that can be interpolated from their neighbours, including their times.
///
/// A line is simplified by the distance of a point from the line. A ghost that moves along it must also be in
/// the right position at the right time. A point is therefore removed only if even motion from the previous
/// kept point to the next one is within the tolerance of the point *at its time*.
enum MotionThinning {
  /// The maximum number of points in a step, which limits the time for finding a step.
  private static let span = 256

  /// Returns the kept rows, ascending, including the first and the last.
  ///
  /// A single pass keeps, per axis, the interval of velocities from the last kept row that are within the
  /// tolerance of every point since then. The interval only becomes narrower.
  ///
  /// - Parameters:
  ///   - times: the times, non-descending. If rows share a time, each row that differs from the previous one
  ///     by more than the tolerance is kept.
  ///   - tolerance: the tolerance along each axis.
  /// - Complexity: O(*n*). After each step, at most 256 rows are read again.
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
        // Two positions at the same time: even motion between them is impossible.
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
    // If no row was reached, only rows at the anchor's time and position remain.
    return reached > anchor ? reached : times.count - 1
  }
}
