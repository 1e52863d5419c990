import TrackModel

/// The grammar: the handling of each token in its context.
extension TCXReader {
  mutating func handle(_ token: XMLToken, _ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    let element = TCXElement(rawValue: token.code) ?? .other
    switch token.kind {
    case .leaf: return try leaf(element, token)
    case .start: return try start(element, token)
    case .end: return try end(&batch)
    case .text: try text(token)
    case .attribute: try attribute(element, token)
    case .unresolvedEntity: break
    case .namespace:
      if nodes.count == 2 { addNamespace(token) }
    }
    return nil
  }

  mutating func start(_ element: TCXElement, _ token: XMLToken) throws(TrackError) -> TrackEvent? {
    switch (nodes[nodes.count - 1], element) {
    case (.trackpoint, .position), (.coursePoint, .position): nodes.append(.position)
    case (.track, .trackpoint):
      nodes.append(.trackpoint)
      beginPoint()
    case (.trackpoint, .heartRate): nodes.append(.heartRate)
    case (.foreign, _): beginForeign(token)
    case (.trackpoint, .extensions): nodes.append(.extensions)
    case (.extensions, .sensors) where isInTrackpoint:
      nodes.append(.sensors)
      state.container = nil
      state.containerToken = token
    case (.sensors, .speed), (.sensors, .runCadence), (.sensors, .watts): beginValue(element)
    case (.lap, .track), (.course, .track), (.activity, .track):
      try takeLap()
      if let event = beginTrack() { return event }
      nodes.append(.track)
      return .beginSegment
    case (.activity, .lap), (.course, .lap):
      nodes.append(.lap)
      lap = Lap()
      lapRest = TCXLapRest()
      hasTakenLap = false
    case (.course, .coursePoint), (.activity, .coursePoint):
      nodes.append(.coursePoint)
      beginPoint()
    case (.database, .activity), (.group, .activity), (.database, .course), (.group, .course):
      if let event = header() { return event }
      nodes.append(element == .activity ? .activity : .course)
      track = TrackInfo()
      if element == .course { track.type = TrackInfo.courseType }
      hasSentTrack = false
      state.foreign.budget.begin(.track)
      state.foreign.budget.begin(.waiting)
    case (.group, .transition):
      try tokens.warn(.misplacedElement, "transition between two sports, skipped")
      try tokens.skipElement()
    case (.database, .activities), (.database, .courses), (.group, .multiSportSession), (.group, .firstSport),
      (.group, .nextSport):
      nodes.append(.group)
    case (.document, .database): nodes.append(.database)
    case (.document, _): throw wrongRoot()
    case (.lap, .extensions), (.activity, .extensions), (.course, .extensions), (.coursePoint, .extensions),
      (.database, .extensions):
      nodes.append(.extensions)
    case (.extensions, _), (.sensors, _), (_, .other), (_, .track), (_, .trackpoint), (_, .lap),
      (_, .activity), (_, .course), (_, .coursePoint):
      if nodes[nodes.count - 1] != .extensions, nodes[nodes.count - 1] != .sensors { try misplaced(element) }
      beginForeign(token)
    case (_, .id), (_, .name), (_, .notes), (_, .totalTime), (_, .distance), (_, .calories), (_, .intensity),
      (_, .trigger), (_, .time), (_, .latitude), (_, .longitude), (_, .altitude), (_, .value), (_, .cadence),
      (_, .sensorState), (_, .pointType):
      beginValue(element)
    default: beginForeign(token)
    }
    return nil
  }

  mutating func beginValue(_ element: TCXElement) {
    valueElement = element
    nodes.append(.value)
  }

  mutating func leaf(_ element: TCXElement, _ token: XMLToken) throws(TrackError) -> TrackEvent? {
    switch nodes[nodes.count - 1] {
    case .trackpoint: try trackpointValue(element, token)
    case .position: try positionValue(element, token)
    case .heartRate: if element == .value { try set(.heartRate, token) }
    case .sensors: try sensorValue(element, token)
    case .extensions:
      if isInTrackpoint, [.speed, .runCadence, .watts].contains(element) {
        try sensorValue(element, token)
      } else if element != .sensors {
        if let leaf = try keptLeaf(token) { deliver(leaf) }
      }
    case .track:
      if element == .trackpoint {
        countPositionless()
      } else {
        try misplaced(element)
        if let leaf = try keptLeaf(token) { track.extensions.append(leaf) }
      }
    case .lap, .course, .activity: return try containerValue(element, token)
    case .coursePoint: try coursePointValue(element, token)
    case .foreign: addForeign(leaf: token)
    case .database, .group: return try fileValue(element, token)
    case .document: guard element == .database else { throw wrongRoot() }
    case .value: if let leaf = try keptLeaf(token) { deliver(leaf) }
    }
    return nil
  }

  mutating func text(_ token: XMLToken) throws(TrackError) {
    switch nodes[nodes.count - 1] {
    case .foreign: addForeign(text: token)
    case .value:
      // Handle the text like that of a leaf in the parent element.
      nodes.removeLast()
      defer { nodes.append(.value) }
      _ = try leaf(valueElement, token)
    case .heartRate: try set(.heartRate, token)
    default: break
    }
  }

  mutating func attribute(_ element: TCXElement, _ token: XMLToken) throws(TrackError) {
    switch (nodes[nodes.count - 1], element) {
    case (.foreign, _): addForeign(attribute: token)
    case (.sensors, _):
      guard try hasRoom(Int(token.textCount)) else { break }
      let attribute = tokens.attribute(of: token)
      changeContainer { $0.attributes.append(attribute) }
    case (.activity, .sport):
      let sport = tokens.trimmedText(of: token)
      track.type = sport == TCXSport.other.rawValue ? nil : sport
    case (.lap, .startTime):
      lap.start = try tokens.readTime(token)
      lapRest.start = tokens.trimmedText(of: token)
    default: break
    }
  }

  mutating func end(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    let node = nodes[nodes.count - 1]
    switch node {
    case .trackpoint:
      nodes.removeLast()
      endTrackpoint(&batch)
      return batch.isFull || (batch.count > 0 && state.foreign.budget.isBatchFull) ? .points : nil
    case .track:
      if batch.count > 0 { return again(.points) }
      nodes.removeLast()
      return .endSegment
    case .lap:
      try takeLap()
      nodes.removeLast()
      endLap()
    case .activity, .course:
      if let event = beginTrack() { return event }
      nodes.removeLast()
      queueCoursePoints()
      return .endTrack
    case .coursePoint:
      nodes.removeLast()
      try endCoursePoint()
    case .foreign:
      nodes.removeLast()
      if let element = try closeForeign() { deliver(element) }
    case .sensors:
      nodes.removeLast()
      if let container = state.container { deliver(container) }
    default: nodes.removeLast()
    }
    return nil
  }
}
