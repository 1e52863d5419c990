package import TrackModel

/// Finds drives of rides that another device has also recorded, among drives in the order of their starts.
package struct RecordedRides {
  private let library: DriveLibrary
  /// The drives in progress.
  private var open: [LibraryDrive] = []

  package init(_ library: DriveLibrary) { self.library = library }

  /// The share of a drive from which its time after the others is a part of the ride that they did not
  /// record. Devices are not switched off at the same time.
  private static let leastShare = 0.1

  /// Adds a drive, and returns the share of it that the drives of the same ride which were added before did
  /// not record; nil if there are none.
  ///
  /// - Complexity: O(1) for a drive that overlaps no other one in time. Otherwise the positions of the drives
  ///   are read.
  package mutating func add(_ drive: LibraryDrive) throws(TrackError) -> Double? {
    guard let start = drive.startTime else { return nil }
    open.removeAll { Self.seconds(from: start, toEndOf: $0) <= 0 }
    defer { open.append(drive) }
    let others = open.filter {
      Self.seconds(from: start, toEndOf: $0) > min($0.duration, drive.duration) / 2
    }
    guard !others.isEmpty else { return nil }
    let relatives = try library.sameRides(drive.id)
    guard others.contains(where: { relatives.contains($0.id) }) else { return nil }
    let recorded = open.filter { relatives.contains($0.id) }.map { Self.seconds(from: start, toEndOf: $0) }
    let share = drive.duration > 0 ? 1 - (recorded.max() ?? 0) / drive.duration : 0
    return share > Self.leastShare ? share : 0
  }

  private static func seconds(from start: Instant, toEndOf drive: LibraryDrive) -> Double {
    guard let other = drive.startTime else { return 0 }
    return drive.duration - start.seconds(since: other)
  }
}
