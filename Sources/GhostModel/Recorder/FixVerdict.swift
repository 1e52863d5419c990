/// Why a recorder refuses a fix.
public enum FixRefusal: String, Sendable, Hashable, CaseIterable {
  /// No place on earth, or the receiver itself says that it is invalid (a negative accuracy).
  case invalidPosition
  /// At 0°, 0°, which receivers report without a fix, while the rest of the route is more than 500 km away.
  case nullIsland
  /// Worse than ``RecorderSettings/maximumAccuracy``.
  case inaccurate
  /// Older than ``RecorderSettings/maximumAge`` when it arrived: a receiver's first fixes may come from its
  /// memory.
  case stale
  /// Measured before the recording, or this stretch of it, began.
  case beforeStart
  /// Not later than the fix before.
  case outOfOrder
}

/// What became of a fix.
public enum FixVerdict: Sendable, Hashable {
  /// It is part of the route.
  case kept
  /// Good, and too near to the last kept one to add to the route.
  case filtered
  case refused(FixRefusal)
  /// The recorder is not recording.
  case notRecording
}
