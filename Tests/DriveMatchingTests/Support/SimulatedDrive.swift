import CMath
import GhostModel
import TestSupport
import TrackModel

@testable import DriveMatching

/// A simulated car on a road: its exact motion, and the fixes that a receiver would record.
struct SimulatedDrive {
  enum Sampling {
    /// A fixed interval in seconds.
    case every(Double)
    /// A fixed distance in metres.
    case metres(Double)
    /// A random interval of one to six seconds.
    case smart
  }

  let road: SimulatedRoad
  /// The seconds without motion at the start and at the end.
  var idle = (start: 0.0, end: 0.0)
  /// The seconds since the start of the recording at which the car reaches each metre of the road, and leaves
  /// it.
  private(set) var arrivals: [Double] = []
  private(set) var departures: [Double] = []

  /// Creates a drive.
  ///
  /// - Parameters:
  ///   - speed: the speed in metres per second, except near stops.
  ///   - sway: the share by which the speed varies along the road.
  ///   - stops: the places, in metres along the road, and the durations in seconds.
  init(
    _ road: SimulatedRoad, speed: Double, sway: Double = 0, stops: [(at: Double, seconds: Double)] = [],
    idle: (start: Double, end: Double) = (0, 0)
  ) {
    self.road = road
    self.idle = idle
    let rests = [0] + stops.map(\.at) + [road.length]
    var time = idle.start
    arrivals = [0]
    departures = [idle.start]
    for metre in 1..<road.points.count {
      let middle = Double(metre) - 0.5
      let before = rests.last { $0 <= middle } ?? 0
      let after = rests.first { $0 > middle } ?? road.length
      let wish = speed * (1 - sway * (0.5 + 0.5 * sin(middle / 700 + speed)))
      let limit = min(
        wish, (2 * 1.8 * (middle - before)).squareRoot(), (2 * 2.0 * (after - middle)).squareRoot())
      time += 1 / max(limit, 0.5)
      arrivals.append(time)
      for stop in stops where Int(stop.at) == metre { time += stop.seconds }
      departures.append(time)
    }
    departures[departures.count - 1] += idle.end
  }

  var motionStart: Double { idle.start }
  var motionEnd: Double { arrivals[arrivals.count - 1] }
  /// The duration of the recording in seconds.
  var duration: Double { departures[departures.count - 1] }

  /// Returns the seconds at which the car is at a place on the road.
  func time(at metres: Double) -> Double {
    let index = min(max(Int(metres), 0), arrivals.count - 2)
    return departures[index] + (metres - Double(index)) * (arrivals[index + 1] - departures[index])
  }

  /// Returns the metres along the road at a moment.
  func metres(at moment: Double) -> Double {
    var low = 0
    var high = departures.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if arrivals[middle] <= moment { low = middle } else { high = middle }
    }
    guard moment > departures[low], low + 1 < arrivals.count else { return Double(low) }
    return Double(low) + min(1, (moment - departures[low]) / (arrivals[low + 1] - departures[low]))
  }

  /// Returns the fixes that a receiver records.
  ///
  /// - Parameters:
  ///   - noise: the standard deviation per axis in metres. Errors are correlated over 20 s.
  ///   - drift: the correlation time of smooth errors in seconds, instead.
  ///   - blind: the seconds without fixes.
  func trace(
    _ label: String, _ sampling: Sampling = .every(1), noise: Double = 2.5, drift: Double? = nil,
    seed: UInt64 = 1,
    projection: Projection = .plane(latitude: 47, longitude: 8), blind: ClosedRange<Double>? = nil,
    even: Bool = false
  ) throws -> TimedDrive {
    var noise = ReceiverNoise(noise, seed: seed, drift: drift)
    var coordinates: [Coordinate] = []
    var elapsed: [Double] = []
    var time = 0.0
    var previous = 0.0
    var recorded = -Double.infinity
    while time <= duration {
      let metres = metres(at: time)
      var isDue = blind.map { !$0.contains(time) } ?? true
      if case .metres(let step) = sampling, metres - recorded < step { isDue = false }
      if isDue {
        let error = noise.next(after: time - previous)
        previous = time
        recorded = metres
        coordinates.append(projection.coordinate(road.place(at: metres) + error))
        elapsed.append(time)
      }
      switch sampling {
      case .every(let step): time += step
      case .metres: time += 0.2
      case .smart: time += Double(Int.random(in: 1...6, using: &noise.generator))
      }
    }
    return try TimedDrive(label: label, coordinates: coordinates, elapsed: elapsed, hasTimestamps: !even)
  }
}
