package import TrackModel
public import TrackTransforms

/// The options of an import.
public struct ImportOptions: Sendable, Hashable {
  /// The definition of a drive's duration.
  public enum Timing: String, Sendable, Hashable, CaseIterable {
    /// The time from first to last point.
    case elapsed
    /// The time without pauses between segments.
    case moving
  }

  /// How time during pauses is counted.
  public var timing = Timing.elapsed
  /// How the points of the drive are spaced.
  public var cadence = Cadence.auto
  /// The largest accuracy radius in metres, or `nil` to keep all points. The default does not apply to
  /// sources with a low resolution (``Recording/resolution``).
  public var maximumAccuracy: Double? = 15
  /// The duration in seconds of a recording without times.
  public var duration: Double?
  /// The speed in metres per second of a recording without times.
  public var speed: Double?
  /// The gap in seconds that starts a new drive, or `nil`.
  public var splitGap: Double?
  /// The privacy zones. Points in a zone are skipped, and lines through a zone are split into two drives,
  /// even between two points.
  public var privacyZones: [PrivacyStage.Circle] = []
  /// Whether an unmodified recording of a drive document becomes the same drive, with its identifier,
  /// duration and distance, if all of its points are kept.
  public var keepsDrive = false
  /// Whether to return the recording of each drive.
  public var keepsRecording = false
  /// Whether a drive keeps the exact times of its recording (``Drive/recorded``). Without them, the times of
  /// a comparison are spread evenly, and its uncertainty is large.
  public var keepsTimes = false

  /// Creates the default options: elapsed time, and an automatic cadence.
  public init() {}

  /// The longest duration in seconds (31,700 years) for which arithmetic is sufficiently exact.
  package static let longestDuration = RecordedDrive.longestDuration

  /// - Throws: `invalidValue` for an invalid quantity.
  package func check() throws(TrackError) {
    try Self.check(duration, "duration")
    try Self.check(speed, "speed")
    try Self.check(splitGap, "split gap")
    if case .seconds(let step) = cadence { try Self.check(step, "cadence") }
    if let maximumAccuracy, !(maximumAccuracy >= 0) {
      throw TrackError(
        .invalidValue, "the accuracy limit must not be negative",
        offendingText: "\(maximumAccuracy)")
    }
    for zone in privacyZones where !(zone.center.isValid && zone.radius > 0 && zone.radius.isFinite) {
      throw TrackError(
        .invalidValue, "a privacy zone needs a valid position and a radius above zero",
        offendingText: "\(zone.center), \(zone.radius) m")
    }
    if let duration, duration > Self.longestDuration {
      throw TrackError(
        .invalidValue, "the duration must be at most \(Int(Self.longestDuration)) s",
        offendingText: "\(duration)")
    }
    if duration != nil, speed != nil {
      throw TrackError(
        .invalidValue, "both a duration and a speed are given", suggestion: .text("use one of them"))
    }
  }

  private static func check(_ value: Double?, _ name: String) throws(TrackError) {
    guard let value, !(value > 0 && value.isFinite) else { return }
    throw TrackError(.invalidValue, "the \(name) must be a number above zero", offendingText: "\(value)")
  }
}
