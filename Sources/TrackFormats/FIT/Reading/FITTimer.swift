import TrackModel

/// The starts and stops of a device's timer. A segment is an interval in which the timer ran.
///
/// Points recorded while the timer was stopped are kept as separate segments, so that they contribute to the
/// elapsed time but not to the timer time. A stopped timer before the first start or after the last stop is
/// only assumed if the sessions confirm it, because many programs write meaningless events.
struct FITTimer {
  /// The timer's change between two consecutive points.
  enum Step {
    /// The timer kept running.
    case ran
    /// The timer was started, without evidence that it was stopped before.
    case started
    /// The timer was stopped and started in the second of the point, which is the only one in that second.
    /// The point ends one segment and starts the next.
    case restarted
    /// The timer was stopped for some time, or is still stopped.
    case stood
  }

  private struct Start {
    var time: Int64?
    /// The number of points before the event.
    var row: Int
    var cameraRow: Int
    /// The kind of event.
    var order: Int
    /// The time of the previous stop, if no other start came in between.
    var stop: Int64?
  }

  private struct Stop {
    var time: Int64
    var order: Int
  }

  private var starts: [Start] = []
  private var stops: [Stop] = []
  private var events = 0

  /// The first start that no point has reached, and the last start that a point has reached.
  private var nextStart = 0
  private var lastStart = Int64.min
  private var lastOrder = -1
  /// The first stop that no point has passed, and the last stop that a point has passed.
  private var nextStop = 0
  private var lastStop = Int64.min
  /// The time of the previous point, and whether the timer was stopped then.
  private var previous = Instant.absent
  private var hasStood = false

  /// Whether the timer time of the sessions confirms the events.
  private var isConfirmed = false

  /// Event times have a resolution of one second, in microseconds.
  private static let second: Int64 = 1_000_000
  /// The tolerance for timer times: one second, because devices write one more record after they stop.
  private static let tolerance = second

  mutating func start(_ time: Int64?, row: Int, cameraRow: Int) {
    starts.append(Start(time: time, row: row, cameraRow: cameraRow, order: events))
    events += 1
  }

  /// Ignores a stop without a time.
  mutating func stop(_ time: Int64?) {
    guard let time else { return }
    stops.append(Stop(time: time, order: events))
    events += 1
  }

  /// Sorts the events by time, and within a second by their order in the file. If a start has no time, all
  /// starts keep the order of the file.
  ///
  /// - Parameter ran: the timer time of the sessions in seconds, or `nil` if unknown.
  mutating func order(ran: Double?) {
    let all = starts[nextStart...]
    if all.allSatisfy({ $0.time != nil }) {
      let sorted = all.sorted { ($0.time ?? 0, $0.order) < ($1.time ?? 0, $1.order) }
      starts.replaceSubrange(nextStart..., with: sorted)
    }
    stops[nextStop...].sort { ($0.time, $0.order) < ($1.time, $1.order) }
    believe(ran)
    findStops()
  }

  /// Discards the stops if the timer ran longer than they allow.
  private mutating func believe(_ ran: Double?) {
    let all = starts[nextStart...]
    guard let ran, all.allSatisfy({ $0.time != nil }), !stops.isEmpty else { return }
    let (events, count) = runningTime()
    // Each time has a resolution of one second.
    isConfirmed = ran <= events + Double(count) + 1
    if !isConfirmed { stops = Array(stops[..<nextStop]) }
  }

  /// Finds the stop before each start.
  private mutating func findStops() {
    var index = nextStop
    var before = (time: lastStart, order: lastOrder)
    for start in starts.indices[nextStart...] {
      guard let time = starts[start].time else { continue }
      let order = starts[start].order
      starts[start].stop = nil
      while index < stops.count, (stops[index].time, stops[index].order) < (time, order) {
        let stop = stops[index]
        // The first of several stops counts.
        if starts[start].stop == nil, (stop.time, stop.order) > before { starts[start].stop = stop.time }
        index += 1
      }
      before = (time, order)
    }
  }

