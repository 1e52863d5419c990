public import TrackModel

/// Reads the location history of a Google account: `Records.json`, the monthly semantic history, and exports
/// of phones.
///
/// - *Records* (`locations`): one track with one segment, streamed, because files can be gigabytes.
/// - *Semantic history* (`timelineObjects`): each activity is a track, each visit a waypoint.
/// - *Android* (`semanticSegments`, `rawSignals`) and *iPhone* (an array): as above. Points are assigned to
///   their activities, and other points form separate tracks. Raw positions form a track.
/// - *Timeline Edits* (`timelineEdits`): the raw positions form a track.
///
/// The activity's type and time span become those of the track. If all times are whole minutes, the track's
/// time resolution is a minute. ``TimelineOptions/activityTypes`` selects activities, and in recordings the
/// stretches in which one of them was the most likely. If an activity has several paths, the most detailed is
/// used. Other positions, such as parking places, are counted as unsupported content. Probabilities,
/// alternative candidates and scans of the surroundings are ignored.
public struct TimelineReader: JSONTrackReader, ~Copyable {
  private enum Stage {
    case start
    /// The reader is among the members of the root object.
    case root
    /// The reader is among the elements of an array.
    case records, history, signals, segments
    /// The merged segments are being delivered.
    case assembly
    case end
  }

  private var lexer: JSONLexer
  private let options: ReadingOptions
  private let timeline: TimelineOptions
  private var stage = Stage.start
  var isAtEnd: Bool { stage == .end }
  /// Pending events in reverse order.
  var queue: [TrackEvent] = []
  var pendingError: TrackError?
  var hasSentWaypoint = false
  var sentTrackpoints = 0
  private var isArray = false
  /// Whether the file was truncated and its complete part is being delivered.
  private var isCut = false

  private var assembly = TimelineAssembly()
  /// A complete track, and the number of its delivered points.
  private var track: TimelineTrack?
  private var trackRow = 0

  // The state of a streamed recording.
  private var isRecording = false
  private var activity: String?
  /// The first fix of a stretch, kept until the start of the stretch has been delivered.
  private var waitingFix: (fix: TimelineFix, coordinate: Coordinate)?

  /// Creates a reader. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - input: the file from its first byte.
  ///   - options: the options for reading.
  ///   - timeline: the activities to read.
  public init(
    _ input: consuming ByteInput, options: ReadingOptions = ReadingOptions(),
    timeline: TimelineOptions = TimelineOptions()
  ) {
    self.options = options
    self.timeline = timeline
    lexer = JSONLexer(input, options: options)
  }

