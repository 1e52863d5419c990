import BulkImport
import CommandLineParsing
import GhostModel
import LiveReceivers
import TrackFormats
import TrackModel
import TrackTransforms

/// Runs the record command: records a drive or restores it from a checkpoint, and saves it.
struct RecordRun {
  let options: GhostConvert.RecordOptions
  let destination: RecordingDestination

  /// Records the fixes of a source until the end or a signal, and returns the exit status.
  func record(_ source: LiveFixes.Source) -> Int32 {
    ExitStatus.reporting { () throws(TrackError) in
      try destination.check()
      let checkpoint = try destination.newCheckpoint()
      Interruption.intercept()
      var display = RecordDisplay()
      var session = RecordingSession(
        source, settings: options.settings, clock: options.clock, limit: options.duration,
        checkpoint: checkpoint)
      let failure = session.run(until: { Interruption.signal != nil }) { display.show($0, $1) }
      display.clear()
      if let failure { Console.report(failure) }
      let isEmpty = session.recorder.route.isEmpty
      var status = failure.map(ExitStatus.of)
      if !isEmpty || failure == nil {
        let isComplete = session.writeLastCheckpoint { display.show($0, $1) }
        let saved = ExitStatus.reporting { () throws(TrackError) in
          try session.checkTimes()
          return save(session.recorder) {
            guard !isEmpty else { return nil }
            return isComplete && AppendedFile.isFile(checkpoint.path)
              ? checkpoint.path : keepElsewhere(&session, checkpoint)
          }
        }
        status = status ?? saved
        // If the recording could not be saved, it can be restored from the checkpoint.
        if saved != ExitStatus.success, !isEmpty { return status ?? saved }
      }
      checkpoint.remove()
      return status ?? ExitStatus.success
    }
  }

  /// Writes the whole recording to a temporary checkpoint, and removes the incomplete one.
  ///
  /// - Returns: the path, or nil if that is not possible either.
  private func keepElsewhere(_ session: inout RecordingSession, _ incomplete: AppendedFile) -> String? {
    guard let file = destination.temporaryCheckpoint() else { return nil }
    guard (try? session.writeCheckpoint(to: file)) != nil else {
      file.remove()
      return nil
    }
    incomplete.remove()
    return file.path
  }

  /// Creates the drive of a checkpoint, removes the checkpoint, and returns the exit status.
  func recover(_ path: String) -> Int32 {
    ExitStatus.reporting { () throws(TrackError) in
      let recovery = try RecordingDestination.restored(path, options.settings)
      Console.report(recovery.warnings, file: path)
      try destination.check()
      let status = save(recovery.recorder)
      guard status == ExitStatus.success else { return status }
      if recovery.warnings.isEmpty {
        AppendedFile.remove(path)
      } else {
        Console.note("\(path): kept, because it is damaged")
      }
      return status
    }
  }

  /// Writes the drive and prints a summary.
  ///
  /// - Parameter checkpoint: returns the checkpoint that contains the drive if writing fails, if any.
  private func save(_ recorder: DriveRecorder, checkpoint: () -> String? = { nil }) -> Int32 {
    do throws(TrackError) {
      let imported = try destination.save(
        recorder, name: options.name, minute: LocalTime.minute, version: GhostConvert.version)
      Console.report(imported.report.warnings.filter { $0.code == .longGap }, file: destination.name)
      if options.json {
        Console.print(destination.json(imported.drive, of: recorder).text)
      } else {
        let names = [destination.output, destination.library].compactMap(\.self).joined(separator: ", ")
        Console.note("\(names): \(RecordDisplay.summary(recorder, savedAs: imported.drive))")
      }
      return ExitStatus.success
    } catch {
      let path = checkpoint()
      if error.code == .limitExceeded {
        Console.report(splittable(error, path ?? destination.checkpoint))
      } else {
        Console.report(path.map { recoverable(error, $0) } ?? error)
      }
      return ExitStatus.of(error)
    }
  }

  /// Returns the error of a drive that is too long, with a suggestion for saving its fixes from a checkpoint.
  private func splittable(_ error: TrackError, _ checkpoint: String) -> TrackError {
    TrackError(
      error.code, error.message, file: error.file ?? destination.name, place: error.place,
      offendingText: error.offendingText,
      suggestion: .text(
        "ghost-convert record --recover \(checkpoint) -o FILE.gpx saves the fixes, "
          + "which can be split at their gaps"
      ))
  }

  /// Returns the error with a suggestion for saving the drive from a checkpoint.
  private func recoverable(_ error: TrackError, _ checkpoint: String) -> TrackError {
    // Running the same command again would record another drive.
    let first = error.code == .noSpace ? "make room" : error.suggestion?.advice
    return TrackError(
      error.code, error.message, file: error.file, place: error.place, offendingText: error.offendingText,
      suggestion: .text([first, "\(recovery(from: checkpoint)) saves the drive"].joinedLine))
  }

  /// The command that saves the drive of a checkpoint.
  private func recovery(from checkpoint: String) -> String {
    var words = ["ghost-convert record --recover", checkpoint]
    let isNamed = checkpoint == destination.checkpoint && destination.isNamedByCheckpoint
    // The file may have been written already.
    if !isNamed, let output = destination.output {
      words += ["-o", output] + (destination.library == nil ? [] : ["--force"])
    }
    if !isNamed, let library = destination.library { words += ["--library", library] }
    if options.appExact { words.append("--app-exact") }
    return words.joined(separator: " ")
  }
}
