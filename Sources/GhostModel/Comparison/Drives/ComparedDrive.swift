/// The result of a comparison for one drive: its trimmed range and offset.
public struct ComparedDrive: Sendable, Hashable {
  /// The label that distinguishes the drive from the others.
  public var label: String
  /// The source file.
  public var source: String?
  /// The number of points of the drive.
  public var points: Int
  /// The index of the first point that is compared. Points before it are trimmed.
  public var startIndex: Int
  /// The index of the last point that is compared. Points after it are trimmed.
  public var endIndex: Int
  /// The seconds to add to the drive's elapsed time to obtain that of the first drive on the shared clock. 0
  /// for the first drive.
  public var timeOffset: Double
  /// The seconds from ``startIndex`` to ``endIndex``.
  public var duration: Double
  /// The metres from ``startIndex`` to ``endIndex``.
  public var distance: Double
  /// The start of the motion in seconds since the first recorded point.
  public var motionStart: Double
  /// The end of the motion in seconds since the first recorded point.
  public var motionEnd: Double
  /// The seconds from the first recorded point to the last.
  public var elapsed: Double
  /// The stops in driving order, without the idle time at the ends.
  public var stops: [Stop]
  /// Whether the drive has a duration, but was never in motion.
  public var isIdleThroughout: Bool { points > 1 && elapsed > 0 && motionEnd <= motionStart }
  /// The earlier drives that were recorded at the same time and in the same place, in input order.
  public var concurrent: [ConcurrentDrive]

  /// An earlier drive that was recorded at the same time.
  public struct ConcurrentDrive: Sendable, Hashable {
    /// The index of the drive.
    public var drive: Int
    /// The relation of the recordings.
    public var relation: RideRelation

    /// Creates a reference to an earlier drive.
    public init(drive: Int, relation: RideRelation) {
      self.drive = drive
      self.relation = relation
    }
  }

  /// Creates a description of a compared drive. Times are in seconds, distances in metres.
  public init(
    label: String, source: String?, points: Int, startIndex: Int, endIndex: Int, timeOffset: Double,
    duration: Double, distance: Double, motionStart: Double, motionEnd: Double, elapsed: Double,
    stops: [Stop], concurrent: [ConcurrentDrive] = []
  ) {
    self.label = label
    self.source = source
    self.points = points
    self.startIndex = startIndex
    self.endIndex = endIndex
    self.timeOffset = timeOffset
    self.duration = duration
    self.distance = distance
    self.motionStart = motionStart
    self.motionEnd = motionEnd
    self.elapsed = elapsed
    self.stops = stops
    self.concurrent = concurrent
  }

  /// The first earlier drive of which this is another recording, or `nil`.
  public var sameRide: ConcurrentDrive? { concurrent.first { $0.relation.isOneMotion } }
  /// The seconds before the first motion.
  public var idleAtStart: Double { motionStart }
  /// The seconds after the last motion.
  public var idleAtEnd: Double { elapsed - motionEnd }
  /// The seconds from the first motion to the last, or ``duration`` if the drive was never in motion.
  public var timeUnderWay: Double { motionEnd > motionStart ? motionEnd - motionStart : duration }
  /// The total duration of the stops in seconds.
  public var waiting: Double { stops.reduce(0) { $0 + $1.duration } }
}
