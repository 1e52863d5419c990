/// What its points say of a lap that begins or ends inside a segment.
struct TCXLapFigures {
  /// Seconds within segments.
  private(set) var timerTime = 0.0
  /// Metres within segments.
  private(set) var distance = 0.0

  /// Adds the points of a segment that lie in the lap. The way to the first one of the next lap, where the
  /// segment goes on in that, belongs to the lap in which it begins.
  mutating func add(_ part: TCXSegment) {
    timerTime += part.duration
    distance += part.distance
  }
}
