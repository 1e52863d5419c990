import TrackModel

/// The timer of a device: where it was started and stopped among the points. A segment is what it ran through.
///
/// Points that were recorded while it stood are kept, each as a segment of its own: so they count for the elapsed
/// time, and not for the time that the timer ran. That it stood before its first start or behind its last stop is
/// believed only where the sessions say so too: many a program writes events that mean nothing.
struct FITTimer {
  private struct Start {
    var time: Int64?
    /// How many points came before the event.
    var row: Int
    var cameraRow: Int
  }

  private var starts: [Start] = []
  /// When it was stopped.
  private var stops: [Int64] = []

  /// The first start that no point has reached, and the last that one has.
  private var nextStart = 0
  private var lastStart = Int64.min
  /// The first stop that no point is behind, and the last that one is.
  private var nextStop = 0
  private var lastStop = Int64.min

  /// Whether the sessions say that the timer ran no longer than its events do.
  private var isConfirmed = false

  /// Devices write one more record when they stop.
  private static let tolerance: Int64 = 1_000_000

  mutating func start(_ time: Int64?, row: Int, cameraRow: Int) {
    starts.append(Start(time: time, row: row, cameraRow: cameraRow))
  }

  /// A stop without a time says nothing.
  mutating func stop(_ time: Int64?) {
    if let time { stops.append(time) }
  }

  /// Orders the events by their times, the starts by that of the file where one has none.
  ///
  /// - Parameter ran: how long the timer ran by what the sessions say, in seconds; nil where they do not.
  mutating func order(ran: Double?) {
    let all = starts[nextStart...]
    if all.allSatisfy({ $0.time != nil }) {
      starts.replaceSubrange(nextStart..., with: all.sorted { ($0.time ?? 0) < ($1.time ?? 0) })
    }
    stops[nextStop...].sort()
    guard let ran, all.allSatisfy({ $0.time != nil }), !stops.isEmpty else { return }
    let (events, count) = runningTime()
    // Each is told in whole seconds.
    isConfirmed = ran <= events + Double(count) + 1
    if !isConfirmed { stops = Array(stops[..<nextStop]) }
  }

  /// How long the timer ran by its events in seconds, and how often.
  private func runningTime() -> (seconds: Double, count: Int) {
    var sum = 0.0
    var count = 0
    var stop = stops.makeIterator()
    var end = stop.next()
    var behind = Int64.min
    for start in starts.compactMap(\.time) where start >= behind {
      while let time = end, time < start { end = stop.next() }
      guard let time = end else { break }
      sum += Double(time.subtractingReportingOverflow(start).partialValue) / 1e6
      count += 1
      behind = time
    }
    return (sum, count)
  }

  /// Whether a segment begins with a point. Points are asked for in their order.
  ///
  /// - Parameter times: of all points at hand.
  mutating func begins(at row: Int, _ times: [Int64], isCamera: Bool) -> Bool {
    let time = times[row]
    let isLastOfSecond = row + 1 == times.count || times[row + 1] != time
    var begins = false
    while nextStart < starts.count,
      isReached(starts[nextStart], row: row, time: time, isLastOfSecond: isLastOfSecond, isCamera: isCamera)
    {
      lastStart = starts[nextStart].time ?? lastStart
      nextStart += 1
      begins = true
    }
    return isStopped(time) || begins
  }

  /// Whether the timer was started before a point was recorded. Times tell better than the order of messages:
  /// some programs write all events in one place.
  private func isReached(
    _ start: Start, row: Int, time: Int64, isLastOfSecond: Bool, isCamera: Bool
  ) -> Bool {
    let isBehind = row >= (isCamera ? start.cameraRow : start.row)
    guard let began = start.time, time != Instant.absent else { return isBehind }
    // Of two points of that second the first may end what was before.
    return time > began || (time == began && (isBehind || isLastOfSecond))
  }

  /// Whether the timer stood when a point was recorded.
  private mutating func isStopped(_ time: Int64) -> Bool {
    guard time != Instant.absent else { return false }
    while nextStop < stops.count, stops[nextStop] < time - FITTimer.tolerance {
      lastStop = stops[nextStop]
      nextStop += 1
    }
    if lastStart == .min, isConfirmed, let first = starts.first?.time { return time < first }
    return lastStop > lastStart && (nextStart < starts.count || isConfirmed)
  }

  /// The same for points that follow in later rows.
  func continued() -> FITTimer {
    var timer = self
    timer.starts = starts[nextStart...].map { Start(time: $0.time, row: 0, cameraRow: 0) }
    timer.stops = Array(stops[nextStop...])
    timer.nextStart = 0
    timer.nextStop = 0
    return timer
  }
}
