/// The time from one passage of the gate to the next, or of a run from the gate to the finish.
public struct TimedLap: Sendable, Hashable {
  /// The number in the recording, from 1; out-lap and in-lap are not counted.
  public var number: Int
  /// Seconds since the first point of the recording.
  public var start: Double
  /// Seconds.
  public var duration: Double
  /// Metres driven.
  public var distance: Double
  /// Whether the car went round once on the circuit; false if it left the circuit or missed the gate.
  public var isComplete = false
  /// Seconds per sector; empty if there are no sectors or one was not passed.
  public var sectors: [Double] = []
  /// Metres per second.
  public var maximumSpeed: Double
  /// Seconds that the car was stationary.
  public var waiting = 0.0
  /// Whether the car went through a lane beside the circuit, slower than on it.
  public var isThroughPitLane = false
  /// One standard deviation of ``duration``, in seconds.
  public var uncertainty: Double

  /// Seconds since the first point of the recording.
  public var end: Double { start + duration }
  /// Metres per second.
  public var averageSpeed: Double { duration > 0 ? distance / duration : 0 }
}

/// The laps of one recording.
public struct LapSession: Sendable, Hashable {
  /// In driving order.
  public var laps: [TimedLap]
  /// When the recording first and last passed a gate, in seconds since its first point, or nil if it never
  /// did.
  public var timed: ClosedRange<Double>?
  /// Seconds from the first point to the last.
  public var duration: Double

  /// The complete lap with the shortest duration.
  public var best: TimedLap? { laps.filter(\.isComplete).min { $0.duration < $1.duration } }

  /// The shortest duration of each sector among complete laps, or nil without sectors.
  public var bestSectors: [Double]? { laps.bestSectors }

  /// Seconds: the sum of ``bestSectors``, or nil without sectors.
  public var theoreticalBest: Double? { bestSectors.map { $0.reduce(0, +) } }
}

extension Sequence<TimedLap> {
  /// The shortest duration of each sector among complete laps, or nil without sectors.
  public var bestSectors: [Double]? {
    var best: [Double]?
    for lap in self where lap.isComplete && !lap.sectors.isEmpty {
      best = best.map { zip($0, lap.sectors).map(Swift.min) } ?? lap.sectors
    }
    return best
  }
}
