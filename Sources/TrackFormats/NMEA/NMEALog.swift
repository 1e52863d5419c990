import TrackModel

/// Makes epochs of sentences, and points and waypoints of epochs.
struct NMEALog {
  private(set) var warnings: NMEAWarnings

  private var clock = NMEAClock()
  /// The epoch whose sentences are still coming.
  private var epoch: NMEAEpoch?
  /// What GSA and VTG said before any epoch.
  private var precision = NMEAEpoch.Precision()
  private var motion = NMEAEpoch.Motion()
  /// What GST said of a time of day that no epoch has had.
  private var deviation: (time: Int64, value: NMEAEpoch.Deviation)?
  private var hasSentence = false

  /// How the receiver orders its sentences, where points are wanted early; otherwise nil.
  private var cycle: NMEACycle?
  /// The time of day of the epoch that was closed before its successor began.
  private var closedEarly: Int64?
  /// Whether the open epoch is complete and waits for the events before its point.
  private var isEpochComplete = false

  /// Events that come before the next points, the next one last.
  private var queue: [TrackEvent] = []
  private var hasTrack = false
  private var isTrackOpen = false
  /// Waypoints that came while the track was open.
  private var late = NMEAWaypoints()
  private var lateIndex = 0

  private var dating = NMEADating()

  init(isStrict: Bool, isLive: Bool = false) {
    warnings = NMEAWarnings(isStrict: isStrict)
    cycle = isLive ? NMEACycle() : nil
  }

  mutating func warn(_ code: TrackWarning.Code, _ message: String, line: Int) throws(TrackError) {
    try warnings.warn(code, message, line: line)
  }

  // MARK: Events

  mutating func nextEvent() -> TrackEvent? { queue.popLast() }

  /// Whether points need not wait.
  var canDeliver: Bool { dating.state == .known || dating.state == .given }

  /// What is to be delivered before the next sentence is looked at.
  mutating func event(for batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    if dating.state == .draining { return drain(into: &batch) ? .points : nil }
    if let event = queue.popLast() { return event }
    guard batch.isFull else { return nil }
    guard dating.state == .waiting else { return .points }
    dating.hold(&batch)
    guard dating.isFull else { return nil }
    try giveUpWaiting(&batch)
    return .points
  }

  /// Fills the batch with points that have waited.
  ///
  /// - Returns: false where there are none.
  mutating func drain(into batch: inout PointBatch) -> Bool {
    dating.drain(into: &batch, origin: clock.origin)
  }

  /// Lets the points that wait go, behind a fault.
  mutating func release(_ batch: inout PointBatch) {
    dating.release(&batch, origin: clock.origin)
  }

  /// Lets the points that wait go without a time.
  private mutating func giveUpWaiting(_ batch: inout PointBatch) throws(TrackError) {
    let count = dating.count + batch.count
    release(&batch)
    if count > 0, clock.origin == nil { try warnDateless(count) }
  }

  private mutating func warnDateless(_ count: Int) throws(TrackError) {
    try warnings.warn(.missingDate, "no sentence tells the date, points left without a time", count: count)
  }

  /// Takes the end of the log: the last epoch is whole, and no date is to come.
  mutating func finish(_ batch: inout PointBatch) throws(TrackError) {
    guard hasSentence else {
      throw TrackError(
        .malformed, "the file holds no NMEA 0183 sentence of a position or a time",
        suggestion: .text("sentences look like $GPRMC,… and have a checksum that is right"))
    }
    try closeEpoch(&batch)
    if dating.state == .waiting { try giveUpWaiting(&batch) }
  }

  /// The events behind the last point, nil at the end.
  mutating func close() -> TrackEvent? {
    if isTrackOpen {
      isTrackOpen = false
      queue = [.endTrack]
      return .endSegment
    }
    guard lateIndex < late.count else { return nil }
    lateIndex += 1
    return .waypoint(late.waypoint(at: lateIndex - 1))
  }

  // MARK: Sentences

