import CMath
import GhostModel
import TestSupport
import TrackModel

@testable import DriveMatching

/// A synthetic road.
struct SampleRoad {
  /// Metres east and north of the start, with a position every 5 m.
  let east: [Double]
  let north: [Double]
  static let step = 5.0

  /// Creates a winding road.
  ///
  /// - Parameters:
  ///   - length: the length in metres.
  ///   - heading: the mean heading, in radians from north.
  init(length: Double, heading: Double = 1.1) {
    var east = [0.0]
    var north = [0.0]
    var distance = 0.0
    while distance < length {
      let turn =
        heading + 0.7 * sin(distance / 910) + 0.5 * sin(distance / 371 + 1) + 0.25 * sin(distance / 143 + 2)
      east.append(east[east.count - 1] + SampleRoad.step * sin(turn))
      north.append(north[north.count - 1] + SampleRoad.step * cos(turn))
      distance += SampleRoad.step
    }
    self.east = east
    self.north = north
  }

  var length: Double { Double(east.count - 1) * SampleRoad.step }

  /// Returns the position after `distance` metres.
  func place(_ distance: Double) -> (east: Double, north: Double) {
    let position = max(0, min(length - 0.001, distance)) / SampleRoad.step
    let row = Int(position)
    let fraction = position - Double(row)
    return (
      east[row] + (east[row + 1] - east[row]) * fraction,
      north[row] + (north[row + 1] - north[row]) * fraction
    )
  }

  /// Returns the road with a stretch replaced by a curve to the side.
  func detour(from begin: Double, to end: Double, width: Double) -> SampleRoad {
    var east = self.east
    var north = self.north
    let first = Int(begin / SampleRoad.step)
    let last = Int(end / SampleRoad.step)
    let alongEast = east[last] - east[first]
    let alongNorth = north[last] - north[first]
    let span = (alongEast * alongEast + alongNorth * alongNorth).squareRoot()
    for row in first...last {
      let part = sin(.pi * Double(row - first) / Double(last - first))
      let aside = width * part * part
      east[row] -= alongNorth / span * aside
      north[row] += alongEast / span * aside
    }
    return SampleRoad(east: east, north: north)
  }

  var reversed: SampleRoad { SampleRoad(east: east.reversed(), north: north.reversed()) }

  private init(east: [Double], north: [Double]) {
    self.east = east
    self.north = north
  }
}

/// The properties of a synthetic drive, with stops and errors like those of recordings.
struct SampleDrive {
  var label: String
  /// The mean speed in metres per second.
  var pace = 14.0
  /// Positions in metres along the road, and durations in seconds.
  var stops: [(place: Double, duration: Double)] = []
  var idleAtStart = 0.0
  var idleAtEnd = 0.0
  /// Seconds between points.
  var interval = 1.0
  /// The position error in metres, correlated over about half a minute.
  var noise = 2.0
  var seed: UInt64 = 1
  var hasTimestamps = true
  /// The coordinate at which the road starts.
  var origin = Coordinate(latitude: 48.2, longitude: 16.37)

  /// Returns the recording of the drive on a road.
  func trace(on road: SampleRoad) throws -> TimedDrive {
    var generator = SeededGenerator(seed: seed)
    var coordinates: [Coordinate] = []
    var elapsed: [Double] = []
    var errorEast = 0.0
    var errorNorth = 0.0
    let hold = exp(-interval / 30)
    let fresh = noise * (1 - hold * hold).squareRoot()

    func record(_ distance: Double, _ time: Double) {
      errorEast = errorEast * hold + fresh * Double.random(in: -1.7...1.7, using: &generator)
      errorNorth = errorNorth * hold + fresh * Double.random(in: -1.7...1.7, using: &generator)
      let place = road.place(distance)
      let latitude = origin.latitude + (place.north + errorNorth) / 111_195
      let longitude =
        origin.longitude + (place.east + errorEast) / (111_195 * cos(origin.latitude * .pi / 180))
      coordinates.append(
        Coordinate(latitude: latitude, longitude: longitude > 180 ? longitude - 360 : longitude))
      elapsed.append(time)
    }

    var time = 0.0
    while time < idleAtStart {
      record(0, time)
      time += interval
    }
    var distance = 0.0
    var speed = 0.0
    var waiting = 0.0
    var next = 0
    let waits = stops.sorted { $0.place < $1.place }
    while distance < road.length {
      record(distance, time)
      time += interval
      if waiting > 0 {
        waiting -= interval
        continue
      }
      // Speed varies along the road, by seed; acceleration is at most 2 m/s².
      let wanted = pace * (1 + 0.25 * sin(distance / 530 + Double(seed)) + 0.1 * sin(distance / 170))
      let until = next < waits.count ? waits[next].place - distance : .infinity
      let braking = (2 * 2 * max(0.3, until)).squareRoot()
      speed = min(speed + 2 * interval, wanted, braking)
      distance += speed * interval
      if next < waits.count, distance >= waits[next].place {
        distance = waits[next].place
        waiting = waits[next].duration
        speed = 0
        next += 1
      }
    }
    let end = time + idleAtEnd
    while time <= end {
      record(road.length, time)
      time += interval
    }
    return try TimedDrive(
      label: label, coordinates: coordinates, elapsed: elapsed, hasTimestamps: hasTimestamps)
  }
}
