import TrackModel

/// An entry of a Timeline: an activity, a visit, or points of a path.
struct TimelineEntry {
  /// A point of a path.
  struct PathPoint {
    var coordinate: Coordinate
    /// Microseconds since 1970, or ``Instant/absent`` if the path has no times.
    var time: Int64
  }

  /// The points of a path in the semantic history with their details.
  struct Path {
    var points: [PathPoint] = []
    /// One element per point: its accuracy in metres (NaN if unknown) and the name of a stop.
    var notes: [(accuracy: Double, name: String?)] = []

    var isEmpty: Bool { points.isEmpty }
  }

  var start: Instant?
  var end: Instant?
  /// The activity type as named in the file.
  var type: String?
  var isActivity = false
  var startPlace: Coordinate?
  var endPlace: Coordinate?
  var path: [PathPoint] = []
  /// The details of the path's points. Empty in exports of phones.
  private var notes: [(accuracy: Double, name: String?)] = []
  /// The visited place.
  var visit: Waypoint?
  /// The data that has not been read.
  var unsupportedContent = LossReport()

  // MARK: Semantic history

  /// Reads an element of `timelineObjects`.
  init(historyObject lexer: inout JSONLexer) throws(TrackError) {
    try lexer.beginObject()
    while try lexer.nextMember() {
      let name = TimelineName(lexer)
      guard name == .activitySegment || name == .placeVisit, try lexer.kind() == .object else {
        try lexer.skip()
        continue
      }
      if name == .activitySegment { try readActivitySegment(&lexer) } else { try readPlaceVisit(&lexer) }
    }
  }

  private mutating func readActivitySegment(_ lexer: inout JSONLexer) throws(TrackError) {
    isActivity = true
    var raw = Path()
    var waypoints = Path()
    var stops = Path()
    var likeliest: String?
    try lexer.beginObject()
    while try lexer.nextMember() {
      switch TimelineName(lexer) {
      case .duration: try readDuration(&lexer)
      case .start: startPlace = try TimelinePlace.read(&lexer)
      case .end: endPlace = try TimelinePlace.read(&lexer)
      case .type: type = try lexer.stringOrNothing()
      case .activities: likeliest = try TimelineFix.likeliest(&lexer)
      case .waypointPath: waypoints = try pathPoints(&lexer)
      case .simplifiedRawPath: raw = try pathPoints(&lexer)
      case .transitPath: stops = try pathPoints(&lexer)
      case .parking: try skip("places of parking", &lexer)
      default: try lexer.skip()
      }
    }
    type = type ?? likeliest
    // Of several paths, only one has times. The others follow the road or contain only stops.
    let paths = [raw, withoutEnds(waypoints), withoutEnds(stops)].filter { !$0.isEmpty }
    path = paths.first?.points ?? []
    notes = paths.first?.notes ?? []
    unsupportedContent.add(
      "points of further paths of an activity", paths.dropFirst().reduce(0) { $0 + $1.points.count })
  }

  /// The points between the ends. Paths along the road and paths of stops contain the ends as well.
  private func withoutEnds(_ path: Path) -> Path {
    var path = path
    if let first = path.points.first, first.coordinate == startPlace {
      path.points.removeFirst()
      path.notes.removeFirst()
    }
    if let last = path.points.last, last.coordinate == endPlace {
      path.points.removeLast()
      path.notes.removeLast()
    }
    return path
  }

  /// Skips a value and counts it as unsupported content unless it is empty.
  private mutating func skip(_ what: String, _ lexer: inout JSONLexer) throws(TrackError) {
    switch try lexer.kind() {
    case .object:
      try lexer.beginObject()
      var isEmpty = true
      while try lexer.nextMember() {
        isEmpty = false
        try lexer.skip()
      }
      if !isEmpty { unsupportedContent.add(what) }
    case .array:
      try lexer.beginArray()
      while try lexer.nextElement() {
        unsupportedContent.add(what)
        try lexer.skip()
      }
    default: try lexer.skip()
    }
  }

  private mutating func readPlaceVisit(_ lexer: inout JSONLexer) throws(TrackError) {
    var details = PointDetails()
    var coordinate: Coordinate?
    try lexer.beginObject()
    while try lexer.nextMember() {
      switch TimelineName(lexer) {
      case .duration: try readDuration(&lexer)
      case .location where try lexer.kind() == .object:
        coordinate = try TimelineEntry.location(&details, &lexer)
      case .childVisits: try skip("visits inside of visits", &lexer)
      case .simplifiedRawPath: unsupportedContent.add("points of visits", try pathPoints(&lexer).points.count)
      default: try lexer.skip()
      }
    }
    visited(coordinate, details)
  }

  private mutating func readDuration(_ lexer: inout JSONLexer) throws(TrackError) {
    guard try lexer.enterObject() else { return }
    while try lexer.nextMember() {
      switch TimelineName(lexer) {
      case .startTime: start = try JSONTime.read(&lexer) ?? start
      case .endTime: end = try JSONTime.read(&lexer) ?? end
      default: try lexer.skip()
      }
    }
  }

