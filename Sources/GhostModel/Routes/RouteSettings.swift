/// What makes drives a route.
public struct RouteSettings: Sendable, Hashable {
  /// Metres: drives that begin and end within this of where a route's first drive does have its ends.
  public var endTolerance = 150.0
  /// How much of the longer of two drives must be the same road, 0…1.
  ///
  /// A way round roadworks or a petrol station adds some hundreds of metres, up to a tenth of a commute: that is still
  /// the same route. Another road between the same ends shares little more than what leads to and from it. At four
  /// fifths both come out right, and so much is common that times can be compared.
  public var leastShare = 0.8
  /// Metres: a shorter drive is none. Twice the tolerance: the ends of a shorter one would be one place.
  public var leastLength = 300.0
  /// Metres: a drive that is never so far from its start has only been moved about where it was parked.
  public var leastExtent = 100.0
  /// How many drives make a route.
  public var leastDrives = 2

  public init() {}
}
