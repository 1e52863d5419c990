/// The reason for rejecting a fix.
public enum FixRefusal: String, Sendable, Hashable, CaseIterable {
  /// An invalid position, or one that the receiver marks as invalid (negative accuracy).
  case invalidPosition = "invalid_position"
  /// A position at 0°, 0°, which receivers report without a fix, more than 500 km from the rest of the route.
  case nullIsland = "null_island"
  /// An accuracy worse than ``RecorderSettings/maximumAccuracy``.
  case inaccurate
  /// Older than ``RecorderSettings/maximumAge`` on arrival. A receiver's first fixes can be cached.
  case stale
  /// Measured before the start of the recording or stretch.
  case beforeStart = "before_start"
  /// Not later than the previous fix.
  case outOfOrder = "out_of_order"
}

/// The recorder's verdict on a fix.
public enum FixVerdict: Sendable, Hashable {
  /// The fix was added to the route.
  case kept
  /// The fix is valid but too close to the last kept fix.
  case filtered
  /// The fix is not usable, for the given reason.
  case refused(FixRefusal)
  /// The recorder is not recording.
  case notRecording
}
