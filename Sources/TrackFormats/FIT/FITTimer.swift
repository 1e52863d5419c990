import TrackModel

/// The timer of a device: where it was started and stopped among the points. A segment is what it ran
/// through.
///
/// Points that were recorded while it stood are kept, each as a segment of its own: so they count for the
/// elapsed time, and not for the time that the timer ran. That it stood before its first start or behind its
/// last stop is believed only where the sessions say so too: many a program writes events that mean nothing.
struct FITTimer {
  /// What the timer did between a point and the one before.
  enum Step {
    /// It ran on.
    case ran
    /// It was started, and nothing tells that it stood before.
    case started
    /// It was stopped and started in the second of the point, which is the only one there: the point ends
    /// what it ran through before and begins what it ran through then.
    case restarted
    /// It stood for some time, or stands still.
    case stood
  }

  private struct Start {
    var time: Int64?
    /// How many points came before the event.
    var row: Int
    var cameraRow: Int
    /// Which event it was.
    var order: Int
    /// When the timer was stopped before, where no other start came between.
    var stop: Int64?
  }

  private struct Stop {
    var time: Int64
    var order: Int
  }

  private var starts: [Start] = []
  private var stops: [Stop] = []
  private var events = 0

  /// The first start that no point has reached, and the last that one has.
  private var nextStart = 0
  private var lastStart = Int64.min
  private var lastOrder = -1
  /// The first stop that no point is behind, and the last that one is.
  private var nextStop = 0
  private var lastStop = Int64.min
  /// The time of the point before, and whether the timer stood then.
  private var previous = Instant.absent
  private var hasStood = false

  /// Whether the sessions say that the timer ran no longer than its events do.
  private var isConfirmed = false

  /// Events are told in whole seconds, microseconds each.
  private static let second: Int64 = 1_000_000
  /// Devices write one more record when they stop.
  private static let tolerance = second

  mutating func start(_ time: Int64?, row: Int, cameraRow: Int) {
    starts.append(Start(time: time, row: row, cameraRow: cameraRow, order: events))
    events += 1
  }

  /// A stop without a time says nothing.
  mutating func stop(_ time: Int64?) {
    guard let time else { return }
    stops.append(Stop(time: time, order: events))
    events += 1
  }

  /// Orders the events by their times, within a second by the file; all starts by the file where one has no
  /// time.
  ///
  /// - Parameter ran: how long the timer ran by what the sessions say, in seconds; nil where they do not.
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

  /// Forgets the stops where the timer ran longer than they allow.
  private mutating func believe(_ ran: Double?) {
    let all = starts[nextStart...]
    guard let ran, all.allSatisfy({ $0.time != nil }), !stops.isEmpty else { return }
    let (events, count) = runningTime()
    // Each is told in whole seconds.
    isConfirmed = ran <= events + Double(count) + 1
    if !isConfirmed { stops = Array(stops[..<nextStop]) }
  }

  /// Finds the stop in front of each start.
  private mutating func findStops() {
    var index = nextStop
    var before = (time: lastStart, order: lastOrder)
    for start in starts.indices[nextStart...] {
      guard let time = starts[start].time else { continue }
      let order = starts[start].order
      starts[start].stop = nil
      while index < stops.count, (stops[index].time, stops[index].order) < (time, order) {
        let stop = stops[index]
        // The first of several is when it began to stand.
        if starts[start].stop == nil, (stop.time, stop.order) > before { starts[start].stop = stop.time }
        index += 1
      }
      before = (time, order)
    }
  }

  /// How long the timer ran by its events in seconds, and how often.
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

  /// What the timer did before a point. Points are asked for in their order.
  ///
  /// - Parameter times: of all points at hand.
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

  /// Whether the timer was started before a point was recorded. Times tell better than the order of messages,
  /// for some programs write all events in one place; but not between two points of one second.
  private static func isReached(_ start: Start, row: Int, _ times: [Int64], isCamera: Bool) -> Bool {
    let time = times[row]
    let first = isCamera ? start.cameraRow : start.row
    guard let began = start.time, time != Instant.absent else { return row >= first }
    if isBetween(start, times, isCamera: isCamera) { return row >= first || time >= began + second }
    // Of two points of that moment the first may end what was before.
    let isLast = row + 1 == times.count || times[row + 1] != time
    return time > began || (time == began && (row >= first || isLast))
  }

  /// Whether a start stands between two points of its own second.
  private static func isBetween(_ start: Start, _ times: [Int64], isCamera: Bool) -> Bool {
    let row = isCamera ? start.cameraRow : start.row
    guard let began = start.time, row > 0, row < times.count else { return false }
    return isIn(times[row - 1], began) && isIn(times[row], began)
  }

  /// Where starts stand between two points of their own second: the row behind each, by the time of the
  /// start.
  func rowsInSecond(_ times: [Int64], isCamera: Bool) -> [Int64: Int] {
    var rows: [Int64: Int] = [:]
    for start in starts where FITTimer.isBetween(start, times, isCamera: isCamera) {
      if let time = start.time { rows[time] = isCamera ? start.cameraRow : start.row }
    }
    return rows
  }

  /// Whether a point is the first one in a second, and the one before it was recorded earlier.
  static func isOnly(_ time: Int64, of began: Int64, after previous: Int64) -> Bool {
    previous != Instant.absent && previous < began && isIn(time, began)
  }

  /// Whether a time lies in the second that begins at another.
  private static func isIn(_ time: Int64, _ began: Int64) -> Bool { time >= began && time < began + second }

  /// Whether the timer stood when a point was recorded.
  private mutating func isStopped(_ time: Int64) -> Bool {
    guard time != Instant.absent else { return false }
    while nextStop < stops.count, stops[nextStop].time < time - FITTimer.tolerance {
      lastStop = stops[nextStop].time
      nextStop += 1
    }
    if lastStart == .min, isConfirmed, let first = starts.first?.time { return time < first }
    return lastStop > lastStart && (nextStart < starts.count || isConfirmed)
  }

  /// The same for points that follow in later rows.
  func continued() -> FITTimer {
    var timer = self
    timer.starts = starts[nextStart...].map { Start(time: $0.time, row: 0, cameraRow: 0, order: $0.order) }
    timer.stops = Array(stops[nextStop...])
    timer.nextStart = 0
    timer.nextStop = 0
    return timer
  }
}
