public import TrackModel

/// Assigns a time to each point of a track without times, including drives.
///
/// The coordinates of a drive (`DriveElement`) are evenly distributed in time over its duration. Any other
/// track is assumed to have a constant speed over all segments and the gaps between them. If all points are
/// at one position, they are distributed by index. The first point gets the start, the last one the end.
/// Without a start time, times start at `DriveElement.unknownStart`, and the track is marked so that it has
/// no start time when it is read again.
///
/// Only tracks with at least two points and without any times are changed. A track is held in memory.
public struct SpreadTimesStage: TrackStage {
  /// The values that determine times in addition to those in the file.
  public struct Pace: Sendable, Hashable {
    /// The duration of a track, in seconds.
    public var duration: Double?
    /// The speed in metres per second.
    public var speed: Double?
    /// The start of a track.
    public var start: Instant?

    /// Creates a pace. Without any value, times are taken only from the file.
    public init(duration: Double? = nil, speed: Double? = nil, start: Instant? = nil) {
      self.duration = duration
      self.speed = speed
      self.start = start
    }

    /// The names of the values that are set, for messages.
    fileprivate var names: [String] {
      (duration == nil ? [] : ["duration"]) + (speed == nil ? [] : ["speed"])
        + (start == nil ? [] : ["start"])
    }
  }

  /// The tracks to which times are added.
  public enum Scope: Sendable, Hashable {
    /// For drives only.
    case drives
    /// Drives, and other tracks whose start and end are in the file or whose pace is given.
    case all
  }

  private enum Item: Sendable {
    case event(TrackEvent)
    case points(PointColumns)
  }

  private let scope: Scope
  private let pace: Pace
  private let keepsIdentity: Bool
  private var held: [Item] = []
  private var info: TrackInfo?
  private var spread = 0
  private var even = 0
  private var startless = 0
  private let reportsUnusedPace: Bool
  /// The numbers of tracks whose points have times, of those whose times count from an unknown start, of
  /// drives with a duration, and of tracks without enough information for times.
  private var timed = 0
  private var startlessTimed = 0
  private var lasting = 0
  private var endless = 0

  /// Creates a stage for one stream.
  ///
  /// - Parameters:
  ///   - scope: the tracks to which times are added.
  ///   - pace: the values that determine times in addition to those in the file.
  ///   - keepsIdentity: whether drives keep their identity. Otherwise later stages change them, and their
  ///     identifier, duration and distance are removed.
  ///   - reportsUnusedPace: whether to warn about tracks that the pace does not apply to.
  public init(
    _ scope: Scope = .all, pace: Pace = Pace(), keepsIdentity: Bool = true, reportsUnusedPace: Bool = true
  ) {
    self.scope = scope
    self.pace = pace
    self.keepsIdentity = keepsIdentity
    self.reportsUnusedPace = reportsUnusedPace
  }

  public var warnings: [TrackWarning] {
    guard reportsUnusedPace else { return [] }
    // Another stage applies the start to times that count from an unknown one.
    var withoutStart = pace
    withoutStart.start = nil
    let found = [
      (timed, "the recording has times", pace.names, nil),
      (startlessTimed, "the recording has times", withoutStart.names, nil),
      (lasting, "the drive has a duration", pace.names, nil),
      (endless, "neither times nor a duration", pace.names, Suggestion.provideDurationOrSpeed),
    ]
    return found.compactMap { count, reason, names, suggestion in
      guard count > 0, !names.isEmpty else { return nil }
      let unused = names.joined(separator: " and ") + (names.count > 1 ? " are" : " is")
      return TrackWarning(
        .unusedOption, "\(reason); the given \(unused) ignored", count: count, suggestion: suggestion)
    }
  }