  /// Returns the timer time in seconds according to the events, and the number of intervals.
  private func runningTime() -> (seconds: Double, count: Int) {
    var sum = 0.0
    var count = 0
    var stop = stops.lazy.map(\.time).makeIterator()
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

  /// Returns the timer's change before a point. Points must be passed in order.
  ///
  /// - Parameter times: the times of all points in memory.
  mutating func step(to row: Int, _ times: [Int64], isCamera: Bool) -> Step {
    let time = times[row]
    let before = (time: previous, hasStood: hasStood)
    var reached: Start?
    while nextStart < starts.count,
      FITTimer.isReached(starts[nextStart], row: row, times, isCamera: isCamera)
    {
      let start = starts[nextStart]
      reached = reached ?? start
      lastStart = start.time ?? lastStart
      lastOrder = start.order
      nextStart += 1
    }
    previous = time
    hasStood = isStopped(time)
    if hasStood { return .stood }
    guard let reached else { return .ran }
    guard !before.hasStood else { return .stood }
    guard let began = reached.time, let stop = reached.stop else { return .started }
    if stop < began { return .stood }
    return FITTimer.isOnly(time, of: began, after: before.time) ? .restarted : .started
  }

  /// Whether the timer was started before a point was recorded. Times are more reliable than the order of
  /// messages, because some programs write all events in one place, but they cannot order two points of the
  /// same second.
  private static func isReached(_ start: Start, row: Int, _ times: [Int64], isCamera: Bool) -> Bool {
    let time = times[row]
    let first = isCamera ? start.cameraRow : start.row
    guard let began = start.time, time != Instant.absent else { return row >= first }
    if isBetween(start, times, isCamera: isCamera) { return row >= first || time >= began + second }
    // Of two points of that second, the first may end the previous segment.
    let isLast = row + 1 == times.count || times[row + 1] != time
    return time > began || (time == began && (row >= first || isLast))
  }

  /// Whether a start is between two points of the same second.
  private static func isBetween(_ start: Start, _ times: [Int64], isCamera: Bool) -> Bool {
    let row = isCamera ? start.cameraRow : start.row
    guard let began = start.time, row > 0, row < times.count else { return false }
    return isIn(times[row - 1], began) && isIn(times[row], began)
  }

  /// The rows after starts that are between two points of the same second, by the time of the start.
  func rowsInSecond(_ times: [Int64], isCamera: Bool) -> [Int64: Int] {
    var rows: [Int64: Int] = [:]
    for start in starts where FITTimer.isBetween(start, times, isCamera: isCamera) {
      if let time = start.time { rows[time] = isCamera ? start.cameraRow : start.row }
    }
    return rows
  }

  /// Whether a point is the first one in a second, and the previous point was recorded earlier.
  static func isOnly(_ time: Int64, of began: Int64, after previous: Int64) -> Bool {
    previous != Instant.absent && previous < began && isIn(time, began)
  }

  /// Whether a time is in the second that starts at another time.
  private static func isIn(_ time: Int64, _ began: Int64) -> Bool { time >= began && time < began + second }

  /// Whether the timer was stopped when a point was recorded.
  private mutating func isStopped(_ time: Int64) -> Bool {
    guard time != Instant.absent else { return false }
    while nextStop < stops.count, stops[nextStop].time < time - FITTimer.tolerance {
      lastStop = stops[nextStop].time
      nextStop += 1
    }
    if lastStart == .min, isConfirmed, let first = starts.first?.time { return time < first }
    return lastStop > lastStart && (nextStart < starts.count || isConfirmed)
  }

  /// Adjusts the indices for points in later rows.
  func continued() -> FITTimer {
    var timer = self
    timer.starts = starts[nextStart...].map { Start(time: $0.time, row: 0, cameraRow: 0, order: $0.order) }
    timer.stops = Array(stops[nextStop...])
    timer.nextStart = 0
    timer.nextStop = 0
    return timer
  }
}
