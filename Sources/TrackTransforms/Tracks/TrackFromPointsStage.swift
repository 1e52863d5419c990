public import TrackModel

/// Creates a track from timed waypoints, in the order of their times.
///
/// For files that contain a recording as points: Overland's GeoJSON, KML placemarks with a TimeStamp.
/// Waypoints without a time and a single timed waypoint are unchanged. The track follows the other content of
/// the file and has the file's name. The timed waypoints are held in memory.
public struct TrackFromPointsStage: TrackStage {
  private let isOnlyWithoutTrack: Bool
  private var points: [Waypoint] = []
  /// A track without points so far.
  private var held: StageOutput?
  private var hasTrack = false
  private var open = OpenContainers()
  /// The number of waypoints that became a track; 0 before the end of the stream.
  public private(set) var joined = 0
  private var name: String?

  /// Creates a stage for one stream.
  ///
  /// - Parameter onlyWithoutTrack: whether a file with a track that has points is left unchanged.
  public init(onlyWithoutTrack: Bool = false) { isOnlyWithoutTrack = onlyWithoutTrack }

  public var summary: String? {
    joined == 0
      ? nil : "track-from-points: \(Counted.of(joined, "waypoint")) joined into a track in time order"
  }

  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    guard held != nil, batch.count > 0 else { return }
    // The file has a track, so the points are waypoints.
    hasTrack = true
    for point in points { output.emit(.waypoint(point)) }
    points = []
    release(&output)
    output.move(&batch)
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .waypoint(let waypoint) where waypoint.time != nil && !(isOnlyWithoutTrack && hasTrack):
      points.append(waypoint)
      return
    case .header(let info), .annotation(.file(let info)): name = name ?? info.name
    case .beginTrack where isOnlyWithoutTrack && !hasTrack: held = StageOutput()
    default: break
    }
    open.take(event)
    if held == nil { output.emit(event) } else { held?.emit(event) }
    if case .endTrack = event { release(&output) }
  }

  private mutating func release(_ output: inout StageOutput) {
    if let held { output.append(held) }
    held = nil
  }

  public mutating func finish(_ output: inout StageOutput) {
    release(&output)
    guard !points.isEmpty else { return }
    // An interrupted stream may have left a line open, which must not contain the track.
    open.close(&output)
    guard points.count > 1 else {
      output.emit(.waypoint(points[0]))
      points = []
      return
    }
    joined = points.count
    // Points with equal times keep the order of the file.
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
