import TrackModel

/// The position 0°, 0°, which receivers and programs write when they have no fix.
package enum NullIsland {
  /// The distance from 0°, 0°, in metres, within which a track may actually pass there. The nearest land is
  /// 570 km away.
  package static let radius = 500_000.0

  /// The warning about fixes that are skipped.
  package static let isolated = "position 0°, 0° far from the rest of the track, point skipped"
  /// The warning about a track without another position.
  package static let everywhere = "all positions of the track are 0°, 0°"

  package static func contains(_ latitude: Double, _ longitude: Double) -> Bool {
    latitude == 0 && longitude == 0
  }

  /// Returns whether a position is too far from 0°, 0° for the next fix to be there.
  package static func isFar(_ latitude: Double, _ longitude: Double) -> Bool {
    abs(latitude) <= 90 && abs(longitude) <= 180
      && Geodesy.distance(
        from: GeodeticPoint(latitude: latitude, longitude: longitude),
        to: GeodeticPoint(latitude: 0, longitude: 0)) > radius
  }

  /// Returns the indices of the fixes at 0°, 0° whose other neighbours are all far away. If all points are
  /// at 0°, 0°, there are none.
  static func isolatedFixes(of points: PointColumns) -> [Int] {
    var search = NullIslandSearch()
    for row in 0..<points.count { search.add(points.latitudes[row], points.longitudes[row]) }
    search.finish()
    return search.ranges.flatMap(Array.init)
  }
}

/// Finds isolated fixes at 0°, 0° in a sequence of positions.
package struct NullIslandSearch {
  /// The isolated fixes found so far, by their indices.
  package private(set) var ranges: [Range<Int>] = []
  /// The number of positions of tracks without a position elsewhere.
  package private(set) var onlyCount = 0
  private var index = 0
  /// The number of positions at 0°, 0° since the last one elsewhere.
  private var run = 0
  private var last: (latitude: Double, longitude: Double)?

  package init() {}

  @inline(__always)
  package mutating func add(_ latitude: Double, _ longitude: Double) {
    if NullIsland.contains(latitude, longitude) {
      run += 1
    } else {
      if run > 0 { endRun(before: (latitude, longitude)) }
      last = (latitude, longitude)
    }
    index += 1
  }

  /// Adds the positions of columns.
  mutating func add(_ latitudes: Span<Double>, _ longitudes: Span<Double>) {
    var row = 0
    if run == 0 {
      while row < latitudes.count, !NullIsland.contains(latitudes[row], longitudes[row]) { row &+= 1 }
      if row > 0 { last = (latitudes[row - 1], longitudes[row - 1]) }
      index += row
    }
    while row < latitudes.count {
      add(latitudes[row], longitudes[row])
      row += 1
    }
  }

  /// Ends the track.
  package mutating func finish() {
    if run > 0, let last, NullIsland.isFar(last.latitude, last.longitude) {
      ranges.append(index - run..<index)
    }
    if last == nil { onlyCount += run }
    run = 0
    last = nil
  }

  private mutating func endRun(before next: (latitude: Double, longitude: Double)) {
    if NullIsland.isFar(next.latitude, next.longitude), last.map(NullIsland.isFar) ?? true {
      ranges.append(index - run..<index)
    }
    run = 0
  }
}