  /// Reads an object with `points`, `waypoints` or `transitStops`.
  private mutating func pathPoints(_ lexer: inout JSONLexer) throws(TrackError) -> Path {
    var path = Path()
    guard try lexer.enterObject() else { return path }
    while try lexer.nextMember() {
      let name = TimelineName(lexer)
      if name == .stopTimes {
        try skip("times of stops", &lexer)
        continue
      }
      guard name == .points || name == .transitStops, try lexer.kind() == .array else {
        try lexer.skip()
        continue
      }
      try lexer.beginArray()
      while try lexer.nextElement() {
        let mark = lexer.mark()
        guard try lexer.kind() == .object else {
          try lexer.warn(.invalidValue, "array element that is not an object, skipped", at: mark)
          try lexer.skip()
          continue
        }
        var latitude: Double?
        var longitude: Double?
        var time: Instant?
        var accuracy: Double?
        var name: String?
        try lexer.beginObject()
        while try lexer.nextMember() {
          switch TimelineName(lexer) {
          case .latitudeE7: latitude = try lexer.numberOrNothing()
          case .longitudeE7: longitude = try lexer.numberOrNothing()
          case .time: time = try JSONTime.read(&lexer)
          case .accuracy: accuracy = try lexer.numberOrNothing()
          case .name: name = try lexer.stringOrNothing()
          default: try lexer.skip()
          }
        }
        guard let latitude, let longitude else {
          try lexer.warn(.invalidPosition, "point without latitude or longitude, skipped", at: mark)
          continue
        }
        guard
          let coordinate = try TimelinePlace.checked(
            latitudeE7: latitude, longitudeE7: longitude, mark, &lexer)
        else { continue }
        path.points.append(PathPoint(coordinate: coordinate, time: time?.microseconds ?? Instant.absent))
        path.notes.append((accuracy ?? .nan, name))
      }
    }
    return path
  }

  // MARK: Exports of phones

  /// Reads an element of `semanticSegments`, or of the array that an iPhone exports.
  init(segment lexer: inout JSONLexer) throws(TrackError) {
    // Minutes after a start that may follow later, or `nil` for a point with its own time.
    var offsets: [Double?] = []
    try lexer.beginObject()
    while try lexer.nextMember() {
      switch TimelineName(lexer) {
      case .startTime: start = try JSONTime.read(&lexer)
      case .endTime: end = try JSONTime.read(&lexer)
      case .activity where try lexer.kind() == .object: try readActivity(&lexer)
      case .visit where try lexer.kind() == .object: try readVisit(&lexer)
      case .path where try lexer.kind() == .array: try readPath(&offsets, &lexer)
      default: try lexer.skip()
      }
    }
    visit?.time = start
    for (index, minutes) in offsets.enumerated() {
      guard let minutes, let start else { continue }
      let time = Instant(secondsSince1970: start.secondsSince1970 + minutes * 60)
      path[index].time = time?.microseconds ?? Instant.absent
    }
  }

  private mutating func readActivity(_ lexer: inout JSONLexer) throws(TrackError) {
    isActivity = true
    try lexer.beginObject()
    while try lexer.nextMember() {
      switch TimelineName(lexer) {
      case .start: startPlace = try TimelinePlace.read(&lexer)
      case .end: endPlace = try TimelinePlace.read(&lexer)
      case .parking: try skip("places of parking", &lexer)
      case .topCandidate where try lexer.kind() == .object:
        try lexer.beginObject()
        while try lexer.nextMember() {
          if TimelineName(lexer) == .type { type = try lexer.stringOrNothing() } else { try lexer.skip() }
        }
      default: try lexer.skip()
      }
    }
  }

  private mutating func readVisit(_ lexer: inout JSONLexer) throws(TrackError) {
    var details = PointDetails()
    var coordinate: Coordinate?
    try lexer.beginObject()
    while try lexer.nextMember() {
      if TimelineName(lexer) == .topCandidate, try lexer.kind() == .object {
        coordinate = try TimelineEntry.location(&details, &lexer)
      } else {
        try lexer.skip()
      }
    }
    visited(coordinate, details)
  }

  private mutating func readPath(_ offsets: inout [Double?], _ lexer: inout JSONLexer) throws(TrackError) {
    try lexer.beginArray()
    while try lexer.nextElement() {
      let mark = lexer.mark()
      guard try lexer.enterObject() else {
        try lexer.warn(.invalidValue, "array element that is not an object, skipped", at: mark)
        continue
      }
      var hasPlace = false
      var coordinate: Coordinate?
      var time: Instant?
      var minutes: Double?
      while try lexer.nextMember() {
        switch TimelineName(lexer) {
        case .point, .latLng:
          hasPlace = true
          coordinate = try TimelinePlace.read(&lexer)
        case .time: time = try JSONTime.read(&lexer)
        case .minutes: minutes = try lexer.numberOrNothing()
        default: try lexer.skip()
        }
      }
      guard let coordinate else {
        // The place of any other point was reported or is empty.
        if !hasPlace {
          try lexer.warn(.invalidPosition, "point without latitude or longitude, skipped", at: mark)
        }
        continue
      }
      path.append(PathPoint(coordinate: coordinate, time: time?.microseconds ?? Instant.absent))
      offsets.append(time == nil ? minutes : nil)
    }
  }

