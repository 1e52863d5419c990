/// The relation of two recordings that overlap in time.
public enum RideRelation: String, Sendable, Hashable, CaseIterable {
  /// Copies of one recording: the fixes of one are a subset of the other's, possibly rounded.
  case duplicate
  /// Recordings of one ride by two devices.
  case simultaneous
  /// Recordings of two people on the same road at the same time.
  case companion

  /// Whether both record the same motion, so that neither was faster.
  public var isOneMotion: Bool { self != .companion }
}
