import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Leaves out points that lie within a distance of what is left.
///
/// The algorithm of Ramer, Douglas and Peucker on each segment, in the form that keeps times true (Meratnia
/// and de By, 2004, "Spatiotemporal compression techniques for moving point objects"): the first and the last
/// point stay, and no point that was left out is farther than the tolerance from where the simplified line is
/// at its time. So a stop stays a stop. Points without times are measured to the nearest point of the line.
/// Stretches of 2,048 points are simplified one after the other, with their ends kept, so that time is linear
/// in the number of points even where each division cuts off a single one.
public struct SimplifyStage: TrackStage, SegmentStage {
  private let tolerance: Double
  var gathering = SegmentGathering()
  private var total = 0
  private var removed = 0
  private var details = 0

  static let stretch = 2048

  /// - Parameter metres: the greatest error, not negative; 0 leaves out what lies on the line exactly.
  public init(metres: Double) { tolerance = metres >= 0 ? metres : 0 }

  public var summary: String? {
    Counted.leftOut("simplify", removed, of: total).map { $0 + Counted.details(details) }
  }

  mutating func changed(_ points: PointColumns) -> PointColumns {
    let rows = SimplifyStage.rows(of: points, tolerance: tolerance)
    total += points.count
    guard rows.count < points.count else { return points }
    let result = points.rows(at: rows)
    removed += points.count - result.count
    details += points.details.count - result.details.count
    return result
  }

  /// The rows that stay, ascending.
  static func rows(of points: PointColumns, tolerance: Double) -> [Int] {
    guard points.count > 2 else { return Array(0..<points.count) }
    let planes = LocalPlanes(points)
    var isKept = [Bool](repeating: false, count: points.count)
    isKept[0] = true
    for first in stride(from: 0, to: points.count - 1, by: stretch) {
      let last = min(first + stretch, points.count - 1)
      isKept[last] = true
      keep(first, last, planes, tolerance * tolerance, &isKept)
    }
    return isKept.indices.filter { isKept[$0] }
  }

  private static func keep(
    _ first: Int, _ last: Int, _ planes: LocalPlanes, _ square: Double, _ isKept: inout [Bool]
  ) {
    var open = [(first, last)]
    while let (first, last) = open.popLast() {
      guard last - first > 1 else { continue }
      let chord = planes.chord(from: first, to: last)
      var farthest = first
      var greatest = square
      for row in (first + 1)..<last {
        let distance = planes.squaredDistance(from: row, to: chord)
        if distance > greatest {
          greatest = distance
          farthest = row
        }
      }
      guard farthest > first else { continue }
      isKept[farthest] = true
      open.append((first, farthest))
      open.append((farthest, last))
    }
  }
}

/// Each point of a line with the plane that touches the ellipsoid there.
///
/// A chord is what is straight in degrees, as it is drawn and as positions are interpolated. Measured in the
/// plane of the point, the distance to it is exact in first order wherever the chord's ends lie: the part of
/// it that counts is near the point where the distance is small, and small is what tolerances are.
private struct LocalPlanes {
  private let latitudes: [Double]
  private let longitudes: [Double]
  /// Metres per degree of latitude and of longitude at each point, from the radii of curvature of the
  /// meridian and of the prime vertical of WGS 84.
  private let northScales: [Double]
  private let eastScales: [Double]
  /// Microseconds since 1970, ``Instant/absent`` for none.
  private let times: [Int64]

  struct Chord {
    let latitude: Double
    let longitude: Double
    let time: Int64
    /// Microseconds; 0 where the ends have no times, or one.
    let duration: Double
    /// Degrees to the end.
    let north: Double
    let east: Double
  }

  init(_ points: PointColumns) {
    latitudes = points.latitudes
    longitudes = points.longitudes
    times = points.times
    let eccentricity = Geodesy.flattening * (2 - Geodesy.flattening)
    var northScales: [Double] = []
    var eastScales: [Double] = []
    northScales.reserveCapacity(points.count)
    eastScales.reserveCapacity(points.count)
    for latitude in points.latitudes {
      let angle = latitude * Geodesy.radiansPerDegree
      let sine = sin(angle)
      let root = (1 - eccentricity * sine * sine).squareRoot()
      let perDegree = Geodesy.semiMajorAxis / root * Geodesy.radiansPerDegree
      northScales.append(perDegree * (1 - eccentricity) / (root * root))
      eastScales.append(perDegree * cos(angle))
    }
    self.northScales = northScales
    self.eastScales = eastScales
  }

  func chord(from first: Int, to last: Int) -> Chord {
    let isTimed = times[first] != Instant.absent && times[last] != Instant.absent
    return Chord(
      latitude: latitudes[first], longitude: longitudes[first], time: times[first],
      duration: isTimed ? max(0, Double(times[last]) - Double(times[first])) : 0,
      north: latitudes[last] - latitudes[first],
      east: Geodesy.longitudeDifference(from: longitudes[first], to: longitudes[last]))
  }

  /// The square of the metres from a point to where a chord is at its time; without one, to the nearest
  /// point.
  @inline(__always)
  func squaredDistance(from row: Int, to chord: Chord) -> Double {
    let northScale = northScales[row]
    let eastScale = eastScales[row]
    let chordNorth = chord.north * northScale
    let chordEast = chord.east * eastScale
    let north = (latitudes[row] - chord.latitude) * northScale
    let east = Geodesy.longitudeDifference(from: chord.longitude, to: longitudes[row]) * eastScale
    let share: Double
    if chord.duration > 0, times[row] != Instant.absent {
      share = max(0, min(1, (Double(times[row]) - Double(chord.time)) / chord.duration))
    } else {
      let square = chordEast * chordEast + chordNorth * chordNorth
      share = square > 0 ? max(0, min(1, (east * chordEast + north * chordNorth) / square)) : 0
    }
    let restEast = east - share * chordEast
    let restNorth = north - share * chordNorth
    return restEast * restEast + restNorth * restNorth
  }
}
