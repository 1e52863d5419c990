import TrackModel
import TrackTransforms

extension Recording {
  /// The indices across all segments of fixes at 0°, 0° that are far from their neighbours.
  var isolatedNullFixes: [Int] {
    var search = NullIslandSearch()
    for segment in segments {
      for row in 0..<segment.count { search.add(segment.latitudes[row], segment.longitudes[row]) }
    }
    search.finish()
    return search.ranges.flatMap(Array.init)
  }

  /// Whether all positions are 0°, 0°.
  var isAtNullIsland: Bool {
    count > 0
      && segments.allSatisfy { segment in
        zip(segment.latitudes, segment.longitudes).allSatisfy(NullIsland.contains)
      }
  }
}
