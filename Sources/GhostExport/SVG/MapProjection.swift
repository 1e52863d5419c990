import CMath
import DriveMatching
import GhostModel
import TrackModel

/// The Web Mercator projection of a map, centred on the drives.
///
/// A unit is ``unitLength`` metres where the drives are nearest to the equator, and less elsewhere, so a
/// distance of `n` units is at most `n * unitLength` metres. The x axis points east, the y axis south.
struct MapProjection: Sendable {
  /// The length of a unit in metres.
  static let unitLength = 0.5
  /// The equator of the sphere of Web Mercator (EPSG:3857) in metres.
  private static let equator = 2 * Double.pi * Geodesy.semiMajorAxis

  /// The reference longitude in degrees. Other longitudes are within 180° of it.
  private let reference: Double
  /// The centre of the map in the square of Web Mercator, 0…1 from the north-west corner. x may be outside if
  /// the drives cross the antimeridian.
  let centerX: Double
  let centerY: Double
  /// The side length of the square in units.
  let worldSize: Double
  /// The bounds of the drives in units around the centre.
  let width: Double
  let height: Double

  /// Creates a projection.
  ///
  /// - Parameter traces: the drives that the map contains.
  init(_ traces: [TimedDrive]) {
    reference = traces.first?.longitudes.first ?? 0
    var lowX = Double.infinity
    var highX = -Double.infinity
    var lowY = Double.infinity
    var highY = -Double.infinity
    var nearest = 90.0
    for trace in traces {
      var east = 0.0
      var previous = reference
      for index in 0..<trace.count {
        east += Geodesy.longitudeDifference(from: previous, to: trace.longitudes[index])
        previous = trace.longitudes[index]
        lowX = min(lowX, east)
        highX = max(highX, east)
      }
      for latitude in trace.latitudes {
        lowY = min(lowY, latitude)
        highY = max(highY, latitude)
        nearest = min(nearest, abs(latitude))
      }
    }
    guard lowX <= highX, lowY <= highY else {
      (centerX, centerY, worldSize, width, height) = (0.5, 0.5, MapProjection.equator, 0, 0)
      return
    }
    let left = MapProjection.x(reference + lowX)
    let right = MapProjection.x(reference + highX)
    let top = MapProjection.y(highY)
    let bottom = MapProjection.y(lowY)
    centerX = (left + right) / 2
    centerY = (top + bottom) / 2
    let cosine = cos(min(nearest, MapProjection.limit) * .pi / 180)
    worldSize = MapProjection.equator * cosine / MapProjection.unitLength
    width = (right - left) * worldSize
    height = (bottom - top) * worldSize
  }

  /// The positions of a drive's points, without a jump at the antimeridian.
  func columns(of trace: TimedDrive) -> MapColumns {
    var columns = MapColumns()
    columns.x.reserveCapacity(trace.count)
    columns.y.reserveCapacity(trace.count)
    var east = reference
    var previous = reference
    for index in 0..<trace.count {
      let longitude = trace.longitudes[index]
      east += Geodesy.longitudeDifference(from: previous, to: longitude)
      previous = longitude
      columns.x.append((MapProjection.x(east) - centerX) * worldSize)
      columns.y.append((MapProjection.y(trace.latitudes[index]) - centerY) * worldSize)
    }
    return columns
  }

  /// Projects a single position.
  func point(latitude: Double, longitude: Double) -> MapPoint {
    let east = reference + Geodesy.longitudeDifference(from: reference, to: longitude)
    return MapPoint(
      x: (MapProjection.x(east) - centerX) * worldSize,
      y: (MapProjection.y(latitude) - centerY) * worldSize)
  }

  func point(_ coordinate: Coordinate) -> MapPoint {
    point(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  /// The metres per unit at the centre of the map.
  var metresPerUnit: Double {
    // 1 / cosh(y) is the cosine of the latitude.
    MapProjection.equator / worldSize / cosh((0.5 - centerY) * 2 * .pi)
  }

  /// The largest latitude. Positions closer to the poles are clamped to the edge.
  private static let limit = 89.0

  private static func x(_ longitude: Double) -> Double { longitude / 360 + 0.5 }

  private static func y(_ latitude: Double) -> Double {
    let sine = sin(max(-limit, min(limit, latitude)) * .pi / 180)
    return 0.5 - atanh(sine) / (2 * .pi)
  }
}

/// A point on a map in the units of its projection.
struct MapPoint: Sendable, Hashable {
  var x: Double
  var y: Double
}

/// Points on a map in columns of equal length.
struct MapColumns: Sendable {
  var x: [Double] = []
  var y: [Double] = []

  mutating func append(_ point: MapPoint) {
    x.append(point.x)
    y.append(point.y)
  }

  /// Returns some of the rows.
  subscript(rows: [Int]) -> MapColumns { MapColumns(x: rows.map { x[$0] }, y: rows.map { y[$0] }) }
}

extension MapColumns: SimplifiableLine {
  struct Chord {
    let start: MapPoint
    let x: Double
    let y: Double
    let square: Double
  }

  func chord(from first: Int, to last: Int) -> Chord {
    let (alongX, alongY) = (x[last] - x[first], y[last] - y[first])
    return Chord(
      start: MapPoint(x: x[first], y: y[first]), x: alongX, y: alongY,
      square: alongX * alongX + alongY * alongY)
  }

  /// Returns the squared distance to the nearest point of the chord, not of the line through it, so that the
  /// turning point of a way out and back is kept.
  @inline(__always)
  func squaredDistance(from row: Int, to chord: Chord) -> Double {
    let east = x[row] - chord.start.x
    let south = y[row] - chord.start.y
    let fraction =
      chord.square > 0 ? max(0, min(1, (east * chord.x + south * chord.y) / chord.square)) : 0
    let offX = east - fraction * chord.x
    let offY = south - fraction * chord.y
    return offX * offX + offY * offY
  }
}
