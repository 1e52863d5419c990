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
  /// The time of the last row.
  private var lastTime: Int64?
  private var duration = 0.0
  private var state: DriveRecorder.State?

  /// Creates an empty journal.
  public init() {}

  /// Returns the next checkpoint if one is due: ten coordinates or fifteen seconds after the last, and at
  /// every start, pause, resume and stop.
  public mutating func checkpoint(of recorder: DriveRecorder) -> [UInt8]? {
    // Rows at 0°, 0° were removed, or the clock was corrected.
    if recorder.route.count < rows || rows > 0 && recorder.route[rows - 1].time != lastTime {
      self = RecorderJournal()
    }
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
    lastTime = recorder.route.last?.time
    duration = recorder.duration
    state = recorder.state
    return Array(line) + [UInt8(ascii: "\n")]
  }

  /// A recorder that was restored from a journal.
  public struct Recovery: Sendable {
    /// The recorder. A running recording is paused at the last checkpoint and can be resumed or stopped.
    public var recorder: DriveRecorder
    /// A warning if lines of the journal are damaged.
    public var warnings: [TrackWarning]
  }

  /// Restores the recorder from the complete checkpoints. A line that is damaged is skipped with its
  /// coordinates, and counted in a warning. A last line without a line feed was truncated by a crash and is
  /// skipped without a warning.
  ///
  /// - Throws: `malformed` if no line is a checkpoint, `truncated` if there is no complete line.
  public static func recover(
    from journal: [UInt8], settings: RecorderSettings = RecorderSettings()
  ) throws(TrackError) -> Recovery {
    var rows = RecoveredRows()
    var damaged = (count: 0, line: 0)
    let lines = journal.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.dropLast().enumerated() {
      let next = try? JSONDecoder().decode(DriveRecorder.Checkpoint.self, from: Data(line))
      guard let next, rows.take(next) else {
        if damaged.count == 0 { damaged.line = index + 1 }
        damaged.count += 1
        continue
      }
    }
    guard let checkpoint = rows.checkpoint else {
      guard damaged.count == 0, journal.first.map({ $0 == UInt8(ascii: "{") }) ?? true else {
        throw TrackError(
          .malformed, "not a checkpoint of a recording", place: InputLocation(line: max(damaged.line, 1)),
          suggestion: .useCheckpoint)
      }
      throw TrackError(.truncated, "no complete checkpoint; nothing was recorded")
    }
    var warnings: [TrackWarning] = []
    if damaged.count > 0 {
      warnings.append(
        TrackWarning(
          .damagedCheckpoint, "line of the checkpoint is damaged, skipped with its positions",
          count: damaged.count, place: InputLocation(line: damaged.line)))
    }
    return Recovery(recorder: DriveRecorder(checkpoint, settings: settings), warnings: warnings)
  }
}

/// The checkpoints of a journal, merged without the rows of damaged lines.
private struct RecoveredRows {
  private(set) var checkpoint: DriveRecorder.Checkpoint?
  /// The rows of the recorder that are missing, ascending.
  private var missing: [Range<Int>] = []

  /// The number of rows of the recorder so far.
  private var count: Int { (checkpoint?.points.count ?? 0) + missing.reduce(0) { $0 + $1.count } }

  /// Merges the next checkpoint.
  ///
  /// - Returns: false if it is not valid.
  mutating func take(_ next: DriveRecorder.Checkpoint) -> Bool {
    guard next.isValid, next.from == 0 || next.from >= missing.last?.upperBound ?? 0 else { return false }
    if next.from == 0 {
      missing = []
    } else if next.from > count {
      missing.append(count..<next.from)
    }
    var next = next
    next.from = kept(next.from)
    for index in next.stretches.indices {
      next.stretches[index].firstRow = kept(next.stretches[index].firstRow)
    }
    if checkpoint == nil {
      checkpoint = next
      checkpoint?.from = 0
    } else {
      checkpoint?.take(next)
    }
    return true
  }

  /// Returns the number of rows before a row of the recorder that are not missing.
  private func kept(_ row: Int) -> Int {
    missing.reduce(row) { $0 - $1.clamped(to: 0..<row).count }
  }
}

extension TrackWarning.Code {
  /// A line of the checkpoint of a recording cannot be read.
  public static let damagedCheckpoint = Self("damaged-checkpoint")
}
