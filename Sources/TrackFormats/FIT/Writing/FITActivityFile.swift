import TrackModel

/// The messages of an activity: the records of each track, followed by its laps and its session.
struct FITActivityFile: ~Copyable {
  /// The local message types after those of records (0) and events (1).
  enum LocalType {
    static let fileID: UInt8 = 2
    static let lap: UInt8 = 3
    static let session: UInt8 = 4
    static let activity: UInt8 = 5
  }

  /// All messages so far.
  var body = Spool()
  private var definitions: [UInt8: [UInt8]] = [:]
  private var sessions = 0
  private var laps = 0
  private var timerTime = 0.0
  /// The creator of the most recent track that has one.
  private var latest: Latest?
  /// The end of the most recent track.
  private var endTime: Int64?

  /// The latest time of each kind, in FIT microseconds.
  private struct Latest {
    var start: Int64
    var end: Int64
    var point: Int64
    var lapStart: Int64
    var all: Int64 { max(end, point, lapStart) }
  }

  var isEmpty: Bool { body.isEmpty }

  mutating func append(_ message: FITMessageBytes) { message.append(to: &body.buffer, &definitions) }

  mutating func flush() throws(TrackError) { try body.flush() }

  /// Whether a track can be a further session of the same file.
  ///
  /// Readers assign points and laps to sessions by the second in which each session starts, so no point of
  /// the track may precede its start or that of another session. If a session starts in the second in which
  /// the previous one ends, the timer start event separates their points.
  func canTake(_ info: TrackInfo, _ extent: FITRecordWriter.Extent) -> Bool {
    guard let latest, let first = extent.firstTime else { return true }
    let begin = info.timeSpan?.begin.flatMap { FITTime.fromInstant($0.microseconds) } ?? first
    let start = FITTime.wholeSeconds(begin)
    let earliest = min(extent.earliestTime ?? first, first)
    let laps = info.laps.compactMap { $0.start.flatMap { FITTime.fromInstant($0.microseconds) } }
    guard start <= earliest, laps.allSatisfy({ $0 >= start }) else { return false }
    if start > latest.all { return true }
    guard start > FITTime.wholeSeconds(latest.start), start > FITTime.wholeSeconds(latest.lapStart),
      start >= FITTime.wholeSeconds(latest.end), earliest >= latest.point
    else { return false }
    let last = FITRecordWriter.recordedSecond(latest.point)
    return last < start || (last == start && FITRecordWriter.recordedSecond(first) == start)
  }

  /// Appends the records and events of a track, with their definitions.
  ///
  /// - Parameter events: the events that the track lacks, because it was written as a course.
  mutating func append(_ records: inout Spool, with events: FITTimerEvents? = nil) throws(TrackError) {
    if let events { try events.drain(&records, into: &body) } else { try records.drain(into: &body) }
  }

