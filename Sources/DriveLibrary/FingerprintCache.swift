import DriveMatching

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The fingerprints of drives, for comparisons of one drive with many that overlap it in time.
///
/// An archive can contain many recordings of the same hours, such as those of a race.
struct FingerprintCache {
  private var fingerprints: [UUID: RideFingerprint] = [:]
  private var fixes = 0

  /// The maximum number of fixes: 12 MiB.
  private static let maximumFixes = 1 << 20

  /// Returns the fingerprint of a drive, which is created if it is unknown.
  mutating func fingerprint<Failure: Error>(
    of id: UUID, _ create: () throws(Failure) -> RideFingerprint?
  ) throws(Failure) -> RideFingerprint? {
    if let known = fingerprints[id] { return known }
    guard let new = try create() else { return nil }
    if fixes + new.count > Self.maximumFixes { self = FingerprintCache() }
    fixes += new.count
    fingerprints[id] = new
    return new
  }

  /// Forgets a drive that is removed.
  mutating func remove(_ id: UUID) {
    if let removed = fingerprints.removeValue(forKey: id) { fixes -= removed.count }
  }
}
