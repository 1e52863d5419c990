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
  /// Returns the removed drives that match a drive: the drive with its id, and drives with the same start,
  /// duration and length, such as the same recording in another format. The roads of removed drives are not
  /// stored.
  private func removals(of drive: PreparedDrive) throws(TrackError) -> [(fid: Int64, isSameDrive: Bool)] {
    let tolerance = Int64(DriveDuplicates.startTolerance * 1e6)
    let start = drive.startTime?.microseconds
    let rows = try statement(
      """
      SELECT fid, id = ?1, duration_s, distance_miles FROM removed WHERE id = ?1 UNION ALL
      SELECT fid, 0, duration_s, distance_miles FROM removed
      WHERE start_us BETWEEN ?2 AND ?3 AND id <> ?1
      """
    ).rows([
      .text(drive.id.uuidString), start.map { .integer($0 &- tolerance) } ?? .null,
      start.map { .integer($0 &+ tolerance) } ?? .null,
    ])
    return rows.compactMap { row -> (fid: Int64, isSameDrive: Bool)? in
      guard case .integer(let fid) = row[0] else { return nil }
      if row[1] == .integer(1) { return (fid, true) }
      guard let duration = row[2].number, let distance = row[3].number,
        abs(duration - drive.duration) <= Self.durationTolerance,
        abs(distance - drive.distance) <= Self.lengthTolerance * max(distance, drive.distance)
      else { return nil }
      return (fid, false)
    }
  }

  /// The largest difference of the durations of two copies of a recording in seconds, and the largest
  /// relative difference of their lengths. Other recordings of the same time usually differ more.
  private static let durationTolerance = 2.0
  private static let lengthTolerance = 0.02

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
