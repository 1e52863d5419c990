public import TrackModel

/// A position in a trail for playback.
///
/// Small forward steps take constant time. Jumps use a binary search.
public struct GhostCursor: Sendable {
  /// The drive that is replayed.
  public let trail: GhostTrail
  private var row = 0

  /// Creates a cursor at the start of a drive.
  public init(_ trail: GhostTrail) { self.trail = trail }

  /// Returns the position at a number of seconds after the start, like ``GhostTrail/position(at:)``.
  public mutating func position(at elapsed: Double) -> Coordinate? {
    guard !trail.isEmpty else { return nil }
    move(to: elapsed)
    return trail.coordinate(at: elapsed, behind: row)
  }

  /// Returns the state at a number of seconds after the start, like ``GhostTrail/state(at:)``.
  public mutating func state(at elapsed: Double) -> GhostPosition? {
    guard !trail.isEmpty else { return nil }
    move(to: elapsed)
    return trail.state(at: elapsed, behind: row)
  }

  /// The number of rows in one step above which a search is faster.
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
