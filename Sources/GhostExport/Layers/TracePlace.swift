import DriveMatching
import GhostModel
import TrackModel

extension TimedDrive {
  /// Where the drive is at a time; before its first point and after its last one it is there.
  func coordinate(atElapsed time: Double) -> Coordinate {
    let next = min(elapsed.partitionIndex { $0 >= time }, count - 1)
    guard next > 0, elapsed[next] > elapsed[next - 1] else { return coordinate(at: next) }
    let share = (time - elapsed[next - 1]) / (elapsed[next] - elapsed[next - 1])
    return Geodesy.interpolate(from: coordinate(at: next - 1), to: coordinate(at: next), fraction: share)
  }
}