  /// Looks for the next sentence of a line and takes it over.
  ///
  /// - Parameters:
  ///   - index: where to look from; afterwards behind the sentence, or at the line's end where there is none.
  ///   - batch: has room for a row.
  mutating func take(
    _ line: Span<UInt8>, from index: inout Int, line number: Int, _ batch: inout PointBatch
  ) throws(TrackError) {
    let sentence = NMEASentence(nextIn: line, from: &index)
    guard let kind = sentence.kind else { return }
    switch sentence.verdict {
    case .sound: break
    case .wrongChecksum:
      return try warnings.warn(
        .wrongChecksum, "sentence whose checksum is wrong, left out", line: number, quoting: sentence.text)
    case .cut:
      return try warnings.warn(
        .cutSentence, "sentence that is cut off, left out", line: number, quoting: sentence.text)
    }
    hasSentence = true
    var begins = false
    switch kind {
    case .rmc, .gga, .gll: begins = try takeFix(sentence, kind, number, &batch)
    case .gsa:
      let value = try NMEAEpoch.Precision(sentence, number, &warnings)
      if epoch == nil {
        precision = value
      } else if epoch?.precision.isKnown == false {
        // Receivers write one for each system of satellites, with the same values.
        epoch?.precision = value
      }
    case .vtg:
      let value = try NMEAEpoch.Motion(sentence, number, &warnings)
      if epoch == nil {
        motion = value
      } else if epoch?.motion.isKnown == false {
        epoch?.motion = value
      }
    case .zda: try takeDate(sentence, number, &batch)
    case .gst: try takeDeviation(sentence, number)
    case .wpl: return try takeWaypoint(sentence, number)
    }
    if cycle?.take(kind, begins: begins) == true, epoch?.time != nil {
      isEpochComplete = true
      // No row may be in a batch that is delivered with an event other than `points`.
      if queue.isEmpty { try closeCompleteEpoch(&batch) }
    }
  }

  /// Makes a point of the epoch whose last sentence has been read, if any. To be called once no event is
  /// queued.
  mutating func closeCompleteEpoch(_ batch: inout PointBatch) throws(TrackError) {
    guard isEpochComplete, let time = epoch?.time else { return }
    try closeEpoch(&batch)
    closedEarly = time
  }

  /// - Returns: whether the sentence is the first about its moment.
  private mutating func takeFix(
    _ sentence: borrowing NMEASentence, _ kind: NMEASentence.Kind, _ line: Int, _ batch: inout PointBatch
  ) throws(TrackError) -> Bool {
    let timeField = kind == .gll ? 5 : 1
    let time = sentence.timeOfDay(timeField)
    if time == nil, !sentence.isEmpty(timeField) {
      try warnings.warn(
        .invalidTime, "time of day that is none, sentence left out", line: line,
        quoting: sentence.string(timeField))
      return false
    }
    // More about a moment than it had been the habit to say: its point is made.
    if epoch == nil, let time, time == closedEarly { return false }
    var coordinate: Coordinate?
    if sentence.hasFix {
      coordinate = sentence.position(from: kind == .rmc ? 3 : kind == .gga ? 2 : 1)
      if coordinate == nil {
        try warnings.warn(
          .invalidPosition, "position that is none on Earth, sentence left out", line: line,
          quoting: sentence.text)
        return false
      }
    }
    let begins = epoch?.takes(kind, time: time) != true
    if begins {
      try closeEpoch(&batch)
      closedEarly = nil
      epoch = NMEAEpoch(time: time, line: line)
      epoch?.precision = precision
      epoch?.motion = motion
      precision = NMEAEpoch.Precision()
      motion = NMEAEpoch.Motion()
      if let deviation, deviation.time == time { epoch?.deviation = deviation.value }
      deviation = nil
    }
    epoch?.merge(kind, time: time, coordinate: coordinate)
    if coordinate != nil, !hasTrack {
      hasTrack = true
      isTrackOpen = true
      queue = [.beginSegment, .beginTrack(TrackInfo())]
    }
    switch kind {
    case .rmc: try epoch?.takeRMC(sentence, line, &warnings)
    case .gga: try epoch?.takeGGA(sentence, line, &warnings)
    default: break
    }
    return begins
  }

