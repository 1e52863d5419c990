import GhostModel
import TrackModel

/// The fixes of a drive around its departure, those of a slow drive averaged over seconds, as seen from the
/// end of the recording: applied to ``TimedPlaces/backwards``, those around the arrival.
struct EndFixes {
  struct Fix {
    /// In seconds since the first point.
    var time: Double
    var place: SIMD3<Double>
  }

  private(set) var fixes: [Fix] = []
  /// The departure in seconds since the first point.
  private(set) var departure = 0.0
  /// The start of the span of the fixes in seconds since the first point.
  private(set) var start = 0.0

  /// The usual acceleration of the drive in metres per second squared.
  private(set) var acceleration = TimedPlaces.usualAcceleration.car
  /// Whether the drive is a slow one, such as a walk.
  private(set) var isSlow = true

  /// The seconds over which fixes are averaged. The errors of a receiver change more slowly, and without much
  /// motion in between they hide the course of a walker.
  static let interval = (slow: 4.0, fast: 1.0)
  var interval: Double { isSlow ? Self.interval.slow : Self.interval.fast }
  /// The seconds before and after the departure from which fixes are used.
  static let span = (before: 90.0, after: 120.0)
  /// The distance in metres from the first place beyond which a stop ends the span. Nearer stops may be
  /// drift.
  static let stopReach = 50.0
  /// The distance in metres from the first place over which a car departs without a stop. Further away, its
  /// speed is not even.
  static let departureReach = 120.0

  /// No fixes.
  init() {}

  /// - Parameters:
  ///   - speed: the speed near the end in metres per second.
  ///   - stops: the stops with the same clock.
  init(
    _ recorded: TimedPlaces, _ onset: MotionOnset, speed: Double,
    stops: [(arrival: Double, place: SIMD3<Double>)]
  ) {
    isSlow = speed < StretchEnd.foldingSpeed
    acceleration = recorded.acceleration
    guard onset.sparseFix == nil, isSlow || onset.isStationary else { return }
    departure = onset.moment
    func isNear(_ place: SIMD3<Double>) -> Bool { (place - onset.place).length < Self.departureReach }
    guard isSlow || !stops.contains(where: { $0.arrival > departure && isNear($0.place) }) else { return }
    start = max(departure - Self.span.before, onset.since)
    let stop = stops.first { $0.arrival > departure && ($0.place - onset.place).length > Self.stopReach }
    let end = min(departure + Self.span.after, stop?.arrival ?? .infinity)
    var sum = (time: 0.0, place: SIMD3<Double>.zero, rows: 0.0)
    var first = start
    func mean() -> [Fix] {
      sum.rows > 0 ? [Fix(time: sum.time / sum.rows, place: sum.place / sum.rows)] : []
    }
    var row = recorded.index(at: start)
    while row < recorded.count, case let time = recorded.time(row), time <= end {
      if time >= start, !recorded.isSpike(row) {
        if !isSlow, time > departure, !isNear(recorded.place(row)) { break }
        if sum.rows == 0 || time - first >= interval {
          fixes += mean()
          sum = (0, .zero, 0)
          first = time
        }
        sum.time += time
        sum.place += recorded.place(row)
        sum.rows += 1
      }
      row += 1
    }
    fixes += mean()
  }
}

/// The smoothed path of a drive near an end, which goes straight on beyond the end.
struct EndPath {
  private var places: [SIMD3<Double>] = []
  /// The distance along the path per place, in metres.
  private var distanceAlong: [Double] = []

  /// The distance between two places in metres, and the minimum.
  static let spacing = (usual: 15.0, least: 5.0)
  /// The seconds within which fixes are averaged, as a share of those between two places.
  static let reach = 0.75
  /// The distance by which the path continues at both ends in metres, and the number of places that define
  /// its direction at the start.
  static let beyond = (metres: 200.0, places: 3)
  /// The lowest speed of a moving drive in metres per second.
  static let leastSpeed = 0.4

  /// Returns nil with too few fixes.
  init?(_ end: EndFixes) {
    let moving = end.fixes.filter { $0.time > end.departure }
    guard let first = moving.first, let last = moving.last, last.time > first.time else { return nil }
    let speed = max((last.place - first.place).length / (last.time - first.time), Self.leastSpeed)
    let seconds = max(Self.spacing.usual / speed, 2 * end.interval)
    var time = end.departure + seconds / 2
    while time <= last.time {
      let near = moving.filter { abs($0.time - time) <= Self.reach * seconds }
      time += seconds
      guard !near.isEmpty else { continue }
      let mean = near.reduce(.zero) { $0 + $1.place } / Double(near.count)
      if places.last.map({ (mean - $0).length > Self.spacing.least }) ?? true { places.append(mean) }
    }
    let count = places.count
    guard count > 2 else { return nil }
    let outwards = (places[0] - places[min(Self.beyond.places, count - 1)]).normalized
    let onwards = (places[count - 1] - places[count - 2]).normalized
    places.insert(places[0] + Self.beyond.metres * outwards, at: 0)
    places.append(places[count] + Self.beyond.metres * onwards)
    distanceAlong = [-Self.beyond.metres]
    for index in 1..<places.count {
      distanceAlong.append(distanceAlong[index - 1] + (places[index] - places[index - 1]).length)
    }
  }

  /// Returns the distance along the path in metres that is nearest to a place, and how far the place is from
  /// it.
  func nearest(
    to place: SIMD3<Double>, in part: ClosedRange<Double>
  ) -> (distanceAlong: Double, offset: Double) {
    var best = (distanceAlong: part.lowerBound, offset: Double.infinity)
    for index in 1..<places.count
    where distanceAlong[index] >= part.lowerBound && distanceAlong[index - 1] <= part.upperBound {
      let (fraction, rest) = (place - places[index - 1]).projected(onto: places[index] - places[index - 1])
      let length = distanceAlong[index] - distanceAlong[index - 1]
      if rest.length < best.offset { best = (distanceAlong[index - 1] + fraction * length, rest.length) }
    }
    return best
  }
}
