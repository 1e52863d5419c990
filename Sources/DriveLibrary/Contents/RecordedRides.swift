package import TrackModel

/// Finds drives of rides that another device has also recorded, among drives in the order of their starts.
package struct RecordedRides {
  private let library: DriveLibrary
  /// The drives under way.
  private var open: [LibraryDrive] = []

  package init(_ library: DriveLibrary) { self.library = library }

  /// Adds a drive, and returns whether one that was added before recorded the same ride.
  ///
  /// - Complexity: O(1) for a drive that overlaps no other one in time. Otherwise the positions of the drives
  ///   are read.
  package mutating func add(_ drive: LibraryDrive) throws(TrackError) -> Bool {
    guard let start = drive.startTime else { return false }
    open.removeAll { Self.seconds(from: start, toEndOf: $0) <= 0 }
    defer { open.append(drive) }
    let others = open.filter {
      Self.seconds(from: start, toEndOf: $0) > min($0.duration, drive.duration) / 2
    }
    guard !others.isEmpty else { return false }
    let relatives = try library.sameRides(drive.id)
    return others.contains { relatives.contains($0.id) }
  }

  private static func seconds(from start: Instant, toEndOf drive: LibraryDrive) -> Double {
    guard let other = drive.startTime else { return 0 }
    return drive.duration - start.seconds(since: other)
  }
}
