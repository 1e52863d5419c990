import CMath

/// A line that ``LineSimplification`` can measure.
public protocol SimplifiableLine {
  /// The straight connection of two points of the line.
  associatedtype Chord

  /// Returns the chord between two points, given by their rows.
  func chord(from first: Int, to last: Int) -> Chord

  /// The square of the distance from a point of the line to a chord, in the units of the tolerance.
  func squaredDistance(from row: Int, to chord: Chord) -> Double
}

/// Selects the points that a line needs to keep its shape within a tolerance.
///
/// The algorithm of Ramer, Douglas and Peucker. Stretches of 2,048 points are simplified one by one, and
/// their ends are kept. The running time is therefore linear in the number of points, even if each division
/// splits off a single point.
public enum LineSimplification {
  @usableFromInline static var stretch: Int { 2048 }

  /// Returns the rows of `range` to keep, in ascending order.
  ///
  /// The first and the last row are kept, and no other row is farther than the tolerance from the chord that
  /// replaces it.
  @inlinable
  public static func rows(
    _ range: Range<Int>, of line: some SimplifiableLine, tolerance: Double
  ) -> [Int] {
    rows(range, tolerance: tolerance) { _ in line }
  }

  /// Returns the rows of `range` to keep of a line on the ellipsoid, in ascending order.
  ///
  /// Preserves times (Meratnia and de By, 2004, "Spatiotemporal compression techniques for moving point
  /// objects"): no omitted row is farther than the tolerance from the position on the simplified line *at its
  /// measure*. Stops are therefore preserved. Rows without a measure, or between rows of equal measure, are
  /// compared with the nearest point of the chord.
  ///
  /// - Parameters:
  ///   - range: the rows of the line.
  ///   - latitudes: the latitude of each row in degrees.
  ///   - longitudes: the longitude of each row in degrees.
  ///   - tolerance: metres.
  ///   - measure: returns the time of a row or its distance along the line, in ascending order, or NaN for a
  ///     row without one.
  public static func rows(
    _ range: Range<Int>, latitudes: [Double], longitudes: [Double], tolerance: Double,
    measure: (Int) -> Double
  ) -> [Int] {
    rows(range, tolerance: tolerance) { stretch in
      GeographicStretch(stretch, latitudes: latitudes, longitudes: longitudes, measure: measure)
    }
  }

  /// - Parameter line: returns the geometry for measuring the rows of a stretch.
  @inlinable
  static func rows<Line: SimplifiableLine>(
    _ range: Range<Int>, tolerance: Double, line: (ClosedRange<Int>) -> Line
  ) -> [Int] {
    guard range.count > 2 else { return Array(range) }
    var isKept = [Bool](repeating: false, count: range.count)
    isKept[0] = true
    let end = range.upperBound - 1
    var open: [(Int, Int)] = []
    for start in Swift.stride(from: range.lowerBound, to: end, by: stretch) {
      let stop = min(start + stretch, end)
      isKept[stop - range.lowerBound] = true
      let line = line(start...stop)
      open.append((start, stop))
      while let (first, last) = open.popLast() {
        guard last - first > 1 else { continue }
        let chord = line.chord(from: first, to: last)
        var farthest = first
        var greatest = tolerance * tolerance
        for row in (first + 1)..<last {
          let distance = line.squaredDistance(from: row, to: chord)
          if distance > greatest {
            greatest = distance
            farthest = row
          }
        }
        guard farthest > first else { continue }
        isKept[farthest - range.lowerBound] = true
        open.append((first, farthest))
        open.append((farthest, last))
      }
    }
    return range.filter { isKept[$0 - range.lowerBound] }
  }
}

/// The points of a part of a line, each with the plane that touches the ellipsoid there.
///
/// A chord is straight in degrees, as drawn by viewers and used for interpolation. The distance from a point
/// to a chord is measured in the point's plane. It is exact to first order wherever the chord's ends are,
/// because tolerances are small and only the part of the chord near the point matters.
private struct GeographicStretch: SimplifiableLine {
  /// The row of the first element of each column.
  private let first: Int
  private let latitudes: ArraySlice<Double>
  private let longitudes: ArraySlice<Double>
  private var measures: [Double] = []
  /// Metres per degree of latitude and of longitude at each point, from the radii of curvature of the
  /// meridian and of the prime vertical of WGS 84.
  private var northScales: [Double] = []
  private var eastScales: [Double] = []

  struct Chord {
    let latitude: Double
    let longitude: Double
    let measure: Double
    /// NaN if either end has no measure.
    let span: Double
    /// The difference in latitude from the start to the end, in degrees.
    let north: Double
    let east: Double
  }

  init(
    _ rows: ClosedRange<Int>, latitudes: [Double], longitudes: [Double], measure: (Int) -> Double
  ) {
    first = rows.lowerBound
    self.latitudes = latitudes[rows]
    self.longitudes = longitudes[rows]
    measures.reserveCapacity(rows.count)
    northScales.reserveCapacity(rows.count)
    eastScales.reserveCapacity(rows.count)
    let eccentricity = Geodesy.flattening * (2 - Geodesy.flattening)
    for row in rows {
      let angle = latitudes[row] * Geodesy.radiansPerDegree
      let sine = sin(angle)
      let root = (1 - eccentricity * sine * sine).squareRoot()
      let perDegree = Geodesy.semiMajorAxis / root * Geodesy.radiansPerDegree
      northScales.append(perDegree * (1 - eccentricity) / (root * root))
      eastScales.append(perDegree * cos(angle))
      measures.append(measure(row))
    }
  }

  func chord(from start: Int, to end: Int) -> Chord {
    Chord(
      latitude: latitudes[start], longitude: longitudes[start], measure: measures[start - first],
      span: measures[end - first] - measures[start - first],
      north: latitudes[end] - latitudes[start],
      east: Geodesy.longitudeDifference(from: longitudes[start], to: longitudes[end]))
  }

  @inline(__always)
  func squaredDistance(from row: Int, to chord: Chord) -> Double {
    let northScale = northScales[row - first]
    let eastScale = eastScales[row - first]
    let chordNorth = chord.north * northScale
    let chordEast = chord.east * eastScale
    let north = (latitudes[row] - chord.latitude) * northScale
    let east = Geodesy.longitudeDifference(from: chord.longitude, to: longitudes[row]) * eastScale
    let measure = measures[row - first]
    let share: Double
    if chord.span > 0, !measure.isNaN {
      share = max(0, min(1, (measure - chord.measure) / chord.span))
    } else {
      let square = chordEast * chordEast + chordNorth * chordNorth
      share = square > 0 ? max(0, min(1, (east * chordEast + north * chordNorth) / square)) : 0
    }
    let restEast = east - share * chordEast
    let restNorth = north - share * chordNorth
    return restEast * restEast + restNorth * restNorth
  }
}
