public import TrackModel

/// A reader of TCX. Each activity, including those of a multisport session, and each course is a track. Each
/// `Track` element is a segment, regardless of laps. The points of a course are waypoints after it.
///
/// Accepts common deviations from the schema: a missing or different namespace of the root, elements in any
/// order, white space before the XML declaration, and invalid values (omitted and counted). Trackpoints
/// without a position are omitted and counted, even in strict reading, because the schema allows them. A
/// file that ends inside an element is read up to its last complete point, with a warning.
///
/// An activity's `Id` is the start of its time span, `Notes` its description, `Sport` its type, `Creator`
/// its source. The sport `Other` means no type, because the schema requires a sport. A course has the type
/// `Course`. Lap elements that the model cannot represent are kept as an extension `Lap`. `SensorState` is
/// omitted and counted, because the sensor values imply it.
public struct TCXReader: XMLPointReader, ~Copyable {
  /// The kind of an open element in the grammar.
  enum Node: XMLNode {
    case document, database
    /// An element that only groups others.
    case group
    case activity, course, lap, track, trackpoint, coursePoint, position, heartRate
    /// An element with a value and attributes: its text is delivered separately from its tags.
    case value
    case extensions, sensors
    /// An element inside `Extensions`, or an unknown one, that is kept unchanged.
    case foreign

    var level: KeptBudget.Level? {
      switch self {
      case .trackpoint, .coursePoint: .point
      case .activity, .course: .track
      default: nil
      }
    }
  }

  var tokens: XMLTokenStream
  var state: XMLReaderState
  var nodes: [Node] = [.document]

  var track = TrackInfo()
  var hasSentTrack = false

  var lap = Lap()
  /// Whether the open lap was added to the information about the track.
  var hasTakenLap = false
  /// The elements of the open lap that the model cannot represent.
  var lapRest = TCXLapRest()

  var point = TCXTrackpoint()
  /// The points of a course, delivered at the end of its track.
  var coursePoints: [Waypoint] = []
  /// The memory for a course point without texts and extensions, in bytes.
  static let coursePointSize = 512
  var positionless = 0
  var sensorStates = 0
  var firstPositionless = InputLocation()

  /// The element of the open `value` node.
  var valueElement = TCXElement.other

  /// Creates a reader. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - input: the file from its first byte.
  ///   - options: the options for reading.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.init(input, options: options, usesRows: true)
  }

  /// - Parameter usesRows: whether plain trackpoints are read without tokens. The results are the same.
  package init(_ input: consuming ByteInput, options: ReadingOptions, usesRows: Bool) {
    state = XMLReaderState(options.limits)
    tokens = XMLTokenStream(
      input, options: options, rows: usesRows ? TCXTrackpointRow.learning(options.channels) : nil
    ) {
      TCXElement.classify($0, core: $1).rawValue
    }
  }

  public var unsupportedContent: LossReport {
    var report = LossReport()
    report.add("states of sensors", sensorStates)
    return report
  }

  public var warnings: [TrackWarning] {
    guard positionless > 0 else { return tokens.log.warnings }
    return tokens.log.warnings + [
      TrackWarning(
        .missingPosition, "trackpoint without a position, skipped", count: positionless,
        place: firstPositionless)
    ]
  }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try nextEvent(into: &batch)
  }

  mutating func handleTokens(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try handlePointTokens(&batch)
  }

  var isAmongPoints: Bool { nodes[nodes.count - 1] == .track }

  @inline(__always)
  mutating func appendRow(to batch: inout PointBatch) { TCXTrackpointRow.append(tokens.row, to: &batch) }

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
  static let missingPosition = TrackWarning.Code("missing-position")
}
