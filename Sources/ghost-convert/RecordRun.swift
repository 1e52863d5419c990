import GhostModel
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One run of the record command: fixes and ticks into the recorder, checkpoints beside the output, the drive at the end.
struct RecordRun {
  static let checkpointEnding = ".checkpoint"

  private let options: GhostConvert.RecordOptions
  private let output: String
  private let source: LiveFixes.Source
  private var recorder: DriveRecorder
  private var clock: ReceiverClock
  private var journal = RecorderJournal()
  private var checkpoint: AppendedFile?
  private var display: RecordDisplay
  init(_ options: GhostConvert.RecordOptions, output: String, source: LiveFixes.Source) {
    self.options = options
    self.output = output
    self.source = source
    recorder = DriveRecorder(settings: options.settings)
    var kind = ReceiverClock.Source.system
    if case .file(let path, _) = source, Self.isRegular(path) { kind = .fixes }
    clock = ReceiverClock(options.clock ?? kind)
    display = RecordDisplay(isQuiet: options.quiet)
  }

  private static func isRegular(_ path: String) -> Bool {
    let target = path == "-" ? "/dev/stdin" : path
    return (try? ByteInput(path: target).size) ?? nil != nil
  }

  mutating func run() -> Int32 {
    let checkpointPath = output + Self.checkpointEnding
    guard !AppendedFile.exists(checkpointPath) else {
      Console.report(
        TrackError(
          .notCreatable, "a recording into \(output) was cut off", file: checkpointPath,
          hint: "ghost-convert record --recover \(checkpointPath) saves it; otherwise remove it"))
      return ExitStatus.cannotCreate
    }
    do throws(TrackError) {
      checkpoint = try AppendedFile(new: checkpointPath)
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
    Interruption.intercept()
    let failure = record()
    if let now = clock.now { recorder.stop(at: now) }
    display.clear()
    if let failure { Console.report(failure) }
    let status = Self.save(recorder, to: output, options)
    // What could not be saved stays to be recovered; what never began has nothing to recover.
    if status == ExitStatus.success || recorder.route.isEmpty { checkpoint?.remove() }
    return failure.map(ExitStatus.of) ?? status
  }

  /// Takes in fixes until the end.
  ///
  /// - Returns: why the source ended, where that was no orderly end.
  private mutating func record() -> TrackError? {
    let fixes = LiveFixes(source)
    var nextTick = Date()
    while Interruption.signal == nil {
      let event = fixes.next(until: min(nextTick, Date(timeIntervalSinceNow: 0.2)))
      switch event {
      case .fix(let fix):
        if let moved = clock.take(fix) {
          display.notice(
            "the receiver's clock is \(Text.clock(abs(moved))) \(moved < 0 ? "behind" : "ahead of") "
              + "the system's, and is the one that counts")
        }
        guard let now = clock.now else { continue }
        recorder.start(at: min(now, fix.time))
        recorder.add(fix, at: now)
        if let error = writeCheckpoint() { return error }
      case .notice(let text): display.notice(text)
      case .warnings(let warnings): if !options.quiet { display.warn(warnings) }
      case .end(let error): return error
      case nil: break
      }
      guard Date() >= nextTick else { continue }
      nextTick = Date(timeIntervalSinceNow: 1)
      if clock.source == .system, let now = clock.now { recorder.tick(at: now) }
      if let error = writeCheckpoint() { return error }
      display.show(recorder)
      if let limit = options.duration, recorder.duration >= limit { return nil }
    }
    return nil
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

  /// Makes the drive of a checkpoint.
  static func recover(_ path: String, to output: String, _ options: GhostConvert.RecordOptions) -> Int32 {
    do throws(TrackError) {
      var input = try ByteInput(path: path)
      var bytes: [UInt8] = []
      while try input.fill() {
        for index in input.available.indices { bytes.append(input.available[index]) }
        input.consumeAll()
      }
      var recorder: DriveRecorder
      do throws(TrackError) {
        recorder = try RecorderJournal.recover(from: bytes, settings: options.settings)
      } catch {
        throw error.inFile(Input.name(path))
      }
      guard !AppendedFile.exists(output) else {
        throw TrackError(
          .notCreatable, "is there already", file: output, hint: "give another name with -o")
      }
      if let end = recorder.stretches.last?.end ?? recorder.stretches.last?.start { recorder.stop(at: end) }
      return save(recorder, to: output, options)
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
  }

  /// Writes the drive, and says what it is.
  private static func save(
    _ recorder: DriveRecorder, to output: String, _ options: GhostConvert.RecordOptions
  ) -> Int32 {
    do throws(TrackError) {
      let name = options.name ?? Input.baseName(output)
      let drive = try RecordedOutput.write(recorder, name: name, to: output, appExact: options.appExact)
      if options.json {
        Console.print(RecordedOutput.json(recorder, drive, output: output).text)
      } else if !options.quiet {
        Console.complain("\(output): \(RecordedOutput.text(recorder))")
      }
      return ExitStatus.success
    } catch {
      Console.report(error.inFile(output))
      return ExitStatus.of(error)
    }
  }
}
