import TrackModel

/// Combines sentences into epochs, and epochs into points and waypoints.
struct NMEALog {
  private(set) var warnings: NMEAWarnings

  private var clock = NMEAClock()
  /// The current epoch.
  private var epoch: NMEAEpoch?
  /// The values of GSA and VTG sentences before any epoch.
  private var precision = NMEAEpoch.Precision()
  private var motion = NMEAEpoch.Motion()
  /// The values of GST for a time of day without an epoch.
  private var deviation: (time: Int64, value: NMEAEpoch.Deviation)?
  private var hasSentence = false
  /// Whether a sentence had a correct checksum.
  private var hasChecksums = false

  /// The detected order of sentences if points are needed early, otherwise `nil`.
  private var cycle: NMEACycle?
  /// The start of the log, until the first fix, or `nil` if it is not needed.
  private var start: NMEAStart?
  /// The time of day of the epoch that was closed before the next one started.
  private var closedEarly: Int64?

  /// Events to deliver before the next points, in reverse order.
  private var queue: [TrackEvent] = []
  private var hasTrack = false
  private var isTrackOpen = false
  /// Waypoints that were read while the track was open.
  private var late = NMEAWaypoints()
  private var lateIndex = 0

  private var dating: NMEADating

  init(_ options: ReadingOptions) {
    dating = NMEADating(limit: options.limits.undatedPointCount)
    warnings = NMEAWarnings(isStrict: options.isStrict)
    cycle = options.isLive ? NMEACycle() : nil
    start = options.includesTimeBeforeFixes ? NMEAStart() : nil
  }

  mutating func warn(_ code: TrackWarning.Code, _ message: String, line: Int) throws(TrackError) {
    try warnings.warn(code, message, line: line)
  }

  // MARK: Events

  mutating func nextEvent() -> TrackEvent? { queue.popLast() }

  /// Whether points are delivered immediately.
  var canDeliver: Bool { dating.state == .known || dating.state == .given }

  /// Returns the event to deliver before the next sentence, or `nil`.
  mutating func event(for batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    if dating.state == .draining { return drain(into: &batch) ? .points : nil }
    if let event = queue.popLast() { return event }
    guard batch.isFull else { return nil }
    guard dating.state == .waiting else { return .points }
    dating.hold(&batch)
    guard dating.isFull else { return nil }
    try endWaiting(&batch)
    return .points
  }

  /// Fills the batch with released points.
  ///
  /// - Returns: whether the batch received points.
  mutating func drain(into batch: inout PointBatch) -> Bool {
    dating.drain(into: &batch, origin: clock.origin)
  }

  /// Releases the held points after an error.
  mutating func release(_ batch: inout PointBatch) {
    dating.release(&batch, origin: clock.origin)
  }

  /// Releases the held points without times.
  private mutating func endWaiting(_ batch: inout PointBatch) throws(TrackError) {
    let count = dating.count + batch.count
    release(&batch)
    if count > 0, clock.origin == nil { try warnDateless(count) }
  }

  private mutating func warnDateless(_ count: Int) throws(TrackError) {
    try warnings.warn(.missingDate, "no sentence contains a date; points have no times", count: count)
  }

  /// Handles the end of the log, where the last epoch is complete and no further date follows.
  mutating func finish(_ batch: inout PointBatch) throws(TrackError) {
    guard hasSentence else {
      throw TrackError(
        .malformed, "no NMEA 0183 sentence with a position or a time",
        suggestion: .text("sentences look like $GPRMC,… and have a correct checksum"))
    }
    try closeEpoch(&batch)
    if dating.state == .waiting { try endWaiting(&batch) }
  }

  /// Returns the events after the last point, or `nil` at the end.
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

