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
/// `SensorState` is not kept, and counted: the sensors' values tell as much.
public struct TCXReader: XMLTrackReader, ~Copyable {
  /// Where in the grammar an open element stands.
  enum Node {
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

  var tokens: XMLTokenStream
  var state: XMLReaderState
  var nodes: [Node] = [.document]

  var track = TrackInfo()
  var hasSentTrack = false

  var lap = Lap()
  /// Whether the open lap is already part of what is said about the track.
  var hasTakenLap = false
  /// What the open lap says beyond the model.
  var lapRest = TCXLapRest()

  var point = TCXTrackpoint()
  /// The points of a course, which wait for the end of its track.
  var coursePoints: [Waypoint] = []
  /// The memory for a course point without texts and extensions, in bytes.
  static let coursePointSize = 512
  var positionless = 0
  var sensorStates = 0
  var firstPositionless = Place()

  /// The element of the open `value` node.
  var valueElement = TCXElement.other

  /// - Parameter input: the file from its first byte.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    state = XMLReaderState(options.limits)
    tokens = XMLTokenStream(input, options: options) {
      TCXElement.classify($0, core: $1).rawValue
    }
  }

  public var unread: LossReport {
    var report = LossReport()
    report.add("states of sensors", sensorStates)
    return report
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
    try nextEvent(into: &batch)
  }

  mutating func handleTokens(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    while let token = try tokens.next() {
      if let event = try handle(token, &batch) { return event }
    }
    return nil
  }

  mutating func dropOpenPoint(_ batch: inout PointBatch) -> Bool {
    // A point becomes a row at its end. The points of a course are delivered when it is closed.
    !coursePoints.isEmpty
  }

  mutating func closeAll() {
    for node in nodes.reversed() {
      switch node {
      case .track: state.queue.append(.endSegment)
      case .lap:
        if !hasTakenLap { track.laps.append(lap) }
        endLap()
      case .activity, .course:
        if let event = trackEvent() { state.queue.append(event) }
        state.queue.append(.endTrack)
        queueCoursePoints()
      default: break
      }
    }
  }
}

extension TrackWarning.Code {
  static let missingPosition = TrackWarning.Code("missing position")
}
