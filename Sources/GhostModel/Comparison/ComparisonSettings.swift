/// How drives are compared. The defaults are the app's.
public struct ComparisonSettings: Sendable, Hashable {
  /// The moment that the drives are made to share.
  public var mode = ComparisonMode.startLocation
  /// Whether standing at the start is left out of the comparison.
  public var trimStartIdle = true
  /// Whether standing at the end is left out of the comparison. Not by default: slowly rolling into a parking
  /// place can be part of the way.
  public var trimEndIdle = false
  /// Miles per hour: what is slower stands. Used by the app's engine only.
  public var idleSpeedThreshold = 5.0
  /// Metres: drives that are nearer are together. Used by the app's engine only.
  public var convergenceRadius = 30.0
  /// Degrees, 0…180: headings that differ by more lead apart. Used by the app's engine only.
  public var divergenceAngle = 30.0
  /// Points: every how manieth is looked at for divergences and convergences; less than 1 is taken as 1. Used
  /// by the app's engine only.
  public var samplingStride = 5

  public init() {}

  /// The defaults with another mode.
  public init(mode: ComparisonMode) { self.mode = mode }
}
