import TrackModel
import TrackTransforms

extension Recording {
  /// Returns the recording without the fixes of ``ClockErrors``, and their indices across all segments.
  ///
  /// Sources with infrequent times are unchanged.
  package func withoutClockErrors(keepsEnds: Bool) -> (recording: Recording, indices: [Int]) {
    guard resolution == nil, ClockErrors.hasGap(segments.map(\.times)) else { return (self, []) }
    let errors = ClockErrors.rows(
      times: segments.flatMap(\.times), latitudes: segments.flatMap(\.latitudes),
      longitudes: segments.flatMap(\.longitudes), keepsEnds: keepsEnds)
    return errors.isEmpty ? (self, []) : (without(Set(errors)), errors)
  }

  /// Returns the points with stray times (``StrayTimes``) by index across all segments. Empty if there are
  /// too many to be clock errors.
  var strayTimes: [Int] {
    let times = segments.flatMap(\.times)
    let strays = StrayTimes.indices(in: times)
    return strays.count <= StrayTimes.limit(of: times.count { $0 != Instant.absent }) ? strays : []
  }
}
