/// What a recorder keeps and what it refuses.
public struct RecorderSettings: Sendable, Hashable {
  /// Metres; a fix that is nearer to the last kept one adds nothing to the route.
  public var distanceFilter = 10.0
  /// Metres; a fix that is known to be worse is refused.
  public var maximumAccuracy = 15.0
  /// Seconds; a fix that is older when it arrives is refused.
  public var maximumAge = 5.0

  public init() {}
}
