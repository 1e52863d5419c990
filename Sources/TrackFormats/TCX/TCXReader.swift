public import TrackModel

/// Reads TCX: each activity, also inside a multisport session, and each course is a track, each `Track` in
/// whatever lap a segment of it; the points of a course are waypoints behind it.
///
/// Accepts what other programs write beyond the schema: no namespace, or another one at the root; elements in
/// any order; blanks in front of the XML declaration; values that are none (left out and counted).
/// Trackpoints without a position are left out and counted, even where reading is strict: the schema allows
/// them. A file that ends inside an element is read up to its last whole point, with a warning.
///
/// An activity's `Id` is the begin of its time span, `Notes` its description, `Sport` its type, `Creator` its
/// source; a course has the type `Course`. What laps say beyond the model is kept as an extension `Lap`.
/// `SensorState` is not kept: the sensors' values tell as much.
public struct TCXReader: TrackReader, ~Copyable {
  /// Where in the grammar an open element stands.
  private enum Node {
    case document, database
    /// An element that only groups others.
    case group
    case activity, course, lap, track, trackpoint, coursePoint, position, heartRate
    /// An element that is only a value, but has attributes: its text comes apart from its tags.
    case value
    case extensions, sensors
    /// An element inside `Extensions`, or one without a meaning here, that is kept as it is.
    case foreign
  }

  private var tokens: XMLTokenStream
  private let options: ReadingOptions
  private var nodes: [Node] = [.document]
  /// Events that are known before they are asked for, the next one last.
  private var queue: [TrackEvent] = []
  private var isAtEnd = false
  private var pendingError: TrackError?

  private var file = FileInfo()
  private var hasSentHeader = false
  private var track = TrackInfo()
  private var hasSentTrack = false
  private var hasSentPoint = false

  private var lap = Lap()
  /// Whether the open lap is already part of what is said about the track.
  private var hasTakenLap = false
  /// What the open lap says beyond the model.
  private var lapRest = TCXLapRest()

  private var point = TCXTrackpoint()
  /// The points of a course, which wait for the end of its track.
  private var coursePoints: [Waypoint] = []
  private var positionless = 0
  private var firstPositionless = Place()

  /// The element of the open `value` node.
  private var valueElement = TCXElement.other
  private var foreign = ForeignElements()

