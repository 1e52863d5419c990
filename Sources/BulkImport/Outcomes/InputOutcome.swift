public import TrackArchives
import TrackFormats
public import TrackModel

/// What became of an input: every one ends in exactly one of these.
public enum InputOutcome: Sendable {
  /// At least one drive was made of it.
  case imported(drives: Int)
  /// Its content is in the library from an earlier run.
  case alreadyThere
  /// Every drive in it is there already; the first is that of another input.
  case duplicate(of: String)
  case skipped(SkipReason)
  case failed(TrackError)
}

/// Counts what became of inputs.
public struct OutcomeTally: Sendable {
  public private(set) var inputs = 0
  public private(set) var imported = 0
  public private(set) var drives = 0
  public private(set) var alreadyThere = 0
  public private(set) var duplicates = 0
  public private(set) var skipped = 0
  public private(set) var failed = 0
  /// Drives of inputs that failed in part.
  public private(set) var drivesOfFailed = 0
  /// Drives that were left out as duplicates of inputs that gave others.
  public private(set) var drivesLeftOut = 0
  /// In the order of first occurrence.
  public private(set) var reasons: [(reason: SkipReason, count: Int)] = []

  public init() {}

  /// - Parameters:
  ///   - count: drives that are there of an input that failed.
  ///   - leftOut: drives of it that are duplicates.
  public mutating func add(_ outcome: InputOutcome, drives count: Int = 0, leftOut: Int = 0) {
    inputs += 1
    if case .duplicate = outcome {} else { drivesLeftOut += leftOut }
    switch outcome {
    case .imported(let count):
      imported += 1
      drives += count
    case .alreadyThere: alreadyThere += 1
    case .duplicate: duplicates += 1
    case .failed:
      failed += 1
      drivesOfFailed += count
    case .skipped(let reason):
      skipped += 1
      if let index = reasons.firstIndex(where: { $0.reason == reason }) {
        reasons[index].count += 1
      } else {
        reasons.append((reason, 1))
      }
    }
  }
}
