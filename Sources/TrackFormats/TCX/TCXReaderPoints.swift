import TrackModel

/// Trackpoints and course points.
extension TCXReader {
  var isInTrackpoint: Bool {
    nodes.count > 2 && (nodes[nodes.count - 2] == .trackpoint || nodes[nodes.count - 1] == .trackpoint)
  }

  mutating func trackpointValue(_ element: TCXElement, _ token: XMLToken) throws(TrackError) {
    switch element {
    case .time: if let time = try time(token) { point.time = time.microseconds }
    case .altitude: try set(.elevation, token)
    case .distance: try set(.distance, token)
    case .heartRate: try set(.heartRate, token)
    case .cadence: try set(.cadence, token)
    case .sensorState: sensorStates += 1
    case .position, .extensions: break
    default:
      try misplaced(element)
      deliver(foreignLeaf(token))
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
        .invalidPosition, "latitude or longitude is no number in its range, point left out", quoting: token)
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
      // The model has one cadence; another of the point stays what it is.
      if point[.cadence] != cadence { deliver(foreignLeaf(token)) }
      point[.cadence] = cadence
    default: deliver(foreignLeaf(token))
    }
  }

  mutating func set(_ slot: TCXTrackpoint.Slot, _ token: XMLToken) throws(TrackError) {
    if let value = try number(token) { point[slot] = value }
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
    case .time: if let time = try time(token) { point.time = time.microseconds }
    case .altitude: try set(.elevation, token)
    case .position, .extensions: break
    default:
      try misplaced(element)
      deliver(foreignLeaf(token))
    }
  }

  mutating func endCoursePoint() {
    guard point.hasPosition else {
      if !point.isFlawed { countPositionless() }
      return
    }
    coursePoints.append(
      Waypoint(
        coordinate: Coordinate(latitude: point.latitude, longitude: point.longitude),
        time: point.time == Instant.absent ? nil : Instant(microseconds: point.time),
        values: point[.elevation].isNaN ? [:] : [.elevation: point[.elevation]], details: point.details))
  }

  // MARK: Values

  /// The number that a text is; nil where it is blank, or none, which is counted.
  mutating func number(_ token: XMLToken) throws(TrackError) -> Double? {
    if let value = tokens.number(of: token) { return value }
    if !tokens.isBlank(token) {
      try tokens.warn(.invalidValue, "invalid number, ignored", quoting: token)
    }
    return nil
  }

  mutating func time(_ token: XMLToken) throws(TrackError) -> Instant? {
    guard let reading = tokens.time(of: token) else {
      if !tokens.isBlank(token) {
        try tokens.warn(.invalidTime, "time cannot be read, left out", quoting: token)
      }
      return nil
    }
    if !reading.hasZone {
      try tokens.warn(.timeWithoutZone, "time without a zone, taken as UTC", quoting: token)
    }
    return reading.instant
  }
}
