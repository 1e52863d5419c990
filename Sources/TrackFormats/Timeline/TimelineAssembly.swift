import TrackModel

/// Merges the points and activities of a phone's export, which stores points separately in windows of two
/// hours and in no reliable order.
///
/// Needs 28 bytes per point, about a quarter of its size in the file.
struct TimelineAssembly {
  private var activities: [TimelineEntry] = []
  private var visits: [Waypoint] = []
  // The points of all paths.
  private var points: [TimelineEntry.PathPoint] = []
  /// The index of the path of each point.
  private var windows: [UInt32] = []
  private var windowCount: UInt32 = 0
  private var isUsed: [Bool] = []
  /// The first point that is not in an earlier activity.
  private var firstFree = 0
  private var isSorted = false
  private var nextItem = 0
  private var nextPoint = 0

  var isEmpty: Bool { activities.isEmpty && visits.isEmpty && points.isEmpty }

  mutating func add(_ entry: TimelineEntry) {
    if let visit = entry.waypoint { visits.append(visit) }
    if entry.isActivity { activities.append(entry) }
    guard !entry.path.isEmpty else { return }
    points += entry.path
    windows += repeatElement(windowCount, count: entry.path.count)
    windowCount &+= 1
  }

  enum Item {
    case waypoint(Waypoint)
    case track(TimelineTrack)
  }

  /// Returns the next visit, activity or stretch of points outside activities, or `nil` after the last.
  ///
  /// - Parameter options: the activities to keep.
  mutating func next(_ options: TimelineOptions) -> Item? {
    if !isSorted { sort() }
    while nextItem < visits.count + activities.count {
      let index = nextItem
      nextItem += 1
      if index < visits.count {
        if !options.isSelective { return .waypoint(visits[index]) }
        continue
      }
      let activity = activities[index - visits.count]
      let extra = takePoints(of: activity)
      if options.keeps(activity.type) { return .track(activity.track(extra: extra)) }
    }
    return options.isSelective ? nil : nextRest()
  }

  private mutating func sort() {
    isSorted = true
    // Both sorts are stable.
    activities.sort { ($0.start ?? Instant(microseconds: .min)) < ($1.start ?? Instant(microseconds: .min)) }
    isUsed = Array(repeating: false, count: points.count)
    let isInOrder = zip(points, points.dropFirst()).allSatisfy { $0.time <= $1.time }
    guard !isInOrder else { return }
    let order = points.indices.sorted { (points[$0].time, $0) < (points[$1].time, $1) }
    points = order.map { points[$0] }
    windows = order.map { windows[$0] }
  }

  /// Returns the points strictly between the start and the end of an activity that are in no earlier one.
  /// Points exactly at its ends duplicate the activity's own positions.
  private mutating func takePoints(of activity: TimelineEntry) -> [TimelineEntry.PathPoint] {
    guard let start = activity.start?.microseconds, let end = activity.end?.microseconds, start < end else {
      return []
    }
    var taken: [TimelineEntry.PathPoint] = []
    var index = max(points.partitionIndex { $0.time >= start }, firstFree)
    while index < points.count, points[index].time <= end {
      let isSaid =
        points[index].time == start && activity.startPlace != nil
        || points[index].time == end && activity.endPlace != nil
      if !isSaid { taken.append(points[index]) }
      isUsed[index] = true
      index += 1
    }
    firstFree = max(firstFree, index)
    return taken
  }

  /// Returns consecutive points of one path outside activities. A single point is not a track.
  private mutating func nextRest() -> Item? {
    while nextPoint < points.count, isUsed[nextPoint] { nextPoint += 1 }
    guard nextPoint < points.count else { return nil }
    let window = windows[nextPoint]
    var track = TimelineTrack(info: TrackInfo(), points: PointColumns())
    let first = nextPoint
    while nextPoint < points.count, !isUsed[nextPoint], windows[nextPoint] == window {
      let point = points[nextPoint]
      track.points.append(point.coordinate, time: Instant(present: point.time))
      nextPoint += 1
    }
    if nextPoint - first == 1 {
      return .waypoint(
        Waypoint(coordinate: points[first].coordinate, time: Instant(present: points[first].time)))
    }
    track.info.resolution = TimelineEntry.resolution(points[first..<nextPoint])
    return .track(track)
  }
}
