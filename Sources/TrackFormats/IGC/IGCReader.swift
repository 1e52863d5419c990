public import TrackModel

/// Reads IGC flight logs (FAI, "Technical Specification for GNSS Flight Recorders", appendix A).
///
/// All fixes are one track with one segment. The elevation is the altitude of the receiver; pressure
/// altitudes are ignored. Further digits of positions and seconds (LAD, LOD, TDS), accuracies (FXA) and
/// satellites (SIU) are read. A fix at 0, 0 has no position. Declared tasks are routes without their
/// undeclared places. The pilot and the glider are the description of the track. Without a date, the times
/// count from 1999-09-09T09:09:09Z.
public struct IGCReader: FaultDeferringReader, ~Copyable {
  private var lines: TextLines
  private let options: ReadingOptions
  private var log = WarningLog()
  private var clock: TimeOfDayClock?
  /// Whether the track began without a date, so that its times count from an unknown start.
  private var isUndated = false
  private var columns = IGCExtensions()
  /// The length of the shortest fix so far.
  private var shortestFix = Int.max
  /// The tasks that have not been delivered.
  private var tasks: [Task] = []
  private var places = 0
  private var hasRecord = false
  /// The pilot and the glider.
  private var people: [(label: String, name: String)] = []
  /// Whether the current line is the first fix, which follows the events before it.
  private var isFixWaiting = false
  var fault = ReadingFault.none
  private var step = Step.header

  private enum Step {
    case header, beforeTrack, place, afterPlaces, segment, points, endOfTrack, afterTrack, end
  }
  private var hadTrack = false

  private struct Task {
    var name: String?
    var places: [Waypoint] = []
  }

  /// The maximum number of tasks and their places.
  private static let maximumPlaces = 10_000

