package import TrackModel

/// Finds where a receiver has set its clock back, in the times of its fixes.
///
/// Fixes with earlier times than the previous ones can be old fixes that arrive late. They show a corrected
/// clock if they continue from the last position, do not repeat earlier fixes, and ten of them follow each
/// other.
///
/// ```swift
/// var setbacks = ClockSetbacks()
/// for fix in log {
///   if case .confirmed(let correction) = setbacks.take(fix) { show(correction.seconds) }
/// }
/// ```
package struct ClockSetbacks {
  /// The difference between the times before and after a correction of the clock.
  package struct Correction: Equatable {
    /// The corrected time minus the previous time, in seconds. Negative.
    package var seconds: Double
    /// The first time that was wrong, if the clock was right before. `nil` if all times were wrong.
    package var since: Instant?
  }

  /// The result of comparing the time of a fix with those of earlier fixes.
  package enum Finding: Equatable {
    /// No correction. Fixes that were doubtful before were only late.
    case usual
    /// The clock may have been set back. Later fixes show if it was.
    case doubtful(Correction)
    /// The clock was set back at the first of the doubtful fixes. Reported once, for the last of them.
    case confirmed(Correction)
  }

  /// The number of consecutive fixes that confirm a correction.
  private static let confirmation = 10
  /// The tolerated difference between the times of fixes that arrive in another order, in seconds.
  private static let tolerance = 5.0

  /// The fix with the latest time.
  private var latest: LocationFix?
  /// The last two intervals between fixes in seconds.
  private var intervals: [Double] = []
  /// The last interval that was longer than the others: a pause, or a clock that was set forward.
  private var jump: (seconds: Double, time: Instant)?
  private var doubt: (correction: Correction, last: Instant, count: Int)?
  /// The hash values of all fixes in the order of time.
  private var known: Set<Int> = []

  /// The seconds of all confirmed corrections of the whole time so far.
  private var total = 0.0

  package init() {}

  /// The seconds that make the time of the last fix continue the times of the first fixes. Includes a
  /// correction that is still doubtful.
  package var offset: Double {
    guard let correction = doubt?.correction, correction.since == nil else { return total }
    return total - correction.seconds
  }

  /// Processes the next fix.
  package mutating func take(_ fix: LocationFix) -> Finding {
    guard let latest, fix.time < latest.time else {
      accept(fix)
      return .usual
    }
    guard latest.time.seconds(since: fix.time) > Self.tolerance, !known.contains(Self.hash(fix)),
      var doubt = continued(fix) ?? begun(fix, after: latest)
    else {
      doubt = nil
      return .usual
    }
    doubt.last = fix.time
    doubt.count += 1
    self.doubt = doubt
    guard doubt.count >= Self.confirmation else { return .doubtful(doubt.correction) }
    self.doubt = nil
    if doubt.correction.since == nil { total -= doubt.correction.seconds }
    self.latest = nil
    jump = nil
    accept(fix)
    return .confirmed(doubt.correction)
  }

  private func continued(_ fix: LocationFix) -> (correction: Correction, last: Instant, count: Int)? {
    doubt.flatMap { fix.time > $0.last ? $0 : nil }
  }

  private func begun(
    _ fix: LocationFix, after latest: LocationFix
  ) -> (correction: Correction, last: Instant, count: Int)? {
    guard ClockErrors.isNear(fix, latest) else { return nil }
    let seconds = fix.time.seconds(since: latest.time) - interval
    if let jump, abs(jump.seconds + seconds) <= Self.tolerance {
      return (Correction(seconds: -jump.seconds, since: jump.time), fix.time, 0)
    }
    return (Correction(seconds: seconds), fix.time, 0)
  }

  /// The expected interval to the next fix in seconds.
  private var interval: Double { intervals.min() ?? 1 }

  private mutating func accept(_ fix: LocationFix) {
    if let latest, fix.time > latest.time {
      let step = fix.time.seconds(since: latest.time)
      if step - interval > Self.tolerance { jump = (step - interval, fix.time) }
      intervals = intervals.suffix(1) + [step]
    }
    latest = fix
    doubt = nil
    known.insert(Self.hash(fix))
  }

  private static func hash(_ fix: LocationFix) -> Int {
    var hasher = Hasher()
    hasher.combine(fix.time)
    hasher.combine(fix.coordinate)
    return hasher.finalize()
  }
}
