import TrackModel

/// A complete Feature, or a geometry without one, and its events: points as waypoints, followed by its lines
/// as one track.
struct GeoJSONFeature {
  var properties = GeoJSONProperties()
  var geometry = GeoJSONGeometry()
  /// Members of the Feature object that are not part of the model, such as `id`.
  var members = GeoJSONMembers()

  // MARK: Delivering

  private enum Step {
    case waypoint(part: Int, Int)
    case track
    case line(part: Int)
    case points(part: Int, Int)
    case endOfTrack
    case end
  }

  private var step = Step.waypoint(part: 0, 0)
  private var waypoint: Waypoint?
  /// The numbers of delivered lines and positions.
  private var line = 0
  private var linePosition = 0

  /// Compares the number of times with the number of positions.
  ///
  /// - Returns: the number of positions in the lines, including invalid ones.
  mutating func measureLines() -> Int {
    var line = 0
    var position = 0
    for part in geometry.parts where part.isLine {
      properties.columns.beginLine(line, position: position)
      properties.columns.endLine(line, positions: part.positions.count)
      line += 1
      position += part.positions.count
    }
    return position
  }

  /// Returns the next event of the Feature, or `nil` after the last.
  ///
  /// - Parameter isPartial: whether the Feature was truncated, so that its last line and track stay open.
  mutating func next(into batch: inout PointBatch, isPartial: Bool) throws(TrackError) -> TrackEvent? {
    while true {
      switch step {
      case .waypoint(let part, let index):
        guard part < geometry.parts.count else {
          step = .track
          continue
        }
        let positions = geometry.parts[part].positions
        guard !geometry.parts[part].isLine, index < positions.count else {
          step = .waypoint(part: part + 1, 0)
          continue
        }
        step = .waypoint(part: part, index + 1)
        if let event = try waypointEvent(at: positions.lowerBound + index, index) { return event }
      case .track:
        guard geometry.hasLines else {
          step = .end
          continue
        }
        step = .line(part: 0)
        return .beginTrack(properties.trackInfo(members: members))
      case .line(let part):
        guard part < geometry.parts.count else {
          step = .endOfTrack
          continue
        }
        guard geometry.parts[part].isLine else {
          step = .line(part: part + 1)
          continue
        }
        step = .points(part: part, 0)
        properties.columns.beginLine(line, position: linePosition)
        return .beginSegment
      case .points(let part, let first):
        let end = try append(part, from: first, to: &batch)
        step = .points(part: part, end)
        if batch.count > 0 { return .points }
        line += 1
        linePosition += geometry.parts[part].positions.count
        step = .line(part: part + 1)
        if isPartial, part == geometry.parts.count - 1 {
          step = .end
          return nil
        }
        return .endSegment
      case .endOfTrack:
        step = .end
        return .endTrack
      case .end: return nil
      }
    }
  }

  private mutating func waypointEvent(at position: Int, _ index: Int) throws(TrackError) -> TrackEvent? {
    guard let place = try geometry.position(at: position) else { return nil }
    var waypoint = waypoint ?? properties.waypoint(members: members)
    // Several points share the same details.
    if geometry.count > 1 { self.waypoint = waypoint }
    waypoint.coordinate = Coordinate(latitude: place.latitude, longitude: place.longitude)
    if !place.elevation.isNaN { waypoint.values[.elevation] = place.elevation }
    if !geometry.hasLines {
      // Arrays with one element per position of a MultiPoint.
      properties.columns.beginLine(0, position: 0)
      let time = try time(at: position, index)
      if time != Instant.absent { waypoint.time = Instant(microseconds: time) }
      waypoint.values.merge(try properties.columns.values(at: index)) { $1 }
    }
    return .waypoint(waypoint)
  }

  /// Returns the time of a position, from an array of times or its fourth number, or ``Instant/absent``.
  @inline(__always)
  private mutating func time(at position: Int, _ index: Int) throws(TrackError) -> Int64 {
    let time = try properties.columns.time(at: index)
    return try time == Instant.absent ? geometry.time(at: position) : time
  }

  /// Appends as many positions of a line as fit.
  ///
  /// - Returns: the index in the line of the first position that did not fit.
  private mutating func append(_ part: Int, from first: Int, to batch: inout PointBatch) throws(TrackError)
    -> Int
  {
    let positions = geometry.parts[part].positions
    var index = first
    while index < positions.count, !batch.isFull {
      if let place = try geometry.position(at: positions.lowerBound + index) {
        batch.append(
          latitude: place.latitude, longitude: place.longitude,
          time: try time(at: positions.lowerBound + index, index))
        if !place.elevation.isNaN { batch.set(.elevation, place.elevation) }
        try properties.columns.setSensors(at: index, of: &batch)
      }
      index += 1
    }
    return index
  }
}
