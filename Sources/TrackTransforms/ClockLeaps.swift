package import TrackModel

/// Removes fixes of a log whose clock was wrong for a moment, while the log is read.
///
/// A fix near the previous one but hours before or after it is held until later fixes show which time is
/// right. The rule is that of ``ClockErrors``, which needs the whole recording.
///
/// ```swift
/// var leaps = ClockLeaps()
/// for fix in log { for confirmed in leaps.take(fix) { record(confirmed) } }
/// ```
package struct ClockLeaps {
  /// The number of removed fixes. Those still held at the end of the log count too.
  package var removed: Int { dropped + held.count }
  private var dropped = 0
  private var last: LocationFix?
  private var held: [LocationFix] = []

  package init() {}

  /// Processes the next fix.
  ///
  /// - Returns: the fixes that are confirmed now, in order.
  package mutating func take(_ fix: LocationFix) -> [LocationFix] {
    guard let last, ClockErrors.isError(fix, after: last) else {
      dropped += held.count
      held = []
      last = fix
      return [fix]
    }
    held.append(fix)
    guard held.count > ClockErrors.longestRun else { return [] }
    defer { held = [] }
    self.last = fix
    return held
  }
}