  // MARK: Places

  /// Reads the members of a visited place.
  private static func location(
    _ details: inout PointDetails, _ lexer: inout JSONLexer
  ) throws(TrackError) -> Coordinate? {
    let mark = lexer.mark()
    var latitude: Double?
    var longitude: Double?
    var coordinate: Coordinate?
    var kind: String?
    try lexer.beginObject()
    while try lexer.nextMember() {
      switch TimelineName(lexer) {
      case .latitudeE7: latitude = try lexer.numberOrNothing()
      case .longitudeE7: longitude = try lexer.numberOrNothing()
      case .location, .latLng: coordinate = try TimelinePlace.read(&lexer)
      case .name: details.name = try lexer.stringOrNothing()
      case .address: details.description = try lexer.stringOrNothing()
      case .semanticType: kind = try lexer.stringOrNothing()
      case .placeId:
        if let identifier = try lexer.stringOrNothing(), !identifier.isEmpty {
          details.links.append(
            TrackLink(address: "https://www.google.com/maps/place/?q=place_id:\(identifier)"))
        }
      default: try lexer.skip()
      }
    }
    // `HOME` and `TYPE_WORK` are meaningful names, `UNKNOWN` is not.
    if let kind, !kind.uppercased().contains("UNKNOWN") { details.name = details.name ?? kind }
    if let coordinate { return coordinate }
    guard let latitude, let longitude else { return nil }
    return try TimelinePlace.checked(latitudeE7: latitude, longitudeE7: longitude, mark, &lexer)
  }

  private mutating func visited(_ coordinate: Coordinate?, _ details: PointDetails) {
    guard let coordinate else { return }
    var details = details
    details.type = "visit"
    visit = Waypoint(coordinate: coordinate, time: start, details: details)
  }

  /// Converts the visit to a waypoint. Its end is part of the comment.
  var waypoint: Waypoint? {
    guard var waypoint = visit else { return nil }
    waypoint.time = start
    if let end { waypoint.details.comment = "until \(end)" }
    return waypoint
  }

  // MARK: Tracks

  /// Converts the activity to a track with one segment.
  ///
  /// - Parameter extra: points between its start and end from other parts of the file.
  func track(extra: [PathPoint] = []) -> TimelineTrack {
    var info = TrackInfo()
    info.type = type
    let path = path + extra
    var points = PointColumns()
    // If the path has no times, its ends get none either, because two timed points would not represent the
    // whole path. The time span is kept.
    let isTimed = path.isEmpty || path.contains { $0.time != Instant.absent }
    if let startPlace { points.append(startPlace, time: isTimed ? start : nil) }
    for (index, point) in path.enumerated() where !isSaid(point) {
      let note = index < notes.count ? notes[index] : (.nan, nil)
      points.append(
        point.coordinate, time: Instant(present: point.time),
        values: note.accuracy >= 0 ? [.horizontalAccuracy: note.accuracy] : [:],
        details: note.name.map { PointDetails(name: $0) } ?? PointDetails())
    }
    if let endPlace { points.append(endPlace, time: isTimed ? end : nil) }
    let endsAreTimed = isTimed && startPlace != nil && endPlace != nil
    if !endsAreTimed, start != nil || end != nil { info.timeSpan = TimeSpan(begin: start, end: end) }
    info.resolution = TimelineEntry.resolution(path)
    return TimelineTrack(info: info, points: points)
  }

  /// Whether a point of a path has the time of an end of the activity, which contains that position itself.
  private func isSaid(_ point: PathPoint) -> Bool {
    guard point.time != Instant.absent else { return false }
    return point.time == start?.microseconds && startPlace != nil
      || point.time == end?.microseconds && endPlace != nil
  }

  /// Whether all times are whole minutes, and therefore rounded.
  static func resolution(_ path: some Sequence<PathPoint>) -> Resolution? {
    var count = 0
    for point in path where point.time != Instant.absent {
      if point.time % 60_000_000 != 0 { return nil }
      count += 1
    }
    return count > 0 ? Resolution(time: 60) : nil
  }
}

/// A complete track.
struct TimelineTrack {
  var info: TrackInfo
  var points: PointColumns
}

extension Instant {
  /// Returns the instant in a column, or `nil`.
  init?(present microseconds: Int64) {
    guard microseconds != Instant.absent else { return nil }
    self.init(microseconds: microseconds)
  }
}
