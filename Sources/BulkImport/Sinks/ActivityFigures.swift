package import TrackModel

/// What tracks say of themselves as activities: their kinds, and their laps.
package struct ActivityFigures: Sendable {
  /// The kinds in the words of the file, each once and in the order of first occurrence.
  package private(set) var kinds: [String] = []
  package private(set) var laps = 0
  /// How many laps say for how long the timer ran, and the seconds of all of them.
  private var timedLaps = 0
  private var lapTime = 0.0

  /// Seconds that the timer ran, by what the laps say; nil where there is none, or one does not say it.
  package var timerTime: Double? { laps > 0 && timedLaps == laps ? lapTime : nil }

  /// Takes what a track says at its beginning or later.
  package mutating func add(_ info: TrackInfo) {
    if let type = info.type { add(kind: type) }
    laps += info.laps.count
    for time in info.laps.compactMap(\.timerTime) {
      timedLaps += 1
      lapTime += time
    }
  }

  package mutating func merge(_ other: ActivityFigures) {
    for kind in other.kinds { add(kind: kind) }
    laps += other.laps
    timedLaps += other.timedLaps
    lapTime += other.lapTime
  }

  private mutating func add(kind: String) {
    if !kinds.contains(kind) { kinds.append(kind) }
  }
}