  /// Appends the laps and the session of the track whose records were appended last.
  mutating func appendSession(
    _ info: TrackInfo, _ extent: FITRecordWriter.Extent, _ losses: inout LossReport
  ) {
    guard let first = extent.firstTime, let last = extent.lastTime else { return }
    var sport = FITSport.generic
    if let type = info.type {
      if let number = FITSport.number(named: type) {
        sport = number
      } else {
        losses.add("activity types unknown to FIT")
      }
    }
    let start = time(info.timeSpan?.begin, "starts of time spans out of range", &losses) ?? first
    // The last lap can end after the last point.
    let lapsEnd = info.laps.compactMap { $0.end.flatMap { FITTime.fromInstant($0.microseconds) } }.max()
    let end =
      time(info.timeSpan?.end, "ends of time spans out of range", &losses) ?? max(last, lapsEnd ?? last)
    if info.timeSpan?.begin != nil, start != FITTime.wholeSeconds(start) {
      losses.add("starts of time spans between seconds (truncated)")
    }
    if info.timeSpan?.end != nil, end < start { losses.add("ends of time spans before their starts") }
    var session = FITLapMessage(local: LocalType.session, message: FITMessageNumber.session)
    session.sport = sport
    session.start = start
    session.end = max(start, end)
    session.elapsed = Double(max(end - start, 0)) / 1e6
    if let end = info.timeSpan?.end, FITTime.fromInstant(end.microseconds) != nil,
      !end.microseconds.isMultiple(of: 1_000_000),
      session.elapsed.flatMap({ FITLapMessage.number($0, scale: 1000, below: .max) }) == nil
    {
      // The duration in milliseconds is limited to 49 days; longer sessions keep only the second of their
      // end.
      losses.add("ends of time spans between seconds (truncated)")
    }
    session.timer = extent.timerTime
    session.distance = extent.length
    session.first = extent.first
    session.last = extent.last
    session.index = sessions
    session.firstLap = laps
    let all = info.laps.isEmpty ? [Lap()] : info.laps
    session.lapCount = all.count
    if all.allSatisfy({ $0.timerTime != nil }) {
      session.timer = all.reduce(0) { $0 + ($1.timerTime ?? 0) }
    }
    if all.allSatisfy({ $0.distance != nil }) {
      session.distance = all.reduce(0) { $0 + ($1.distance ?? 0) }
    }
    if all.contains(where: { $0.calories != nil }) {
      session.calories = all.reduce(0) { $0 + ($1.calories ?? 0) }
    }
    for (index, lap) in all.enumerated() {
      let next = index + 1 < all.count ? all[index + 1].start : nil
      FITLapMessage.countLosses(lap, &losses)
      let figures = index < extent.laps.laps.count ? extent.laps.laps[index] : nil
      appendLap(lap, next: next, of: session, figures, isOnly: all.count == 1, &losses)
    }
    append(session.bytes)
    sessions += 1
    timerTime += session.timer ?? 0
    endTime = max(session.end ?? last, last)
    let lapStarts = all.compactMap { $0.start.flatMap { FITTime.fromInstant($0.microseconds) } }
    latest = Latest(
      start: start, end: max(session.end ?? last, last), point: max(extent.latestTime ?? last, last),
      lapStart: lapStarts.max() ?? start)
  }

  private mutating func appendLap(
    _ lap: Lap, next: Instant?, of session: FITLapMessage, _ figures: FITLapFigures.Figures?, isOnly: Bool,
    _ losses: inout LossReport
  ) {
    var message = FITLapMessage(local: LocalType.lap, message: FITMessageNumber.lap)
    message.sport = session.sport
    let start = time(lap.start, "starts of laps out of range", &losses) ?? session.start ?? 0
    if lap.start != nil, start != FITTime.wholeSeconds(start) {
      losses.add("starts of laps between seconds (truncated)")
    }
    message.start = start
    message.elapsed = lap.elapsedTime ?? (isOnly ? session.elapsed : nil)
    message.timer = lap.timerTime ?? (isOnly ? session.timer : figures?.timerTime)
    message.distance = lap.distance ?? (isOnly ? session.distance : figures?.distance)
    let end = next.flatMap { FITTime.fromInstant($0.microseconds) } ?? session.end
    if message.elapsed == nil, figures != nil || lap.start != nil, let end {
      message.elapsed = max(Double(end - start) / 1e6, 0)
    }
    message.calories = lap.calories
    if let seconds = message.elapsed ?? message.timer, seconds >= 0, seconds < 1e9 {
      message.end = start + Instant.microseconds(inSeconds: seconds)
    } else {
      message.end = end
    }
    if isOnly {
      message.first = session.first
      message.last = session.last
    } else {
      message.first = figures?.first
      message.last = figures?.last
    }
    if let trigger = lap.trigger {
      message.trigger = FITLapTrigger.number(named: trigger)
      if message.trigger == nil { losses.add("triggers of laps") }
    }
    message.index = laps
    laps += 1
    append(message.bytes)
  }

  /// - Parameter loss: the loss to report if FIT cannot represent the time.
  private func time(_ instant: Instant?, _ loss: String, _ losses: inout LossReport) -> Int64? {
    guard let instant else { return nil }
    let time = FITTime.fromInstant(instant.microseconds)
    if time == nil { losses.add(loss) }
    return time
  }

