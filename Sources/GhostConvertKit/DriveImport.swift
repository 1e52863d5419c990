public import GhostModel
public import TrackModel

/// The drives of a file, with warnings and errors.
public struct DriveImport: Sendable {
  /// The drives in the order of the file, each with its report.
  public private(set) var imported: [ImportedDrive] = []
  /// The warnings about the file. Those about single drives are in their reports.
  public private(set) var warnings: [TrackWarning] = []
  /// The errors of tracks that could not be imported, and of damaged parts of the file.
  public private(set) var failures: [TrackError] = []

  /// The drives in the order of the file.
  public var drives: [Drive] { imported.map(\.drive) }

  /// Imports the drives of a file.
  ///
  /// - Parameter isStopped: whether to stop. The result then contains the drives so far.
  init(
    _ file: TrackFile, _ options: ImportOptions, isStopped: @escaping () -> Bool
  ) throws(TrackError) {
    let cursor = RecordingCursor(file, isStopped: isStopped)
    var options = options
    options.keepsDrive = true
    options.keepsTimes = true
    var routes: [Recording] = []
    var isAtEnd = false
    while !isAtEnd {
      do throws(TrackError) {
        while let recording = try cursor.next() {
          if recording.kind == .route { routes.append(recording) } else { add(recording, cursor, options) }
        }
        isAtEnd = true
      } catch {
        // An archive may contain further files.
        failures.append(error)
      }
    }
    // A planned route is a drive only if the caller gives its duration or speed.
    if imported.isEmpty, options.duration != nil || options.speed != nil {
      for route in routes { add(route, cursor, options) }
    }
    warnings = cursor.warnings.warnings
    guard imported.isEmpty, !isStopped() else { return }
    let failure =
      failures.first
      ?? TrackError(
        .noTracks, "no track with points", file: cursor.inputName,
        suggestion: routes.isEmpty ? nil : .provideDurationOrSpeedOfRoute)
    // A warning often explains why nothing is left, and where.
    guard failure.place == InputLocation(), let warning = warnings.first else { throw failure }
    throw TrackError(
      failure.code, "\(failure.message): \(warning.message)", file: failure.file, place: warning.place,
      offendingText: warning.offendingText, suggestion: failure.suggestion ?? warning.suggestion)
  }

  private mutating func add(_ recording: Recording, _ cursor: RecordingCursor, _ options: ImportOptions) {
    let name = recording.name ?? cursor.inputName.map(FileName.stem) ?? "Drive"
    do throws(TrackError) {
      for var drive in try DriveImporter.drives(from: recording, options: options, name: name) {
        drive.drive.describe(as: recording)
        imported.append(drive)
      }
    } catch {
      failures.append(cursor.inputName.map(error.inFile) ?? error)
    }
  }
}

extension TrackFile {
  /// Imports the drives of the file, with its warnings and the errors of single tracks.
  ///
  /// ```swift
  /// let result = try TrackFile(url).importDrives()
  /// for warning in result.warnings { print(warning) }
  /// for imported in result.imported {
  ///   print(imported.drive.name, imported.report.largestTimeError)
  /// }
  /// ```
  ///
  /// - Throws: if no drive could be imported.
  public func importDrives(_ options: ImportOptions = ImportOptions()) throws(TrackError) -> DriveImport {
    try DriveImport(self, options) { false }
  }

  /// Imports the drives of the file outside the caller's actor.
  ///
  /// ```swift
  /// let result = try await TrackFile(url).importDrives()
  /// print(result.drives.count)
  /// ```
  ///
  /// - Throws: `TrackError`, or `CancellationError` if the task is cancelled.
  @concurrent
  public func importDrives(_ options: ImportOptions = ImportOptions()) async throws -> DriveImport {
    let result = Result { try DriveImport(self, options) { Task.isCancelled } }
    try Task.checkCancellation()
    return try result.get()
  }
}
