/// How drives are compared. The defaults are the app's.
public struct ComparisonSettings: Sendable, Hashable {
  /// Whether standing at the start is left out of the comparison.
  public var trimStartIdle = true
  /// Whether standing at the end is left out of the comparison.
  public var trimEndIdle = false
  /// Metres per second: slower than this is idle. Used by the app's engine only.
  public var idleSpeedThreshold = 5 * 1609.344 / 3600
  /// Metres: paths that are nearer are together. Used by the app's engine only.
  public var convergenceRadius = 30.0
  /// Degrees: headings that differ by more lead apart. Used by the app's engine only.
  public var divergenceAngle = 30.0
  /// Points: every how manieth is looked at for divergences and convergences. Used by the app's engine only.
  public var samplingStride = 5

  public init() {}
}
