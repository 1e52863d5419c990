import GhostModel
import LiveReceivers
import TrackFormats
import TrackModel
import TrackTransforms

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs the record command: passes fixes and ticks to the recorder, writes checkpoints next to the output,
/// and saves the drive at the end.
struct RecordRun {
  private let options: GhostConvert.RecordOptions
  private let destination: RecordDestination
  private let source: LiveFixes.Source
  private let system = SystemTime()
  private var recorder: DriveRecorder
  private var clock: ReceiverClock
  private var journal = RecorderJournal()
  private var checkpoint: AppendedFile?
  private var display: RecordDisplay
  /// The fixes received so far, while the input may still turn out to be a log, which must be timed by its
  /// own clock.
  private var held: [LocationFix] = []
  /// Only a log can wait for the next fixes before it uses one.
  private var leaps = ClockLeaps()
  /// The receiver's time at the beginning of the log, if it was before the first fix.
  private var logStart: Instant?
  /// Whether a difference between the clocks must still be reported, unless the input turns out to be a log.
  private var hasClockNotice = false
  private var undated = 0
  /// Whether the first fix at 0°, 0° has been reported.
  private var hasNullNotice = false
  /// Whether the requested duration has been reached.
  private var isOver = false

  init(
    _ options: GhostConvert.RecordOptions, to destination: RecordDestination, source: LiveFixes.Source
  ) {
    self.options = options
    self.destination = destination
    self.source = source
    recorder = DriveRecorder(settings: options.settings)
    var isLog = false
    var mayBeLog = false
    if case .file(let path, _) = source {
      isLog = Self.isRegular(path)
      mayBeLog = options.clock == nil
    }
    clock = ReceiverClock(options.clock ?? (isLog ? .fixes : .system), mayBeLog: mayBeLog)
    display = RecordDisplay()
  }

  private static func isRegular(_ path: String) -> Bool {
    (try? OutputKind(path == "-" ? "/dev/stdin" : path)) == .file
  }