  public var warnings: [TrackWarning] { lexer.log.warnings }
  public private(set) var unsupportedContent = LossReport()

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try nextEvent(into: &batch)
  }

  mutating func recover(from error: TrackError, rows: Int) throws(TrackError) {
    queue = []
    let hasAny = sentTrackpoints + rows > 0 || hasSentWaypoint || !assembly.isEmpty
    stage = .end
    if error.code == .truncated, !options.isStrict, hasAny {
      try lexer.warn(
        .truncated, "the file ends inside an object; complete data is kept", at: error.place)
      if isRecording { queue = [.endTrack, .endSegment] }
      isCut = true
      if !assembly.isEmpty { stage = .assembly }
    } else {
      pendingError = error
    }
  }

  // MARK: The grammar

  mutating func step(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    if let event = nextOfTrack(&batch) { return event }
    switch stage {
    case .start: try start()
    case .root:
      guard try lexer.nextMember() else {
        try end()
        return nil
      }
      try readRootMember()
    case .records, .signals: return try readRecording(&batch)
    case .history:
      guard try nextObject() else {
        stage = .root
        return nil
      }
      give(try TimelineEntry(historyObject: &lexer))
    case .segments:
      guard try nextObject() else {
        lexer.container = nil
        stage = .assembly
        return nil
      }
      var entry = try TimelineEntry(segment: &lexer)
      if !timeline.isSelective || entry.isActivity && timeline.keeps(entry.type) {
        unsupportedContent.add(entry.unsupportedContent)
      }
      entry.unsupportedContent = LossReport()
      assembly.add(entry)
    case .assembly:
      switch assembly.next(timeline) {
      case .waypoint(let waypoint): return .waypoint(waypoint)
      case .track(let track): begin(track)
      case nil:
        assembly = TimelineAssembly()
        if isCut { stage = .end } else if isArray { try end() } else { stage = .root }
      }
    case .end: break
    }
    return nil
  }

  private mutating func start() throws(TrackError) {
    guard try lexer.nextText() else {
      throw TrackError(.truncated, "the file is empty", place: lexer.place)
    }
    switch try lexer.kind() {
    case .object:
      try lexer.beginObject()
      stage = .root
    case .array:
      isArray = true
      begin(array: .segments, "segments")
      try lexer.beginArray()
    default: throw TrackError(.unknownFormat, "not a Google Timeline", place: lexer.place)
    }
    queue = [.header(FileInfo())]
  }

  private mutating func readRootMember() throws(TrackError) {
    let name = TimelineName(lexer)
    guard [.locations, .timelineObjects, .semanticSegments, .rawSignals, .timelineEdits].contains(name),
      try lexer.kind() == .array
    else { return try lexer.skip() }
    try lexer.beginArray()
    switch name {
    case .locations:
      begin(array: .records, "locations")
      // Records are always one track, even if empty. Selected activities may yield no track.
      if !timeline.isSelective { beginRecording() }
    case .timelineObjects: begin(array: .history, "timelineObjects")
    case .semanticSegments: begin(array: .segments, "semanticSegments")
    case .timelineEdits: begin(array: .signals, "timelineEdits")
    default: begin(array: .signals, "rawSignals")
    }
  }

  private mutating func begin(array stage: Stage, _ name: StaticString) {
    self.stage = stage
    lexer.container = name
    lexer.containerIndex = -1
    activity = nil
  }

  /// Advances to the next element of the array that is an object, skipping others.
  private mutating func nextObject() throws(TrackError) -> Bool {
    while try lexer.nextElement() {
      lexer.containerIndex += 1
      if try lexer.isAtObject() { return true }
      try lexer.warn(.invalidValue, "array element that is not an object, skipped")
      try lexer.skip()
    }
    lexer.container = nil
    return false
  }

  /// Handles the end of the root.
  private mutating func end() throws(TrackError) {
    if try lexer.nextText() {
      try lexer.warn(.trailingContent, "content after the end of the document, ignored")
    }
    stage = .end
  }

  // MARK: Whole tracks

  /// Delivers an entry of the semantic history.
  private mutating func give(_ entry: TimelineEntry) {
    if !timeline.isSelective || entry.isActivity && timeline.keeps(entry.type) {
      unsupportedContent.add(entry.unsupportedContent)
    }
    if let waypoint = entry.waypoint, !timeline.isSelective {
      hasSentWaypoint = true
      queue.append(.waypoint(waypoint))
    }
    if entry.isActivity, timeline.keeps(entry.type) { begin(entry.track()) }
  }

  private mutating func begin(_ track: TimelineTrack) {
    self.track = track
    trackRow = 0
    queue.insert(contentsOf: [.beginSegment, .beginTrack(track.info)], at: 0)
  }

  /// Returns the next event of the complete track, or `nil`.
  private mutating func nextOfTrack(_ batch: inout PointBatch) -> TrackEvent? {
    guard let points = track?.points else { return nil }
    let added = batch.append(points, from: trackRow)
    trackRow += added
    if added > 0 { return .points }
    track = nil
    queue = [.endTrack]
    return .endSegment
  }

  // MARK: Recordings

  private mutating func beginRecording() {
    isRecording = true
    var info = TrackInfo()
    info.type = activity
    queue.insert(contentsOf: [.beginSegment, .beginTrack(info)], at: 0)
  }

  /// Reads fixes until the batch is full or the current stretch ends.
  private mutating func readRecording(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    if let (fix, coordinate) = waitingFix {
      waitingFix = nil
      fix.append(coordinate, to: &batch)
    }
    while !batch.isFull {
      guard try nextObject() else {
        stage = .root
        if isRecording { endRecording() }
        return batch.count > 0 ? .points : nil
      }
      let fix =
        stage == .records
        ? try TimelineFix(record: &lexer, readsActivities: timeline.isSelective)
        : try TimelineFix(signal: &lexer)
      let isOther = timeline.isSelective && fix.activity != nil && fix.activity != activity
      if isOther {
        activity = fix.activity
        if isRecording { endRecording() }
      }
      if timeline.keeps(activity), let coordinate = fix.coordinate {
        if isRecording {
          fix.append(coordinate, to: &batch)
        } else {
          beginRecording()
          waitingFix = (fix, coordinate)
        }
      }
      // Delivers the end of a stretch and the start of the next before reading further.
      if !queue.isEmpty { return batch.count > 0 ? .points : nil }
    }
    return .points
  }

  private mutating func endRecording() {
    isRecording = false
    queue.insert(contentsOf: [.endTrack, .endSegment], at: 0)
  }
}
