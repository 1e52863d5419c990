/// What makes drives a route.
public struct RouteSettings: Sendable, Equatable {
  /// Metres: places within this of each other are one, as where one parks.
  public var endTolerance = 150.0
  /// Drives that begin and end within this of where a route's first drive does have its ends, in metres and
  /// in parts of the way; short ones within ``endTolerance``.
  public var endReach = (metres: 300.0, share: 0.1)
  /// A drive whose first fix came late has the beginning of another where it begins on the way of that, so
  /// far along at most.
  public var lateStart = (metres: 1000.0, share: 0.15)
  /// How much of the longer of two drives must be the same road, 0…1.
  ///
  /// A way round roadworks or a petrol station adds some hundreds of metres, up to a tenth of a commute: that
  /// is still the same route. Another road between the same ends shares little more than what leads to and
  /// from it. At four fifths both come out right, and so much is common that times can be compared.
  public var leastShare = 0.8
  /// The minimum length of a drive, in metres. Twice the tolerance, because the ends of a shorter one would
  /// be one place.
  public var leastLength = 300.0
  /// Metres: a drive that is never so far from its start has only been moved about where it was parked.
  public var leastExtent = 100.0
  /// How many drives make a route.
  public var leastDrives = 2

  public init() {}

  /// How far from each other drives may end, in metres.
  func endReach(_ length: Double) -> Double {
    max(endTolerance, min(endReach.metres, endReach.share * length))
  }

  /// How far along the way of a drive another one may begin, in metres.
  func lateStart(_ length: Double) -> Double {
    max(endReach(length), min(lateStart.metres, lateStart.share * length))
  }

  public static func == (left: RouteSettings, right: RouteSettings) -> Bool {
    left.endTolerance == right.endTolerance && left.endReach == right.endReach
      && left.lateStart == right.lateStart && left.leastShare == right.leastShare
      && left.leastLength == right.leastLength && left.leastExtent == right.leastExtent
      && left.leastDrives == right.leastDrives
  }
}