  mutating func run() -> Int32 {
    do throws(TrackError) {
      try destination.check()
      try RecordRecovery.makeRoom(at: destination)
      checkpoint = try AppendedFile(new: destination.checkpoint)
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
    Interruption.intercept()
    let failure = record()
    if let now { recorder.stop(at: now) }
    display.clear()
    sayClock()
    if let failure { Console.report(failure) }
    guard !recorder.route.isEmpty || failure == nil else {
      checkpoint?.remove()
      return failure.map(ExitStatus.of) ?? ExitStatus.dataError
    }
    // If saving fails, the complete recording can be recovered from the checkpoint.
    if failure == nil { _ = writeCheckpoint() }
    let status = save()
    // Keep the checkpoint if the recording could not be saved. An empty recording needs none.
    if status == ExitStatus.success || recorder.route.isEmpty { checkpoint?.remove() }
    return failure.map(ExitStatus.of) ?? status
  }

  private func save() -> Int32 {
    guard !recorder.route.isEmpty || undated == 0 else {
      Console.report(
        TrackError(
          .noTimes, "\(Counted.of(undated, "position")) received, but without a date",
          suggestion: .text("configure the receiver to send RMC or ZDA sentences")))
      return ExitStatus.dataError
    }
    return RecordRecovery.save(
      recorder, to: destination, options, hasCheckpoint: !recorder.route.isEmpty)
  }

  // MARK: The clock

  /// The time at which the recording ends, or nil without a limit.
  private var deadline: Instant? {
    guard let limit = options.duration, let start = recorder.startTime,
      let step = Instant(secondsSince1970: limit)
    else { return nil }
    let (sum, overflow) = start.microseconds.addingReportingOverflow(step.microseconds)
    return overflow ? nil : Instant(microseconds: sum)
  }

  /// The current time for the recorder, which does not exceed the deadline.
  private var now: Instant? {
    guard let now = clock.now(system.now) else { return nil }
    return deadline.map { min($0, now) } ?? now
  }

  private mutating func take(_ fix: LocationFix) {
    guard clock.source == .system else { return takeFromLog(fix) }
    if clock.isWatching { held.append(fix) } else { held = [] }
    switch clock.take(fix, at: system.now) {
    case .log: return becomeLog()
    case .differs:
      hasClockNotice = true
      // The recording began before the first fix, whose time is now known.
      recorder.correctClock(by: clock.offset ?? 0)
    case .corrected(let lead):
      recorder.correctClock(by: lead)
      hasClockNotice = hasClockNotice && abs(clock.offset ?? 0) > ReceiverClock.tolerance
      // The journal has the times before the correction.
      journal = RecorderJournal()
      display.notice(
        "the receiver has set its clock \(lead < 0 ? "back" : "forward") by \(Self.span(lead)), and the drive so far "
          + "with it")
    case nil: break
    }
    record(fix)
  }

  private mutating func takeFromLog(_ fix: LocationFix) {
    for fix in leaps.take(fix) where !isOver {
      _ = clock.take(fix, at: system.now)
      record(fix)
    }
  }

  private mutating func sayClock() {
    guard hasClockNotice, let offset = clock.offset else { return }
    hasClockNotice = false
    display.notice(
      "the receiver's clock is \(Self.span(offset)) \(offset < 0 ? "behind" : "ahead of") the system's; the receiver's clock is used"
    )
  }

  /// Formats the difference between two clocks in whole seconds: `11 s`, `1:00:00`, `7168 days`.
  private static func span(_ seconds: Double) -> String {
    let seconds = abs(seconds).rounded()
    if seconds < 60 { return "\(Formatted.fixed(seconds, 0)) s" }
    return seconds < 172_800 ? Text.clock(seconds) : "\(Formatted.fixed(seconds / 86_400, 0)) days"
  }

  /// Records the previously received fixes again, with their own times.
  private mutating func becomeLog() {
    hasClockNotice = false
    display.notice(
      "the fixes arrive faster than in real time, as from a log, so their own times are used; --clock system uses the system's"
    )
    recorder = DriveRecorder(settings: options.settings)
    journal = RecorderJournal()
    clock = ReceiverClock(.fixes)
    for fix in held { takeFromLog(fix) }
    held = []
  }

  private mutating func record(_ fix: LocationFix) {
    guard let clockTime = clock.now(system.now) else { return }
    recorder.start(at: min(clockTime, fix.time, logStart ?? fix.time))
    guard let now else { return }
    // Fixes after the deadline are not part of the recording.
    if clockTime > now {
      recorder.tick(at: now)
    } else if recorder.add(fix, at: now) == .refused(.nullIsland), !hasNullNotice {
      hasNullNotice = true
      display.notice("warning: position 0°, 0° far from the route, fix skipped; more are counted at the end")
    }
    isOver = now == deadline
  }

  // MARK: The loop

  /// Receives fixes until the end.
  ///
  /// - Returns: the error that ended the source, if any.
  private mutating func record() -> TrackError? {
    // A log begins with its first dated sentence, or else with its first fix.
    if clock.source == .system { recorder.start(at: system.now) }
    let fixes = LiveFixes(source)
    var nextTick = system.now
    while Interruption.signal == nil, !isOver {
      switch fixes.next(within: min(nextTick.seconds(since: system.now), 0.2)) {
      case .began(let time): logStart = time
      case .fix(let fix):
        take(fix)
        if let error = writeCheckpoint() { return error }
        if clock.source == .fixes { display.show(recorder) }
      case .undated(let count): undated += count
      case .unavailable(let outage): display.notice(outage.text)
      case .available(let outage): display.notice(outage.endText)
      case .warnings(let warnings): display.warn(warnings)
      case .end(let error):
        if clock.end() == .log {
          becomeLog()
          if let error = writeCheckpoint() { return error }
        }
        if leaps.removed > 0 {
          display.notice(
            "warning: \(Counted.of(leaps.removed, "fix", plural: "fixes")) with a wrong date or time removed")
        }
        return source.name.flatMap { error?.inFile($0) } ?? error
      case nil: break
      }
      guard system.now >= nextTick else { continue }
      if let error = tick() { return error }
      nextTick = Instant(microseconds: system.now.microseconds &+ untilNextTick)
    }
    return nil
  }

  /// The time in microseconds until the duration reaches its next whole second, so that the display shows
  /// each second.
  private var untilNextTick: Int64 {
    guard clock.source == .system, recorder.state == .recording else { return 1_000_000 }
    let part = recorder.duration.truncatingRemainder(dividingBy: 1)
    return max(Int64((1 - part) * 1e6), 1000)
  }

  /// Updates the recorder, the display and the checkpoint once per second.
  private mutating func tick() -> TrackError? {
    if clock.source == .system, let now {
      recorder.tick(at: now)
      isOver = now == deadline
    }
    // By now, the difference of the clocks is known more precisely, and a log has been detected.
    if recorder.duration > 5 { sayClock() }
    display.show(recorder)
    return writeCheckpoint()
  }

  private mutating func writeCheckpoint() -> TrackError? {
    guard let line = journal.checkpoint(of: recorder) else { return nil }
    do throws(TrackError) {
      try checkpoint?.append(line)
      return nil
    } catch {
      return error
    }
  }
}

/// The system's time at the start plus the elapsed time, which is not affected by changes of the system's
/// clock.
private struct SystemTime {
  private let start = Date().timeIntervalSince1970
  private let clock = ContinuousClock.now

  var now: Instant {
    Instant(secondsSince1970: start + (ContinuousClock.now - clock) / .seconds(1)) ?? Instant(microseconds: 0)
  }
}
