public import TrackModel

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
    var search = NullIslandSearch()
    for segment in recording.segments {
      for row in 0..<segment.count { search.add(segment.latitudes[row], segment.longitudes[row]) }
    }
    search.finish()
    return search.ranges.flatMap(Array.init)
  }

  /// The same for the points of a segment.
  static func isolatedFixes(of points: PointColumns) -> [Int] {
    var search = NullIslandSearch()
    for row in 0..<points.count { search.add(points.latitudes[row], points.longitudes[row]) }
    search.finish()
    return search.ranges.flatMap(Array.init)
  }
}

/// Finds isolated fixes at 0°, 0° in positions that come one by one.
struct NullIslandSearch {
  /// The isolated fixes found so far, by their indices.
  private(set) var ranges: [Range<Int>] = []
  private var index = 0
  /// The number of positions at 0°, 0° since the last one elsewhere.
  private var run = 0
  private var last: (latitude: Double, longitude: Double)?

  @inline(__always)
  mutating func add(_ latitude: Double, _ longitude: Double) {
    if NullIsland.contains(latitude, longitude) {
      run += 1
    } else {
      if run > 0 { endRun(before: (latitude, longitude)) }
      last = (latitude, longitude)
    }
    index += 1
  }

  /// Ends the track.
  mutating func finish() {
    if run > 0, let last, NullIsland.isFar(last.latitude, last.longitude) {
      ranges.append(index - run..<index)
    }
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

/// Counts the isolated fixes at 0°, 0° in a stream of tracks that keeps them.
public struct NullIslandCensus {
  private var search = NullIslandSearch()

  public init() {}

  /// Looks at the next event.
  public mutating func add(_ event: TrackEvent, _ batch: borrowing PointBatch) {
    switch event {
    case .points:
      let latitudes = batch.latitudes
      let longitudes = batch.longitudes
      for row in 0..<batch.count { search.add(latitudes[row], longitudes[row]) }
    case .endTrack, .endRoute: search.finish()
    default: break
    }
  }

  /// The warning about the fixes in all tracks; nil if there are none.
  public var warning: TrackWarning? {
    guard !search.ranges.isEmpty else { return nil }
    return TrackWarning(
      .nullIsland, "position 0°, 0° far from the rest of the track",
      count: search.ranges.reduce(0) { $0 + $1.count }, remedies: [.dropSpikes])
  }
}
