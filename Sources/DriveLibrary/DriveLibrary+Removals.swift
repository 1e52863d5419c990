import DriveMatching
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a library keeps of drives that were taken out of it, by this program or another: a trigger of the
/// table writes it down. It is enough to leave them out of imports, and says no place.
extension DriveLibrary {
  /// The removed drives that are this one: that with its id, and those that began within some seconds of it,
  /// and took about the same time over about the same length. Roads are not kept of what was removed.
  private func removals(of drive: PreparedDrive) throws(TrackError) -> [(fid: Int64, isSameDrive: Bool)] {
    let tolerance = Int64(DriveDuplicates.startTolerance * 1e6)
    let start = drive.startTime?.microseconds
    let rows = try statement(
      """
      SELECT fid, id = ?1, start_us, duration_s, distance_miles FROM removed WHERE id = ?1 UNION
      SELECT fid, id = ?1, start_us, duration_s, distance_miles FROM removed
      WHERE start_us BETWEEN ?2 AND ?3
      """
    ).rows([
      .text(drive.id.uuidString), start.map { .integer($0 &- tolerance) } ?? .null,
      start.map { .integer($0 &+ tolerance) } ?? .null,
    ])
    return rows.compactMap { row -> (fid: Int64, isSameDrive: Bool)? in
      guard case .integer(let fid) = row[0] else { return nil }
      if row[1] == .integer(1) { return (fid, true) }
      guard let start = drive.startTime, let otherStart = row[2].microseconds, let duration = row[3].number,
        let distance = row[4].number,
        DriveDuplicates.mayBeSame((otherStart, duration), (start, drive.duration)),
        abs(distance - drive.distance) <= Self.lengthTolerance * max(distance, drive.distance)
      else { return nil }
      return (fid, false)
    }
  }

  /// By how much of it the lengths of two recordings of one drive differ at most.
  private static let lengthTolerance = 0.1

  /// Whether a drive stays out because it was removed. Where duplicates are kept, only its own id counts.
  func isRemoved(
    _ drive: PreparedDrive, _ policy: LibraryImportPolicy
  ) throws(TrackError) -> Bool {
    let removals = try removals(of: drive)
    return removals.contains { $0.isSameDrive || !policy.keepsDuplicates }
  }

  /// What is there does not count as removed.
  func forgetRemoval(of drive: PreparedDrive) throws(TrackError) {
    for removal in try removals(of: drive) {
      try statement("DELETE FROM removed WHERE fid = ?").run([.integer(removal.fid)])
    }
  }
}
