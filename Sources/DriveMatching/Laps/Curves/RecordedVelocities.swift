import CMath
import GhostModel
import TrackModel

/// The velocities that a receiver recorded at its fixes, if they agree with the distances between them.
///
/// Some devices record speeds that are late, smoothed, or from a wheel sensor.
struct RecordedVelocities {
  /// The velocity per fix in metres per second, or nil if it is unknown or wrong. Empty if the recorded
  /// speeds of the drive disagree with its distances.
  private(set) var velocities: [SIMD3<Double>?] = []

  /// The largest median difference between speed times duration and distance, as a share of the distance.
  private static let usualDifference = 0.05
  /// The largest such difference at a fix: a share of the distance, and metres.
  private static let difference = (share: 0.25, metres: 3.0)
  /// The shortest distance in metres between two fixes whose speed is checked.
  private static let shortest = 5.0
  /// The speed in metres per second from which a recorded course is valid.
  private static let moving = 2.0
  /// The cosine of the largest angle between the recorded course and the direction between fixes.
  private static let agreement = 0.5

  init(_ motion: [RecordedMotion], _ places: [SIMD3<Double>], _ times: [Double]) {
    // The difference between the distance by speed and by position, per step.
    var differences = [Double?](repeating: nil, count: max(places.count - 1, 0))
    var shares: [Double] = []
    for step in differences.indices {
      // Without time between them, any speed would agree.
      guard let first = motion[step].speed, let last = motion[step + 1].speed, times[step + 1] > times[step]
      else { continue }
      let distance = (places[step + 1] - places[step]).length
      let difference = abs((first + last) / 2 * (times[step + 1] - times[step]) - distance)
      differences[step] = difference / (Self.difference.share * distance + Self.difference.metres)
      if distance >= Self.shortest { shares.append(difference / distance) }
    }
    guard let usual = shares.upperMedian, usual <= Self.usualDifference else { return }
    velocities = places.indices.map { fix in
      let around = [fix - 1, fix].compactMap { differences.indices.contains($0) ? differences[$0] : nil }
      guard let speed = motion[fix].speed, let difference = around.min(), difference <= 1 else { return nil }
      let direction = SmoothPath.parabola(places, times, fix).normalized
      guard speed >= Self.moving, let course = motion[fix].course else { return speed * direction }
      let heading = EarthFixed.direction(course, at: places[fix])
      return speed * (heading.dot(direction) >= Self.agreement ? heading : direction)
    }
  }
}

extension EarthFixed {
  /// Returns the horizontal direction of a course in degrees clockwise from north, with length 1.
  static func direction(_ course: Double, at place: SIMD3<Double>) -> SIMD3<Double> {
    let east = SIMD3(-place.y, place.x, 0).normalized
    let north = place.normalized.cross(east)
    let angle = course * Geodesy.radiansPerDegree
    return cos(angle) * north + sin(angle) * east
  }
}
