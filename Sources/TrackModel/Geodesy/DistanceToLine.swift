#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Geodesy {
  /// Returns the distance in metres from a position to the nearest point of a line, or infinity if the line
  /// is empty.
  ///
  /// Each part of the line is treated as straight in the local plane around the position. The error is at
  /// most 0.1 % within 30 km, and the nearest part is found at any distance if parts are short compared with
  /// their distance.
  ///
  /// - Complexity: O(*n*)
  public static func distance(from place: Coordinate, toLine coordinates: [Coordinate]) -> Double {
    let scale = cos(place.latitude * radiansPerDegree)
    var least = Double.infinity
    var nearest: Coordinate?
    var previous: (x: Double, y: Double)?
    for (index, coordinate) in coordinates.enumerated() {
      let x = longitudeDifference(from: place.longitude, to: coordinate.longitude) * scale
      let y = coordinate.latitude - place.latitude
      if let previous, index > 0 {
        let (stepX, stepY) = (x - previous.x, y - previous.y)
        let square = stepX * stepX + stepY * stepY
        let fraction =
          square > 0 ? min(max(-(previous.x * stepX + previous.y * stepY) / square, 0), 1) : 0
        let distance = hypot(previous.x + fraction * stepX, previous.y + fraction * stepY)
        if distance < least {
          least = distance
          nearest = interpolate(from: coordinates[index - 1], to: coordinate, fraction: fraction)
        }
      } else {
        least = hypot(x, y)
        nearest = coordinate
      }
      previous = (x, y)
    }
    return nearest.map { distance(from: place, to: $0) } ?? .infinity
  }
}
