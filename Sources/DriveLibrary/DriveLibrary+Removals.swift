import DriveMatching
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The record of removed drives. A trigger writes it even if another program removes drives. It contains
/// enough to skip these drives in imports, and no positions.
extension DriveLibrary {
  /// Returns the removed drives that match a drive: the drive with its id, and drives with a similar start,
  /// duration and length. The roads of removed drives are not stored.
  private func removals(of drive: PreparedDrive) throws(TrackError) -> [(fid: Int64, isSameDrive: Bool)] {
    let tolerance = Int64(DriveDuplicates.startTolerance * 1e6)
    let start = drive.startTime?.microseconds
    let rows = try statement(
      """
      SELECT fid, id = ?1, start_us, duration_s, distance_miles FROM removed WHERE id = ?1 UNION ALL
      SELECT fid, 0, start_us, duration_s, distance_miles FROM removed
      WHERE start_us BETWEEN ?2 AND ?3 AND id <> ?1
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

  /// The largest relative difference in length between two recordings of one drive.
  private static let lengthTolerance = 0.1

  /// Returns whether to skip a drive because it was removed. If duplicates are kept, only the drive's own id
  /// is compared.
  func isRemoved(
    _ drive: PreparedDrive, _ policy: LibraryImportPolicy
  ) throws(TrackError) -> Bool {
    let removals = try removals(of: drive)
    return removals.contains { $0.isSameDrive || !policy.keepsDuplicates }
  }

  /// Deletes the record for drives that exist.
  func forgetRemoval(of drive: PreparedDrive) throws(TrackError) {
    for removal in try removals(of: drive) {
      try statement("DELETE FROM removed WHERE fid = ?").run([.integer(removal.fid)])
    }
  }
}
