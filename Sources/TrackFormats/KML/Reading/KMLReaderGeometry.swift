import TrackModel

/// Placemarks with their lines and places.
extension KMLReader {
  private static let badPosition = "invalid longitude or latitude, point skipped"
  private static let badElevation = "invalid altitude, ignored"
  private static let height = "height above ground instead of elevation, ignored"

  // MARK: Placemarks

  mutating func beginPlacemark() {
    nodes.append(.placemark)
    state.foreign.budget.begin(.track)
    placemark = KMLPlacemark()
    announced = nil
    isRoute = false
    isCopy = false
    hasGeometry = false
    collectionAltitudeMode = .clampedToGround
    if !places.isEmpty { places = KMLPlaces() }
  }

  mutating func endPlacemark() {
    if let announced {
      let late = placemark.trackInfo(folder: folder).beyond(announced)
      if !late.isEmpty { state.queue.append(.annotation(.track(late))) }
      state.queue.append(isRoute ? .endRoute : .endTrack)
    }
    announced = nil
    if !places.isEmpty {
      sendHeader()
      placeDetails = placemark.pointDetails(folder: folder)
      delivery = .places(next: 0)
    }
  }

  /// Begins the track unless it has already begun.
  private mutating func beginTrack() {
    guard announced == nil else { return }
    sendHeader()
    let info = placemark.trackInfo(folder: folder)
    announced = info
    isRoute = placemark.kind == KMLFields.route
    state.queue.append(isRoute ? .beginRoute(info) : .beginTrack(info))
  }

  mutating func sendHeader() {
    for index in containers.indices { containers[index].isUsed = true }
    if let header = state.takeHeader() { state.queue.append(header) }
  }

  /// The names of the enclosing folders, without the outermost, which is the file.
  private var folder: String? {
    let names = containers.dropFirst().compactMap(\.name)
    return names.isEmpty ? nil : names.joined(separator: " / ")
  }

  // MARK: Lines

  /// Begins a geometry of a placemark that is a line or a point.
  mutating func beginGeometry(_ node: Node) {
    hasGeometry = true
    nodes.append(node)
    altitudeMode = collectionAltitudeMode
    hasRealAltitude = false
    isCopy = placemark.kind == KMLFields.plainLine
    switch node {
    case .line where !isCopy:
      beginTrack()
      isSegmentOpen = true
      coordinates.removeAll(keepingCapacity: coordinates.capacity < 1 << 17)
      if !isRoute { state.queue.append(.beginSegment) }
    case .track:
      track.removeAll()
      track.altitudeMode = collectionAltitudeMode
      segmentExtensions = []
    default: break
    }
  }

  mutating func endLine() {
    guard isSegmentOpen else { return }
    isSegmentOpen = false
    if !isRoute { state.queue.append(.endSegment) }
  }

  func altitudeMode(of token: XMLToken) -> KMLAltitudeMode { KMLAltitudeMode(tokens.trimmedText(of: token)) }

  /// Reads text with positions and begins to deliver them.
  ///
  /// - Parameter isLast: whether the text ends with the token.
  mutating func addCoordinates(_ token: XMLToken, isLast: Bool) {
    guard isSegmentOpen else { return }
    coordinates.append(tokens.bytes(of: token))
    delivery = .coordinates(index: 0, isLast: isLast)
  }

  // MARK: gx:Track

  /// Ends the held track and begins to deliver it.
  mutating func endTrack() throws(TrackError) {
    guard !isCopy else { return }
    deliverTrack()
    if track.timeCount > 0, track.timeCount != track.count {
      try tokens.warn(
        .invalidValue,
        track.timeCount < track.count
          ? "track with fewer times than positions, the last ones have none"
          : "track with more times than positions, the last times ignored")
    }
    if track.hasHeights { try tokens.warn(.notRepresentable, KMLReader.height) }
  }

  mutating func deliverTrack() {
    if !track.isStreamed { beginTrackSegment() }
    delivery = .track(row: track.removedCount)
  }

  mutating func beginTrackSegment() {
    beginTrack()
    if !isRoute { state.queue.append(.beginSegment) }
    isSegmentOpen = true
  }

  mutating func coord(_ token: XMLToken) throws(TrackError) {
    switch KMLCoordinates.coord(tokens.bytes(of: token)) {
    case .position(let latitude, let longitude, let elevation):
      try track.append(latitude: latitude, longitude: longitude, elevation: elevation)
    case .positionOfBadElevation(let latitude, let longitude):
      try track.append(latitude: latitude, longitude: longitude, elevation: .nan)
      try tokens.warn(.invalidValue, KMLReader.badElevation, quoting: token)
    case .end, .incomplete:
      try track.appendEmpty()
      if emptyCoords == 0 { firstEmptyCoord = tokens.place }
      emptyCoords += 1
    case .pause, .resumption: try track.appendPause()
    case .invalid:
      try track.appendEmpty()
      try tokens.warn(.invalidPosition, KMLReader.badPosition, quoting: token)
    }
  }

  mutating func beginArray(_ name: String, _ token: XMLToken) throws(TrackError) {
    if name == KMLFields.untimed {
      track.beginUntimed()
    } else if let channel = KMLFields.channel(name) {
      track.beginArray(channel)
      scale = channel.scale(heading: headings["\(schemaID)/\(name)"])
    } else {
      track.beginUnknown()
      try tokens.warn(
        .notRepresentable, "array of values for an unknown channel, ignored", quoting: token)
    }
  }

  mutating func arrayValue(_ token: XMLToken) throws(TrackError) {
    let value = track.channel == nil ? tokens.number(of: token) : try tokens.readNumber(token)
    guard let number = value else { return try track.append(value: .nan) }
    if let channel = track.channel {
      try track.append(value: channel.known(number * scale.factor + scale.offset) ?? .nan)
    } else {
      try track.append(value: number)
    }
  }

