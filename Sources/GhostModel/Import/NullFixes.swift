import TrackModel
import TrackTransforms

extension Recording {
  /// The indices, through all segments, of the fixes at 0°, 0° whose neighbours elsewhere are all far away.
  var isolatedNullFixes: [Int] {
    var search = NullIslandSearch()
    for segment in segments {
      for row in 0..<segment.count { search.add(segment.latitudes[row], segment.longitudes[row]) }
    }
    search.finish()
    return search.ranges.flatMap(Array.init)
  }
}
