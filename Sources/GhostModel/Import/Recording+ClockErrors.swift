import TrackModel
import TrackTransforms

extension Recording {
  /// Returns the recording without the fixes of ``ClockErrors``, and their indices across all segments.
  ///
  /// Sources with infrequent times are unchanged.
  func withoutClockErrors(keepsEnds: Bool) -> (recording: Recording, indices: [Int]) {
    guard resolution == nil, ClockErrors.hasGap(segments.map(\.times)) else { return (self, []) }
    let errors = ClockErrors.rows(
      times: segments.flatMap(\.times), latitudes: segments.flatMap(\.latitudes),
      longitudes: segments.flatMap(\.longitudes), keepsEnds: keepsEnds)
    return errors.isEmpty ? (self, []) : (without(Set(errors)), errors)
  }
}
