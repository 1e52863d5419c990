/// A drive as it takes part in a comparison. The recording itself is never changed: indices and an offset say
/// all.
public struct ComparedDrive: Sendable, Hashable {
  public var label: String
  /// The file that the drive came from.
  public var source: String?
  /// The number of points of the drive.
  public var points: Int
  /// The first and the last point that take part; what lies outside is trimmed.
  public var startIndex: Int
  public var endIndex: Int
  /// Seconds to add to the drive's elapsed time to get the first drive's at the same moment of the lined-up
  /// clock; 0 for the first.
  public var timeOffset: Double
  /// Seconds from ``startIndex`` to ``endIndex``.
  public var duration: Double
  /// Metres from ``startIndex`` to ``endIndex``.
  public var distance: Double
  /// Seconds since the first recorded point: when the drive first and last moved.
  public var motionStart: Double
  public var motionEnd: Double
  /// Seconds from the first recorded point to the last.
  public var elapsed: Double
  /// Where it stood on the way, in driving order; not the idle time at the ends.
  public var stops: [Stop]

  public init(
    label: String, source: String?, points: Int, startIndex: Int, endIndex: Int, timeOffset: Double,
    duration: Double, distance: Double, motionStart: Double, motionEnd: Double, elapsed: Double, stops: [Stop]
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
  }

  /// Seconds before it moved.
  public var idleAtStart: Double { motionStart }
  /// Seconds after it had moved.
  public var idleAtEnd: Double { elapsed - motionEnd }
  /// Seconds of standing on the way.
  public var waiting: Double { stops.reduce(0) { $0 + $1.duration } }
}
