package import TrackModel

/// A clock that follows the times of a receiver's fixes.
///
/// It equals the system clock unless the first fix differs by more than the possible age of a fix, for
/// example on a computer without a network or with a simulated receiver. Then it is offset from the system
/// clock. The offset is adjusted if the receiver's own clock is corrected, for example after it has found
/// satellites.
///
/// The system time is passed to every call; this type never reads a clock.
package struct ReceiverClock {
  package enum Source: String, CaseIterable, Sendable {
    /// The clock runs with the system clock.
    case system
    /// The clock advances only with fixes, for a log that is read as fast as possible.
    case fixes
  }

  /// The result of comparing the clocks for a fix.
  package enum Finding: Equatable {
    /// The receiver's clock differs from the system clock by ``ReceiverClock/offset``. Reported for the first
    /// fix.
    case differs
    /// The receiver has moved its clock forwards by a number of seconds, or backwards if they are negative.
    case corrected(Double)
    /// Fixes arrive faster than time passes, so the input is a log and ``Source/fixes`` is the clock. Earlier
    /// fixes used the wrong clock.
    case log
  }

  package private(set) var source: Source
  /// The offset from the system clock in seconds, or `nil` before the first fix.
  package private(set) var offset: Double?
  /// Whether the input can still turn out to be a log.
  package private(set) var isWatching: Bool
  private var latest: Instant?
  /// The system times of the first and last fix.
  private var arrivals: (first: Instant, last: Instant)?
  /// The offset in seconds of the fix with the smallest delay.
  private var bestLead = 0.0
  /// The seconds by which fixes arrived faster than time passed. Delayed fixes do not count.
  private var gain = 0.0
  /// The seconds by which ``offset`` was refined.
  private var refinement = 0.0
  private var doubt: Doubt?

  /// The consecutive fixes with the same offset from the clock.
  private struct Doubt {
    var since: Instant
    var lead: Double
    var count: Int
  }

  /// - Parameter mayBeLog: whether to detect a log in the first half minute.
  package init(_ source: Source, mayBeLog: Bool = false) {
    self.source = source
    isWatching = mayBeLog && source == .system
  }

  /// The tolerated difference between the clocks, and lead of a fix, in seconds.
  package static let tolerance = 5.0
  /// The time in seconds within which a log is detected.
  private static let watch = 30.0
  /// The largest contribution of a single fix in seconds, because fixes of a log can be hours apart, and a
  /// corrected clock looks the same.
  private static let longestGain = 2.0
  /// The largest delay of the first fix in seconds, because an NMEA reader must first detect the last
  /// sentence of a fix.
  private static let longestDelay = 2.0
  /// The number of consecutive fixes, and their time span in seconds, that indicate a corrected receiver
  /// clock. Fixes can be late for some time, but not early.
  private static let confirmation = (count: 3, ahead: 2.0, behind: 10.0)

  /// Returns the time, or `nil` before the first fix if only fixes determine the time.
  package func now(_ system: Instant) -> Instant? {
    switch source {
    case .fixes: return latest
    case .system: return moved(system, offset ?? 0)
    }
  }

  /// Processes a fix that arrives now.
  package mutating func take(_ fix: LocationFix, at system: Instant) -> Finding? {
    latest = max(latest ?? fix.time, fix.time)
    guard source == .system else { return nil }
    let lead = fix.time.seconds(since: system)
    guard let first = arrivals?.first, let known = offset else {
      arrivals = (system, system)
      bestLead = lead
      offset = abs(lead) > Self.tolerance ? lead : 0
      return abs(lead) > Self.tolerance ? .differs : nil
    }
    arrivals = (first, system)
    let advance = lead - bestLead
    if advance > 0 {
      bestLead = lead
      gain += min(advance, Self.longestGain)
    }
    if isWatching {
      isWatching = system.seconds(since: first) <= Self.watch
      if gain > Self.tolerance { return becomeLog() }
    }
    // A fix cannot arrive before it is measured.
    if known != 0, lead > known, refinement + lead - known <= Self.longestDelay {
      refinement += lead - known
      offset = lead
    }
    return correction(lead - (offset ?? known), system)
  }

  /// Processes the end of the input, to detect a short log.
  package mutating func end() -> Finding? {
    guard isWatching, let arrivals, gain > 1.5, gain > arrivals.last.seconds(since: arrivals.first) else {
      return nil
    }
    return becomeLog()
  }

  /// Moves the time of ``Source/fixes`` after a correction of the receiver's clock.
  package mutating func move(by seconds: Double) {
    latest = latest.map { moved($0, seconds) }
  }

  private mutating func becomeLog() -> Finding {
    source = .fixes
    isWatching = false
    return .log
  }

  /// - Parameter lead: the seconds by which a fix is ahead of the clock.
  private mutating func correction(_ lead: Double, _ system: Instant) -> Finding? {
    guard abs(lead) > Self.tolerance else {
      doubt = nil
      return nil
    }
    guard var doubt, abs(lead - doubt.lead) < 2 else {
      doubt = Doubt(since: system, lead: lead, count: 1)
      return nil
    }
    doubt.count += 1
    self.doubt = doubt
    let needed = lead > 0 ? Self.confirmation.ahead : Self.confirmation.behind
    guard doubt.count >= Self.confirmation.count, system.seconds(since: doubt.since) >= needed else {
      return nil
    }
    self.doubt = nil
    // A log is never this slow.
    isWatching = false
    offset = (offset ?? 0) + lead
    return .corrected(lead)
  }

  private func moved(_ time: Instant, _ seconds: Double) -> Instant {
    time.advanced(bySeconds: seconds) ?? time
  }
}
