public import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds duplicates of drives: the same drive from two services or from a copy of a file, or a recording of
/// the same ride by another device.
///
/// Drives are compared by position and time (``RideMatch``). Drives without a start time are duplicates only
/// if their content is the same. A copy that contains more of the ride than the known recordings, or
/// about twice as many fixes (``RideFingerprint/isCovered(by:lag:)``), is not a duplicate, so that no part of
/// the ride is lost.
public struct DriveDuplicates: Sendable {
  /// The relation of a drive to earlier ones.
  public enum Finding: Sendable, Hashable {
    /// No earlier drive has the same content or was driven at the same time and place.
    case new
    /// The drive contains nothing new. The payload is the label of the original.
    case duplicate(of: String)
    /// The same recording as an earlier drive, with more of the ride or more fixes.
    case `extension`(of: String)
    /// A recording of the same ride by another device.
    case simultaneous(with: String)
    /// The recording of a companion.
    case companion(of: String)
  }

  private struct Known: Sendable {
    var start: Instant
    var hasTimestamps: Bool
    /// The rows of the drive's fixes.
    var rows: Range<Int>
    var region: CompactFixes.Region
    var recordedCount: Int
    var label: String
  }

  /// The drives in the order in which they were added.
  private var known: [Known] = []
  // The fixes of all drives are in one array. A small array per drive would fragment the memory of the
  // import.
  private var fixes = CompactFixes()
  private var spans = TimeSpanIndex()
  private var untimed: [UUID: String] = [:]
  private var forgotten: Set<String> = []

  /// The maximum number of stored fixes per drive.
  private static let fixLimit = 512
  /// The part of a longer drive that is compared, in seconds.
  private static let longest = 73.0 * 3600
  /// The largest difference of the starts of two copies without recorded times in seconds, and the largest
  /// relative difference of their durations.
  public static let startTolerance = 5.0
  private static let durationTolerance = 0.02

  /// Creates a search that knows no drives.
  public init() {}

  /// Returns the relation of a drive to earlier ones, and adds it if it is new.
  ///
  /// - Parameters:
  ///   - drive: the drive with its identifier, start and coordinates.
  ///   - fingerprint: the positions of the drive over time, or `nil` if unknown.
  ///   - label: the label of the drive for later results.
  /// - Complexity: O(*n*) in the number of fixes if no other drive overlaps in time. Each overlapping drive
  ///   nearby is compared.
  public mutating func add(_ drive: Drive, _ fingerprint: RideFingerprint?, label: String) -> Finding {
    guard let fingerprint, drive.startTime != nil else {
      if let known = untimed[drive.id], !forgotten.contains(known) { return .duplicate(of: known) }
      untimed[drive.id] = label
      return .new
    }
    guard let region = fingerprint.fixes.region else { return .new }
    let finding = finding(fingerprint, in: region)
    if case .duplicate = finding { return finding }
    remember(fingerprint.thinned(to: Self.fixLimit), in: region, label)
    return finding
  }

  /// Returns the first copy, or else the first with part of the recording, the first of the same ride, or the
  /// first companion.
  private func finding(_ fingerprint: RideFingerprint, in region: CompactFixes.Region) -> Finding {
    var part: String?
    var simultaneous: String?
    var companion: String?
    for index in spans.candidates(start: fingerprint.start, duration: min(fingerprint.duration, Self.longest))
    where known[index].region.isNear(region) {
      let label = known[index].label
      let other = self.fingerprint(of: known[index])
      guard !forgotten.contains(label), let match = RideMatch(other, fingerprint) else { continue }
      switch match.relation {
      case .duplicate where fingerprint.isCovered(by: other, lag: match.lag): return .duplicate(of: label)
      case .duplicate: part = part ?? label
      case .simultaneous: simultaneous = simultaneous ?? label
      case .companion: companion = companion ?? label
      }
    }
    return part.map { .extension(of: $0) } ?? simultaneous.map { .simultaneous(with: $0) }
      ?? companion.map { .companion(of: $0) } ?? .new
  }

  private mutating func remember(
    _ fingerprint: RideFingerprint, in region: CompactFixes.Region, _ label: String
  ) {
    let rows = fixes.count..<(fixes.count + fingerprint.count)
    fixes.append(fingerprint.fixes)
    spans.insert(known.count, start: fingerprint.start, duration: min(fingerprint.duration, Self.longest))
    known.append(
      Known(
        start: fingerprint.start, hasTimestamps: fingerprint.hasTimestamps, rows: rows,
        region: region, recordedCount: fingerprint.recordedCount, label: label))
  }

  private func fingerprint(of known: Known) -> RideFingerprint {
    RideFingerprint(
      start: known.start, hasTimestamps: known.hasTimestamps, fixes: fixes[known.rows],
      recordedCount: known.recordedCount)
  }

  /// Removes all drives with a label, because they were not imported or another copy contains more.
  public mutating func forget(_ label: String) { forgotten.insert(label) }

  /// Whether the starts and durations, in seconds, allow two drives to be the same. The roads then decide.
  public static func mayBeSame(
    _ first: (start: Instant, duration: Double), _ second: (start: Instant, duration: Double)
  ) -> Bool {
    abs(first.start.seconds(since: second.start)) <= startTolerance
      && abs(first.duration - second.duration) <= durationTolerance * max(first.duration, second.duration)
  }
}
