import TrackModel

/// The first fix of a drive that may have rolled from it to a stop, for example to a light.
struct RollingFix {
  let place: SIMD3<Double>
  let likelihood: Likelihood
  /// The highest speed between two fixes in metres per second, 0 if they are sparse.
  let pace: Double

  enum Likelihood {
    /// The motion is that of a vehicle.
    case likely
    /// One step covers most of the way, so that the position of a parked receiver may have jumped.
    case unknown
    /// The position of a parked receiver has settled, or the drive waits longer than at a light.
    case unlikely
  }

  /// The distance in metres of the first fix from the stop.
  static let reach = 13.0...100.0
  /// The distance in metres from the stop within which a drive has arrived, and the maximum time in seconds.
  static let arrival = (metres: 7.0, seconds: 20.0)
  /// The share of the distance that one step may cover, and the minimum seconds of a step that covers more,
  /// because a car brakes in it.
  static let step = (share: 0.6, seconds: 2.0)
  /// The minimum speed of the first second in metres per second, and the minimum ratio of the mean speed to
  /// it.
  static let speed = (first: 2.0, braking: 0.6)
  /// The maximum wait at a light in seconds.
  static let longestWait = 90.0
  /// The duration of a walk in seconds, the pace of its steps in metres per second, their seconds, the
  /// smallest share of the way that leads to its end, and the ratio of the times for the second and the first
  /// half.
  static let walk = (seconds: 6.0...90, pace: 0.6...3, step: 4.0, straight: 0.4, halves: 0.5...1.8)
  /// The interval between sparse fixes in seconds, for which one step is enough, and the minimum distance.
  static let sparse = (seconds: MotionOnset.longStep...40.0, metres: 18.0)

  /// Creates the fix of a drive that approaches a place in several steps.
  ///
  /// It is likely that a car rolled there if none of the steps is much faster than the first, and it does not
  /// become slow long before it stops. A single step may also be a jump of a parked receiver. With sparse
  /// fixes, one step is enough. A car that then waits longer than at a light is parked.
  ///
  /// - Parameter departure: the time at which the drive leaves the place.
  /// - Returns: nil if the fixes do not approach the place like those of a car.
  init?(_ places: TimedPlaces, to goal: SIMD3<Double>, until departure: Double) {
    func left(_ index: Int) -> Double { (places.place(index) - goal).length }
    guard places.count > 2, case let metres = left(0), Self.reach.contains(metres) else { return nil }
    if Self.sparse.seconds.contains(places.time(1) - places.time(0)) {
      guard metres > Self.sparse.metres, left(1) < MotionOnset.restRadius else { return nil }
      self.init(place: places.place(0), likelihood: .likely, pace: 0)
      return
    }
    var (first, fastest) = (0.0, 0.0)
    var (steps, last) = (0, 0)
    var (isFast, isOneStep) = (false, false)
    repeat {
      guard let index = places.firstIndex(after: last, by: MotionOnset.leastStep) else { return nil }
      let seconds = places.time(index) - places.time(last)
      let way = left(last) - left(index)
      guard places.time(index) - places.time(0) <= Self.arrival.seconds, way > 0 else { return nil }
      let pace = way / seconds
      if steps == 0 { first = pace }
      isFast =
        isFast || first < Self.speed.first || pace >= MotionOnset.rolling.ratio.upperBound * first + 1
      if way >= Self.step.share * metres {
        guard seconds >= Self.step.seconds else { return nil }
        isOneStep = true
      }
      fastest = max(fastest, pace)
      steps += 1
      last = index
    } while left(last) >= Self.arrival.metres
    let isShort = departure - places.time(last) < Self.longestWait
    guard isOneStep ? isShort : steps > 1 else { return nil }
    let isSteady =
      metres - left(last) > Self.speed.braking * first * (places.time(last) - places.time(0))
    self.init(
      place: places.place(0),
      likelihood: isOneStep ? .unknown : isShort && !isFast && isSteady ? .likely : .unlikely, pace: fastest)
  }

  /// Creates the fix of a person who walks to a place and waits there, at a steady pace. A position that
  /// settles becomes slower, and one that drifts pauses.
  ///
  /// - Returns: nil if the fixes do not approach the place like those of a walker.
  init?(_ places: TimedPlaces, walkingTo goal: SIMD3<Double>) {
    let start = places.time(0)
    func left(_ index: Int) -> Double { (places.place(index) - goal).length }
    guard Self.reach.contains(left(0)),
      let arrival = (1..<places.count).first(where: {
        left($0) < Self.arrival.metres || places.time($0) - start > Self.walk.seconds.upperBound
      }), Self.walk.seconds.contains(places.time(arrival) - start)
    else { return nil }
    var way = [(seconds: 0.0, metres: 0.0)]
    var (last, fastest) = (0, 0.0)
    while let index = places.firstIndex(after: last, by: Self.walk.step), index <= arrival {
      let (seconds, metres) = (places.time(index) - places.time(last), places.distance(last, index))
      guard Self.walk.pace.contains(metres / seconds) else { return nil }
      fastest = max(fastest, metres / seconds)
      way.append((way[way.count - 1].seconds + seconds, way[way.count - 1].metres + metres))
      last = index
    }
    let whole = way[way.count - 1]
    guard let next = way.firstIndex(where: { 2 * $0.metres >= whole.metres }), next > 0,
      left(0) - left(last) >= Self.walk.straight * whole.metres
    else { return nil }
    let (from, to) = (way[next - 1], way[next])
    let half =
      from.seconds
      + (whole.metres / 2 - from.metres) / (to.metres - from.metres) * (to.seconds - from.seconds)
    guard Self.walk.halves.contains((whole.seconds - half) / half) else { return nil }
    self.init(place: places.place(0), likelihood: .unknown, pace: fastest)
  }

  /// Creates the fix of a drive that begins at speed and then waits at a place, likely unless it waits longer
  /// than at a light.
  init?(_ places: TimedPlaces, atSpeedTo goal: SIMD3<Double>, until departure: Double) {
    func left(_ index: Int) -> Double { (places.place(index) - goal).length }
    guard places.beginsAtSpeed, left(0) <= Self.reach.upperBound,
      let arrival = (1..<places.count).first(where: { left($0) < Self.arrival.metres })
    else { return nil }
    let isShort = departure - places.time(arrival) < Self.longestWait
    self.init(place: places.place(0), likelihood: isShort ? .likely : .unlikely, pace: 0)
  }

  /// Creates the fix of a drive whose position seems to settle until a fix at rest. If one step covers most
  /// of the way, a car that brakes looks the same.
  init(_ places: TimedPlaces, settledAt rest: Int, until departure: Double) {
    var longest = (metres: 0.0, seconds: 1.0)
    for index in 1...rest where places.distance(index - 1, index) > longest.metres {
      longest = (places.distance(index - 1, index), places.time(index) - places.time(index - 1))
    }
    let isOneStep =
      longest.metres >= Self.step.share * places.distance(0, rest) && longest.seconds >= Self.step.seconds
    let isShort = departure - places.time(rest) < Self.longestWait
    self.init(
      place: places.place(0),
      likelihood: places.beginsAtSpeed ? .likely : isOneStep && isShort ? .unknown : .unlikely,
      pace: longest.metres / max(longest.seconds, MotionOnset.leastStep))
  }

  private init(place: SIMD3<Double>, likelihood: Likelihood, pace: Double) {
    (self.place, self.likelihood, self.pace) = (place, likelihood, pace)
  }
}
