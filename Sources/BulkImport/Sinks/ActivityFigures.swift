package import TrackModel

/// The kinds and laps of the activities among the tracks.
package struct ActivityFigures: Sendable {
  /// The kinds as written in the file, without repetitions, in the order of first occurrence.
  package private(set) var kinds: [String] = []
  private var knownKinds: Set<String> = []
  package private(set) var laps = 0
  /// The number of laps with a timer time, and the sum of their timer times in seconds.
  private var timedLaps = 0
  private var lapTime = 0.0

  /// The timer time of all laps in seconds; nil if there are no laps or a lap has no timer time.
  package var timerTime: Double? { laps > 0 && timedLaps == laps ? lapTime : nil }

  /// Adds information about a track.
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
    if knownKinds.insert(kind).inserted { kinds.append(kind) }
  }
}
