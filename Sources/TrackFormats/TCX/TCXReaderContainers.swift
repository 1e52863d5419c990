import TrackModel

/// What is said about the file, activities, courses and laps.
extension TCXReader {
  /// Gives an event now and the last token again with the next call.
  mutating func again(_ event: TrackEvent) -> TrackEvent {
    tokens.unread()
    return event
  }

  mutating func header() -> TrackEvent? {
    guard !hasSentHeader else { return nil }
    hasSentHeader = true
    defer { file = FileInfo() }
    return again(.header(file))
  }

  /// What is to be said of the track before its next segment or its end: all at first, later what is new.
  mutating func beginTrack() -> TrackEvent? {
    guard !hasSentTrack || !track.isEmpty else { return nil }
    let event: TrackEvent = hasSentTrack ? .annotation(.track(track)) : .beginTrack(track)
    hasSentTrack = true
    track = TrackInfo()
    return again(event)
  }

  /// Makes the open lap, if any, part of what is said of the track, before its points.
  mutating func takeLap() {
    guard nodes[nodes.count - 1] == .lap, !hasTakenLap else { return }
    hasTakenLap = true
    track.laps.append(lap)
  }

  mutating func endLap() {
    if !hasTakenLap { track.laps.append(lap) }
    hasTakenLap = true
    if let rest = lapRest.element { track.extensions.append(rest) }
    lapRest = TCXLapRest()
  }

  func wrongRoot() -> TrackError {
    TrackError(
      .unknownFormat, "the root element is no TrainingCenterDatabase", place: tokens.place,
      suggestion: .listFormats)
  }

  mutating func misplaced(_ element: TCXElement) throws(TrackError) {
    if element != .other {
      try tokens.warn(.misplacedElement, "element where TCX has none, kept as an extension")
    }
  }

  mutating func fileValue(_ element: TCXElement, _ token: XMLToken) throws(TrackError) -> TrackEvent? {
    switch element {
    case .activity, .course:
      if let event = header() { return event }
      queue.append(.endTrack)
      var info = TrackInfo()
      if element == .course { info.type = TCXReader.courseType }
      return .beginTrack(info)
    case .other:
      // A group that is empty says nothing.
      if nodes[nodes.count - 1] == .database, !tokens.isBlank(token) { deliver(foreignLeaf(token)) }
    case .notes: file.description = file.description ?? tokens.trimmedText(of: token)
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
      takeLap()
      if let event = beginTrack() { return event }
      queue.append(.endSegment)
      return .beginSegment
    case (.lap, .totalTime) where !hasTakenLap: lap.timerTime = try number(token)
    case (.lap, .distance) where !hasTakenLap: lap.distance = try number(token)
    case (.lap, .calories) where !hasTakenLap: lap.calories = try number(token)
    case (.lap, .trigger) where !hasTakenLap: lap.trigger = tokens.trimmedText(of: token)
    case (.lap, .intensity) where tokens.trimmedText(of: token) == "Active": break
    case (.lap, _):
      if element == .value { try misplaced(element) }
      if element != .extensions { lapRest.add(foreignLeaf(token)) }
    case (.activity, .id):
      if let reading = tokens.time(of: token) {
        track.timeSpan = TimeSpan(begin: reading.instant)
      } else if !tokens.isBlank(token) {
        track.extensions.append(foreignLeaf(token))
      }
    case (.course, .name): track.name = track.name ?? tokens.trimmedText(of: token)
    case (_, .notes): track.description = track.description ?? tokens.trimmedText(of: token)
    case (_, .lap): track.laps.append(Lap())
    case (_, .extensions), (_, .coursePoint): break
    default:
      try misplaced(element)
      track.extensions.append(foreignLeaf(token))
    }
    return nil
  }

  /// What the track that a course makes has for a type.
  static let courseType = "Course"
}
