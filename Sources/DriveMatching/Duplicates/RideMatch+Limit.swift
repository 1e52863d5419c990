extension RideMatch {
  /// The limits for conclusions.
  enum Limit {
    /// The shortest overlap in seconds that allows a conclusion.
    static let overlap = 20.0
    /// The shortest overlap as a fraction of the shorter recording.
    static let overlapShare = 0.25
    /// The maximum number of compared fixes.
    static let samples = 256
    /// The number of fixes of both recordings within half a second that are needed to ignore sparse ones.
    static let directFixes = 6
    /// The tolerance for rounded positions in metres.
    static let roundedMetres = 1.6
    /// The tolerance for rounded times in seconds.
    static let roundedSeconds = 0.6
    /// The fraction of fixes that must be within these tolerances.
    static let roundedShare = 0.9
    /// The largest lag between two devices in seconds.
    static let lag = 2.5
    /// The largest difference of the clocks of two devices in seconds.
    static let clockDifference = 60.0
    /// The lag in seconds that remains when the difference of two clocks is found.
    static let clockRest = 0.5
    /// The number of attempts to find the difference of two clocks.
    static let clockAttempts = 5
    /// The largest variation of a lag in seconds that shows the difference of two clocks.
    static let clockVariation = 0.9
    /// The number of stops that show the difference of two clocks.
    static let clockStops = 2
    /// The ratio of the speeds that are exceeded for a tenth and for nine tenths of the time.
    static let clockSpeeds = 1.5
    /// The lag in seconds above which people who follow each other do not keep it at varying speed.
    static let longLag = 8.0
    /// The largest distance in metres between two devices of one ride.
    static let apart = 60.0
    /// The fraction of the time in which this distance may be exceeded.
    static let apartShare = 0.15
    /// The seconds before and after a fix over which distances are averaged to show slow variation.
    static let slowSeconds = 60.0
    /// The minimum number of fixes that show slow variation.
    static let slowFixes = 40
    /// The ratio of slow variation along the road to the variation across it.
    static let slowRatio = 1.5
    /// The time in seconds that filters add, at the speed, to the variation across the road.
    static let slowLag = 0.15
    /// The distance in metres that rounding adds to the variation across the road.
    static let slowMetres = 0.3
    /// The number of stops that show the distance between two cars in a convoy.
    static let convoyStops = 3
    /// The minimum distance between two cars in a convoy in metres.
    static let convoyMetres = 6.0
    /// The minimum distance between two cars in a convoy in standard errors.
    static let convoyErrors = 3.5
    /// The speed in metres per second below which a drive stands.
    static let standing = 1.0
    /// The speed in metres per second above which the course is known.
    static let moving = 3.0
    /// The smallest error of the distance between two receivers at a stop in metres.
    static let stopError = 1.5
    /// The fraction of the overlap at each end in which two people may part or meet.
    static let partingShare = 0.15
    /// The minimum length of this part of the overlap in seconds.
    static let partingSeconds = 120.0
    /// The number of fixes for which both move apart when two people part or meet.
    static let partingFixes = 3
    /// The seconds for which both move apart when two people part or meet.
    static let partingDuration = 20.0
    /// The distance in metres along the road at which people are apart.
    static let partingAlong = 20.0
    /// The ratio of this distance to that across the road.
    static let partingRatio = 3.0
    /// The distance in metres in any direction at which people are apart.
    static let partingAnywhere = 150.0
    /// The seconds without fixes in which a recording may have been elsewhere.
    static let longGap = 12.0
    /// The number of times at which two recordings are compared first.
    static let coarseSamples = 8
    /// The highest speed in metres per second between a fix and one of these times.
    static let coarseSpeed = 300.0
    /// The largest distance in metres between companions for most of the time.
    static let companionReach = 200.0
  }
}
