/// The time from one crossing of the gate to the next, or of a run from the gate to the finish.
public struct TimedLap: Sendable, Hashable {
  /// The number of the lap in the recording, from 1. The out-lap and the in-lap are not counted.
  public var number: Int
  /// The start in seconds since the first point of the recording.
  public var start: Double
  /// The duration in seconds.
  public var duration: Double
  /// The driven distance in metres.
  public var distance: Double
  /// Whether the drive went once around the circuit. False if it left the circuit or missed the gate.
  public var isComplete = false
  /// The duration of each sector in seconds. Empty without sectors, or if one was missed.
  public var sectors: [Double] = []
  /// In metres per second.
  public var maximumSpeed: Double
  /// The stationary time in seconds.
  public var waiting = 0.0
  /// Whether the drive used the pit lane: a lane next to the circuit, slower than on the circuit.
  public var isThroughPitLane = false
  /// The standard deviation of ``duration``, in seconds.
  public var uncertainty: Double

  /// The end in seconds since the first point of the recording.
  public var end: Double { start + duration }
  /// The average speed in metres per second.
  public var averageSpeed: Double { duration > 0 ? distance / duration : 0 }
}

/// The laps of one recording.
public struct LapSession: Sendable, Hashable {
  /// The laps in driving order.
  public var laps: [TimedLap]
  /// The first and last times at which the recording crossed a gate, in seconds since its first point, or
  /// nil if it crossed none.
  public var timed: ClosedRange<Double>?
  /// The duration of the recording in seconds.
  public var duration: Double

  /// The complete lap with the shortest duration.
  public var best: TimedLap? { laps.filter(\.isComplete).min { $0.duration < $1.duration } }

  /// The shortest duration of each sector among complete laps, or `nil` without sectors.
  public var bestSectors: [Double]? { laps.bestSectors }

  /// The sum of ``bestSectors`` in seconds, or nil without sectors.
  public var theoreticalBest: Double? { bestSectors.map { $0.reduce(0, +) } }
}

extension Sequence<TimedLap> {
  /// The shortest duration of each sector among complete laps, or `nil` without sectors.
  public var bestSectors: [Double]? {
    var best: [Double]?
    for lap in self where lap.isComplete && !lap.sectors.isEmpty {
      best = best.map { zip($0, lap.sectors).map(Swift.min) } ?? lap.sectors
    }
    return best
  }
}
