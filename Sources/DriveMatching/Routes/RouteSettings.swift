/// The criteria for drives on the same route.
public struct RouteSettings: Sendable, Equatable {
  /// The distance in metres within which positions are the same, for example parking spaces.
  public var endTolerance = 150.0
  /// The largest distance of a drive's ends from those of the route's first drive, in metres and as a
  /// fraction of the length. For short drives, ``endTolerance`` applies.
  public var endReach = (metres: 300.0, share: 0.1)
  /// The largest distance along another drive at which a drive with a late first fix may begin and still
  /// have the same start, in metres and as a share.
  public var lateStart = (metres: 1000.0, share: 0.15)
  /// The fraction of the longer of two drives that must be shared road, 0…1.
  ///
  /// A detour around roadworks adds up to a tenth to a commute, which is still the same route. Another road
  /// between the same ends shares little more than the first and last streets. Four fifths separates both
  /// cases, and leaves enough common road to compare times.
  public var leastShare = 0.8
  /// The minimum length of a drive in metres. It is twice the tolerance, because the ends of a shorter drive
  /// would be the same position.
  public var leastLength = 300.0
  /// The minimum of a drive's largest distance from its start, in metres. Other drives were only
  /// manoeuvring in a car park.
  public var leastExtent = 100.0
  /// The minimum number of drives of a route.
  public var leastDrives = 2

  /// Creates the default settings.
  public init() {}

  /// The largest distance between the ends of drives in metres.
  func endReach(_ length: Double) -> Double {
    max(endTolerance, min(endReach.metres, endReach.share * length))
  }

  /// The largest distance along a drive at which another one can start, in metres.
  func lateStart(_ length: Double) -> Double {
    max(endReach(length), min(lateStart.metres, lateStart.share * length))
  }

  /// Returns whether all settings are equal.
  public static func == (left: RouteSettings, right: RouteSettings) -> Bool {
    left.endTolerance == right.endTolerance && left.endReach == right.endReach
      && left.lateStart == right.lateStart && left.leastShare == right.leastShare
      && left.leastLength == right.leastLength && left.leastExtent == right.leastExtent
      && left.leastDrives == right.leastDrives
  }
}
