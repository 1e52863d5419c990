import GhostModel

/// A drive's rank in a comparison.
struct RankedDrive: Sendable, Hashable {
  /// The index of the drive.
  var drive: Int
  /// The difference to the fastest drive in seconds, not negative.
  var behind: Double
}

extension DriveComparison {
  /// The ranked drives, fastest first. Empty if no two drives can be compared.
  ///
  /// Each ride is ranked once, unless all recordings are of one ride.
  var standings: [RankedDrive] {
    let ranked = rankedGaps
    var gaps = (ranked.isEmpty ? pairs.compactMap { RankedGap($0) } : ranked)
      .filter { drives.indices.contains($0.drive) }.map { RankedDrive(drive: $0.drive, behind: $0.seconds) }
    guard !gaps.isEmpty, let measure = pairs.first?.first else { return [] }
    gaps.append(RankedDrive(drive: measure, behind: 0))
    gaps.sort { ($0.behind, $0.drive) < ($1.behind, $1.drive) }
    let least = gaps[0].behind
    return gaps.map { RankedDrive(drive: $0.drive, behind: $0.behind - least) }
  }
}
