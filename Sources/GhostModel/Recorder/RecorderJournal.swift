public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The checkpoints of a recording as lines to be appended to a file, so that a crash costs at most ten
/// coordinates.
///
/// Each checkpoint is one line of JSON that ends in a line feed and says all that has changed since the one
/// before. A line that was cut by the crash is no whole line and is passed over
/// (``recover(from:settings:)``), so that every checkpoint is there as a whole or not at all, and writing one
/// costs the same however long the drive has become.
public struct RecorderJournal: Sendable {
  /// Kept coordinates from one checkpoint to the next.
  public static let interval = 10
  /// Seconds of recording from one checkpoint to the next where nothing is kept: at a red light the duration
  /// must not get lost.
  public static let longestSilence = 15.0

  private var rows = 0
  private var duration = 0.0
  private var state: DriveRecorder.State?

  public init() {}

  /// The checkpoint that is due, or nil where none is: ten coordinates after the last, fifteen seconds after
  /// the last, and with every start, pause, resume and stop.
  public mutating func checkpoint(of recorder: DriveRecorder) -> [UInt8]? {
    // Rows at 0°, 0° were taken back.
    if recorder.route.count < rows { self = RecorderJournal() }
    guard
      state != recorder.state || recorder.route.count - rows >= Self.interval
        || recorder.duration - duration >= Self.longestSilence
    else { return nil }
    // The last row of the one before may have got a later `lastNear` since.
    let from = max(0, rows - 1)
    guard let line = try? JSONEncoder().encode(DriveRecorder.Checkpoint(recorder, from: from)) else {
      // Only numbers that are none cannot be encoded, and the recorder lets none in.
      return nil
    }
    rows = recorder.route.count
    duration = recorder.duration
    state = recorder.state
    return Array(line) + [UInt8(ascii: "\n")]
  }

  /// The recorder as the last whole checkpoint knew it; one that was recording is paused at that moment, to
  /// be resumed or stopped.
  ///
  /// - Throws: `malformed` where the first line is no checkpoint, `truncated` where there is none.
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
            .malformed, "no checkpoint of a recording", place: Place(line: number),
            suggestion: .useCheckpoint)
        }
        break
      }
      if checkpoint == nil { checkpoint = next } else { checkpoint?.take(next) }
    }
    guard let checkpoint else {
      throw TrackError(.truncated, "no whole checkpoint in it, nothing was recorded yet")
    }
    return DriveRecorder(checkpoint, settings: settings)
  }
}
