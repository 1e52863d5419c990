/// The filters of a recorder.
public struct RecorderSettings: Sendable, Hashable {
  /// The minimum distance in metres from the last kept fix.
  public var distanceFilter = 10.0
  /// The largest accuracy radius in metres. Less accurate fixes are rejected.
  public var maximumAccuracy = 15.0
  /// The maximum age in seconds on arrival. Older fixes are rejected.
  public var maximumAge = 5.0

  /// Creates the settings of the app.
  public init() {}
}