  public var summary: String? {
    var parts: [String] = []
    if spread > 0 { parts.append("\(Counted.of(spread, "track")) assigned times by distance") }
    if even > 0 { parts.append("\(Counted.of(even, "drive")) assigned times evenly over the duration") }
    if startless > 0 {
      parts.append("\(startless) without a start time, counted from \(DriveElement.unknownStart)")
    }
    return parts.isEmpty ? nil : "spread-times: " + parts.joined(separator: ", ")
  }

  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    guard info != nil else { return }
    let timedRow = (0..<batch.count).first { batch.times[$0] != Instant.absent }
    let firstTime = timedRow.flatMap { batch.time(at: $0) }
    held.append(.points(PointColumns(batch)))
    batch.removeAll()
    // A track with times need not be held.
    if let firstTime {
      if DriveElement.isFromUnknownStart(firstTime) { startlessTimed += 1 } else { timed += 1 }
      emit(&output)
    }
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    if case .beginTrack(let begun) = event, scope == .all || begun.extensions.contains(where: \.isDrive) {
      info = begun
    }
    guard info != nil else { return output.emit(event) }
    switch event {
    case .annotation(.track(let more)):
      info?.merge(more)
      held.append(.event(event))
    default: held.append(.event(event))
    }
    if case .endTrack = event {
      giveTimes()
      emit(&output)
    }
  }

  public mutating func finish(_ output: inout StageOutput) {
    // The end of an interrupted track is unknown, so it gets no times.
    emit(&output)
  }

  private mutating func emit(_ output: inout StageOutput) {
    for item in held {
      switch item {
      case .event(.beginTrack(let info)):
        output.emit(.beginTrack(keepsIdentity ? info : info.withoutIdentity))
      case .event(let event): output.emit(event)
      case .points(let points): output.emit(points)
      }
    }
    held = []
    info = nil
  }

  private mutating func giveTimes() {
    guard let info else { return }
    /// The distance from the first point to each point, in metres.
    var along: [Double] = []
    var last: GeodeticPoint?
    for case .points(let points) in held {
      for row in 0..<points.count {
        guard points.times[row] == Instant.absent else { return }
        let point = GeodeticPoint(points.coordinate(at: row))
        along.append((along.last ?? 0) + (last.map { Geodesy.distance(from: $0, to: point) } ?? 0))
        last = point
      }
    }
    guard along.count > 1, let total = along.last else { return }
    guard let (begin, end) = ends(info, length: total) else {
      endless += 1
      return
    }
    let isDrive = info.extensions.contains { $0.isDrive }
    let isByDistance = total > 0 && !isDrive
    var times: [Int64] = []
    for (index, distance) in along.enumerated() {
      let fraction = isByDistance ? distance / total : Double(index) / Double(along.count - 1)
      guard let time = index == along.count - 1 ? end : begin.interpolated(to: end, fraction: fraction) else {
        return
      }
      times.append(time.microseconds)
    }
    if isDrive { even += 1 } else { spread += 1 }
    if pace.duration != nil || pace.speed != nil {
      if info.durationOfDrive != nil {
        lasting += 1
      } else if isDrive {
        setDuration(end.seconds(since: begin))
      }
    }
    if begin == DriveElement.unknownStart {
      startless += 1
      mark()
    }
    var first = 0
    for index in held.indices {
      guard case .points(let points) = held[index] else { continue }
      held[index] = .points(points.with(times: Array(times[first..<(first + points.count)])))
      first += points.count
    }
  }

  /// Returns the start and the end of a track, if known.
  private func ends(_ info: TrackInfo, length: Double) -> (Instant, Instant)? {
    let seconds = info.durationOfDrive ?? pace.duration ?? pace.speed.map { length / $0 }
    let begin = pace.start ?? info.timeSpan?.begin
    if let seconds, seconds > 0 {
      let begin = begin ?? DriveElement.unknownStart
      return begin.advanced(bySeconds: seconds).map { (begin, $0) }
    }
    if let begin, let end = info.timeSpan?.end, begin < end { return (begin, end) }
    // The points of a drive without a duration share one time.
    guard let element = info.extensions.first(where: \.isDrive),
      element.value(of: DriveElement.duration).flatMap({ Double($0) }) == 0
    else { return nil }
    let only = begin ?? DriveElement.unknownStart
    return (only, only)
  }

  /// Marks that the track's times start at ``DriveElement/unknownStart``.
  private mutating func mark() {
    set(DriveElement.clock, DriveElement.artificialClock)
  }

  /// Changes the duration of a drive.
  private mutating func setDuration(_ seconds: Double) {
    set(DriveElement.duration, "\(seconds)")
    for index in held.indices {
      guard case .event(.beginTrack(var info)) = held[index], let begin = info.timeSpan?.begin else {
        continue
      }
      info.timeSpan?.end = begin.advanced(bySeconds: seconds)
      held[index] = .event(.beginTrack(info))
    }
  }

  /// Sets an attribute of the track's ``DriveElement``.
  private mutating func set(_ name: String, _ value: String) {
    for index in held.indices {
      guard case .event(.beginTrack(var info)) = held[index] else { continue }
      let attribute = ExtensionElement.Attribute(name: name, value: value)
      if let drive = info.extensions.firstIndex(where: \.isDrive) {
        info.extensions[drive].attributes.removeAll { $0.name == name }
        info.extensions[drive].attributes.append(attribute)
      } else {
        info.extensions.append(DriveElement.make([attribute]))
      }
      held[index] = .event(.beginTrack(info))
    }
  }
}

extension TrackInfo {
  /// The duration of a drive in seconds if it is not 0.
  fileprivate var durationOfDrive: Double? { extensions.lazy.compactMap(RecordedDrive.init).first?.duration }

  /// The information without the drive document's values about the points. The mark of artificial times is
  /// kept.
  fileprivate var withoutIdentity: TrackInfo {
    var info = self
    info.extensions = extensions.map { element in
      guard element.isDrive else { return element }
      return DriveElement.make(element.attributes.filter { $0.name == DriveElement.clock })
    }
    return info
  }
}

extension TrackWarning.Code {
  /// A value or an option has no effect on a recording, for example a duration if it has times.
  public static let unusedOption = Self("unused-option")
}
