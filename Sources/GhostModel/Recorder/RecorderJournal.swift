public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A journal of checkpoints, appended to a file so that a crash loses at most ten coordinates.
///
/// Each checkpoint is a line of JSON with the changes since the previous one. A line truncated by a crash is
/// skipped (``recover(from:settings:)``), so every checkpoint is complete or ignored, and the cost of a
/// checkpoint does not depend on the length of the drive.
public struct RecorderJournal: Sendable {
  /// The number of kept coordinates between checkpoints.
  public static let interval = 10
  /// The seconds between checkpoints if no coordinates are kept, so that the duration of a stop is not lost.
  public static let longestSilence = 15.0

  private var rows = 0
  private var duration = 0.0
  private var state: DriveRecorder.State?

  /// Creates an empty journal.
  public init() {}

  /// Returns the next checkpoint if one is due: ten coordinates or fifteen seconds after the last, and at
  /// every start, pause, resume and stop.
  public mutating func checkpoint(of recorder: DriveRecorder) -> [UInt8]? {
    // Rows at 0°, 0° were removed.
    if recorder.route.count < rows { self = RecorderJournal() }
    guard
      state != recorder.state || recorder.route.count - rows >= Self.interval
        || recorder.duration - duration >= Self.longestSilence
    else { return nil }
    // The last row of the previous checkpoint can have a later `lastNear` since.
    let from = max(0, rows - 1)
    guard let line = try? JSONEncoder().encode(DriveRecorder.Checkpoint(recorder, from: from)) else {
      // Encoding only fails for non-finite numbers, which the recorder rejects.
      return nil
    }
    rows = recorder.route.count
    duration = recorder.duration
    state = recorder.state
    return Array(line) + [UInt8(ascii: "\n")]
  }

  /// Restores the recorder from the last complete checkpoint. A running recording is paused at that time and
  /// can be resumed or stopped.
  ///
  /// - Throws: `malformed` if the first line is not a checkpoint, `truncated` if there is no complete
  ///   checkpoint.
  public static func recover(
    from journal: [UInt8], settings: RecorderSettings = RecorderSettings()
  ) throws(TrackError) -> DriveRecorder {
    var checkpoint: DriveRecorder.Checkpoint?
    var number = 0
    for line in journal.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      number += 1
      guard let next = try? JSONDecoder().decode(DriveRecorder.Checkpoint.self, from: Data(line)),
        next.follows(checkpoint)
      else {
        if checkpoint == nil {
          throw TrackError(
            .malformed, "not a checkpoint of a recording", place: InputLocation(line: number),
            suggestion: .useCheckpoint)
        }
        break
      }
      if checkpoint == nil { checkpoint = next } else { checkpoint?.take(next) }
    }
    guard let checkpoint else {
      throw TrackError(.truncated, "no complete checkpoint; nothing was recorded")
    }
    return DriveRecorder(checkpoint, settings: settings)
  }
}
