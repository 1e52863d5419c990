/// The figures of a lap that begins or ends inside a segment, computed from its points.
struct TCXLapFigures {
  /// The time within segments, in seconds.
  private(set) var timerTime = 0.0
  /// The distance within segments, in metres.
  private(set) var distance = 0.0

  /// Adds the points of a segment that are in the lap. If the segment continues in the next lap, the
  /// distance to the first point of that lap is part of this one.
  mutating func add(_ part: TCXSegment) {
    timerTime += part.duration
    distance += part.distance
  }
}
