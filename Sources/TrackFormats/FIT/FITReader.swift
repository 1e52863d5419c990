public import TrackModel

/// Reads FIT: activities, courses and saved places, also several files one behind the other.
///
/// A session is a track, and what the timer ran through from one start to the next a segment of it. Records
/// without a position are left out and counted; so are sessions without any. The points of a course are one
/// track of the type `Course`; course points and saved places are waypoints in front of the tracks. Positions of
/// a camera (`gps_metadata`) stand in where records have none. Files of other types hold no tracks: a warning
/// says which type it is, and ``FITFileType/peek(_:)`` tells beforehand.
///
/// Sessions, laps and the meaning of developer fields follow the records that they are about. So the points of a
/// file wait for its end, up to 262,144 of them (three days at one a second); beyond, they are delivered as they
/// come, as one track, and what comes late is said late.
///
/// Positions come to nine decimals. A damaged file is read up to the damage, with a warning.
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
  /// How many tracks and places were found in the open file.
  private var found = 0
  private var withoutPosition = 0
  private var firstWithoutPosition: Int?

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
    guard withoutPosition > 0 else { return messages.log.warnings }
    // Devices record in tunnels as well, so this is no flaw that strict reading refuses.
    return messages.log.warnings + [
      TrackWarning(
        .missingPosition, "record without a position, left out", count: withoutPosition,
        place: Place(byteOffset: firstWithoutPosition))
    ]
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
          gathering.take(
            definition, messages.payload, timestamp: messages.timestamp, offset: messages.offset)
        }
        if gathering.rows.count >= rowLimit || gathering.cameraRows.count >= rowLimit {
          try flush(isFinal: false)
          return
        }
      case .endOfFile:
        try flush(isFinal: true)
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
    pendingError = error
    do {
      if canRecover {
        try messages.warn(
          error.code == .truncated ? .truncated : .damaged,
          "\(error.message), what came before is kept", at: error.place)
        pendingError = nil
        isAtEnd = true
      }
      try flush(isFinal: true)
    } catch {
      // Only a strict reader throws here, which has its error already.
      pendingError = pendingError ?? error
    }
  }

  // MARK: Delivery

  /// Turns what was gathered into steps.
  private mutating func flush(isFinal: Bool) throws(TrackError) {
    var assembly = FITAssembly(gathering, openTrack: openTrack)
    assembly.assemble(isFinal: isFinal)
    var all: [FITStep] = []
    if let header = header() { all.append(.event(header)) }
    // A waypoint has no place inside a track that is open.
    let places = isFinal ? gathering.places.map { FITStep.event(.waypoint(waypoint($0))) } : []
    all += openTrack == nil ? places + assembly.steps : assembly.steps + places
    found += places.count + assembly.steps.count
    let wasOpen = openTrack != nil
    openTrack = assembly.openTrack
    steps = all.reversed()
    clock = gathering.clock
    rows = FITAssembly.usesCamera(gathering) ? gathering.cameraRows : gathering.rows
    let done = gathering
    if isFinal {
      gathering = FITGathering()
    } else {
      gathering.rows = FITRows()
      gathering.cameraRows = FITRows()
      gathering.timerStarts = assembly.unreachedStarts.map {
        FITGathering.TimerStart(time: $0.time, row: 0, cameraRow: 0)
      }
    }
    try report(done, isFinal: isFinal, wasOpen: wasOpen)
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
    var done = done
    let uptimes = rows.times.count { $0 != Instant.absent && FITClock.isUptime($0) }
    if uptimes > 0, !done.clock.knowsUptime {
      try messages.warn(
        .uptime, "time since the start of the device, which nothing relates to a date, left out",
        count: uptimes)
    }
    gathering.forgetOffEarth()
    if done.offEarth > 0 {
      try messages.warn(.invalidPosition, "position out of range, point left out", count: done.offEarth)
    }
    done.developerFields.forget()
    if !isFinal { gathering.developerFields.forget() }
    guard isFinal else { return }
    if done.developerFields.lost > 0 {
      try messages.warn(
        .undescribedField, "value of a developer field that is not described, left out",
        count: done.developerFields.lost)
    }
    if wasOpen, done.sessions.count > 1 {
      try messages.warn(
        .sessionsNotParted, "sessions told behind more than \(rowLimit) points, left in one track")
    }
    withoutPosition += done.withoutPosition
    firstWithoutPosition = firstWithoutPosition ?? done.firstWithoutPosition
    defer { found = 0 }
    if found == 0, let type = done.type, ![.activity, .course].contains(type) {
      try messages.warn(.noTrackFile, "a FIT file of the type \(type), which holds no tracks")
    }
  }
}
