import TrackModel

/// The segments of a phone's export, put together: it keeps the points on the way apart from the activities,
/// in windows of two hours, and in no order that one could rely on.
///
/// Holds 28 bytes a point: about a quarter of what the file takes for it.
struct TimelineAssembly {
  private var activities: [TimelineEntry] = []
  private var visits: [Waypoint] = []
  // The points of all paths.
  private var points: [TimelineEntry.PathPoint] = []
  /// The path of each point, as the index of its entry.
  private var windows: [UInt32] = []
  private var windowCount: UInt32 = 0
  private var isUsed: [Bool] = []
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

  /// The next visit, activity or stretch of points outside of activities; nil after the last.
  ///
  /// - Parameter options: tell which are kept.
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
    // Both sorts keep the order of the file among equals.
    activities.sort { ($0.start ?? Instant(microseconds: .min)) < ($1.start ?? Instant(microseconds: .min)) }
    isUsed = Array(repeating: false, count: points.count)
    let isInOrder = zip(points, points.dropFirst()).allSatisfy { $0.time <= $1.time }
    guard !isInOrder else { return }
    let order = points.indices.sorted { (points[$0].time, $0) < (points[$1].time, $1) }
    points = order.map { points[$0] }
    windows = order.map { windows[$0] }
  }

  /// The points between the start and the end of an activity. One that stands exactly there is what the
  /// activity says of that end itself, and is no way of its own either.
  private mutating func takePoints(of activity: TimelineEntry) -> [TimelineEntry.PathPoint] {
    guard let start = activity.start?.microseconds, let end = activity.end?.microseconds, start < end else {
      return []
    }
    var taken: [TimelineEntry.PathPoint] = []
    var index = points.partitionIndex { $0.time >= start }
    while index < points.count, points[index].time <= end {
      let isSaid =
        points[index].time == start && activity.startPlace != nil
        || points[index].time == end && activity.endPlace != nil
      if !isSaid { taken.append(points[index]) }
      isUsed[index] = true
      index += 1
    }
    return taken
  }

  /// Points of one path in a row that belong to no activity; one alone is a place and no way.
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
    track.info.coarseness = TimelineEntry.coarseness(points[first..<nextPoint])
    return .track(track)
  }
}
