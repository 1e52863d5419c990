import GhostModel
import TrackFormats
import TrackModel

/// Checkpoints that are there already, and the drives in them.
enum RecordRecovery {
  /// Makes sure that a new checkpoint can be begun: one that was left behind with nothing in it goes.
  ///
  /// - Throws: `notCreatable` where there is one that somebody needs.
  static func makeRoom(at destination: RecordDestination) throws(TrackError) {
    let path = destination.checkpoint
    guard AppendedFile.exists(path) else { return }
    guard !AppendedFile.isInUse(path) else {
      throw TrackError(
        .notCreatable, "another recording goes into it at this moment", file: destination.name,
        suggestion: .text("give this one another name, or stop that one with Ctrl-C first"))
    }
    do throws(TrackError) {
      guard try recorder(path, RecorderSettings()).route.isEmpty else {
        throw TrackError(
          .notCreatable, "a recording into \(destination.name) was cut off", file: path,
          suggestion: .text("ghost-convert record --recover \(path) saves it; otherwise remove it"))
      }
    } catch  where error.code == .truncated {
      // It was cut off before it had anything.
    } catch  where error.code == .malformed {
      throw TrackError(
        .notCreatable, "is in the way, and no checkpoint of a recording", file: path,
        suggestion: .text("move it away, or record into another file"))
    }
    AppendedFile.remove(path)
  }

  /// - Throws: `malformed` for what is no checkpoint, `truncated` for one with nothing in it.
  private static func recorder(_ path: String, _ settings: RecorderSettings) throws(TrackError)
    -> DriveRecorder
  {
    var input = try ByteInput(path: path)
    var bytes: [UInt8] = []
    while try input.fill() {
      for index in input.available.indices { bytes.append(input.available[index]) }
      input.consumeAll()
    }
    do throws(TrackError) {
      return try RecorderJournal.recover(from: bytes, settings: settings)
    } catch {
      throw error.inFile(path)
    }
  }

  /// Makes the drive of a checkpoint, which then is not needed any more.
  static func recover(
    _ path: String, to destination: RecordDestination, _ options: GhostConvert.RecordOptions
  ) -> Int32 {
    do throws(TrackError) {
      guard !AppendedFile.isInUse(path) else {
        throw TrackError(
          .notCreatable, "belongs to a running recording", file: path,
          suggestion: .text("stop that one with Ctrl-C, and it saves itself"))
      }
      var recorder = try recorder(path, options.settings)
      guard !recorder.route.isEmpty else {
        throw TrackError(
          .tooFewPoints, "nothing had been recorded when it was cut off", file: path,
          suggestion: .text("record again, and it is replaced"))
      }
      try destination.check()
      if let end = recorder.stretches.last?.end ?? recorder.stretches.last?.start { recorder.stop(at: end) }
      let status = save(recorder, to: destination, options)
      if status == ExitStatus.success { AppendedFile.remove(path) }
      return status
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
  }

  /// Writes the drive, and says what it is.
  ///
  /// - Parameter hasCheckpoint: whether the destination's checkpoint has the drive too, should it not be
  ///   written.
  static func save(
    _ recorder: DriveRecorder, to destination: RecordDestination, _ options: GhostConvert.RecordOptions,
    hasCheckpoint: Bool = false
  ) -> Int32 {
    do throws(TrackError) {
      let drive = try destination.save(recorder, name: options.name)
      if options.json {
        Console.print(RecordedOutput.json(recorder, drive, to: destination).text)
      } else {
        let names = [destination.output, destination.library].compactMap(\.self).joined(separator: ", ")
        Console.note("\(names): \(RecordedOutput.text(recorder))")
      }
      return ExitStatus.success
    } catch {
      Console.report(hasCheckpoint ? recoverable(error, destination) : error)
      return ExitStatus.of(error)
    }
  }

  /// The error with how the drive is saved once its reason is gone.
  private static func recoverable(_ error: TrackError, _ destination: RecordDestination) -> TrackError {
    // The same command would record another drive.
    let first = error.code == .noSpace ? "make room" : error.suggestion?.advice
    return TrackError(
      error.code, error.message, file: error.file, place: error.place, offendingText: error.offendingText,
      suggestion: .text([first, "\(destination.recovery) saves the drive"].joinedLine))
  }
}
