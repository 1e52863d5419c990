import GhostModel
import TestSupport
import TrackModel

@testable import DriveMatching

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A car on a road: what it did, known exactly, and what a receiver would have recorded of it.
struct SimulatedDrive {
  enum Sampling {
    /// Seconds from fix to fix.
    case every(Double)
    /// Metres from fix to fix.
    case metres(Double)
    /// One to six seconds, as chance has it.
    case smart
  }

  let road: SimulatedRoad
  /// Seconds without motion at both ends.
  var idle = (start: 0.0, end: 0.0)
  /// Seconds since the recording began at which each whole metre of the road is reached; and left.
  private(set) var arrivals: [Double] = []
  private(set) var departures: [Double] = []

  /// - Parameters:
  ///   - speed: metres per second where nothing keeps it from going; it sways by a fifth along the way.
  ///   - stops: metres along the road, seconds.
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
  /// Seconds at which the first fix was recorded is 0; the last is this.
  var duration: Double { departures[departures.count - 1] }

  /// When a place on the road was reached.
  func time(at metres: Double) -> Double {
    let index = min(max(Int(metres), 0), arrivals.count - 2)
    return departures[index] + (metres - Double(index)) * (arrivals[index + 1] - departures[index])
  }

  /// Metres along the road at a moment.
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

  /// What a receiver records of it.
  ///
  /// - Parameters:
  ///   - noise: metres, the standard deviation per axis; errors last for 20 s.
  ///   - blind: seconds without fixes.
  ///   - cut: metres along the road that the recording has.
  func trace(
    _ label: String, _ sampling: Sampling = .every(1), noise: Double = 2.5, seed: UInt64 = 1,
    projection: Projection = .plane(latitude: 47, longitude: 8), blind: ClosedRange<Double>? = nil,
    even: Bool = false
  ) throws -> TimedDrive {
    var generator = SeededGenerator(seed: seed)
    func gauss() -> Double {
      let radius = (-2 * log(Double.random(in: 0x1p-60..<1, using: &generator))).squareRoot()
      return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
    }
    var error = SIMD2(gauss(), gauss()) * noise
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
        let memory = exp(-(time - previous) / 20)
        error = error * memory + SIMD2(gauss(), gauss()) * (noise * (1 - memory * memory).squareRoot())
        previous = time
        recorded = metres
        coordinates.append(projection.coordinate(road.place(at: metres) + error))
        elapsed.append(time)
      }
      switch sampling {
      case .every(let step): time += step
      case .metres: time += 0.2
      case .smart: time += Double(Int.random(in: 1...6, using: &generator))
      }
    }
    return try TimedDrive(label: label, coordinates: coordinates, elapsed: elapsed, hasTimestamps: !even)
  }
}
