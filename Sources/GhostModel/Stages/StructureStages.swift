public import TrackModel

/// Begins a new track where nothing was recorded for longer than a limit: `--split-gap`.
public struct SplitGapStage: TrackStage {
  private let limit: Int64
  private var info = TrackInfo()
  private var parts = 1
  private var last: Int64?
  private var isInTrack = false
  private var splits = 0

  /// - Parameter seconds: the longest gap that stays one, above zero.
  public init(seconds: Double) {
    limit = Int64((max(0, min(3e11, seconds.isNaN ? 0 : seconds)) * 1e6).rounded())
  }

  public var summary: String? {
    splits == 0 ? nil : "split-gap: tracks split at \(Counted.of(splits, "gap"))"
  }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    switch event {
    case .beginTrack(let begun):
      info = begun
      parts = 1
      last = nil
      isInTrack = true
      output.emit(event)
    case .endTrack:
      isInTrack = false
      output.emit(event)
    case .points where isInTrack: split(batch, &output)
    default: output.pass(event, batch)
    }
  }

  private mutating func split(_ batch: borrowing PointBatch, _ output: inout StageOutput) {
    var columns = PointColumns()
    columns.append(batch)
    var first = 0
    for row in 0..<columns.count where columns.times[row] != Instant.absent {
      let time = columns.times[row]
      if let last, case let (gap, overflow) = time.subtractingReportingOverflow(last), overflow || gap > limit
      {
        output.emit(columns.rows(first..<row))
        first = row
        splits += 1
        parts += 1
        var next = info
        next.name = info.name.map { "\($0) (\(parts))" }
        for event: TrackEvent in [.endSegment, .endTrack, .beginTrack(next), .beginSegment] {
          output.emit(event)
        }
      }
      last = time
    }
    output.emit(columns.rows(first..<columns.count))
  }
}

/// Makes one track of all: `--merge`. The segments stay, in the order in which they come; waypoints and routes
/// follow behind the track.
public struct MergeStage: TrackStage {
  private var tracks = 0
  private var isInTrack = false
  private var later: [TrackEvent] = []
  private var laterPoints = StageOutput()

  public init() {}

  public var summary: String? { tracks < 2 ? nil : "merge: \(Counted.of(tracks, "track")) made one" }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    switch event {
    case .beginTrack(let info):
      tracks += 1
      isInTrack = true
      output.emit(tracks == 1 ? event : .annotation(.track(info)))
    case .endTrack: isInTrack = false
    case .header(let info) where tracks > 0: laterPoints.emit(.annotation(.file(info)))
    default:
      // Between two tracks nothing else may stand inside the one that is open.
      if tracks > 0, !isInTrack { laterPoints.pass(event, batch) } else { output.pass(event, batch) }
    }
  }

  public mutating func finish(_ output: inout StageOutput) {
    if tracks > 0 { output.emit(.endTrack) }
    output.append(laterPoints)
    laterPoints = StageOutput()
  }
}

/// Turns every track and route round: `--reverse`. Times run forwards again, with the same pace on each stretch;
/// courses point the other way, and the device's distance counts from the other end.
public struct ReverseStage: TrackStage {
  private var segments: [(points: PointColumns, after: [TrackEvent])] = []
  private var late: [TrackEvent] = []
  private var isInRoute = false
  private var isOpen = false
  private var reversed = 0

  public init() {}

  public var summary: String? {
    reversed == 0 ? nil : "reverse: \(Counted.of(reversed, "line")) turned round"
  }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    switch event {
    case .beginTrack, .beginRoute:
      isOpen = true
      segments = []
      late = []
      if case .beginRoute = event {
        isInRoute = true
        segments = [(PointColumns(), [])]
      }
      output.emit(event)
    case .beginSegment: segments.append((PointColumns(), []))
    case .points:
      if let last = segments.indices.last { segments[last].points.append(batch) }
    case .annotation(.extensions) where isOpen && !segments.isEmpty && !isInRoute:
      segments[segments.count - 1].after.append(event)
    case .annotation where isOpen: late.append(event)
    case .endSegment: break
    case .endTrack, .endRoute:
      emit(&output)
      output.emit(event)
      isOpen = false
      isInRoute = false
    default: output.emit(event)
    }
  }

  public mutating func finish(_ output: inout StageOutput) {
    // Only a stream that broke off leaves a line open.
    if isOpen { emit(&output) }
    isOpen = false
  }

  private mutating func emit(_ output: inout StageOutput) {
    reversed += 1
    let times = segments.flatMap { $0.points.times }.filter { $0 != Instant.absent }
    let sum = times.min().flatMap { least in
      times.max().map { greatest in least.addingReportingOverflow(greatest) }
    }
    let mirror = sum.flatMap { $0.overflow ? nil : $0.partialValue }
    let length =
      segments.compactMap { $0.points.values(of: .distance)?.filter { !$0.isNaN }.max() }.max() ?? 0
    for segment in segments.reversed() {
      if !isInRoute { output.emit(.beginSegment) }
      output.emit(segment.points.reversed(mirror: mirror, length: length))
      for event in segment.after { output.emit(event) }
      if !isInRoute { output.emit(.endSegment) }
    }
    for event in late { output.emit(event) }
    segments = []
  }
}

/// Makes a track of timed waypoints, in the order of their times: `--track-from-points`.
///
/// For files that hold a recording as points: Overland's GeoJSON, KML placemarks with a TimeStamp. Waypoints
/// without a time stay what they are.
public struct TrackFromPointsStage: TrackStage {
  private var points: [Waypoint] = []
  private var isOnlyWithoutTrack: Bool
  private var tracks = 0
  private var joined = 0
  private var name: String?

  /// - Parameter onlyWithoutTrack: whether a file that has a track of its own is left as it is.
  public init(onlyWithoutTrack: Bool = false) { isOnlyWithoutTrack = onlyWithoutTrack }

  public var summary: String? {
    joined == 0 ? nil : "track-from-points: \(Counted.of(joined, "waypoint")) joined to a track in time order"
  }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    switch event {
    case .waypoint(let waypoint) where waypoint.time != nil && !(isOnlyWithoutTrack && tracks > 0):
      points.append(waypoint)
    case .header(let info):
      name = name ?? info.name
      output.emit(event)
    default:
      if case .beginTrack = event {
        tracks += 1
        // The file has a track after all: the points are waypoints.
        if isOnlyWithoutTrack {
          for point in points { output.emit(.waypoint(point)) }
          points = []
        }
      }
      output.pass(event, batch)
    }
  }

  public mutating func finish(_ output: inout StageOutput) {
    guard !points.isEmpty else { return }
    guard points.count > 1 else {
      output.emit(.waypoint(points[0]))
      return
    }
    joined = points.count
    // Equal times keep the order of the file.
    let order = points.indices.sorted { left, right in
      let times = (points[left].time?.microseconds ?? 0, points[right].time?.microseconds ?? 0)
      return times.0 == times.1 ? left < right : times.0 < times.1
    }
    var columns = PointColumns()
    for index in order {
      columns.append(
        points[index].coordinate, time: points[index].time, values: points[index].values,
        details: points[index].details)
    }
    points = []
    output.emit(.beginTrack(TrackInfo(name: name)))
    output.emit(.beginSegment)
    output.emit(columns)
    output.emit(.endSegment)
    output.emit(.endTrack)
  }
}
