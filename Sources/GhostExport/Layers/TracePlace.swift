import DriveMatching
import GhostModel
import TrackModel

extension TimedDrive {
  /// Returns the drive's position at a time, clamped to its first and last points.
  func coordinate(atElapsed time: Double) -> Coordinate {
    let next = min(elapsed.partitionIndex { $0 >= time }, count - 1)
    guard next > 0, elapsed[next] > elapsed[next - 1] else { return coordinate(at: next) }
    let share = (time - elapsed[next - 1]) / (elapsed[next] - elapsed[next - 1])
    return Geodesy.interpolate(from: coordinate(at: next - 1), to: coordinate(at: next), fraction: share)
  }
}
