import BulkImport
import GhostModel
import TrackFormats
import TrackModel
import TrackTransforms

/// Handles existing checkpoints and the drives in them.
enum RecordRecovery {
  /// Ensures that a new checkpoint can be created, and removes an existing one that is empty.
  ///
  /// - Throws: `notCreatable` if there is a checkpoint with a recording.
  static func makeRoom(at destination: RecordDestination) throws(TrackError) {
    let path = destination.checkpoint
    guard AppendedFile.exists(path) else { return }
    guard AppendedFile.isFile(path) else {
      throw TrackError(
        .notCreatable, "is not a regular file", file: path,
        suggestion: .text("move it away, or record into another file"))
    }
    guard !AppendedFile.isInUse(path) else {
      throw TrackError(
        .notCreatable, "another recording is writing to this file", file: destination.name,
        suggestion: .text("choose another name, or stop the other recording with Ctrl-C"))
    }
    do throws(TrackError) {
      let recovery = try RecordedDriveOutput.recorder(ofCheckpoint: path)
      guard recovery.recorder.route.isEmpty, recovery.warnings.isEmpty else {
        throw TrackError(
          .notCreatable, "an interrupted recording of \(destination.name) exists", file: path,
          suggestion: .text("ghost-convert record --recover \(path) restores it; otherwise remove it"))
      }
    } catch  where error.code == .truncated {
      // The recording ended before anything was written.
    } catch  where error.code == .malformed {
      throw TrackError(
        .notCreatable, "exists and is not a checkpoint", file: path,
        suggestion: .text("move it away, or record into another file"))
    }
    AppendedFile.remove(path)
  }

  /// Creates the drive of a checkpoint and removes the checkpoint.
  static func recover(
    _ path: String, to destination: RecordDestination, _ options: GhostConvert.RecordOptions
  ) -> Int32 {
    ExitStatus.reporting { () throws(TrackError) in
      guard !AppendedFile.isInUse(path) else {
        throw TrackError(
          .notCreatable, "belongs to a running recording", file: path,
          suggestion: .text("stop the recording with Ctrl-C, which saves it"))
      }
      let recovery = try RecordedDriveOutput.recorder(ofCheckpoint: path, options.settings)
      var recorder = recovery.recorder
      guard !recorder.route.isEmpty else {
        guard recovery.warnings.isEmpty else {
          throw TrackError(.malformed, "the checkpoint is damaged: no position can be read", file: path)
        }
        throw TrackError(
          .tooFewPoints, "the recording was interrupted before its first position", file: path,
          suggestion: .text("record again; the file is replaced"))
      }
      Console.report(recovery.warnings, file: path)
      try destination.check()
      if let end = recorder.stretches.last?.end ?? recorder.stretches.last?.start { recorder.stop(at: end) }
      let status = save(recorder, to: destination, options)
      if status == ExitStatus.success {
        if recovery.warnings.isEmpty {
          AppendedFile.remove(path)
        } else {
          Console.note("\(path): kept, because it is damaged")
        }
      }
      return status
    }
  }

  /// Writes the drive and prints a summary.
  ///
  /// - Parameter hasCheckpoint: whether the destination's checkpoint contains the drive if writing fails.
  static func save(
    _ recorder: DriveRecorder, to destination: RecordDestination, _ options: GhostConvert.RecordOptions,
    hasCheckpoint: Bool = false
  ) -> Int32 {
    do throws(TrackError) {
      let imported = try destination.save(recorder, name: options.name)
      let drive = imported.drive
      Console.report(imported.report.warnings.filter { $0.code == .longGap }, file: destination.name)
      if options.json {
        Console.print(RecordedOutput.json(recorder, drive, to: destination).text)
      } else {
        let names = [destination.output, destination.library].compactMap(\.self).joined(separator: ", ")
        Console.note("\(names): \(RecordedOutput.text(recorder))")
      }
      return ExitStatus.success
    } catch  where error.code == .limitExceeded {
      let command = "ghost-convert record --recover \(destination.checkpoint) -o FILE.gpx"
      Console.report(
        TrackError(
          error.code, error.message, file: error.file ?? destination.name,
          suggestion: .text("\(command) saves the fixes, which can be split at their gaps")))
      return ExitStatus.of(error)
    } catch {
      Console.report(hasCheckpoint ? recoverable(error, destination) : error)
      return ExitStatus.of(error)
    }
  }

  /// Returns the error with a suggestion for saving the drive later.
  private static func recoverable(_ error: TrackError, _ destination: RecordDestination) -> TrackError {
    // Running the same command again would record another drive.
    let first = error.code == .noSpace ? "make room" : error.suggestion?.advice
    return TrackError(
      error.code, error.message, file: error.file, place: error.place, offendingText: error.offendingText,
      suggestion: .text([first, "\(destination.recovery) saves the drive"].joinedLine))
  }
}
