import DriveMatching
import TrackModel

extension TimedDrive {
  /// Where the drive is at a time; before its first point and after its last one it is there.
  func coordinate(atElapsed time: Double) -> Coordinate {
    let next = min(row { $0 >= time }, count - 1)
    guard next > 0, elapsed[next] > elapsed[next - 1] else { return coordinate(at: next) }
    let share = (time - elapsed[next - 1]) / (elapsed[next] - elapsed[next - 1])
    return Geodesy.interpolate(from: coordinate(at: next - 1), to: coordinate(at: next), fraction: share)
  }

  /// The first row whose elapsed time fulfils a condition that holds from some row on; ``count`` where none
  /// does.
  func row(where holds: (Double) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if holds(elapsed[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
