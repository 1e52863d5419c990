import TrackModel

/// Lines whose points go out while they are read, because everything that is said of them came before.
extension GeoJSONReader {
  mutating func beginLine(of type: GeoJSONType) {
    coordinates = GeoJSONCoordinates(depth: type.depth)
    lineDepth = (type.depth ?? 2) - 1
    object.isStreamed = true
    nextStage = stage
    stage = .line
  }

  mutating func readLine(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    while !batch.isFull {
      switch try coordinates.next(&lexer) {
      case .position(let value):
        let index = position - lineStart
        batch.append(
          latitude: value.latitude, longitude: value.longitude,
          time: feature.properties.columns.time(at: index))
        if !value.elevation.isNaN { batch.set(.elevation, value.elevation) }
        feature.properties.columns.setSensors(at: index, of: &batch)
        position += 1
      case .flawed: position += 1
      case .open(let depth):
        guard depth == lineDepth else { continue }
        beginSegment()
        return nil
      case .close(let depth):
        guard depth == lineDepth else { continue }
        hasBegunSegment = false
        if batch.count == 0 { return .endSegment }
        stage = .endOfLine
        return .points
      case .empty(let depth):
        guard depth == lineDepth else { continue }
        beginSegment()
        hasBegunSegment = false
        queue.insert(.endSegment, at: 0)
        return nil
      case .end:
        stage = nextStage
        return nil
      }
    }
    return .points
  }

  mutating func beginSegment() {
    queueHeader()
    var events: [TrackEvent] = queue.reversed()
    if !hasBegunTrack {
      hasBegunTrack = true
      events.append(.beginTrack(feature.properties.trackInfo(members: feature.members)))
      feature.members = GeoJSONMembers()
    }
    events.append(.beginSegment)
    queue = events.reversed()
    hasBegunSegment = true
    lineStart = position
    feature.properties.columns.beginLine(line, position: position)
    line += 1
  }
}
