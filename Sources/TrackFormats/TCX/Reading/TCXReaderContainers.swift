import TrackModel

/// Information about the file, activities, courses and laps.
extension TCXReader {
  /// Returns the event with the information about the track that no event has contained yet, or nil.
  mutating func trackEvent() -> TrackEvent? {
    guard !hasSentTrack || !track.isEmpty else { return nil }
    let event: TrackEvent = hasSentTrack ? .annotation(.track(track)) : .beginTrack(track)
    hasSentTrack = true
    track = TrackInfo()
    return event
  }

  /// Returns the same event before the current token, which is processed again.
  mutating func beginTrack() -> TrackEvent? {
    guard let event = trackEvent() else { return nil }
    return again(event)
  }

  mutating func queueCoursePoints() {
    for point in coursePoints { state.queue.append(.waypoint(point)) }
    coursePoints = []
  }

  /// Adds the open lap, if any, to the information about the track, before its points.
  mutating func takeLap() throws(TrackError) {
    guard nodes[nodes.count - 1] == .lap, !hasTakenLap else { return }
    hasTakenLap = true
    if try hasRoom((lap.trigger?.utf8.count ?? 0) + (lapRest.start?.utf8.count ?? 0)) {
      track.laps.append(lap)
    } else {
      lapRest = TCXLapRest()
    }
  }

  /// Adds the elements of the open lap that the model cannot represent.
  mutating func endLap() {
    if let rest = lapRest.element { track.extensions.append(rest) }
    lapRest = TCXLapRest()
  }

  func wrongRoot() -> TrackError {
    TrackError(
      .unknownFormat, "the root element is not TrainingCenterDatabase", place: tokens.place,
      suggestion: .listFormats)
  }

  mutating func misplaced(_ element: TCXElement) throws(TrackError) {
    if element != .other {
      try tokens.warn(.misplacedElement, "element not allowed here in TCX, kept as an extension")
    }
  }

  mutating func fileValue(_ element: TCXElement, _ token: XMLToken) throws(TrackError) -> TrackEvent? {
    switch element {
    case .activity, .course:
      if let event = header() { return event }
      state.queue.append(.endTrack)
      var info = TrackInfo()
      if element == .course { info.type = TrackInfo.courseType }
      return .beginTrack(info)
    case .other:
      // An empty group is ignored.
      if nodes[nodes.count - 1] == .database, !tokens.isBlank(token), let leaf = try keptLeaf(token) {
        deliver(leaf)
      }
    case .notes: state.file.description = state.file.description ?? tokens.trimmedText(of: token)
    // The Id of a session is that of its first activity.
    default: break
    }
    return nil
  }

  mutating func containerValue(
    _ element: TCXElement, _ token: XMLToken
  ) throws(TrackError) -> TrackEvent? {
    let node = nodes[nodes.count - 1]
    switch (node, element) {
    case (_, .track):
      try takeLap()
      if let event = beginTrack() { return event }
      state.queue.append(.endSegment)
      return .beginSegment
    case (.lap, .totalTime) where !hasTakenLap: lap.timerTime = try tokens.readNumber(token)
    case (.lap, .distance) where !hasTakenLap: lap.distance = try tokens.readNumber(token)
    case (.lap, .calories) where !hasTakenLap: lap.calories = try tokens.readNumber(token)
    case (.lap, .trigger) where !hasTakenLap: lap.trigger = tokens.trimmedText(of: token)
    case (.lap, .intensity) where tokens.trimmedText(of: token) == "Active": break
    case (.lap, _):
      if element == .value { try misplaced(element) }
      if element != .extensions, let leaf = try keptLeaf(token) { lapRest.add(leaf) }
    case (.activity, .id):
      if let reading = tokens.time(of: token) {
        track.timeSpan = TimeSpan(begin: reading.instant)
      } else if !tokens.isBlank(token) {
        if let leaf = try keptLeaf(token) { track.extensions.append(leaf) }
      }
    case (.course, .name): track.name = track.name ?? tokens.trimmedText(of: token)
    case (_, .notes): track.description = track.description ?? tokens.trimmedText(of: token)
    case (_, .lap): if try hasRoom() { track.laps.append(Lap()) }
    case (_, .extensions), (_, .coursePoint): break
    default:
      try misplaced(element)
      if let leaf = try keptLeaf(token) { track.extensions.append(leaf) }
    }
    return nil
  }
}
