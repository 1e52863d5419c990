import TrackModel

/// Single fixes far from the way between their neighbours, out and back faster than any vehicle.
///
/// In a comparison, such a fix would be a detour or a record speed.
enum OutlyingFixes {
  /// The smallest distance in metres from the way, and of the way out and back. Smaller ones are noise.
  private static let distance = (away: 15.0, around: 30.0)
  /// The largest acceleration of a vehicle, in m/s².
  private static let acceleration = 30.0

  /// Returns the points, ascending.
  ///
  /// - Parameters:
  ///   - latitudes: the latitudes in degrees.
  ///   - longitudes: the longitudes in degrees.
  ///   - elapsed: the times in seconds, not descending.
  static func indices(latitudes: [Double], longitudes: [Double], elapsed: [Double]) -> [Int] {
    guard elapsed.count > 2 else { return [] }
    let (north, east) = (latitudes.span, longitudes.span)
    // Most points are near the middle of their neighbours, which degrees show.
    let degrees = distance.away / Geodesy.longestMetresPerDegree
    var found: [Int] = []
    for index in 1..<(elapsed.count - 1) {
      let share = (elapsed[index] - elapsed[index - 1]) / (elapsed[index + 1] - elapsed[index - 1])
      guard
        !(abs(north[index] - north[index - 1] - share * (north[index + 1] - north[index - 1])) < degrees)
          || !(abs(east[index] - east[index - 1] - share * (east[index + 1] - east[index - 1])) < degrees)
      else { continue }
      if isOutlying(index, north, east, elapsed.span) { found.append(index) }
    }
    // After a jump that lasts, both ends of it look like outliers.
    return found.indices.filter { position in
      let index = found[position]
      let follows = position > 0 && found[position - 1] == index - 1
      let precedes = position + 1 < found.count && found[position + 1] == index + 1
      return !follows && !precedes
    }.map { found[$0] }
  }

  private static func isOutlying(
    _ index: Int, _ north: Span<Double>, _ east: Span<Double>, _ elapsed: Span<Double>
  ) -> Bool {
    func place(_ index: Int) -> Coordinate { Coordinate(latitude: north[index], longitude: east[index]) }
    let (before, after) = (elapsed[index] - elapsed[index - 1], elapsed[index + 1] - elapsed[index])
    guard before > 0, after > 0 else { return false }
    let out = Geodesy.distance(from: place(index - 1), to: place(index))
    let back = Geodesy.distance(from: place(index), to: place(index + 1))
    let way = Geodesy.distance(from: place(index - 1), to: place(index + 1))
    // The distance from the position at this time of a steady motion, at least.
    let away = max(out - way * before / (before + after), back - way * after / (before + after))
    return out + back - way > distance.around && away > distance.away
      && 2 * away / (before * after) > acceleration
  }
}