  /// Finds and processes the next sentence of a line.
  ///
  /// - Parameters:
  ///   - index: the index to start at. Set to the end of the sentence, or of a line without one.
  ///   - isOpen: whether the log ends after the line without a line end, so that the line may be cut.
  ///   - batch: a batch with room for a row.
  mutating func take(
    _ line: Span<UInt8>, from index: inout Int, line number: Int, isOpen: Bool = false,
    _ batch: inout PointBatch
  ) throws(TrackError) {
    let sentence = NMEASentence(nextIn: line, from: &index)
    if sentence.verdict == .wrongChecksum {
      return try warnings.warn(
        .wrongChecksum, "sentence with a wrong checksum, skipped", line: number, quoting: sentence.text)
    }
    guard let kind = sentence.kind else {
      if isOpen, hasSentence, let cut = NMEASentence.cutAddress(in: line) {
        try warnOfCut(cut, line: number)
      }
      return
    }
    let isCut = sentence.verdict == .cut || isOpen && hasChecksums && !sentence.hasChecksum
    if isCut { return try warnOfCut(sentence.text, line: number) }
    hasChecksums = hasChecksums || sentence.hasChecksum
    hasSentence = true
    var begins = false
    switch kind {
    case .rmc, .gga, .gns, .gll: begins = try takeFix(sentence, kind, number, &batch)
    case .gsa:
      let value = try NMEAEpoch.Precision(sentence, number, &warnings)
      if epoch == nil {
        precision = value
      } else if epoch?.precision.isKnown == false {
        // Receivers write one per satellite system, with the same values.
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
    let isLast = cycle?.take(kind, begins: begins) == true
    // The beginning of the track is delivered before its first point. The point of the epoch before this one
    // may have filled the batch.
    if isLast, queue.isEmpty, !batch.isFull, let time = epoch?.time {
      try closeEpoch(&batch)
      closedEarly = time
    }
  }

  private mutating func warnOfCut(_ text: String, line: Int) throws(TrackError) {
    try warnings.warn(.cutSentence, "truncated sentence, skipped", line: line, quoting: text)
  }

  /// - Returns: whether the sentence starts an epoch.
  private mutating func takeFix(
    _ sentence: borrowing NMEASentence, _ kind: NMEASentence.Kind, _ line: Int, _ batch: inout PointBatch
  ) throws(TrackError) -> Bool {
    let timeField = sentence.timeField
    let time = sentence.timeOfDay(timeField)
    if time == nil, !sentence.isEmpty(timeField) {
      try warnings.warn(
        .invalidTime, "invalid time of day, sentence skipped", line: line,
        quoting: sentence.string(timeField))
      return false
    }
    // An additional sentence of a closed epoch, whose point has been delivered.
    if epoch == nil, let time, time == closedEarly { return false }
    var coordinate: Coordinate?
    if sentence.hasFix {
      coordinate = sentence.position(from: sentence.positionField)
      if coordinate == nil {
        try warnings.warn(
          .invalidPosition, "position out of range, sentence skipped", line: line,
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
    if let time { start?.take(time, date: kind == .rmc ? sentence.date(9) : nil) }
    if coordinate != nil, !hasTrack {
      hasTrack = true
      isTrackOpen = true
      var info = TrackInfo()
      info.timeSpan = start.take()?.beforeLatest.map { TimeSpan(begin: $0) }
      queue = [.beginSegment, .beginTrack(info)]
    }
    switch kind {
    case .rmc: try epoch?.takeRMC(sentence, line, &warnings)
    case .gga: try epoch?.takeGGA(sentence, line, &warnings)
    case .gns: try epoch?.takeGNS(sentence, line, &warnings)
    default: break
    }
    return begins
  }

  /// Processes a GST sentence. It never starts an epoch, because some receivers send it for the previous
  /// epoch.
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
        try warnings.warn(.invalidTime, "invalid date, ignored", line: line, quoting: sentence.text)
      }
      return
    }
    guard try accepts(date, line) else { return }
    start?.take(time, date: date)
    clock.learn(date: date, ofTime: time, open: epoch?.coordinate == nil ? nil : epoch?.time)
    if isDateSettled { dating.becomeKnown(&batch, origin: clock.origin) }
  }

  private mutating func takeWaypoint(_ sentence: borrowing NMEASentence, _ line: Int) throws(TrackError) {
    guard let coordinate = sentence.position(from: 1) else {
      return try warnings.warn(
        .invalidPosition, "position out of range, sentence skipped", line: line,
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

  /// Appends the epoch as a point if it has a fix.
  private mutating func closeEpoch(_ batch: inout PointBatch) throws(TrackError) {
    guard let closed = epoch else { return }
    epoch = nil
    guard closed.coordinate != nil else {
      // A live receiver sends these until it has a fix.
      guard cycle == nil else { return }
      return try warn(.noFix, "sentence without a fix, skipped", line: closed.line)
    }
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

  /// The first rollover of the GPS week counter. Earlier dates come from receivers that have not decoded the
  /// date yet, or are 1024 weeks too early.
  private static let firstRollover = CivilCalendar.days(year: 1999, month: 8, day: 22)

  /// Whether a date after ``firstRollover`` is known.
  private var hasSoundDate = false

  /// Whether points can be delivered without another date. A live receiver that is 1024 weeks off never sends
  /// a valid date.
  private var isDateSettled: Bool { hasSoundDate || cycle != nil && clock.origin != nil }

  /// Returns whether to use a date. A doubtful date is used only until a reliable one is known.
  private mutating func accepts(_ date: Int, _ line: Int) throws(TrackError) -> Bool {
    guard date < NMEALog.firstRollover else {
      hasSoundDate = true
      return true
    }
    try warn(
      .doubtfulDate,
      "date before 22 August 1999, possibly 1024 weeks too early (rollover); used only without a later date",
      line: line)
    return !hasSoundDate
  }
}
