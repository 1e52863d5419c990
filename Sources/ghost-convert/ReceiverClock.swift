import TrackModel

/// What time it is, on the clock that the receiver's fixes are timed by.
///
/// The system's clock as it is, unless the first fix shows that the two are further apart than a fix may be old: a computer
/// without a network, or a simulated receiver. Then it is moved, and from there on runs as the system's does. It is moved
/// again where the receiver's own clock turns out to have been wrong, as of one that has just found its satellites.
///
/// Times of the system are given to every call, so that nothing here reads a clock.
struct ReceiverClock {
  enum Source: Sendable {
    /// It goes on by itself.
    case system
    /// It stands still between fixes: for a log that is played as fast as it can be read.
    case fixes
  }

  /// What a fix has told about the clocks.
  enum Finding: Equatable {
    /// So many seconds is the receiver's clock ahead of the system's; told of the first fix.
    case differs(Double)
    /// The receiver has moved its clock forwards by so many seconds.
    case corrected(Double)
    /// The fixes come faster than time passes: it is a log, and ``Source/fixes`` is the clock from now on. What was taken
    /// before was taken by the wrong clock.
    case log
  }

  private(set) var source: Source
  /// Seconds from the system's clock to this one; nil before the first fix.
  private(set) var offset: Double?
  /// Whether what comes may turn out to be a log.
  private(set) var isWatching: Bool
  private var latest: Instant?
  private var first: Arrival?
  private var previous: Arrival?
  /// Seconds by which fixes have come faster than time has passed, of late.
  private var gain = 0.0
  private var doubt: Doubt?

  private struct Arrival {
    /// The system's time.
    var system: Instant
    var fix: Instant
  }

  /// Fixes in a row that are all as far from the clock.
  private struct Doubt {
    var since: Instant
    var lead: Double
    var count: Int
  }

  /// - Parameter mayBeLog: whether to look out for a log in the first half minute.
  init(_ source: Source, mayBeLog: Bool = false) {
    self.source = source
    isWatching = mayBeLog && source == .system
  }

  /// Seconds by which the clocks may differ, and by which fixes may come early.
  static let tolerance = 5.0
  /// Seconds within which a log shows that it is one.
  private static let watch = 30.0
  /// Seconds that a single gap between two fixes counts for at most: in a log there may be hours between them, and the
  /// step of a clock that is set looks the same.
  private static let longestGain = 2.0
  /// How many fixes in a row show that the receiver's clock was set, over how many seconds: fixes can be late for some
  /// time, but not early.
  private static let confirmation = (count: 3, ahead: 2.0, behind: 10.0)

  /// What time it is; nil before the first fix where only fixes tell.
  func now(_ system: Instant) -> Instant? {
    switch source {
    case .fixes: return latest
    case .system: return moved(system, offset ?? 0)
    }
  }

  /// Takes note of a fix that arrives now.
  mutating func take(_ fix: LocationFix, at system: Instant) -> Finding? {
    latest = max(latest ?? fix.time, fix.time)
    guard source == .system else { return nil }
    let arrival = Arrival(system: system, fix: fix.time)
    defer { previous = arrival }
    guard let first, let previous, let now = now(system) else {
      self.first = arrival
      let lead = fix.time.seconds(since: system)
      offset = abs(lead) > Self.tolerance ? lead : 0
      return abs(lead) > Self.tolerance ? .differs(lead) : nil
    }
    if isWatching {
      let step = fix.time.seconds(since: previous.fix) - system.seconds(since: previous.system)
      gain = max(0, gain + min(step, Self.longestGain))
      isWatching = system.seconds(since: first.system) <= Self.watch
      if gain > Self.tolerance { return becomeLog() }
    }
    return correction(fix.time.seconds(since: now), system)
  }

  /// Takes note of the end of the fixes: a log that is too short to have shown before what it is.
  mutating func end() -> Finding? {
    guard isWatching, let first, let previous else { return nil }
    let said = previous.fix.seconds(since: first.fix)
    guard said > 2 * previous.system.seconds(since: first.system) + 1 else { return nil }
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
    offset = (offset ?? 0) + lead
    return .corrected(lead)
  }

  private func moved(_ time: Instant, _ seconds: Double) -> Instant {
    guard let step = Instant(secondsSince1970: seconds) else { return time }
    let (sum, overflow) = time.microseconds.addingReportingOverflow(step.microseconds)
    return overflow ? time : Instant(microseconds: sum)
  }
}
