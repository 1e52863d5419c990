package import TrackModel

/// Removes fixes of a log whose clock was wrong for a moment, while the log is read.
///
/// A fix near the previous one but hours before or after it is held until later fixes show which time is
/// right. The rule is that of ``ClockErrors``, which needs the whole recording. The first fixes are held as
/// well: a receiver that has just been switched on can send the date of its firmware.
///
/// ```swift
/// var leaps = ClockLeaps()
/// for fix in log { for confirmed in leaps.take(fix) { record(confirmed) } }
/// for confirmed in leaps.finish() { record(confirmed) }
/// ```
package struct ClockLeaps {
  /// The number of removed fixes.
  package private(set) var removed = 0
  /// The first fixes, as long as they are few; nil afterwards.
  private var opening: [LocationFix]? = []
  private var last: LocationFix?
  private var held: [LocationFix] = []

  /// The smallest time difference between wrong first fixes and the others in seconds, 100 days. After hours,
  /// a log may have been continued.
  package static let longestPause = 8_640_000.0

  package init() {}

  /// Processes the next fix.
  ///
  /// - Returns: the fixes that are confirmed now, in order.
  package mutating func take(_ fix: LocationFix) -> [LocationFix] {
    guard let last, ClockErrors.isError(fix, after: last) else {
      removed += held.count
      held = []
      last = fix
      guard opening != nil else { return [fix] }
      opening?.append(fix)
      return opening?.count ?? 0 > ClockErrors.longestRun ? takeOpening() : []
    }
    held.append(fix)
    guard held.count > ClockErrors.longestRun else { return [] }
    defer { held = [] }
    self.last = fix
    var confirmed = takeOpening()
    if abs(fix.time.seconds(since: last.time)) > Self.longestPause {
      removed += confirmed.count
      confirmed = []
    }
    return confirmed + held
  }

  /// Processes the end of the log.
  ///
  /// - Returns: the fixes that are confirmed now, in order.
  package mutating func finish() -> [LocationFix] {
    removed += held.count
    held = []
    return takeOpening()
  }

  private mutating func takeOpening() -> [LocationFix] { opening.take() ?? [] }
}
