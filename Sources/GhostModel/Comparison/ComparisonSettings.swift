/// The settings of a comparison. The defaults are those of the app.
public struct ComparisonSettings: Sendable, Hashable {
  /// The alignment point.
  public var mode = ComparisonMode.startLocation
  /// Whether to ignore idle time at the start.
  public var trimStartIdle = true
  /// Whether to ignore idle time at the end. False by default, because slowly rolling into a parking place
  /// can be part of the drive.
  public var trimEndIdle = false
  /// Whether the drives are parts between the same two gates, such as laps and passages of a segment. The
  /// whole parts are then compared, and the gap at their end is the difference of their durations. Used by
  /// the matching engine only.
  public var areParts = false
  /// The speed in miles per hour below which a drive is idle. Used by the app's engine only.
  public var idleSpeedThreshold = 5.0
  /// The distance in metres within which drives are together. Used by the app's engine only.
  public var convergenceRadius = 30.0
  /// The difference in bearing in degrees, 0…180, above which drives diverge. Used by the app's engine only.
  public var divergenceAngle = 30.0
  /// The number of points between samples. Values below 1 are treated as 1. Used by the app's engine only.
  public var samplingStride = 5

  /// Creates the default settings.
  public init() {}

  /// Creates default settings with a mode.
  public init(mode: ComparisonMode) { self.mode = mode }
}
