package import TrackModel
public import TrackTransforms

/// How a recording becomes a drive.
public struct ImportOptions: Sendable, Hashable {
  /// What the duration of a drive is.
  public enum Timing: Sendable, Hashable, CaseIterable {
    /// Last time minus first.
    case elapsed
    /// The same without the pauses between segments.
    case moving
  }

  public var timing = Timing.elapsed
  public var cadence = Cadence.auto
  /// Metres; points that the file says are worse are left out. Nil keeps all. The default does not count for
  /// sources that are coarse by their nature (``Recording/coarseness``).
  public var maximumAccuracy: Double? = 15
  /// Seconds, for a recording without times.
  public var duration: Double?
  /// Metres per second, for a recording without times.
  public var speed: Double?
  /// Seconds; a gap between two points that is longer begins a new drive. Nil never does.
  public var splitGap: Double?
  /// No drive has a coordinate in one of these: a point in a zone is left out, and a way that leads through
  /// one, also between two points, becomes two drives.
  public var privacyZones: [PrivacyStage.Circle] = []
  /// Whether a recording that is a drive document becomes that drive again, with its identifier, duration and
  /// distance, as long as all of its points are kept. Only for recordings that nothing was changed about.
  public var keepsDrive = false
  /// Whether a drive comes with what it was recorded as.
  public var keepsRecording = false
  /// Whether a drive of a recording with times carries those times (``Drive/recorded``).
  public var keepsTimes = false

  public init() {}

  /// Seconds; nothing that is driven takes longer (31,700 years), and arithmetic stays exact enough.
  package static let longestDuration = RecordedDrive.longestDuration

  /// - Throws: `invalidValue` for a quantity that is none.
  package func check() throws(TrackError) {
    try Self.check(duration, "duration")
    try Self.check(speed, "speed")
    try Self.check(splitGap, "gap to split at")
    if case .seconds(let step) = cadence { try Self.check(step, "cadence") }
    if let maximumAccuracy, !(maximumAccuracy >= 0) {
      throw TrackError(
        .invalidValue, "the greatest accuracy must be a number of metres that is not negative",
        offendingText: "\(maximumAccuracy)")
    }
    if let duration, duration > Self.longestDuration {
      throw TrackError(
        .invalidValue, "the duration must be at most \(Int(Self.longestDuration)) s",
        offendingText: "\(duration)")
    }
    if duration != nil, speed != nil {
      throw TrackError(
        .invalidValue, "both a duration and a speed are given", suggestion: .text("give one of them"))
    }
  }

  private static func check(_ value: Double?, _ name: String) throws(TrackError) {
    guard let value, !(value > 0 && value.isFinite) else { return }
    throw TrackError(.invalidValue, "the \(name) must be a number above zero", offendingText: "\(value)")
  }
}
