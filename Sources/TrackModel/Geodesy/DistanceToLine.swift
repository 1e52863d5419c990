import CMath

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
    var previous = (x: 0.0, y: 0.0)
    // The part of the line, the fraction of it, and the squared distance in degrees.
    var nearest = (end: 0, fraction: 1.0, square: Double.infinity)
    for (index, coordinate) in coordinates.enumerated() {
      let x = longitudeDifference(from: place.longitude, to: coordinate.longitude) * scale
      let y = coordinate.latitude - place.latitude
      if index > 0 {
        let (stepX, stepY) = (x - previous.x, y - previous.y)
        let square = stepX * stepX + stepY * stepY
        let fraction =
          square > 0 ? min(max(-(previous.x * stepX + previous.y * stepY) / square, 0), 1) : 0
        let (outX, outY) = (previous.x + fraction * stepX, previous.y + fraction * stepY)
        let distance = outX * outX + outY * outY
        if distance < nearest.square { nearest = (index, fraction, distance) }
      } else {
        nearest.square = x * x + y * y
      }
      previous = (x, y)
    }
    guard let end = coordinates.dropFirst(nearest.end).first else { return .infinity }
    guard nearest.end > 0 else { return distance(from: place, to: end) }
    let start = coordinates[nearest.end - 1]
    return distance(from: place, to: interpolate(from: start, to: end, fraction: nearest.fraction))
  }
}
