public import TrackArchives
package import TrackModel

/// Counts the outcomes of inputs.
public struct OutcomeTally: Sendable {
  /// The number of inputs.
  public private(set) var inputs = 0
  /// The number of inputs with at least one new drive and no failure.
  public private(set) var imported = 0
  /// The number of new drives from ``imported`` inputs.
  public private(set) var drives = 0
  /// The number of inputs whose content an earlier run imported.
  public private(set) var alreadyThere = 0
  /// The number of inputs whose drives are all duplicates.
  public private(set) var duplicates = 0
  /// The number of inputs without drives and failures; see ``reasons``.
  public private(set) var skipped = 0
  /// The number of inputs with a failure, including those with drives.
  public private(set) var failed = 0
  /// The number of drives from inputs that failed in part.
  public private(set) var drivesOfFailed = 0
  /// The number of duplicates that were removed from inputs that also have other drives.
  public private(set) var drivesLeftOut = 0
  /// The reasons for skipped inputs, in the order of first occurrence.
  public var reasons: [(reason: SkipReason, count: Int)] { skipReasons.counts }
  private var skipReasons = ReasonCounts<SkipReason>()

  package init() {}

  /// The error of an import whose options removed the points of all inputs.
  package var emptiness: TrackError? {
    guard inputs == skipped else { return nil }
    return reasons.first { SkipReason.removals.contains($0.reason) }.map {
      TrackError(.noTracks, "nothing imported: \($0.reason.text)")
    }
  }

  /// - Parameters:
  ///   - count: the number of drives of an input that failed.
  ///   - leftOut: the number of its drives that are duplicates.
  package mutating func add(_ outcome: InputOutcome, drives count: Int = 0, leftOut: Int = 0) {
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
      skipReasons.add(reason)
    }
  }

  /// The number of inputs in each state.
  package var summary: String {
    "\(importedText), \(alreadyThere) already imported, "
      + "\(Counted.of(duplicates, "duplicate")), \(skipped) skipped, \(failed) failed\(rescued)"
  }

  /// The number of imported inputs with that of their drives: `2 imported (3 drives)`.
  package var importedText: String {
    "\(imported) imported" + (drives > 0 ? " (\(Counted.of(drives, "drive")))" : "")
  }

  /// The number of drives imported from inputs that failed, or empty text if there are none.
  package var rescued: String {
    drivesOfFailed > 0 ? " (of which \(Counted.of(drivesOfFailed, "drive")) could be imported)" : ""
  }
}
