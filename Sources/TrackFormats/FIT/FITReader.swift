public import TrackModel

/// Reads FIT: activities, courses and saved places, also several files one behind the other.
///
/// A session is a track, and what the timer ran through from one start to the next a segment of it. A record
/// that is the only one in the second in which one ends and the next begins belongs to both. Records without
/// a position are left out and counted; so are sessions without any. The points of a course are one track of
/// the type `Course`; course points and saved places are waypoints in front of the tracks. Positions of a
/// camera (`gps_metadata`) stand in where records have none, and are counted as unread otherwise. Files of
/// other types hold no tracks: a warning says which type it is, and ``FITFileType/peek(_:)`` tells
/// beforehand.
///
/// Sessions, laps and the meaning of developer fields follow the records that they are about. So the points
/// of a file wait for its end, up to 262,144 of them (three days at one a second); beyond, they are delivered
/// as they come, as one track, and what comes late is said late.
///
/// Positions come to nine decimals. A damaged file is read up to the damage, with a warning; another file
/// behind it is found by its header.
public struct FITReader: TrackReader, ~Copyable {
  private var messages: FITMessages
  private let options: ReadingOptions
  private let rowLimit: Int
  private var gathering = FITGathering()

  /// What is to be delivered, the next last.
  private var steps: [FITStep] = []
  private var rows = FITRows()
  private var clock = FITClock()
  private var range = 0..<0
  private var pendingError: TrackError?
  private var isAtEnd = false

  private var hasSentHeader = false
  private var openTrack: TrackInfo?
  /// Whether points of the open file have been delivered.
  private var hasFound = false
  private var withoutPosition = 0
  private var firstWithoutPosition: Int?
  /// Names of developer fields that have no place, and how many values each had.
  private var unplaced: [(name: String, count: Int)] = []
  public private(set) var unread = LossReport()
  public private(set) var sharedPoints = 0

  /// - Parameter input: the file from its first byte.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.init(input, options: options, rowLimit: 1 << 18)
  }

  /// - Parameter rowLimit: how many points wait for the end of their file.
  init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions(), rowLimit: Int) {
    messages = FITMessages(input, options: options)
    self.options = options
    self.rowLimit = max(rowLimit, 1)
  }

  public var warnings: [TrackWarning] {
    // Devices record in tunnels as well, and apps what they like, so this is no flaw that strict reading
    // refuses.
    var warnings = messages.log.warnings
    if withoutPosition > 0 {
      warnings.append(
        TrackWarning(
          .missingPosition, "record without a position, left out", count: withoutPosition,
          place: Place(byteOffset: firstWithoutPosition)))
    }
    if !unplaced.isEmpty {
      warnings.append(
        TrackWarning(
          .unplacedField, "value of an app's field that is no quantity of tracks, left out",
          count: unplaced.reduce(0) { $0 + $1.count },
          offendingText: unplaced.map(\.name).joined(separator: ", ")))
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
          if gathering.rows.isEmpty {
            // A record with a position has at least 12 bytes, most have about twice as many.
            gathering.rows.expected = min(messages.expectedBytes / 24, rowLimit)
          }
          gathering.take(
            definition, messages.payload, timestamp: messages.timestamp, offset: messages.offset)
        }
        if gathering.rows.count >= rowLimit || gathering.cameraRows.count >= rowLimit {
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

  /// Delivers what was whole before a fault; in a damaged file it is the end.
  private mutating func recover(from error: TrackError) {
    let canRecover = !options.isStrict && messages.count > 0 && [.truncated, .malformed].contains(error.code)
    if canRecover {
      // Does not throw: strict reading does not come here.
      try? messages.warn(
        error.code == .truncated ? .truncated : .damaged, "\(error.message), what came before is kept",
        at: error.place)
      isAtEnd = !messages.resume()
    } else {
      pendingError = error
    }
    flush(isFinal: true)
  }

  // MARK: Delivery

  /// Turns what was gathered into steps. Before an error the last track stays open: it is not whole.
  private mutating func flush(isFinal: Bool) {
    if isFinal { gathering.giveUpWaiting() }
    let done = gathering
    let wasOpen = openTrack != nil
    do { try report(done, isFinal: isFinal, wasOpen: wasOpen) } catch { pendingError = pendingError ?? error }
    var assembly = FITAssembly(done, openTrack: openTrack)
    assembly.assemble(isFinal: isFinal && pendingError == nil)
    var all: [FITStep] = []
    if let header = header() { all.append(.event(header)) }
    // A waypoint has no place inside a track that is open.
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
      gathering = FITGathering()
    } else {
      gathering.rows = FITRows()
      gathering.cameraRows = FITRows()
      gathering.forgetOffEarth()
      gathering.developerFields.forget()
      gathering.timer = assembly.timer.continued()
    }
  }

  /// The beginning of the stream, or what another file says about itself.
  private mutating func header() -> TrackEvent? {
    var info = FileInfo()
    info.creator = gathering.creator
    info.time = gathering.clock.instant(gathering.timeCreated)
    if hasSentHeader { return info == FileInfo() || openTrack != nil ? nil : .annotation(.file(info)) }
    hasSentHeader = true
    return .header(info)
  }

  private func waypoint(_ place: FITGathering.Place) -> Waypoint {
    var waypoint = place.waypoint
    waypoint.time = gathering.clock.instant(place.time)
    return waypoint
  }

  /// Counts what was left out of the file.
  private mutating func report(
    _ done: FITGathering, isFinal: Bool, wasOpen: Bool
  ) throws(TrackError) {
    let times = FITAssembly.usesCamera(done) ? done.cameraRows.times : done.rows.times
    if isFinal {
      unread.add("positions of a camera beside those of records", done.unusedCamera)
      withoutPosition += done.withoutPosition
      firstWithoutPosition = firstWithoutPosition ?? done.firstWithoutPosition
    }
    let uptimes = times.count { $0 != Instant.absent && FITClock.isUptime($0) }
    if uptimes > 0, !done.clock.knowsUptime {
      try messages.warn(
        .uptime, "time since the start of the device, which nothing relates to a date, left out",
        count: uptimes)
    }
    if done.offEarth > 0 {
      try messages.warn(
        .invalidPosition, "position out of range, point left out", count: done.offEarth,
        at: Place(byteOffset: done.firstOffEarth))
    }
    guard isFinal else { return }
    for field in done.developerFields.unplaced {
      if let index = unplaced.firstIndex(where: { $0.name == field.name }) {
        unplaced[index].count += field.count
      } else {
        unplaced.append(field)
      }
    }
    var fields = done.developerFields
    fields.forget()
    if fields.lost > 0 {
      try messages.warn(
        .undescribedField, "value of a developer field that is not described, left out", count: fields.lost)
    }
    if wasOpen, done.sessions.count > 1 {
      try messages.warn(
        .sessionsNotParted, "sessions told behind more than \(rowLimit) points, left in one track")
    }
    if !hasFound, times.isEmpty, done.places.isEmpty, let type = done.type,
      ![.activity, .course].contains(type)
    {
      try messages.warn(.noTrackFile, "a FIT file of the type \(type), which holds no tracks")
    }
  }
}
