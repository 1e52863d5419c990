import TrackModel

/// Lines that are streamed, because all their properties are already known.
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
        try append(value, to: &batch)
        if coordinates.isInLine { try appendRun(to: &batch) }
      case .flawed: position += 1
      case .open(let depth):
        guard depth == lineDepth else { continue }
        beginSegment()
        return nil
      case .close(let depth):
        guard depth == lineDepth else { continue }
        hasBegunSegment = false
        feature.properties.columns.endLine(line - 1, positions: position - lineStart)
        if batch.count == 0 { return .endSegment }
        stage = .endOfLine
        return .points
      case .empty(let depth):
        guard depth == lineDepth else { continue }
        beginSegment()
        hasBegunSegment = false
        feature.properties.columns.endLine(line - 1, positions: 0)
        queue.insert(.endSegment, at: 0)
        return nil
      case .end:
        stage = nextStage
        return nil
      }
    }
    return .points
  }

  private mutating func append(_ value: JSONPosition, to batch: inout PointBatch) throws(TrackError) {
    let time = try feature.properties.columns.time(at: position - lineStart)
    value.append(to: &batch, time: time == Instant.absent ? coordinates.time(of: value) : time)
    try feature.properties.columns.setSensors(at: position - lineStart, of: &batch)
    position += 1
  }

  /// Appends positions while they are plain and the batch has room.
  private mutating func appendRun(to batch: inout PointBatch) throws(TrackError) {
    // Moved out while the lexer is used.
    var columns = GeoJSONColumns()
    swap(&columns, &feature.properties.columns)
    defer { swap(&columns, &feature.properties.columns) }
    var index = position - lineStart
    defer { position = lineStart + index }
    try lexer.takeRun { (bytes, next) throws(TrackError) in
      while !batch.isFull, let value = JSONFastPath.position(bytes, at: &next) {
        value.append(to: &batch, time: try columns.time(at: index))
        try columns.setSensors(at: index, of: &batch)
        index += 1
      }
    }
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

extension JSONPosition {
  /// Appends the position to a batch as a row.
  @inline(__always)
  fileprivate func append(to batch: inout PointBatch, time: Int64) {
    batch.append(latitude: latitude, longitude: longitude, time: time)
    if !elevation.isNaN { batch.set(.elevation, elevation) }
  }
}
