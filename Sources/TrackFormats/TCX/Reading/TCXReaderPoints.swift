import TrackModel

/// Trackpoints and course points.
extension TCXReader {
  var isInTrackpoint: Bool {
    nodes.count > 2 && (nodes[nodes.count - 2] == .trackpoint || nodes[nodes.count - 1] == .trackpoint)
  }

  mutating func beginPoint() {
    point = TCXTrackpoint()
    state.foreign.budget.begin(.point)
  }

  mutating func trackpointValue(_ element: TCXElement, _ token: XMLToken) throws(TrackError) {
    switch element {
    case .time: if let time = try tokens.readTime(token) { point.time = time.microseconds }
    case .altitude: try set(.elevation, token)
    case .distance: try set(.distance, token)
    case .heartRate: try set(.heartRate, token)
    case .cadence: try set(.cadence, token)
    case .sensorState: sensorStates += 1
    case .position, .extensions: break
    default:
      try misplaced(element)
      if let leaf = try keptLeaf(token) { deliver(leaf) }
    }
  }

  mutating func positionValue(_ element: TCXElement, _ token: XMLToken) throws(TrackError) {
    let value = tokens.number(of: token) ?? .nan
    switch element {
    case .latitude: point.latitude = value
    case .longitude: point.longitude = value
    default: return
    }
    if !(abs(value) <= (element == .latitude ? 90 : 180)) {
      point.isFlawed = true
      try tokens.warn(
        .invalidPosition, "invalid latitude or longitude, point skipped", quoting: token)
    }
  }

  mutating func sensorValue(_ element: TCXElement, _ token: XMLToken) throws(TrackError) {
    switch element {
    case .speed:
      let known = point[.speed]
      try set(.speed, token)
      // Some programs write -1 for "unknown".
      if point[.speed] < 0 { point[.speed] = known }
    case .watts: try set(.power, token)
    case .runCadence:
      let cadence = point[.cadence]
      try set(.cadence, token)
      guard !cadence.isNaN else { return }
      // The model has one cadence. A different second value is kept as an extension.
      if point[.cadence] != cadence, let leaf = try keptLeaf(token) { deliver(leaf) }
      point[.cadence] = cadence
    default: if let leaf = try keptLeaf(token) { deliver(leaf) }
    }
  }

  mutating func set(_ slot: TCXTrackpoint.Slot, _ token: XMLToken) throws(TrackError) {
    if let value = try tokens.readNumber(token) { point[slot] = value }
  }

  mutating func endTrackpoint(_ batch: inout PointBatch) {
    if point.hasPosition {
      point.append(to: &batch)
    } else if !point.isFlawed {
      countPositionless()
    }
  }

  mutating func countPositionless() {
    if positionless == 0 { firstPositionless = tokens.place }
    positionless += 1
  }

  mutating func coursePointValue(_ element: TCXElement, _ token: XMLToken) throws(TrackError) {
    switch element {
    case .name: point.details.name = tokens.trimmedText(of: token)
    case .notes: point.details.description = tokens.trimmedText(of: token)
    case .pointType:
      let type = tokens.trimmedText(of: token)
      point.details.type = type == TCXCoursePointType.generic ? nil : type
    case .time: if let time = try tokens.readTime(token) { point.time = time.microseconds }
    case .altitude: try set(.elevation, token)
    case .position, .extensions: break
    default:
      try misplaced(element)
      if let leaf = try keptLeaf(token) { deliver(leaf) }
    }
  }

  mutating func endCoursePoint() throws(TrackError) {
    guard point.hasPosition else {
      if !point.isFlawed { countPositionless() }
      return
    }
    let texts = [point.details.name, point.details.description, point.details.type]
    let size = texts.reduce(TCXReader.coursePointSize) { $0 + ($1?.utf8.count ?? 0) }
    guard try hasRoom(size + state.foreign.budget.pointSize, at: .waiting) else { return }
    coursePoints.append(
      Waypoint(
        coordinate: Coordinate(latitude: point.latitude, longitude: point.longitude),
        time: point.time == Instant.absent ? nil : Instant(microseconds: point.time),
        values: point[.elevation].isNaN ? [:] : [.elevation: point[.elevation]], details: point.details))
  }
}