  // MARK: Places

  /// Reads the first position of a `Point`, which should be the only one.
  mutating func addPlaces(_ token: XMLToken) throws(TrackError) {
    var index = 0
    var count = 0
    while true {
      switch KMLCoordinates.next(tokens.bytes(of: token), at: &index, isLast: true) {
      case .end, .incomplete:
        if count == 0 { try tokens.warn(.invalidPosition, "point without a position, skipped") }
        return
      case .invalid, .pause, .resumption:
        count += 1
        if count == 1 { try tokens.warn(.invalidPosition, KMLReader.badPosition, quoting: token) }
      case .position(let latitude, let longitude, let elevation):
        count += 1
        if count == 1 { try addPlace(latitude, longitude, elevation) }
      case .positionOfBadElevation(let latitude, let longitude):
        count += 1
        if count == 1 {
          try addPlace(latitude, longitude, .nan)
          try tokens.warn(.invalidValue, KMLReader.badElevation, quoting: token)
        }
      }
      if count == 2 {
        try tokens.warn(.invalidValue, "point with more than one position, the first used")
        return
      }
    }
  }

  private mutating func addPlace(_ latitude: Double, _ longitude: Double, _ elevation: Double)
    throws(TrackError)
  {
    let isElevation =
      switch altitudeMode {
      case .absolute: !elevation.isNaN
      case .clampedToGround: !elevation.isNaN && elevation != 0
      case .relative: false
      }
    try places.append(
      Coordinate(latitude: latitude, longitude: longitude), elevation: isElevation ? elevation : .nan)
    if altitudeMode == .relative, !elevation.isNaN, elevation != 0 {
      try tokens.warn(.notRepresentable, KMLReader.height)
    }
  }

  private mutating func waypoint(at index: Int) throws(TrackError) -> Waypoint {
    let (coordinate, elevation) = try places.position(at: index)
    var values = placeDetails.values
    values[.elevation] = elevation
    return Waypoint(
      coordinate: coordinate,
      time: placemark.time ?? placemark.span?.begin ?? placemark.span?.end, values: values,
      details: placeDetails.details)
  }

  // MARK: Delivering

  mutating func deliverHeld(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    switch delivery {
    case .nothing: return nil
    case .coordinates(let index, let isLast): return try deliverCoordinates(from: index, isLast, &batch)
    case .track(let row):
      let (next, beginsSegment) = try track.fill(&batch, from: row)
      if beginsSegment, !isRoute {
        state.queue.append(.endSegment)
        state.queue.append(.beginSegment)
      }
      if batch.count > 0 || beginsSegment {
        delivery = .track(row: next)
        return batch.count > 0 ? .points : nil
      }
      delivery = .nothing
      track.removeAll()
      if !segmentExtensions.isEmpty { state.queue.append(.annotation(.extensions(segmentExtensions))) }
      segmentExtensions = []
      endLine()
      return nil
    case .places(let next):
      guard next < places.count else {
        delivery = .nothing
        return nil
      }
      delivery = .places(next: next + 1)
      return .waypoint(try waypoint(at: next))
    }
  }

  /// The reason why the scan of a text stopped.
  private enum Stop { case end, full, badPosition, badElevation, height }

  private mutating func deliverCoordinates(from start: Int, _ isLast: Bool, _ batch: inout PointBatch)
    throws(TrackError) -> TrackEvent?
  {
    var index = start
    while true {
      var isReal = hasRealAltitude
      let stop = KMLReader.scan(
        coordinates.span, at: &index, isLast: isLast, mode: altitudeMode, &isReal, into: &batch)
      hasRealAltitude = isReal
      delivery = .coordinates(index: index, isLast: isLast)
      switch stop {
      case .full: return .points
      case .badPosition: try tokens.warn(.invalidPosition, KMLReader.badPosition)
      case .badElevation: try tokens.warn(.invalidValue, KMLReader.badElevation)
      case .height: try tokens.warn(.notRepresentable, KMLReader.height)
      case .end:
        delivery = .nothing
        coordinates.removeSubrange(0..<index)
        if coordinates.count > limits.textSize {
          throw TrackError(
            .limitExceeded, "a position of more than \(ReadingLimits.text(size: limits.textSize))",
            place: tokens.place)
        }
        return batch.count > 0 ? .points : nil
      }
    }
  }

  private static func scan(
    _ text: Span<UInt8>, at index: inout Int, isLast: Bool, mode: KMLAltitudeMode,
    _ hasRealAltitude: inout Bool, into batch: inout PointBatch
  ) -> Stop {
    while !batch.isFull {
      switch KMLCoordinates.next(text, at: &index, isLast: isLast) {
      case .position(let latitude, let longitude, let elevation):
        batch.append(latitude: latitude, longitude: longitude)
        if elevation.isNaN {
          // If missing altitudes are omitted, zeros are real altitudes.
          hasRealAltitude = true
          continue
        }
        if elevation != 0 {
          if mode == .relative { return .height }
          hasRealAltitude = true
        }
        if mode == .absolute || (mode == .clampedToGround && hasRealAltitude) {
          batch.set(.elevation, elevation)
        }
      case .positionOfBadElevation(let latitude, let longitude):
        batch.append(latitude: latitude, longitude: longitude)
        return .badElevation
      case .invalid, .pause, .resumption: return .badPosition
      case .incomplete, .end: return .end
      }
    }
    return .full
  }
}

extension [UInt8] {
  /// Appends the bytes of a span.
  fileprivate mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
