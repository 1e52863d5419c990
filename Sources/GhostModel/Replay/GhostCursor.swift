public import TrackModel

/// A place in a trail that moves along with playback.
///
/// As long as time goes on in small steps each call costs the same however long the trail is; a jump,
/// forwards or back, costs a binary search.
public struct GhostCursor: Sendable {
  public let trail: GhostTrail
  private var row = 0

  public init(_ trail: GhostTrail) { self.trail = trail }

  /// Where the ghost is so many seconds after its start; the same as ``GhostTrail/position(at:)``.
  public mutating func position(at elapsed: Double) -> Coordinate? {
    guard !trail.isEmpty else { return nil }
    move(to: elapsed)
    return trail.coordinate(at: elapsed, behind: row)
  }

  /// The same as ``GhostTrail/state(at:)``.
  public mutating func state(at elapsed: Double) -> GhostPosition? {
    guard !trail.isEmpty else { return nil }
    move(to: elapsed)
    return trail.state(at: elapsed, behind: row)
  }

  /// Rows that playback may pass in one step before a search is cheaper.
  private static let longestStep = 8

  private mutating func move(to seconds: Double) {
    let times = trail.elapsed
    guard seconds >= times[row] else {
      row = trail.row(at: seconds)
      return
    }
    for _ in 0..<Self.longestStep {
      guard row + 1 < times.count, times[row + 1] <= seconds else { return }
      row += 1
    }
    row = trail.row(at: seconds)
  }
}