  /// Appends the message that ends every activity.
  mutating func end() {
    var message = FITMessageBytes(FITMessageNumber.activity, local: LocalType.activity)
    message.add(FITMessageNumber.timestampField, .uint32, endTime.map { Int(FITTime.seconds($0)) })
    message.add(0, .uint32, FITLapMessage.number(timerTime, scale: 1000, below: .max))
    message.add(1, .uint16, min(sessions, 0xFFFE))
    message.add(2, .enumeration, sessions > 1 ? 1 : 0)
    // The event `activity` with the type `stop`.
    message.add(3, .enumeration, 26)
    message.add(4, .enumeration, 1)
    append(message)
  }
}

/// A lap or session to be written.
struct FITLapMessage {
  let local: UInt8
  let message: UInt16
  /// FIT microseconds.
  var start: Int64?
  var end: Int64?
  /// Seconds.
  var elapsed: Double?
  var timer: Double?
  /// Metres.
  var distance: Double?
  var calories: Double?
  var first: FITPosition?
  var last: FITPosition?
  var sport = FITSport.generic
  var trigger: UInt8?
  var index = 0
  var firstLap = 0
  var lapCount = 0

  init(local: UInt8, message: UInt16) {
    self.local = local
    self.message = message
  }

  var bytes: FITMessageBytes {
    let isSession = message == FITMessageNumber.session
    var bytes = FITMessageBytes(message, local: local)
    bytes.add(FITMessageNumber.messageIndexField, .uint16, index & 0x0FFF)
    bytes.add(FITMessageNumber.timestampField, .uint32, end.map { Int(FITTime.seconds($0)) })
    // The event `session` or `lap` with the type `stop`.
    bytes.add(0, .enumeration, isSession ? 8 : 9)
    bytes.add(1, .enumeration, 1)
    bytes.add(2, .uint32, start.map { Int(FITTime.seconds($0)) })
    bytes.add(3, .sint32, first.map { Int($0.latitude) })
    bytes.add(4, .sint32, first.map { Int($0.longitude) })
    bytes.add(isSession ? 38 : 5, .sint32, last.map { Int($0.latitude) })
    bytes.add(isSession ? 39 : 6, .sint32, last.map { Int($0.longitude) })
    bytes.add(7, .uint32, elapsed.flatMap { FITLapMessage.number($0, scale: 1000, below: .max) })
    bytes.add(8, .uint32, timer.flatMap { FITLapMessage.number($0, scale: 1000, below: .max) })
    bytes.add(9, .uint32, distance.flatMap { FITLapMessage.number($0, scale: 100, below: .max) })
    bytes.add(11, .uint16, calories.flatMap { FITLapMessage.number($0, scale: 1, below: UInt32(UInt16.max)) })
    if isSession {
      bytes.add(5, .enumeration, Int(sport))
      bytes.add(6, .enumeration, 0)
      bytes.add(25, .uint16, firstLap & 0xFFFF)
      bytes.add(26, .uint16, lapCount & 0xFFFF)
      // The session ended with the activity.
      bytes.add(28, .enumeration, 0)
    } else {
      bytes.add(24, .enumeration, trigger.map { Int($0) })
      bytes.add(25, .enumeration, Int(sport))
    }
    return bytes
  }

  /// Reports values of a lap that its fields cannot represent.
  static func countLosses(_ lap: Lap, _ losses: inout LossReport) {
    func check(_ value: Double?, _ scale: Double, _ limit: UInt32, _ what: String) {
      if let value, number(value, scale: scale, below: limit) == nil { losses.add("\(what) out of range") }
    }
    check(lap.elapsedTime, 1000, .max, "elapsed times of laps")
    check(lap.timerTime, 1000, .max, "timer times of laps")
    check(lap.distance, 100, .max, "distances of laps")
    check(lap.calories, 1, UInt32(UInt16.max), "calorie counts")
    if let calories = lap.calories, calories != calories.rounded() {
      losses.add("fractional calorie counts (rounded)")
    }
  }

  /// Returns a quantity in the units of a field, or `nil` if it is out of range.
  static func number(_ value: Double, scale: Double, below limit: UInt32) -> Int? {
    let number = (value * scale).rounded()
    return number >= 0 && number < Double(limit) ? Int(number) : nil
  }
}
