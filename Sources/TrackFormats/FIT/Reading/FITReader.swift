public import TrackModel

/// Reads FIT activities, courses and saved locations, including chained files.
///
/// Each session is a track. Its segments are the intervals in which the timer ran. If one segment ends and
/// the next starts in the same second, and that second has a single record, the record belongs to both.
/// Records without a position are skipped and counted, and so are sessions without any position. The points
/// of a course are a track of type `Course`. Course points and saved locations are waypoints before the
/// tracks. Camera positions (`gps_metadata`) are used if records have no positions, and counted as
/// unsupported content otherwise. Files of other types contain no tracks: a warning names the type, which
/// ``FITFileType/peek(_:)`` can determine beforehand.
///
/// Sessions, laps and descriptions of developer fields follow the records they describe. The points of a file
/// are therefore buffered until its end, up to 262,144 points (three days at one per second). Further points
/// are delivered immediately, as one track, and late descriptions are delivered as annotations.
///
/// Positions have nine decimals. A damaged file is read up to the damage, with a warning. A further file
/// after the damage is found by its header.
public struct FITReader: TrackReader, ~Copyable {
  private var messages: FITMessages
  private let options: ReadingOptions
  private let rowLimit: Int
  private var accumulator: FITAccumulator

  /// The pending steps in reverse order.
  private var steps: [FITStep] = []
  private var rows = FITRows()
  private var clock = FITClock()
  private var range = 0..<0
  private var pendingError: TrackError?
  private var isAtEnd = false

  private var hasSentHeader = false
  private var openTrack: TrackInfo?
  /// Whether points of the current file have been delivered.
  private var hasFound = false
  private var withoutPosition = 0
  private var firstWithoutPosition: Int?
  /// The names of developer fields without a channel, and the number of values of each.
  private var unplaced = CountedNames()
  public private(set) var unsupportedContent = LossReport()
  public private(set) var sharedPoints = 0

