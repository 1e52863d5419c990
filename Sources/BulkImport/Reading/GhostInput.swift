package import GhostModel
package import TrackModel
package import TrackTransforms

/// The earlier drive of an input for a replay: the first track that has points, or the one with a given
/// number.
package struct GhostInput {
  package let trail: GhostTrail
  /// The warnings about the points that the trail does not include, doubtful times, and the input.
  package let warnings: [TrackWarning]

  /// The stages with which an input is opened.
  package static let stages = InputTrack.stages

  /// Opens an input and reads it up to the track.
  ///
  /// - Parameter progress: creates the progress of a file.
  /// - Throws: errors of opening the input, and those of ``init(_:track:isStrict:rules:)``.
  package init(
    _ path: String, _ options: InputTrack.Options, progress: OpenInput.ProgressMaking
  ) throws(TrackError) {
    var input = try OpenInput(path, options.opening, progress: progress)
    self = try GhostInput(
      &input, track: options.track, isStrict: options.isStrict, rules: options.rules)
  }

  /// Reads an input up to the track.
  ///
  /// - Parameters:
  ///   - input: opened with ``stages``.
  ///   - number: the number of the track among those with points, from 1, or nil for the first.
  ///   - isStrict: whether an error directly after the track is thrown.
  ///   - rules: the required accuracy, and the pace of points without times.
  /// - Throws: errors of the reader, `noTracks` if there is no such track, or `noTimes`.
  package init(
    _ input: inout some TrackReader & ~Copyable, track number: Int?, isStrict: Bool, rules: ImportOptions
  ) throws(TrackError) {
    var recordings = RecordingBuilder()
    var batch = PointBatch()
    var count = 0
    var found: (trail: GhostTrail, warnings: [TrackWarning])?
    while found == nil, let event = try input.next(into: &batch) {
      guard let recording = recordings.add(event, batch), recording.kind == .track, recording.count > 0
      else { continue }
      count += 1
      if let number, number != count { continue }
      found = try GhostInput.trail(recording, rules)
    }
    guard let found else { throw TrackError.noTrack(number, of: count) }
    // The other tracks are ignored, but a file that is truncated within the track is only detected here.
    do throws(TrackError) { _ = try input.next(into: &batch) } catch { if isStrict { throw error } }
    trail = found.trail
    warnings = found.warnings + input.warnings.filter(\.code.concernsDrives)
  }

  private static func trail(
    _ recording: Recording, _ rules: ImportOptions
  ) throws(TrackError) -> (GhostTrail, [TrackWarning]) {
    guard !recording.hasNoTimes else {
      // Points without times are spread evenly, over the duration in the file if it has one.
      guard let drive = try DriveImporter.drives(from: recording, options: rules, name: "").first else {
        throw TrackError(.noTimes, "has no times")
      }
      return (GhostTrail(drive.drive), DriveWarnings.withoutChanges(drive.report.warnings))
    }
    var trail = try GhostTrail(recording, options: rules)
    trail.joinSegments()
    return (trail, trail.warnings)
  }
}