  /// Creates a reader. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - input: the log from its first byte.
  ///   - options: the options for reading.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    lines = TextLines(input, options)
    self.options = options
  }

  public var warnings: [TrackWarning] { log.warnings }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try nextEvent(into: &batch)
  }

  mutating func advance(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    switch step {
    case .header:
      step = .beforeTrack
      return .header(FileInfo())
    case .beforeTrack, .afterTrack:
      if step == .beforeTrack, !isFixWaiting { try findFirstFix(&batch) }
      if let task = tasks.first {
        step = .place
        return .beginRoute(TrackInfo(name: task.name))
      }
      step = step == .beforeTrack && isFixWaiting ? .segment : .end
      isUndated = clock == nil
      return step == .segment ? .beginTrack(info) : nil
    case .place:
      let task = tasks.removeFirst()
      var rest = task
      for place in task.places.prefix(batch.capacity) {
        batch.append(latitude: place.coordinate.latitude, longitude: place.coordinate.longitude)
        batch.set(place.details)
      }
      rest.places.removeFirst(batch.count)
      if rest.places.isEmpty { step = .afterPlaces } else { tasks.insert(rest, at: 0) }
      guard batch.count > 0 else {
        step = hadTrack ? .afterTrack : .beforeTrack
        return .endRoute
      }
      return .points
    case .afterPlaces:
      step = hadTrack ? .afterTrack : .beforeTrack
      return .endRoute
    case .segment:
      step = .points
      return .beginSegment
    case .points:
      while !batch.isFull, try nextLine() { try takeRecord(&batch) }
      if batch.count > 0 { return .points }
      step = .endOfTrack
      return .endSegment
    case .endOfTrack:
      hadTrack = true
      step = .afterTrack
      return .endTrack
    case .end: return nil
    }
  }

  /// Reads records up to the first fix with a position, which is read again after the events before it.
  private mutating func findFirstFix(_ batch: inout PointBatch) throws(TrackError) {
    while try nextLine() {
      let before = (clock, log)
      try takeRecord(&batch)
      guard batch.count > 0 else { continue }
      batch.removeAll()
      (clock, log) = before
      isFixWaiting = true
      return
    }
    guard hasRecord else {
      throw TrackError(
        lines.number == 0 ? .truncated : .malformed,
        lines.number == 0 ? "the file is empty" : "no record of an IGC file", place: lines.place)
    }
  }

  /// Advances to the next line.
  private mutating func nextLine() throws(TrackError) -> Bool {
    if isFixWaiting, step == .points {
      isFixWaiting = false
      return true
    }
    while try lines.advance() {
      guard let flaw = lines.flaw else { return true }
      try warn(flaw.code, flaw.message)
    }
    return false
  }

  /// Counts a warning about the current line.
  private mutating func warn(_ code: TrackWarning.Code, _ message: String) throws(TrackError) {
    try log.report(code, message, line: lines, isStrict: options.isStrict)
  }

  // MARK: Records

  private mutating func takeRecord(_ batch: inout PointBatch) throws(TrackError) {
    guard lines.line.count > 0 else { return }
    let kind = lines.line[0]
    switch kind {
    case UInt8(ascii: "B"): try takeFix(&batch)
    case UInt8(ascii: "H"):
      takeDescription()
      guard let days = IGCDate.days(lines.line) else { return }
      hasRecord = true
      if clock == nil {
        clock = TimeOfDayClock(days: days)
      } else if !isUndated {
        clock?.advance(toDay: days)
      }
    case UInt8(ascii: "I"):
      columns = IGCExtensions(lines.line)
      if columns.isBroken { try warn(.invalidValue, "broken I record, its unreadable columns ignored") }
    case UInt8(ascii: "C"): try takeTask()
    default: break
    }
  }

  /// The description of the track according to the headers before its first fix.
  private var info: TrackInfo {
    var info = TrackInfo()
    let lines = people.map { "\($0.label): \($0.name)" }
    if !lines.isEmpty { info.description = lines.joined(separator: "\n") }
    if isUndated { info.extensions = [DriveElement.artificialClockMark] }
    return info
  }

  private static let labels = [
    "PLT": "Pilot", "CM2": "Second pilot", "GTY": "Glider", "GID": "Glider ID",
  ]

  /// Reads a header such as `HFPLTPILOTINCHARGE:Name` or `HFGTYGLIDERTYPE:Discus`.
  private mutating func takeDescription() {
    guard lines.line.count > 6 else { return }
    let key = lines.line.extracting(2..<5).trimmedText
    guard let label = Self.labels[key], !people.contains(where: { $0.label == label }),
      let colon = lines.line.indices.first(where: { lines.line[$0] == UInt8(ascii: ":") }),
      case let name = lines.line.extracting((colon + 1)..<lines.line.count).trimmedText, !name.isEmpty
    else { return }
    people.append((label, name))
  }

  private mutating func takeFix(_ batch: inout PointBatch) throws(TrackError) {
    if !lines.isClosed, shortestFix < .max, lines.line.count < shortestFix {
      return try warn(.truncated, "the file ends inside a fix, skipped")
    }
    shortestFix = min(shortestFix, lines.line.count)
    guard let fix = IGCFix(lines.line) else {
      return try warn(.brokenFix, "broken fix, skipped")
    }
    hasRecord = true
    guard fix.latitude != 0 || fix.longitude != 0 else {
      return try log.report(.noFix, "record without a fix, skipped", line: lines, isStrict: false)
    }
    let latitude = Double(fix.latitude) / 1000 + IGCExtensions.fraction(lines.line, columns.latitude) / 1000
    let longitude =
      Double(fix.longitude) / 1000 + IGCExtensions.fraction(lines.line, columns.longitude) / 1000
    let coordinate = Coordinate(
      latitude: IGCPlace.degrees(minutes: latitude, isNegative: fix.isSouth),
      longitude: IGCPlace.degrees(minutes: longitude, isNegative: fix.isWest))
    guard coordinate.isValid else {
      return try warn(.invalidPosition, "position out of range, point skipped")
    }
    let micros = Int64((IGCExtensions.fraction(lines.line, columns.second) * 1e6).rounded())
    if clock == nil {
      if options.reportsUnknownStart { try warn(.missingDate, TimeOfDayClock.undated) }
      clock = TimeOfDayClock(undatedFrom: fix.time + micros)
    }
    let time = clock?.advance(to: fix.time + micros)
    batch.append(
      latitude: coordinate.latitude, longitude: coordinate.longitude, time: time ?? Instant.absent)
    if let altitude = fix.altitude, fix.isThreeDimensional || altitude != 0 {
      batch.set(.elevation, Double(altitude))
    }
    if let accuracy = columns.accuracy.flatMap({ lines.line.digits($0) }) {
      batch.set(.horizontalAccuracy, Double(accuracy))
    }
    if let satellites = columns.satellites.flatMap({ lines.line.digits($0) }) {
      batch.set(.satellites, Double(satellites))
    }
    if let speed = columns.speed.flatMap({ lines.line.digits($0) }) {
      batch.set(.speed, Double(speed) / SpeedUnits.kilometresPerHour)
    }
    batch.set(.course, ifKnown: columns.course.flatMap { lines.line.digits($0) }.map(Double.init))
  }

  /// Reads a C record: a declaration of a task, or a place of the last one.
  private mutating func takeTask() throws(TrackError) {
    guard lines.line.count >= 18 else { return }
    if lines.line.digits(1..<13) != nil {
      let name = lines.line.extracting(min(25, lines.line.count)..<lines.line.count).trimmedText
      hasRecord = true
      if try reservePlace() { tasks.append(Task(name: name.isEmpty ? nil : name)) }
    } else if !tasks.isEmpty, let latitude = IGCPlace.angle(lines.line, 1, degreeDigits: 2, "N", "S"),
      let longitude = IGCPlace.angle(lines.line, 9, degreeDigits: 3, "E", "W"),
      latitude.0 != 0 || longitude.0 != 0
    {
      let name = lines.line.extracting(18..<lines.line.count).trimmedText
      let coordinate = Coordinate(
        latitude: IGCPlace.degrees(minutes: Double(latitude.0) / 1000, isNegative: latitude.1),
        longitude: IGCPlace.degrees(minutes: Double(longitude.0) / 1000, isNegative: longitude.1))
      guard coordinate.isValid, try reservePlace() else { return }
      tasks[tasks.count - 1].places.append(
        Waypoint(coordinate: coordinate, details: PointDetails(name: name.isEmpty ? nil : name)))
    }
  }

  /// Counts a task or a place.
  ///
  /// - Returns: false, with a warning, if there are already ``maximumPlaces``.
  private mutating func reservePlace() throws(TrackError) -> Bool {
    guard places < IGCReader.maximumPlaces else {
      try warn(.limitExceeded, "more than \(IGCReader.maximumPlaces) places of tasks, the rest skipped")
      return false
    }
    places += 1
    return true
  }
}

extension TrackWarning.Code {
  static let brokenFix = TrackWarning.Code("broken-fix")
}
