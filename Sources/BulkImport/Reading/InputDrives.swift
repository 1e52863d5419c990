package import GhostModel
package import TrackModel

/// The drives of all tracks of an input, or of the selected one.
package struct InputDrives {
  /// The input.
  package let path: String
  /// The tracks, at least one.
  package let tracks: [InputTrack]
  /// The tracks that are drives.
  package let drives: [(trace: TimedDrive, track: InputTrack)]
  /// The error of the first track that is not a drive.
  package let fault: TrackError?

  /// Reads an input.
  ///
  /// - Parameter progress: creates the progress of a file.
  /// - Throws: errors of opening the input and of `InputTrack`.
  package init(
    _ path: String, _ options: InputTrack.Options, progress: OpenInput.ProgressMaking
  ) throws(TrackError) {
    self.path = path
    tracks = try InputTrack.all(path, options, progress: progress)
    var drives: [(trace: TimedDrive, track: InputTrack)] = []
    var fault: TrackError?
    for track in tracks {
      do throws(TrackError) {
        let trace = try track.trace(label: InputPath.name(path), source: path, options.rules)
        if options.isStrict, let warning = trace.warnings.first { throw warning.asError }
        drives.append((trace, track))
      } catch {
        fault = fault ?? error
      }
    }
    self.drives = drives
    self.fault = fault
  }
}
