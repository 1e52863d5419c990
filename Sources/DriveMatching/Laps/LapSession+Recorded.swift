public import GhostModel
public import TrackModel

extension LapSession {
  /// The time in seconds before the first fix at which a complete lap may begin, and the highest average
  /// speed of one in metres per second.
  private static let earliest = 2.0
  private static let highestSpeed = 150.0
  /// The share of the usual distance below which a lap is a remnant, such as the last one of a ride with a
  /// lap per kilometre.
  private static let remnant = 0.75

  /// Creates a session from the recorder's laps, which were started manually or by distance.
  ///
  /// A lap ends after its elapsed time, or at the start of the next one. Laps are complete, except those of
  /// impossible speed, which a button that was pressed twice starts, those that begin before the drive, and
  /// those that are much shorter than most.
  /// Laps outside the drive, such as those of another track, are left out.
  public init(_ laps: [Lap], of trace: TimedDrive) {
    let path = SmoothPath(trace)
    // Without a date, times count from the start of the recording.
    let first = trace.startTime ?? DriveElement.unknownStart
    let starts = laps.map { lap in lap.start.map { $0.seconds(since: first) } }
    var timed: [TimedLap] = []
    for (index, lap) in laps.enumerated() {
      guard let recorded = starts[index] else { continue }
      let start = max(recorded, 0)
      let next = index + 1 < starts.count ? starts[index + 1] : nil
      let end = lap.elapsedTime.map { recorded + $0 } ?? next ?? trace.duration
      guard end > start, start < trace.duration else { continue }
      // Some recorders write 0 for an unknown distance. The distance of a lap that began before the drive is
      // that of more than the drive.
      let distance =
        lap.distance.flatMap { $0 > 0 && recorded >= -Self.earliest ? $0 : nil }
        ?? path.distance(at: end) - path.distance(at: start)
      timed.append(
        TimedLap(
          number: timed.count + 1, start: start, duration: end - start,
          distance: distance,
          isComplete: recorded >= -Self.earliest && distance > 0
            && distance <= Self.highestSpeed * (end - start),
          maximumSpeed: max(
            path.maximumSpeed(from: start, to: min(end, trace.duration)), distance / (end - start)),
          waiting: path.waiting(from: start, to: end), uncertainty: 0))
    }
    let distances = timed.map(\.distance).filter { $0 > 0 }.sorted()
    if !distances.isEmpty {
      let usual = distances[distances.count / 2]
      for index in timed.indices where timed[index].distance < Self.remnant * usual {
        timed[index].isComplete = false
      }
    }
    self.init(
      laps: timed, timed: timed.first.flatMap { first in timed.last.map { first.start...$0.end } },
      duration: trace.duration)
  }
}
