import TrackModel

/// The figures of each lap computed from the points of a track, for laps that lack them.
struct FITLapFigures {
  struct Figures {
    /// The seconds within segments.
    var timerTime = 0.0
    /// Metres.
    var distance = 0.0
    var first: FITPosition?
    var last: FITPosition?
  }

  /// One element per lap that was known at the start of the track.
  private(set) var laps: [Figures] = []
  /// The start of each lap in FIT microseconds.
  private var starts: [Int64] = []
  /// The end of each lap in FIT microseconds, or the maximum if it is unknown.
  private var ends: [Int64] = []
  private var open = 0
  private var previous: (position: FITPosition, time: Int64)?

  init() {}

  /// - Parameter laps: the laps. If one has no start or starts before the previous one, no figures are
  ///   computed.
  init(_ laps: [Lap]) {
    for (index, lap) in laps.enumerated() {
      // The first lap starts with the track.
      let start = lap.start.flatMap { FITTime.fromInstant($0.microseconds) } ?? (index == 0 ? .min : nil)
      guard let start, start >= starts.last ?? .min else {
        starts = []
        break
      }
      starts.append(start)
      ends.append(lap.end.flatMap { FITTime.fromInstant($0.microseconds) } ?? .max)
    }
    self.laps = Array(repeating: Figures(), count: starts.count)
  }

  /// Adds a point. The distance to it belongs to the lap of the previous point, unless that is outside of all
  /// laps.
  ///
  /// - Parameters:
  ///   - metres: the distance from the previous point.
  ///   - isInSegment: whether the timer ran since the previous point.
  mutating func add(_ position: FITPosition, time: Int64, metres: Double, isInSegment: Bool) {
    guard !laps.isEmpty else { return }
    defer { previous = (position, time) }
    guard let previous else { return }
    while open + 1 < starts.count, starts[open + 1] <= previous.time { open += 1 }
    guard starts[open] <= previous.time, previous.time < ends[open] else { return }
    laps[open].first = laps[open].first ?? previous.position
    laps[open].last = position
    laps[open].distance += metres
    if isInSegment { laps[open].timerTime += max(Double(time - previous.time) / 1e6, 0) }
  }
}
