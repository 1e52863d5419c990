import TrackModel

/// The departure of a driver who enters the ghost's road, found with the same rule as that of the ghost
/// (``MotionOnset``).
///
/// Until the drive is far enough from its first place, the departure is the last fix at which it was
/// stationary.
struct LiveDeparture {
  /// The first position on the road.
  let origin: SIMD3<Double>
  /// The time of departure.
  private(set) var time: Double
  /// Whether the driver was stationary before it.
  private(set) var isStationary = false
  /// Whether later fixes do not change the departure.
  private(set) var isSettled = false
  /// The fixes from which the departure is found, until it is settled.
  private var places: [SIMD3<Double>]
  private var times: [Double]
  /// The time at which the driver has certainly departed.
  private var crossing: Double?

  /// The speed away from the origin in metres per second from which the driver is in motion.
  private static let drivingSpeed = 1.0
  /// The time in seconds and the distance in metres after which the departure is settled, and the time after
  /// which it is settled at any distance.
  private static let settling = (seconds: 45.0, metres: MotionOnset.slowReach.to + MotionOnset.leavingRadius)
  private static let longest = 150.0

  init(at place: SIMD3<Double>, _ seconds: Double) {
    origin = place
    time = seconds
    places = [place]
    times = [seconds]
  }

  /// Adds a fix, unless it is too soon after the last one, when noise exceeds the speed of any car.
  ///
  /// - Returns: whether the driver has not departed before this time.
  mutating func stays(at place: SIMD3<Double>, _ seconds: Double) -> Bool {
    guard !isSettled, let last = times.last, let before = places.last,
      seconds - last >= MotionOnset.leastStep
    else { return false }
    places.append(place)
    times.append(seconds)
    let metres = (place - origin).length
    if metres > MotionOnset.leavingRadius { crossing = crossing ?? seconds }
    if let crossing {
      let age = seconds - crossing
      find(isLast: age >= Self.longest || age >= Self.settling.seconds && metres >= Self.settling.metres)
      return false
    }
    if seconds - times[0] > 2 * MotionOnset.settledAge.most {
      let old = times.partitionIndex { $0 > seconds - MotionOnset.settledAge.most }
      places.removeFirst(old)
      times.removeFirst(old)
    }
    guard metres - (before - origin).length < Self.drivingSpeed * (seconds - last) else { return false }
    time = seconds
    isStationary = true
    return true
  }

  /// Finds the departure in the fixes so far. The first metres do not show whether a drive begins at speed.
  private mutating func find(isLast: Bool) {
    let first = times[0]
    let onset = MotionOnset(TimedPlaces(places, elapsed: times.map { $0 - first }))
    if let onset, isLast || onset.isStationary {
      time = first + onset.moment
      isStationary = onset.isStationary
    }
    guard isLast else { return }
    isSettled = true
    (places, times) = ([], [])
  }
}