  /// Creates a reader. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - input: the file from its first byte.
  ///   - options: the options for reading.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.init(input, options: options, rowLimit: 1 << 18)
  }

  /// - Parameter rowLimit: the number of points that are buffered until the end of their file.
  init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions(), rowLimit: Int) {
    messages = FITMessages(input, options: options)
    self.options = options
    accumulator = FITAccumulator(options.limits)
    self.rowLimit = max(rowLimit, 1)
  }

  public var warnings: [TrackWarning] {
    // Devices also record in tunnels, and apps add their own fields, so strict reading does not reject these.
    var warnings = messages.log.warnings
    if withoutPosition > 0 {
      warnings.append(
        TrackWarning(
          .missingPosition, "record without a position, skipped", count: withoutPosition,
          place: InputLocation(byteOffset: firstWithoutPosition)))
    }
    if !unplaced.all.isEmpty {
      warnings.append(
        TrackWarning(
          .unplacedField, "value of a developer field that is not a known quantity, skipped",
          count: unplaced.all.reduce(0) { $0 + $1.count },
          offendingText: unplaced.all.map(\.name).joined(separator: ", ")))
    }
    return warnings
  }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    while true {
      if !range.isEmpty {
        let added = rows.append(range, clock, to: &batch)
        range = (range.lowerBound + added)..<range.upperBound
        return .points
      }
      if let step = steps.popLast() {
        switch step {
        case .event(let event): return event
        case .rows(let rows): range = rows
        }
        continue
      }
      if let error = pendingError {
        pendingError = nil
        isAtEnd = true
        throw error
      }
      guard !isAtEnd else { return nil }
      rows = FITRows()
      do { try read() } catch { recover(from: error) }
    }
  }

  /// Reads messages until there is something to deliver.
  private mutating func read() throws(TrackError) {
    while true {
      switch try messages.next() {
      case .message(let local):
        if let definition = messages.definitions[local] {
          if accumulator.rows.isEmpty {
            // A record with a position has at least 12 bytes, and typically twice as many.
            accumulator.rows.expected = min(messages.expectedBytes / 24, rowLimit)
          }
          accumulator.take(
            definition, messages.payload, timestamp: messages.timestamp, offset: messages.offset)
        }
        if accumulator.rows.count >= rowLimit || accumulator.cameraRows.count >= rowLimit {
          flush(isFinal: false)
          return
        }
      case .endOfFile:
        flush(isFinal: true)
        return
      case .end:
        isAtEnd = true
        return
      }
    }
  }

  /// Delivers complete data before an error. In a damaged file this is the end.
  private mutating func recover(from error: TrackError) {
    let canRecover = !options.isStrict && messages.count > 0 && [.truncated, .malformed].contains(error.code)
    if canRecover {
      // Does not throw, because strict reading does not get here.
      try? messages.warn(
        error.code == .truncated ? .truncated : .damaged, "\(error.message); earlier data is kept",
        at: error.place)
      isAtEnd = !messages.resume()
    } else {
      pendingError = error
    }
    flush(isFinal: true)
  }

  // MARK: Delivery

  /// Converts accumulated data to steps. Before an error, the last track stays open because it is incomplete.
  private mutating func flush(isFinal: Bool) {
    if isFinal { accumulator.endWaiting() }
    let done = accumulator
    let wasOpen = openTrack != nil
    do { try report(done, isFinal: isFinal, wasOpen: wasOpen) } catch { pendingError = pendingError ?? error }
    var assembly = FITAssembly(done, openTrack: openTrack)
    assembly.assemble(isFinal: isFinal && pendingError == nil)
    var all: [FITStep] = []
    if let header = header() { all.append(.event(header)) }
    // Waypoints cannot be inside an open track.
    let places = isFinal ? done.places.map { FITStep.event(.waypoint(waypoint($0))) } : []
    if !wasOpen {
      all += places + assembly.steps
    } else if assembly.openTrack == nil {
      all += assembly.steps + places
    } else {
      all += assembly.steps
    }
    openTrack = assembly.openTrack
    sharedPoints += assembly.sharedPoints
    steps = all.reversed()
    clock = done.clock
    rows = FITAssembly.usesCamera(done) ? done.cameraRows : done.rows
    hasFound = !isFinal && (hasFound || !rows.isEmpty)
    if isFinal {
      accumulator = FITAccumulator(options.limits)
    } else {
      accumulator.rows = FITRows()
      accumulator.cameraRows = FITRows()
      accumulator.forgetOffEarth()
      accumulator.developerFields.forget()
      accumulator.timer = assembly.timer.continued()
    }
  }

  /// Delivers the start of the stream, or the description of a further file.
  private mutating func header() -> TrackEvent? {
    var info = FileInfo()
    info.creator = accumulator.creator
    info.time = accumulator.clock.instant(accumulator.timeCreated)
    if hasSentHeader { return info == FileInfo() || openTrack != nil ? nil : .annotation(.file(info)) }
    hasSentHeader = true
    return .header(info)
  }

  private func waypoint(_ place: FITAccumulator.Place) -> Waypoint {
    var waypoint = place.waypoint
    waypoint.time = accumulator.clock.instant(place.time)
    return waypoint
  }

  /// Reports the skipped data of the file.
  private mutating func report(
    _ done: FITAccumulator, isFinal: Bool, wasOpen: Bool
  ) throws(TrackError) {
    let times = FITAssembly.usesCamera(done) ? done.cameraRows.times : done.rows.times
    if isFinal {
      unsupportedContent.add("camera positions in addition to those of records", done.unusedCamera)
      unsupportedContent.add("messages with heart rates between records", done.unusedHeartRates)
      unsupportedContent.add("kinds of laps, such as rest", done.restLaps)
      withoutPosition += done.withoutPosition
      firstWithoutPosition = firstWithoutPosition ?? done.firstWithoutPosition
    }
    let uptimes = times.count { $0 != Instant.absent && FITClock.isUptime($0) }
    if uptimes > 0, !done.clock.knowsUptime {
      try messages.warn(
        .uptime, "time since device start without a reference date, ignored",
        count: uptimes)
    }
    if done.offEarth > 0 {
      try messages.warn(
        .invalidPosition, "position out of range, point skipped", count: done.offEarth,
        at: InputLocation(byteOffset: done.firstOffEarth))
    }
    guard isFinal else { return }
    if done.omittedMessages > 0 {
      try messages.warn(
        .limitExceeded,
        "more than \(ReadingLimits.text(size: options.limits.keptSize)) of laps, sessions and timer events,"
          + " the rest ignored", count: done.omittedMessages)
    }
    if done.omittedPlaces > 0 {
      try messages.warn(
        .limitExceeded,
        "more than \(ReadingLimits.text(size: options.limits.waitingSize)) of course points and locations,"
          + " the rest skipped", count: done.omittedPlaces)
    }
    for field in done.developerFields.unplaced {
      unplaced.add(field.count, of: field.name)
    }
    var fields = done.developerFields
    fields.forget()
    if fields.lost > 0 {
      try messages.warn(
        .undescribedField, "value of an undescribed developer field, skipped", count: fields.lost)
    }
    if wasOpen, done.sessions.count > 1 {
      try messages.warn(
        .sessionsNotParted, "sessions defined after more than \(rowLimit) points, kept as one track")
    }
    if !hasFound, times.isEmpty, done.places.isEmpty, let type = done.type,
      ![.activity, .course].contains(type)
    {
      try messages.warn(.noTrackFile, "FIT file of type \(type), which contains no tracks")
    }
  }
}
