import DriveMatching
import GhostModel
import TrackArchives
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Decides which drives of an input are kept, and determines the outcome of the input.
struct InputDecision: Sendable {
  /// The relation of a drive to earlier ones.
  enum Verdict: Sendable, Hashable {
    case new
    /// Removed: the input with this label contains the same drive.
    case duplicate(of: String)
    /// Kept: the input with this label contains a part of the same recording.
    case extending(String)
    /// Kept: another device recorded the same ride.
    case simultaneous(with: String)
  }

  private let keepsDuplicates: Bool
  private var ids: Set<UUID> = []
  private var firstSkip: SkipReason?
  private var duplicateOf: String?
  private var endFault: TrackError?
  /// The number of drives that were kept.
  private(set) var drives = 0
  /// The number of drives that were removed as duplicates.
  private(set) var leftOut = 0
  /// The failures of tracks, followed by that of the input.
  private(set) var faults: [TrackError] = []

  /// - Parameter keepsDuplicates: whether duplicates of known drives are kept.
  init(keepsDuplicates: Bool = false) { self.keepsDuplicates = keepsDuplicates }

  /// Decides on a drive.
  ///
  /// - Parameters:
  ///   - label: the input of the drive.
  ///   - isInContainer: whether the input is in an archive or a folder. Drives of other inputs are never
  ///     removed as duplicates of another input.
  ///   - duplicates: the drives of all inputs; nil to compare only within the input.
  mutating func take(
    _ drive: Drive, _ fingerprint: RideFingerprint?, label: String, isInContainer: Bool,
    among duplicates: inout DriveDuplicates?
  ) -> Verdict {
    guard ids.insert(drive.id).inserted || keepsDuplicates else {
      leftOut += 1
      return .duplicate(of: label)
    }
    var verdict = Verdict.new
    switch duplicates?.add(drive, fingerprint, label: label) {
    case .duplicate(let known)? where isInContainer:
      duplicateOf = known
      leftOut += 1
      return .duplicate(of: known)
    case .extension(let known)?: verdict = .extending(known)
    case .simultaneous(let known)?: verdict = .simultaneous(with: known)
    case .new?, .duplicate?, .companion?, nil: break
    }
    drives += 1
    return verdict
  }

  /// Adds a track that could not become a drive.
  ///
  /// - Returns: whether that is a failure. In an archive or a folder, tracks that are too short are not.
  @discardableResult
  mutating func add(_ error: TrackError, isInContainer: Bool) -> Bool {
    if isInContainer, error.code == .tooFewPoints {
      skip(.tooFewPoints)
      return false
    }
    faults.append(error)
    return true
  }

  /// Adds the reason for an entry that is not read.
  mutating func skip(_ reason: SkipReason) { firstSkip = firstSkip ?? reason }

  /// Adds the end of the input.
  mutating func end(_ ending: DriveEnding) {
    if let reason = ending.skip { skip(reason) }
    guard let fault = ending.fault else { return }
    endFault = fault
    faults.append(fault)
  }

  /// The reason to skip an input without drives and failures.
  var skipReason: SkipReason { firstSkip ?? .noTrack }

  /// The outcome of the input.
  var outcome: InputOutcome {
    if let fault = endFault ?? faults.first { return .failed(fault) }
    if drives > 0 { return .imported(drives: drives) }
    if let duplicateOf { return .duplicate(of: duplicateOf) }
    return .skipped(skipReason)
  }
}