  /// A GST never begins an epoch: some receivers say it of the moment before.
  private mutating func takeDeviation(_ sentence: borrowing NMEASentence, _ line: Int) throws(TrackError) {
    let value = try NMEAEpoch.Deviation(sentence, line, &warnings)
    let time = sentence.timeOfDay(1)
    if time == nil || time == epoch?.time {
      epoch?.deviation = value
    } else if let time {
      deviation = (time, value)
    }
  }

  private mutating func takeDate(
    _ sentence: borrowing NMEASentence, _ line: Int, _ batch: inout PointBatch
  ) throws(TrackError) {
    guard let time = sentence.timeOfDay(1), let date = sentence.dateInThreeFields(from: 2) else {
      if !sentence.isEmpty(1), !sentence.isEmpty(2) {
        try warnings.warn(.invalidTime, "date that is none, left out", line: line, quoting: sentence.text)
      }
      return
    }
    guard try accepts(date, line) else { return }
    clock.learn(date: date, ofTime: time, open: epoch?.coordinate == nil ? nil : epoch?.time)
    if isDateSettled { dating.becomeKnown(&batch, origin: clock.origin) }
  }

  private mutating func takeWaypoint(_ sentence: borrowing NMEASentence, _ line: Int) throws(TrackError) {
    guard let coordinate = sentence.position(from: 1) else {
      return try warnings.warn(
        .invalidPosition, "position that is none on Earth, sentence left out", line: line,
        quoting: sentence.text)
    }
    if isTrackOpen {
      late.append(coordinate, name: sentence.field(5))
    } else {
      let name = sentence.string(5)
      queue = [
        .waypoint(Waypoint(coordinate: coordinate, details: PointDetails(name: name.isEmpty ? nil : name)))
      ]
    }
  }

  // MARK: Epochs

  /// Makes a point of the epoch where it has a fix.
  private mutating func closeEpoch(_ batch: inout PointBatch) throws(TrackError) {
    guard let closed = epoch else { return }
    epoch = nil
    isEpochComplete = false
    guard closed.coordinate != nil else { return }
    guard let timeOfDay = closed.time else {
      closed.append(to: &batch, time: Instant.absent)
      return
    }
    let moment = clock.advance(to: timeOfDay)
    if let date = closed.date, try accepts(date, closed.line) { clock.learn(date: date, of: moment) }
    switch dating.state {
    case .waiting, .draining:
      closed.append(to: &batch, time: moment.relative)
      if isDateSettled { dating.becomeKnown(&batch, origin: clock.origin) }
    case .known, .given:
      if clock.origin == nil { try warnDateless(1) }
      closed.append(to: &batch, time: clock.origin.map { moment.relative + $0 } ?? Instant.absent)
    }
  }

  /// The first rollover of the week counter. An earlier date is of a receiver that has not yet decoded the
  /// date, or that is 1024 weeks off.
  private static let firstRollover = CivilCalendar.days(year: 1999, month: 8, day: 22)

  /// Whether a date after ``firstRollover`` is known.
  private var hasSoundDate = false

  /// Whether points need not wait for another date. A live receiver that is 1024 weeks off never sends a
  /// sound one.
  private var isDateSettled: Bool { hasSoundDate || cycle != nil && clock.origin != nil }

  /// Returns whether a date is used: a doubtful one only as long as no sound one is known.
  private mutating func accepts(_ date: Int, _ line: Int) throws(TrackError) -> Bool {
    guard date < NMEALog.firstRollover else {
      hasSoundDate = true
      return true
    }
    try warn(
      .doubtfulDate,
      "date before 22 August 1999, as of receivers that are 1024 weeks off; used only without a later date",
      line: line)
    return !hasSoundDate
  }
}
