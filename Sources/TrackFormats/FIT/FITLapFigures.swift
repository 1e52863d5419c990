import TrackModel

/// What the points of a track say of each of its laps, for laps that do not say it themselves.
struct FITLapFigures {
  struct Figures {
    /// Seconds within segments.
    var timerTime = 0.0
    /// Metres.
    var distance = 0.0
    var first: FITPosition?
    var last: FITPosition?
  }

  /// One for each lap that was known at the beginning, in their order.
  private(set) var laps: [Figures] = []
  /// When the lap with the same index begins, as FIT counts microseconds.
  private var starts: [Int64] = []
  private var open = 0
  private var previous: (position: FITPosition, time: Int64)?

  init() {}

  /// - Parameter laps: where one has no start, or begins before the one in front of it, nothing is told of
  ///   any.
  init(_ laps: [Lap]) {
    for (index, lap) in laps.enumerated() {
      // The first begins with the track.
      let start = lap.start.flatMap { FITTime.fromInstant($0.microseconds) } ?? (index == 0 ? .min : nil)
      guard let start, start >= starts.last ?? .min else {
        starts = []
        break
      }
      starts.append(start)
    }
    self.laps = Array(repeating: Figures(), count: starts.count)
  }

  /// Takes a point. The way to it belongs to the lap in which the point before lies.
  ///
  /// - Parameters:
  ///   - metres: from the point before.
  ///   - isInSegment: whether the timer ran since the point before.
  mutating func add(_ position: FITPosition, time: Int64, metres: Double, isInSegment: Bool) {
    guard !laps.isEmpty else { return }
    defer { previous = (position, time) }
    guard let previous else { return }
    while open + 1 < starts.count, starts[open + 1] <= previous.time { open += 1 }
    laps[open].first = laps[open].first ?? previous.position
    laps[open].last = position
    laps[open].distance += metres
    if isInSegment { laps[open].timerTime += max(Double(time - previous.time) / 1e6, 0) }
  }
}
