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
  private var recording: ReceiverRecording
  private var checkpoint: AppendedFile?
  /// The earliest time of the next checkpoint.
  private var nextCheckpoint = Instant(microseconds: 0)
  /// Whether the last checkpoint could not be written.
  private var checkpointFails = false
  private var display: RecordDisplay
  private var undated = 0

  init(
    _ options: GhostConvert.RecordOptions, to destination: RecordDestination, source: LiveFixes.Source
  ) {
    self.options = options
    self.destination = destination
    self.source = source
    var isLog = false
    var mayBeLog = false
    if case .file(let path, _) = source {
      isLog = Self.isRegular(path)
      mayBeLog = options.clock == nil
    }
    recording = ReceiverRecording(
      settings: options.settings, clock: options.clock ?? (isLog ? .fixes : .system), mayBeLog: mayBeLog,
      limit: options.duration)
    display = RecordDisplay()
  }

  private var recorder: DriveRecorder { recording.recorder }

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
    let notices = recording.stop(at: system.now)
    display.clear()
    show(notices)
    if let failure { Console.report(failure) }
    guard !recorder.route.isEmpty || failure == nil else {
      checkpoint?.remove()
      return failure.map(ExitStatus.of) ?? ExitStatus.dataError
    }
    // If saving fails, the complete recording can be recovered from the checkpoint.
    nextCheckpoint = system.now
    writeCheckpoint()
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
      recorder, to: destination, options,
      hasCheckpoint: !recorder.route.isEmpty && AppendedFile.isFile(destination.checkpoint))
  }

  // MARK: The loop

  /// Receives fixes until the end.
  ///
  /// - Returns: the error that ended the source, if any.
  private mutating func record() -> TrackError? {
    recording.begin(at: system.now)
    let fixes = LiveFixes(source)
    var nextTick = system.now
    while Interruption.signal == nil, !recording.isOver {
      switch fixes.next(within: min(nextTick.seconds(since: system.now), 0.2)) {
      case .began(let time): recording.beginLog(at: time)
      case .fix(let fix):
        show(recording.take(fix, at: system.now))
        if !recording.followsSystem { display.show(recorder) }
      case .undated(let count): undated += count
      case .unavailable(let outage): display.notice(outage.text)
      case .available(let outage): display.notice(outage.endText)
      case .warnings(let warnings): display.warn(warnings)
      case .end(let error):
        show(recording.end(at: system.now))
        return source.name.flatMap { error?.inFile($0) } ?? error
      case nil: break
      }
      writeCheckpoint()
      guard system.now >= nextTick else { continue }
      // Update the recorder and the display once per second.
      show(recording.tick(at: system.now))
      display.show(recorder)
      nextTick = Instant(microseconds: system.now.microseconds &+ untilNextTick)
    }
    display.warn(fixes.warnings)
    return nil
  }

  /// The time in microseconds until the duration reaches its next whole second, so that the display shows
  /// each second.
  private var untilNextTick: Int64 {
    guard recording.followsSystem, recorder.state == .recording else { return 1_000_000 }
    let part = recorder.duration.truncatingRemainder(dividingBy: 1)
    return max(Int64((1 - part) * 1e6), 1000)
  }

  /// The seconds between checkpoints, which a log would otherwise need for every few fixes.
  private static let checkpointInterval = 0.1
  /// The seconds until a checkpoint that could not be written is repeated.
  private static let retryInterval = 5.0

  /// Writes a checkpoint if one is due. If that fails, the recording continues in memory, and a later
  /// checkpoint contains all of it.
  private mutating func writeCheckpoint() {
    let now = system.now
    guard now >= nextCheckpoint, let line = recording.checkpoint() else { return }
    let hasFailed = checkpointFails
    do throws(TrackError) {
      try checkpoint?.append(line)
      checkpointFails = false
      if hasFailed { display.notice("the checkpoint is written again") }
    } catch {
      checkpointFails = true
      recording.restartJournal()
      if !hasFailed {
        display.notice("warning: \(error.text); the recording continues without a checkpoint")
      }
    }
    let pause = checkpointFails ? Self.retryInterval : Self.checkpointInterval
    nextCheckpoint = now.advanced(bySeconds: pause) ?? now
  }

  // MARK: Notices

  private mutating func show(_ notices: [ReceiverRecording.Notice]) {
    for notice in notices { display.notice(Self.text(of: notice)) }
  }

  private static func text(of notice: ReceiverRecording.Notice) -> String {
    switch notice {
    case .clockDiffers(let lead):
      "the receiver's clock is \(Text.clockDifference(lead)) \(lead < 0 ? "behind" : "ahead of") the system's; the receiver's clock is used"
    case .clockCorrected(let lead):
      "the receiver has set its clock \(lead < 0 ? "back" : "forward") by \(Text.clockDifference(lead)), and the drive so far with it"
    case .isLog:
      "the fixes arrive faster than in real time, as from a log, so their own times are used; --clock system uses the system's"
    case .nullIsland:
      "warning: position 0°, 0° far from the route, fix skipped; more are counted at the end"
    case .removedFixes(let count):
      "warning: \(Counted.of(count, "fix", plural: "fixes")) with a wrong date or time removed"
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
