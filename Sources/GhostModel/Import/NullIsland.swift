import TrackModel

/// The position 0°, 0°, which receivers and programs write when they have no fix.
enum NullIsland {
  /// Metres from 0°, 0° within which a track may pass through it. The nearest land is 570 km away.
  static let radius = 500_000.0

  static func contains(_ latitude: Double, _ longitude: Double) -> Bool { latitude == 0 && longitude == 0 }

  /// Whether a position is too far from 0°, 0° for the next fix to be there.
  static func isFar(_ latitude: Double, _ longitude: Double) -> Bool {
    abs(latitude) <= 90 && abs(longitude) <= 180
      && Geodesy.distance(
        from: GeodeticPoint(latitude: latitude, longitude: longitude),
        to: GeodeticPoint(latitude: 0, longitude: 0)) > radius
  }

  /// The indices, through all segments, of the fixes at 0°, 0° whose neighbours elsewhere are all far away. A recording that is at
  /// 0°, 0° as a whole has none.
  static func isolatedFixes(of recording: Recording) -> [Int] {
    var result: [Int] = []
    var run: [Int] = []
    var last: (latitude: Double, longitude: Double)?
    var index = 0
    for segment in recording.segments {
      for row in 0..<segment.count {
        let latitude = segment.latitudes[row]
        let longitude = segment.longitudes[row]
        if contains(latitude, longitude) {
          run.append(index)
        } else {
          if !run.isEmpty, isFar(latitude, longitude), last.map(isFar) ?? true { result += run }
          run.removeAll()
          last = (latitude, longitude)
        }
        index += 1
      }
    }
    if let last, isFar(last.latitude, last.longitude) { result += run }
    return result
  }
}
