package import TrackModel

/// What time it is, on the clock that the receiver's fixes are timed by.
///
/// The system's clock as it is, unless the first fix shows that the two are further apart than a fix may be
/// old: a computer without a network, or a simulated receiver. Then it is moved, and from there on runs as
/// the system's does. It is moved again where the receiver's own clock turns out to have been wrong, as of
/// one that has just found its satellites.
///
/// Times of the system are given to every call, so that nothing here reads a clock.
package struct ReceiverClock {
  package enum Source: Sendable {
    /// It goes on by itself.
    case system
    /// It stands still between fixes: for a log that is played as fast as it can be read.
    case fixes
  }

  /// What a fix has told about the clocks.
  package enum Finding: Equatable {
    /// The receiver's clock is another than the system's: ``ReceiverClock/offset``; told of the first fix.
    case differs
    /// The receiver has moved its clock forwards by so many seconds.
    case corrected(Double)
    /// The fixes come faster than time passes: it is a log, and ``Source/fixes`` is the clock from now on.
    /// What was taken before was taken by the wrong clock.
    case log
  }

  package private(set) var source: Source
  /// Seconds from the system's clock to this one; nil before the first fix.
  package private(set) var offset: Double?
  /// Whether what comes may turn out to be a log.
  package private(set) var isWatching: Bool
  private var latest: Instant?
  /// When the first fix came and the last, on the system's clock.
  private var arrivals: (first: Instant, last: Instant)?
  /// Seconds from the system's clock to the fix that came with the least delay.
  private var bestLead = 0.0
  /// Seconds by which fixes have come faster than time has passed. One that was only held up on its way makes
  /// none.
  private var gain = 0.0
  /// Seconds by which ``offset`` was made more exact.
  private var refinement = 0.0
  private var doubt: Doubt?

  /// Fixes in a row that are all as far from the clock.
  private struct Doubt {
    var since: Instant
    var lead: Double
    var count: Int
  }

  /// - Parameter mayBeLog: whether to look out for a log in the first half minute.
  package init(_ source: Source, mayBeLog: Bool = false) {
    self.source = source
    isWatching = mayBeLog && source == .system
  }

  /// Seconds by which the clocks may differ, and by which fixes may come early.
  package static let tolerance = 5.0
  /// Seconds within which a log shows that it is one.
  private static let watch = 30.0
  /// Seconds that a single fix counts for at most: in a log there may be hours between two, and the step of a
  /// clock that is set looks the same.
  private static let longestGain = 2.0
  /// Seconds that the first fix may have been on its way: an NMEA reader knows only after a while which
  /// sentence ends it.
  private static let longestDelay = 2.0
  /// How many fixes in a row show that the receiver's clock was set, over how many seconds: fixes can be late
  /// for some time, but not early.
  private static let confirmation = (count: 3, ahead: 2.0, behind: 10.0)

  /// What time it is; nil before the first fix where only fixes tell.
  package func now(_ system: Instant) -> Instant? {
    switch source {
    case .fixes: return latest
    case .system: return moved(system, offset ?? 0)
    }
  }

  /// Takes note of a fix that arrives now.
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
    // No fix comes before it is measured.
    if known != 0, lead > known, refinement + lead - known <= Self.longestDelay {
      refinement += lead - known
      offset = lead
    }
    return correction(lead - (offset ?? known), system)
  }

  /// Takes note of the end of the fixes: a log that is too short to have shown before what it is.
  package mutating func end() -> Finding? {
    guard isWatching, let arrivals, gain > 1.5, gain > arrivals.last.seconds(since: arrivals.first) else {
      return nil
    }
    return becomeLog()
  }

  private mutating func becomeLog() -> Finding {
    source = .fixes
    isWatching = false
    return .log
  }

  /// - Parameter lead: seconds by which a fix is ahead of the clock.
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
    // No log is as slow.
    isWatching = false
    offset = (offset ?? 0) + lead
    return .corrected(lead)
  }

  private func moved(_ time: Instant, _ seconds: Double) -> Instant {
    guard let step = Instant(secondsSince1970: seconds) else { return time }
    let (sum, overflow) = time.microseconds.addingReportingOverflow(step.microseconds)
    return overflow ? time : Instant(microseconds: sum)
  }
}
