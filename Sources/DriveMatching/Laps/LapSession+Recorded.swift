public import GhostModel
public import TrackModel

extension LapSession {
  /// The time in seconds before the first fix at which a complete lap may begin, and the highest average
  /// speed of one in metres per second.
  private static let earliest = 2.0
  private static let highestSpeed = 150.0

  /// Creates a session from the recorder's laps, which were started manually or by distance.
  ///
  /// A lap ends after its elapsed time, or at the start of the next one. Laps are complete, except those of
  /// impossible speed, which a button that was pressed twice starts, and those that begin before the drive.
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
      // Some recorders write 0 for an unknown distance.
      let distance =
        lap.distance.flatMap { $0 > 0 ? $0 : nil } ?? path.distance(at: end) - path.distance(at: start)
      timed.append(
        TimedLap(
          number: timed.count + 1, start: start, duration: end - start,
          distance: distance,
          isComplete: recorded >= -Self.earliest && distance > 0
            && distance <= Self.highestSpeed * (end - start),
          maximumSpeed: path.maximumSpeed(from: start, to: min(end, trace.duration)), uncertainty: 0))
    }
    self.init(
      laps: timed, timed: timed.first.flatMap { first in timed.last.map { first.start...$0.end } },
      duration: trace.duration)
    addWaiting(of: trace)
  }

  /// Sets the stationary time of each lap.
  mutating func addWaiting(of trace: TimedDrive) {
    for index in laps.indices {
      laps[index].waiting = trace.waiting(from: laps[index].start, to: laps[index].end)
    }
  }
}

extension TimedDrive {
  /// Returns the stationary time between two times, in seconds.
  func waiting(from start: Double, to end: Double) -> Double {
    let range = index(at: start)..<(index(at: end) + 1)
    guard range.count > 1 else { return 0 }
    return StopDetector(TimedPlaces(self), moving: range).found.reduce(0) {
      $0 + max(0, min($1.departure, end) - max($1.arrival, start))
    }
  }
}
