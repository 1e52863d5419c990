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
        session.writeLastCheckpoint { display.show($0, $1) }
        let hasCheckpoint = !isEmpty && AppendedFile.isFile(destination.checkpoint)
        let saved = ExitStatus.reporting { () throws(TrackError) in
          try session.checkTimes()
          return save(session.recorder, hasCheckpoint: hasCheckpoint)
        }
        status = status ?? saved
        // If the recording could not be saved, it can be restored from the checkpoint.
        if saved != ExitStatus.success, !isEmpty { return status ?? saved }
      }
      checkpoint.remove()
      return status ?? ExitStatus.success
    }
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
  /// - Parameter hasCheckpoint: whether the destination's checkpoint contains the drive if writing fails.
  private func save(_ recorder: DriveRecorder, hasCheckpoint: Bool = false) -> Int32 {
    do throws(TrackError) {
      let imported = try destination.save(
        recorder, name: options.name, minute: LocalTime.minute, version: GhostConvert.version)
      Console.report(imported.report.warnings.filter { $0.code == .longGap }, file: destination.name)
      if options.json {
        Console.print(destination.json(imported.drive, of: recorder).text)
      } else {
        let names = [destination.output, destination.library].compactMap(\.self).joined(separator: ", ")
        Console.note("\(names): \(RecordDisplay.summary(recorder))")
      }
      return ExitStatus.success
    } catch {
      Console.report(error.code == .limitExceeded || hasCheckpoint ? recoverable(error) : error)
      return ExitStatus.of(error)
    }
  }

  /// Returns the error with a suggestion for saving the drive, or its fixes if it is too long, from the
  /// checkpoint.
  private func recoverable(_ error: TrackError) -> TrackError {
    var file = error.file
    let advice: String
    if error.code == .limitExceeded {
      file = file ?? destination.name
      advice =
        "ghost-convert record --recover \(destination.checkpoint) -o FILE.gpx saves the fixes, which can be split at their gaps"
    } else {
      // Running the same command again would record another drive.
      let first = error.code == .noSpace ? "make room" : error.suggestion?.advice
      advice = [first, "\(recovery) saves the drive"].joinedLine
    }
    return TrackError(
      error.code, error.message, file: file, place: error.place, offendingText: error.offendingText,
      suggestion: .text(advice))
  }

  /// The command that saves the drive of the checkpoint.
  private var recovery: String {
    var words = ["ghost-convert record --recover", destination.checkpoint]
    if !destination.isNamedByCheckpoint, let library = destination.library {
      // The file may have been written already.
      if let output = destination.output { words += ["-o", output, "--force"] }
      words += ["--library", library]
    }
    if options.appExact { words.append("--app-exact") }
    return words.joined(separator: " ")
  }
}