  /// - Parameter input: the file from its first byte.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.options = options
    var core: String?
    var hasRoot = false
    tokens = XMLTokenStream(input, options: options) { name in
      if !hasRoot {
        hasRoot = true
        core = name.namespace
      }
      return TCXElement.classify(name, core: core).rawValue
    }
  }

  public var warnings: [TrackWarning] {
    guard positionless > 0 else { return tokens.log.warnings }
    return tokens.log.warnings + [
      TrackWarning(
        .missingPosition, "trackpoint without a position, left out", count: positionless,
        place: firstPositionless)
    ]
  }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    if let event = queue.popLast() { return event }
    if let error = pendingError {
      pendingError = nil
      isAtEnd = true
      throw error
    }
    guard !isAtEnd else { return nil }
    do {
      while let token = try tokens.next() {
        if let event = try handle(token, &batch) {
          if case .points = event { hasSentPoint = true }
          return event
        }
      }
      return end()
    } catch {
      return try recover(from: error, &batch)
    }
  }

  /// The events that are left when the document is over.
  private mutating func end() -> TrackEvent? {
    isAtEnd = true
    if !hasSentHeader {
      hasSentHeader = true
      return .header(file)
    }
    return file == FileInfo() ? nil : .annotation(.file(file))
  }

  /// Delivers what was whole before a fault; a file that was cut off is closed, other faults are thrown next.
  private mutating func recover(from error: TrackError, _ batch: inout PointBatch) throws(TrackError)
    -> TrackEvent?
  {
    var events: [TrackEvent] = batch.count > 0 ? [.points] : []
    hasSentPoint = hasSentPoint || batch.count > 0 || !coursePoints.isEmpty
    guard error.code == .truncated, !options.isStrict, hasSentPoint else {
      pendingError = error
      if let event = events.first { return event }
      return try next(into: &batch)
    }
    try tokens.warn(.truncated, "the file ends inside an element, what was whole is kept", at: error.place)
    isAtEnd = true
    for node in nodes.reversed() { events += closing(node) }
    if file != FileInfo() { events.append(.annotation(.file(file))) }
    queue = events.reversed()
    return queue.popLast()
  }

  /// The events that end an open container, with what it said and nobody was told yet.
  private mutating func closing(_ node: Node) -> [TrackEvent] {
    switch node {
    case .track: return [.endSegment]
    case .lap: endLap()
    case .activity, .course:
      let late: [TrackEvent] =
        !hasSentTrack ? [.beginTrack(track)] : track.isEmpty ? [] : [.annotation(.track(track))]
      return late + [.endTrack] + coursePoints.map { .waypoint($0) }
    default: break
    }
    return []
  }

  // MARK: Tokens

  private mutating func handle(_ token: XMLToken, _ batch: inout PointBatch) throws(TrackError) -> TrackEvent?
  {
    let element = TCXElement(rawValue: token.code) ?? .other
    switch token.kind {
    case .leaf: return try leaf(element, token)
    case .start: return try start(element, token)
    case .end: return end(&batch)
    case .text: try text(token)
    case .attribute: try attribute(element, token)
    case .unresolvedEntity: break
    case .namespace:
      if nodes.count == 2 {
        file.namespaces.append(
          NamespaceDeclaration(prefix: tokens.name(of: token).local, uri: tokens.text(of: token)))
      }
    }
    return nil
  }

  private mutating func start(_ element: TCXElement, _ token: XMLToken) throws(TrackError) -> TrackEvent? {
    switch (nodes[nodes.count - 1], element) {
    case (.trackpoint, .position), (.coursePoint, .position): nodes.append(.position)
    case (.track, .trackpoint):
      nodes.append(.trackpoint)
      point = TCXTrackpoint()
    case (.trackpoint, .heartRate): nodes.append(.heartRate)
    case (.foreign, _): beginForeign(token)
    case (.trackpoint, .extensions): nodes.append(.extensions)
    case (.extensions, .sensors) where isInTrackpoint:
      nodes.append(.sensors)
      beginForeign(token, isNode: false)
    case (.sensors, .speed), (.sensors, .runCadence), (.sensors, .watts): beginValue(element)
    case (.lap, .track), (.course, .track), (.activity, .track):
      takeLap()
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
      point = TCXTrackpoint()
    case (.database, .activity), (.group, .activity), (.database, .course), (.group, .course):
      if let event = header() { return event }
      nodes.append(element == .activity ? .activity : .course)
      track = TrackInfo()
      if element == .course { track.type = TCXReader.courseType }
      hasSentTrack = false
      coursePoints = []
    case (.group, .transition):
      try tokens.warn(.misplacedElement, "transition between two sports, left out")
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

  private mutating func beginValue(_ element: TCXElement) {
    valueElement = element
    nodes.append(.value)
  }

  private mutating func leaf(_ element: TCXElement, _ token: XMLToken) throws(TrackError) -> TrackEvent? {
    switch nodes[nodes.count - 1] {
    case .trackpoint: try trackpointValue(element, token)
    case .position: try positionValue(element, token)
    case .heartRate: if element == .value { try set(.heartRate, token) }
    case .sensors: try sensorValue(element, token)
    case .extensions:
      if isInTrackpoint, [.speed, .runCadence, .watts].contains(element) {
        try sensorValue(element, token)
      } else if element != .sensors {
        deliver(foreignLeaf(token))
      }
    case .track:
      if element == .trackpoint {
        countPositionless()
      } else {
        try misplaced(element)
        track.extensions.append(foreignLeaf(token))
      }
    case .lap, .course, .activity: return try containerValue(element, token)
    case .coursePoint: try coursePointValue(element, token)
    case .foreign: foreign.add(foreignLeaf(token))
    case .database, .group: return try fileValue(element, token)
    case .document: guard element == .database else { throw wrongRoot() }
    case .value: deliver(foreignLeaf(token))
    }
    return nil
  }

  private mutating func text(_ token: XMLToken) throws(TrackError) {
    switch nodes[nodes.count - 1] {
    case .foreign: foreign.add(text: tokens.text(of: token))
    case .value:
      // As if it were a leaf of the element around it.
      nodes.removeLast()
      defer { nodes.append(.value) }
      _ = try leaf(valueElement, token)
    case .heartRate: try set(.heartRate, token)
    default: break
    }
  }

  private mutating func attribute(_ element: TCXElement, _ token: XMLToken) throws(TrackError) {
    switch (nodes[nodes.count - 1], element) {
    case (.foreign, _), (.sensors, _):
      let name = tokens.name(of: token)
      foreign.add(
        ExtensionElement.Attribute(
          namespace: name.namespace, prefix: name.prefix, name: name.local, value: tokens.text(of: token)))
    case (.activity, .sport): track.type = tokens.trimmedText(of: token)
    case (.lap, .startTime):
      lap.start = try time(token)
      lapRest.start = tokens.trimmedText(of: token)
    default: break
    }
  }

  private mutating func end(_ batch: inout PointBatch) -> TrackEvent? {
    let node = nodes[nodes.count - 1]
    switch node {
    case .trackpoint:
      nodes.removeLast()
      endTrackpoint(&batch)
      return batch.isFull ? .points : nil
    case .track:
      if batch.count > 0 { return again(.points) }
      nodes.removeLast()
      return .endSegment
    case .lap:
      nodes.removeLast()
      endLap()
    case .activity, .course:
      if let event = beginTrack() { return event }
      nodes.removeLast()
      queue = coursePoints.reversed().map { .waypoint($0) }
      if !coursePoints.isEmpty { hasSentPoint = true }
      coursePoints = []
      return .endTrack
    case .coursePoint:
      nodes.removeLast()
      endCoursePoint()
    case .foreign:
      nodes.removeLast()
      if let element = foreign.end() { deliver(element) }
    case .sensors:
      nodes.removeLast()
      // What is left of the container when its sensors are taken out.
      if let element = foreign.end(), !element.content.isEmpty || !element.attributes.isEmpty {
        deliver(element)
      }
    default: nodes.removeLast()
    }
    return nil
  }

  // MARK: Containers

  /// Gives an event now and the last token again with the next call.
  private mutating func again(_ event: TrackEvent) -> TrackEvent {
    tokens.unread()
    return event
  }

  private mutating func header() -> TrackEvent? {
    guard !hasSentHeader else { return nil }
    hasSentHeader = true
    defer { file = FileInfo() }
    return again(.header(file))
  }

  /// What is to be said of the track before its next segment or its end: all at first, later what is new.
  private mutating func beginTrack() -> TrackEvent? {
    guard !hasSentTrack || !track.isEmpty else { return nil }
    let event: TrackEvent = hasSentTrack ? .annotation(.track(track)) : .beginTrack(track)
    hasSentTrack = true
    track = TrackInfo()
    return again(event)
  }

  /// Makes the open lap, if any, part of what is said of the track, before its points.
  private mutating func takeLap() {
    guard nodes[nodes.count - 1] == .lap, !hasTakenLap else { return }
    hasTakenLap = true
    track.laps.append(lap)
  }

  private mutating func endLap() {
    if !hasTakenLap { track.laps.append(lap) }
    hasTakenLap = true
    if let rest = lapRest.element { track.extensions.append(rest) }
    lapRest = TCXLapRest()
  }

  private func wrongRoot() -> TrackError {
    TrackError(
      .unknownFormat, "the root element is no TrainingCenterDatabase", place: tokens.place,
      hint: "see the formats that can be read with: ghost-convert formats")
  }

  private mutating func misplaced(_ element: TCXElement) throws(TrackError) {
    if element != .other {
      try tokens.warn(.misplacedElement, "element where TCX has none, kept as an extension")
    }
  }

  private mutating func fileValue(_ element: TCXElement, _ token: XMLToken) throws(TrackError) -> TrackEvent?
  {
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

  private mutating func containerValue(
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

  // MARK: Points

  private var isInTrackpoint: Bool {
    nodes.count > 2 && (nodes[nodes.count - 2] == .trackpoint || nodes[nodes.count - 1] == .trackpoint)
  }

  private mutating func trackpointValue(_ element: TCXElement, _ token: XMLToken) throws(TrackError) {
    switch element {
    case .time: if let time = try time(token) { point.time = time.microseconds }
    case .altitude: try set(.elevation, token)
    case .distance: try set(.distance, token)
    case .heartRate: try set(.heartRate, token)
    case .cadence: try set(.cadence, token)
    case .sensorState, .position, .extensions: break
    default:
      try misplaced(element)
      deliver(foreignLeaf(token))
    }
  }

  private mutating func positionValue(_ element: TCXElement, _ token: XMLToken) throws(TrackError) {
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

  private mutating func sensorValue(_ element: TCXElement, _ token: XMLToken) throws(TrackError) {
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

  private mutating func set(_ slot: TCXTrackpoint.Slot, _ token: XMLToken) throws(TrackError) {
    if let value = try number(token) { point[slot] = value }
  }

  private mutating func endTrackpoint(_ batch: inout PointBatch) {
    if point.hasPosition {
      point.append(to: &batch)
    } else if !point.isFlawed {
      countPositionless()
    }
  }

  private mutating func countPositionless() {
    if positionless == 0 { firstPositionless = tokens.place }
    positionless += 1
  }

  private mutating func coursePointValue(_ element: TCXElement, _ token: XMLToken) throws(TrackError) {
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

  private mutating func endCoursePoint() {
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
  private mutating func number(_ token: XMLToken) throws(TrackError) -> Double? {
    if let value = tokens.number(of: token) { return value }
    if !tokens.isBlank(token) {
      try tokens.warn(.invalidValue, "number expected, left out", quoting: token)
    }
    return nil
  }

  private mutating func time(_ token: XMLToken) throws(TrackError) -> Instant? {
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

  // MARK: Extensions

  private func foreignLeaf(_ token: XMLToken) -> ExtensionElement {
    var element = foreignElement(token)
    let text = tokens.text(of: token)
    if !text.isEmpty { element.content = [.text(text)] }
    return element
  }

  private func foreignElement(_ token: XMLToken) -> ExtensionElement {
    let name = tokens.name(of: token)
    let namespace = name.namespace == TCXNamespace.unqualified ? nil : name.namespace
    return ExtensionElement(namespace: namespace, prefix: name.prefix, name: name.local)
  }

  /// - Parameter isNode: whether the element is a node of its own kind.
  private mutating func beginForeign(_ token: XMLToken, isNode: Bool = true) {
    if isNode { nodes.append(.foreign) }
    foreign.begin(foreignElement(token))
  }

  /// Gives a whole foreign element to what it belongs to.
  private mutating func deliver(_ element: ExtensionElement) {
    switch nodes.last(where: { $0 != .extensions && $0 != .value }) {
    case .sensors: foreign.add(element)
    case .trackpoint, .coursePoint:
      point.details.extensions.append(element)
      point.hasDetails = true
    case .lap: lapRest.add(element)
    case .activity, .course, .track:
      if element.name == "Creator" {
        track.source = track.source ?? TCXSource.name(element)
        if TCXSource.saysNothingBeyondName(element) { return }
      }
      track.extensions.append(element)
    default:
      if element.name == "Author" {
        file.creator = file.creator ?? TCXSource.name(element)
        if TCXSource.saysNothingBeyondName(element) { return }
      }
      file.extensions.append(element)
    }
  }
}

extension TrackWarning.Code {
  static let missingPosition = TrackWarning.Code("missing position")
}
