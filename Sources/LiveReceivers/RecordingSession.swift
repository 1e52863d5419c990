package import GhostModel
package import TrackFormats
package import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Records the fixes of a source as they arrive, and writes checkpoints to a file.
///
/// ```swift
/// let file = try AppendedFile(new: "drive.gpx.checkpoint")
/// var session = RecordingSession(source, clock: nil, checkpoint: file)
/// let failure = session.run(until: { isStopped }) { notice, recorder in show(notice, recorder) }
/// let isRestorable = session.writeLastCheckpoint { notice, recorder in show(notice, recorder) }
/// ```
package struct RecordingSession {
  /// A change during a recording.
  package enum Notice {
    /// The recorder has been updated.
    case updated
    case recording(ReceiverRecording.Notice)
    case unavailable(LiveFixes.Outage)
    case available(LiveFixes.Outage)
    /// The warnings about the input.
    case warnings([TrackWarning])
    /// A checkpoint cannot be written. The recording continues in memory.
    case checkpointFailed(TrackError)
    /// Checkpoints are written again, with all fixes since the failure.
    case checkpointRestored
  }

  /// Receives a notice, and the recorder at that time.
  package typealias Observer = (Notice, DriveRecorder) -> Void

  private let source: LiveFixes.Source
  private let checkpoint: AppendedFile
  private let system = SystemTime()
  private var recording: ReceiverRecording
  /// The earliest time of the next checkpoint.
  private var nextCheckpoint = Instant(microseconds: 0)
  /// Whether the last checkpoint could not be written.
  private var checkpointFails = false
  /// The number of positions without a time.
  private var undated = 0

  /// Creates a session. Nothing is opened before ``run(until:_:)``.
  ///
  /// - Parameters:
  ///   - source: the source of the fixes.
  ///   - clock: the clock of the recording. If nil, it is the system clock, or that of the fixes for a
  ///     regular file or a log in a pipe.
  ///   - limit: the duration in seconds at which the recording ends, or nil without a limit.
  ///   - checkpoint: the file for the checkpoints.
  package init(
    _ source: LiveFixes.Source, settings: RecorderSettings = RecorderSettings(), clock: ReceiverClock.Source?,
    limit: Double? = nil, checkpoint: AppendedFile
  ) {
    self.source = source
    self.checkpoint = checkpoint
    var isLog = false
    var mayBeLog = false
    if case .file(let path, _) = source {
      isLog = (try? OutputKind(path == "-" ? "/dev/stdin" : path)) == .file
      mayBeLog = clock == nil
    }
    recording = ReceiverRecording(
      settings: settings, clock: clock ?? (isLog ? .fixes : .system), mayBeLog: mayBeLog, limit: limit)
  }

  /// The recorder with the drive so far.
  package var recorder: DriveRecorder { recording.recorder }

  /// Records until the source ends, the limit is reached or `isStopped` returns true.
  ///
  /// - Parameters:
  ///   - isStopped: called at least every fifth of a second.
  ///   - observe: receives notices, and ``Notice/updated`` for each fix of a log and every second.
  /// - Returns: the error that ended the source, if any.
  package mutating func run(until isStopped: () -> Bool, _ observe: Observer) -> TrackError? {
    let failure = receive(until: isStopped, observe)
    pass(recording.stop(at: system.now), to: observe)
    return failure
  }

  private mutating func receive(until isStopped: () -> Bool, _ observe: Observer) -> TrackError? {
    recording.begin(at: system.now)
    let fixes = LiveFixes(source)
    defer { fixes.close() }
    var nextTick = system.now
    while !isStopped(), !recording.isOver {
      switch fixes.next(within: min(nextTick.seconds(since: system.now), 0.2)) {
      case .began(let time): recording.beginLog(at: time)
      case .fix(let fix):
        pass(recording.take(fix, at: system.now), to: observe)
        if !recording.followsSystem { observe(.updated, recorder) }
      case .undated(let count): undated += count
      case .unavailable(let outage): observe(.unavailable(outage), recorder)
      case .available(let outage): observe(.available(outage), recorder)
      case .warnings(let warnings): observe(.warnings(warnings), recorder)
      case .end(let error):
        pass(recording.end(at: system.now), to: observe)
        return source.name.flatMap { error?.inFile($0) } ?? error
      case nil: break
      }
      writeCheckpoint(observe)
      guard system.now >= nextTick else { continue }
      pass(recording.tick(at: system.now), to: observe)
      observe(.updated, recorder)
      nextTick = Instant(microseconds: system.now.microseconds &+ untilNextTick)
    }
    observe(.warnings(fixes.warnings), recorder)
    return nil
  }

  private func pass(_ notices: [ReceiverRecording.Notice], to observe: Observer) {
    for notice in notices { observe(.recording(notice), recorder) }
  }

  /// The time in microseconds until the duration reaches its next whole second, so that a display shows each
  /// second.
  private var untilNextTick: Int64 {
    guard recording.followsSystem, recorder.state == .recording else { return 1_000_000 }
    let part = recorder.duration.truncatingRemainder(dividingBy: 1)
    return max(Int64((1 - part) * 1e6), 1000)
  }

  /// Checks whether there are positions with times.
  ///
  /// - Throws: `noTimes` if all positions lacked a date.
  package func checkTimes() throws(TrackError) {
    guard recorder.route.isEmpty, undated > 0 else { return }
    throw TrackError(
      .noTimes, "\(Counted.of(undated, "position")) received, but without a date",
      suggestion: .text("configure the receiver to send RMC or ZDA sentences"))
  }

  // MARK: Checkpoints

  /// The seconds between checkpoints, which a log would otherwise need for every few fixes.
  private static let checkpointInterval = 0.1
  /// The seconds until a checkpoint that could not be written is repeated.
  private static let retryInterval = 5.0

  /// Completes the checkpoints, so that the whole recording can be restored if the drive cannot be saved.
  ///
  /// - Returns: whether they are complete.
  package mutating func writeLastCheckpoint(_ observe: Observer) -> Bool {
    nextCheckpoint = system.now
    writeCheckpoint(observe)
    return !checkpointFails
  }

  /// Writes a checkpoint with the whole recording to another file.
  package mutating func writeCheckpoint(to file: AppendedFile) throws(TrackError) {
    recording.restartJournal()
    if let line = recording.checkpoint() { try file.append(line) }
  }

  /// Writes a checkpoint if one is due. If that fails, the recording continues in memory, and a later
  /// checkpoint contains all of it.
  private mutating func writeCheckpoint(_ observe: Observer) {
    let now = system.now
    guard now >= nextCheckpoint, let line = recording.checkpoint() else { return }
    let hasFailed = checkpointFails
    do throws(TrackError) {
      try checkpoint.append(line)
      checkpointFails = false
      if hasFailed { observe(.checkpointRestored, recorder) }
    } catch {
      checkpointFails = true
      recording.restartJournal()
      if !hasFailed { observe(.checkpointFailed(error), recorder) }
    }
    let pause = checkpointFails ? Self.retryInterval : Self.checkpointInterval
    nextCheckpoint = now.advanced(bySeconds: pause) ?? now
  }
}

/// The system's time at the start plus the elapsed time, which is not affected by changes of the system's
/// clock.
private struct SystemTime {
  private let start: Instant
  private let clock = ContinuousClock.now

  init() {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    start = Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  var now: Instant { start.advanced(bySeconds: (ContinuousClock.now - clock) / .seconds(1)) ?? start }
}
