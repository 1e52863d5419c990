import TrackModel

/// A point of a log.
struct LogPoint {
  var latitude: Double
  var longitude: Double
  /// Microseconds since 1970, or ``Instant/absent``.
  var time = Instant.absent
  /// The channels with a value.
  private var channels: ChannelSet = []
  private var numbers = [32 of Double](repeating: .nan)

  init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The value of a channel in its unit. Setting nil has no effect.
  subscript(channel: Channel) -> Double? {
    get { channels.contains(channel) ? numbers[Int(channel.rawValue)] : nil }
    set {
      guard let newValue else { return }
      channels.insert(ChannelSet(channel))
      numbers[Int(channel.rawValue)] = newValue
    }
  }

  var isValid: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }

  /// Appends the point to a batch that is not full.
  @inline(__always)
  func append(to batch: inout PointBatch) {
    batch.append(latitude: latitude, longitude: longitude, time: time)
    for channel in channels.channels { batch.set(channel, numbers[Int(channel.rawValue)]) }
  }
}

/// An entry of a log.
enum LogEntry {
  case point(LogPoint, starts: LogStart? = nil)
  /// The following points are a new track.
  case track(TrackInfo)
  case waypoint(Waypoint)
  /// More of the description of the track, which follows its points.
  case late(TrackInfo)
}

/// A part of a log that begins with a point.
enum LogStart {
  case segment
  indirect case track(TrackInfo)
}

/// The part of a log's reader that depends on the format.
protocol LogSource: ~Copyable {
  var log: WarningLog { get set }

  /// Reads up to the next entry.
  ///
  /// - Returns: nil at the end of the log.
  /// - Throws: at the end, if the log has no content of the format.
  mutating func next() throws(TrackError) -> LogEntry?
}

/// A reader of a format that is a sequence of points, with marks between tracks or segments.
///
/// Tracks and segments without points are omitted. Waypoints are delivered at once outside of tracks, and
/// otherwise after the track.
struct LogReader<Source: LogSource & ~Copyable>: TrackReader, ~Copyable {
  private var source: Source
  private let options: ReadingOptions
  private var queue = EventQueue()
  private var pendingError: TrackError?
  private var isAtEnd = false

  private var isInTrack = false
  /// What the next track is called.
  private var info = TrackInfo()
  private var startsSegment = false
  private var lateInfo = TrackInfo()
  /// The first point of a segment, which follows the events before it.
  private var waitingPoint: LogPoint?
  private var waypoints: [Waypoint] = []
  private var waypointSize = 0
  private var hasContent = false

  init(_ source: consuming Source, options: ReadingOptions) {
    self.source = source
    self.options = options
    queue.append(.header(FileInfo()))
  }

  var warnings: [TrackWarning] { source.log.warnings }

  mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    while true {
      if let event = queue.popFirst() { return event }
      if let error = pendingError {
        pendingError = nil
        isAtEnd = true
        throw error
      }
      if let point = waitingPoint {
        point.append(to: &batch)
        waitingPoint = nil
      }
      guard !isAtEnd || batch.count > 0 else { return nil }
      do throws(TrackError) {
        while !isAtEnd, !batch.isFull, queue.isEmpty, waitingPoint == nil {
          guard let entry = try source.next() else {
            isAtEnd = true
            endTrack()
            break
          }
          try take(entry, &batch)
        }
      } catch {
        try recover(from: error)
      }
      if batch.count > 0 { return .points }
    }
  }

  private mutating func take(_ entry: LogEntry, _ batch: inout PointBatch) throws(TrackError) {
    switch entry {
    case .point(let point, let start):
      hasContent = true
      switch start {
      case .segment: startsSegment = true
      case .track(let info): beginTrack(info)
      case nil: break
      }
      if isInTrack, !startsSegment {
        point.append(to: &batch)
        return
      }
      if isInTrack { queue.append(.endSegment) } else { queue.append(.beginTrack(info)) }
      queue.append(.beginSegment)
      isInTrack = true
      startsSegment = false
      waitingPoint = point
    case .track(let info): beginTrack(info)
    case .waypoint(let waypoint): try take(waypoint)
    case .late(let info): lateInfo.merge(info)
    }
  }

  private mutating func take(_ waypoint: Waypoint) throws(TrackError) {
    hasContent = true
    guard isInTrack else { return queue.append(.waypoint(waypoint)) }
    waypointSize +=
      KeptBudget.entrySize + (waypoint.details.name ?? "").utf8.count
      + (waypoint.details.description ?? "").utf8.count
    guard waypointSize <= options.limits.waitingSize else {
      return try source.log.report(
        .limitExceeded, KeptBudget(options.limits).waitingMessage, isStrict: options.isStrict)
    }
    waypoints.append(waypoint)
  }

  private mutating func beginTrack(_ info: TrackInfo) {
    endTrack()
    self.info = info
  }

  private mutating func endTrack() {
    if isInTrack {
      queue.append(.endSegment)
      if !lateInfo.isEmpty { queue.append(.annotation(.track(lateInfo))) }
      queue.append(.endTrack)
    }
    lateInfo = TrackInfo()
    isInTrack = false
    startsSegment = false
    for waypoint in waypoints { queue.append(.waypoint(waypoint)) }
    waypoints = []
    waypointSize = 0
  }

  /// Delivers everything before a fault. A truncated log is complete up to its last entry.
  private mutating func recover(from error: TrackError) throws(TrackError) {
    isAtEnd = true
    guard error.code == .truncated, !options.isStrict, hasContent else {
      pendingError = error
      return
    }
    try source.log.report(
      .truncated, "the file ends inside an entry; complete data is kept", at: error.place)
    endTrack()
  }
}
