package import GhostModel
package import TrackModel
import TrackTransforms

/// A recording of a receiver's fixes: the recorder, the clock that it follows, and its journal.
///
/// The system time is passed to every call; this type never reads a clock.
///
/// ```swift
/// var recording = ReceiverRecording(clock: .system, mayBeLog: true)
/// recording.begin(at: now)
/// for notice in recording.take(fix, at: now) { show(notice) }
/// if let line = recording.checkpoint() { try file.append(line) }
/// ```
package struct ReceiverRecording {
  /// A fact that the user may want to know.
  package enum Notice: Equatable {
    /// The receiver's clock, which is used, is ahead of the system's by a number of seconds.
    case clockDiffers(by: Double)
    /// The receiver has moved its clock forwards by a number of seconds, or backwards if they are negative,
    /// and the drive so far with it.
    case clockCorrected(by: Double)
    /// The fixes arrive faster than time passes, so their own times are used.
    case isLog
    /// The first fix at 0°, 0° far from the route was skipped.
    case nullIsland
    /// A number of fixes of a log had a wrong date or time and were removed.
    case removedFixes(Int)
  }

  package private(set) var recorder: DriveRecorder
  /// Whether the requested duration has been reached.
  package private(set) var isOver = false
  private let settings: RecorderSettings
  private let limit: Double?
  private var clock: ReceiverClock
  private var journal = RecorderJournal()
  /// The fixes received so far, while the input may still turn out to be a log, which must be timed by its
  /// own clock.
  private var held: [LocationFix] = []
  /// Only a log can wait for the next fixes before it uses one.
  private var leaps = ClockLeaps()
  private var setbacks = ClockSetbacks()
  /// The fixes of a log before which the receiver may have set its clock back.
  private var doubtful: [LocationFix] = []
  /// The receiver's time at the beginning of the log, if it was before the first fix.
  private var logStart: Instant?
  /// Whether a difference between the clocks must still be reported, unless the input turns out to be a log.
  private var hasClockNotice = false
  private var hasNullNotice = false

  /// The seconds after which the difference between the clocks is known, and a log has been detected.
  private static let clockDelay = 5.0

  /// - Parameters:
  ///   - clock: the clock that the recording follows.
  ///   - mayBeLog: whether the input can turn out to be a log.
  ///   - limit: the duration in seconds at which the recording ends, or nil without a limit.
  package init(
    settings: RecorderSettings = RecorderSettings(), clock: ReceiverClock.Source, mayBeLog: Bool = false,
    limit: Double? = nil
  ) {
    self.settings = settings
    self.limit = limit
    self.clock = ReceiverClock(clock, mayBeLog: mayBeLog)
    recorder = DriveRecorder(settings: settings)
  }

  /// Whether the recording follows the system clock instead of the times of the fixes.
  package var followsSystem: Bool { clock.source == .system }

  // MARK: Events

  /// Begins to wait for fixes. A log begins with its first dated sentence, or else with its first fix.
  package mutating func begin(at system: Instant) {
    if followsSystem { recorder.start(at: system) }
  }

  /// Sets the receiver's time at the beginning of a log.
  package mutating func beginLog(at time: Instant) { logStart = time }

  /// Records a fix that arrives now.
  package mutating func take(_ fix: LocationFix, at system: Instant) -> [Notice] {
    guard followsSystem else { return takeFromLog(fix, at: system) }
    if clock.isWatching { held.append(fix) } else { held = [] }
    var notices: [Notice] = []
    switch clock.take(fix, at: system) {
    case .log: return becomeLog(at: system)
    case .differs:
      hasClockNotice = true
      // The recording began before the first fix, whose time is now known.
      recorder.correctClock(by: clock.offset ?? 0)
    case .corrected(let lead):
      recorder.correctClock(by: lead)
      hasClockNotice = hasClockNotice && abs(clock.offset ?? 0) > ReceiverClock.tolerance
      notices.append(.clockCorrected(by: lead))
    case nil: break
    }
    return notices + record(fix, at: system)
  }

  /// Updates the recorder without a fix.
  package mutating func tick(at system: Instant) -> [Notice] {
    if followsSystem, let now = now(system) {
      recorder.tick(at: now)
      isOver = now == deadline
    }
    return recorder.duration > Self.clockDelay ? clockNotices() : []
  }

  /// Processes the end of the input.
  package mutating func end(at system: Instant) -> [Notice] {
    var notices = clock.end() == .log ? becomeLog(at: system) : []
    notices += finishLog(at: system)
    return notices + (leaps.removed > 0 ? [.removedFixes(leaps.removed)] : [])
  }

  /// Stops the recorder, whether the input has ended or not.
  package mutating func stop(at system: Instant) -> [Notice] {
    let notices = finishLog(at: system)
    if let now = now(system) { recorder.stop(at: now) }
    return notices + clockNotices()
  }

  /// Returns the next checkpoint of the journal, or nil if none is due.
  package mutating func checkpoint() -> [UInt8]? { journal.checkpoint(of: recorder) }

  /// Makes the next checkpoint contain the whole recording, because the last one could not be written.
  mutating func restartJournal() { journal = RecorderJournal() }

  // MARK: The clock

  /// The time at which the recording ends, or nil without a limit.
  private var deadline: Instant? {
    limit.flatMap { recorder.startTime?.advanced(bySeconds: $0) }
  }

  /// The current time for the recorder, which does not exceed the deadline.
  private func now(_ system: Instant) -> Instant? {
    guard let now = clock.now(system) else { return nil }
    return deadline.map { min($0, now) } ?? now
  }

  private mutating func clockNotices() -> [Notice] {
    guard hasClockNotice, let offset = clock.offset else { return [] }
    hasClockNotice = false
    return [.clockDiffers(by: offset)]
  }

  private mutating func takeFromLog(_ fix: LocationFix, at system: Instant) -> [Notice] {
    takeConfirmed(leaps.take(fix), at: system)
  }

  private mutating func takeConfirmed(_ fixes: [LocationFix], at system: Instant) -> [Notice] {
    var notices: [Notice] = []
    for fix in fixes where !isOver {
      // The sentences before the first fix may have the wrong date that a receiver starts with.
      if let start = logStart, abs(fix.time.seconds(since: start)) > ClockLeaps.longestPause {
        logStart = nil
      }
      switch setbacks.take(fix) {
      case .usual: break
      case .doubtful:
        doubtful.append(fix)
        continue
      case .confirmed(let correction):
        recorder.correctClock(by: correction.seconds, since: correction.since)
        clock.move(by: correction.seconds)
        notices.append(.clockCorrected(by: correction.seconds))
      }
      notices += recordLog(takeDoubtful() + [fix], at: system)
    }
    return notices
  }

  private mutating func finishLog(at system: Instant) -> [Notice] {
    takeConfirmed(leaps.finish(), at: system) + recordLog(takeDoubtful(), at: system)
  }

  private mutating func takeDoubtful() -> [LocationFix] {
    defer { doubtful = [] }
    return doubtful
  }

  private mutating func recordLog(_ fixes: [LocationFix], at system: Instant) -> [Notice] {
    var notices: [Notice] = []
    for fix in fixes where !isOver {
      _ = clock.take(fix, at: system)
      notices += record(fix, at: system)
    }
    return notices
  }

  /// Records the previously received fixes again, with their own times.
  private mutating func becomeLog(at system: Instant) -> [Notice] {
    hasClockNotice = false
    recorder = DriveRecorder(settings: settings)
    journal = RecorderJournal()
    clock = ReceiverClock(.fixes)
    let fixes = held
    held = []
    var notices: [Notice] = [.isLog]
    for fix in fixes { notices += takeFromLog(fix, at: system) }
    return notices
  }

  private mutating func record(_ fix: LocationFix, at system: Instant) -> [Notice] {
    guard let clockTime = clock.now(system) else { return [] }
    recorder.start(at: min(clockTime, fix.time, logStart ?? fix.time))
    guard let now = now(system) else { return [] }
    defer { isOver = now == deadline }
    // Fixes after the deadline are not part of the recording.
    if clockTime > now {
      recorder.tick(at: now)
      return []
    }
    guard recorder.add(fix, at: now) == .refused(.nullIsland), !hasNullNotice else { return [] }
    hasNullNotice = true
    return [.nullIsland]
  }
}
