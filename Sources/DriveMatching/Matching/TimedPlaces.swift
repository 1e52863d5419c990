import GhostModel
import TrackModel

/// The positions of a drive over time, forwards or backwards.
struct TimedPlaces {
  private let places: [SIMD3<Double>]
  private let elapsed: [Double]
  private let isReversed: Bool
  /// The seconds from the first point to the last.
  let duration: Double
  /// The usual acceleration of the drive in metres per second squared.
  private(set) var acceleration = usualAcceleration.car

  /// The interval in seconds from which fixes are sparse: the drive may have taken several turns in between.
  static let sparseInterval = 8.0

  init(_ trace: TimedDrive) {
    self.init(
      (0..<trace.count).map {
        EarthFixed.vector(latitude: trace.latitudes[$0], longitude: trace.longitudes[$0])
      }, elapsed: trace.elapsed)
  }

  /// - Parameter elapsed: the seconds since the first point, per point.
  init(_ places: [SIMD3<Double>], elapsed: [Double]) {
    self.places = places
    self.elapsed = elapsed
    isReversed = false
    duration = elapsed.last ?? 0
    acceleration = usualSpeed(in: places.indices).map(Self.acceleration) ?? acceleration
  }

  private init(
    places: [SIMD3<Double>], elapsed: [Double], isReversed: Bool, duration: Double, acceleration: Double
  ) {
    self.acceleration = acceleration
    self.places = places
    self.elapsed = elapsed
    self.isReversed = isReversed
    self.duration = duration
  }

  var count: Int { places.count }

  @inline(__always)
  func place(_ index: Int) -> SIMD3<Double> { places[isReversed ? places.count - 1 - index : index] }

  /// The seconds since the first point.
  @inline(__always)
  func time(_ index: Int) -> Double {
    isReversed ? duration - elapsed[elapsed.count - 1 - index] : elapsed[index]
  }

  @inline(__always)
  func distance(_ first: Int, _ second: Int) -> Double { (place(second) - place(first)).length }

  /// The positions in reverse, from the last point to the first.
  var backwards: TimedPlaces {
    TimedPlaces(
      places: places, elapsed: elapsed, isReversed: !isReversed, duration: duration,
      acceleration: acceleration)
  }

  /// Returns the positions without the first points. Their times do not change.
  func dropFirst(_ points: Int) -> TimedPlaces {
    let kept = isReversed ? 0..<(count - points) : points..<count
    return TimedPlaces(
      places: Array(places[kept]), elapsed: Array(elapsed[kept]), isReversed: isReversed, duration: duration,
      acceleration: acceleration)
  }

  /// Returns the last point recorded at or before a time, or 0 if there is no such point.
  func index(at moment: Double) -> Int {
    max(0, (0..<count).partitionIndex { time($0) > moment } - 1)
  }
}

extension TimedPlaces {
  /// The usual accelerations of slow drives, such as bike rides and runs, and of cars, in metres per second
  /// squared.
  static let usualAcceleration = (slow: 1.2, car: 1.9)
  /// The usual speeds in metres per second up to which a drive is slow, and from which it is that of a car.
  static let usualSpeed = (slow: 6.5, car: 9.5)
  /// The seconds over which a speed is averaged, and the speed in metres per second below which no drive is
  /// in motion.
  static let motion = (seconds: 12.0, slowest: 0.3)

  /// Returns the speed that is exceeded for a third of the time in motion, averaged over several seconds, in
  /// metres per second, or nil without motion.
  func usualSpeed(in points: Range<Int>) -> Double? {
    var speeds: [Double] = []
    var from = points.lowerBound
    for index in points where time(index) - time(from) >= Self.motion.seconds {
      let speed = distance(from, index) / (time(index) - time(from))
      if speed >= Self.motion.slowest { speeds.append(speed) }
      from = index
    }
    guard !speeds.isEmpty else { return nil }
    speeds.sort()
    return speeds[2 * speeds.count / 3]
  }

  /// Returns the usual acceleration of a drive with a usual speed.
  fileprivate static func acceleration(at speed: Double) -> Double {
    let share = min(max((speed - usualSpeed.slow) / (usualSpeed.car - usualSpeed.slow), 0), 1)
    return usualAcceleration.slow + share * (usualAcceleration.car - usualAcceleration.slow)
  }
}
