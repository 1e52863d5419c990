import TrackModel

/// The accumulated data of one FIT file.
///
/// Devices write sessions, laps and field descriptions after the records they describe. The points are
/// therefore buffered until the end of the file, or until there are too many of them.
struct FITAccumulator {
  /// A course point or saved location, with its time in FIT microseconds.
  struct Place {
    var waypoint: Waypoint
    var time: Int64?
  }

  var clock = FITClock()
  var rows = FITRows()
  /// Positions of a camera, several per second, which are used if records have none.
  var cameraRows = FITRows()
  var timer = FITTimer()
  var sessions: [FITSummary] = []
  var laps: [FITSummary] = []
  var places: [Place] = []
  var developerFields = FITDeveloperFields()

  private(set) var type: FITFileType?
  private(set) var timeCreated: Int64?
  private var manufacturer: Int?
  private var product: Int?
  private var productName: String?
  private(set) var courseName: String?
  /// The ``DriveElement`` of a course.
  private(set) var drive: ExtensionElement?
  private(set) var sport: Int?

  /// The time of the last record with a position.
  private var second: Int64?
  /// The last record, if it has no position.
  private var waiting: (record: FITRecord, time: Int64, offset: Int)?

  private(set) var hasPositions = false
  /// The number of records, course points and locations without a position, and the offset of the first.
  private(set) var withoutPosition = 0
  private(set) var firstWithoutPosition: Int?
  /// The number of camera positions that are unused because records have positions.
  private(set) var unusedCamera = 0
  /// The number of messages with heart rates between the records, and of laps that are not active ones.
  private(set) var unusedHeartRates = 0
  private(set) var restLaps = 0
  /// The number of positions out of range, and the offset of the first.
  private(set) var offEarth = 0
  private(set) var firstOffEarth: Int?
  private var budget: KeptBudget
  /// The number of laps, sessions and timer events, and of course points and locations, beyond the budget.
  private(set) var omittedMessages = 0
  private(set) var omittedPlaces = 0

  /// The distance accumulated from a counter of sixteenths of a metre, and its last value.
  private var counted = 0
  private var lastCount: Int?

  /// The rollover of the counter: 256 m.
  private static let countMask = 0xFFF
  /// A distance in metres beyond any recording.
  private static let longestDistance = 1e12
  /// The size of a course point or location without its texts, in bytes, with the copies for its delivery.
  private static let placeSize = 8 * KeptBudget.entrySize

  init(_ limits: ReadingLimits) { budget = KeptBudget(limits) }

  /// The program or device that wrote the file.
  var creator: String? {
    guard let maker = FITManufacturer.name(manufacturer) else { return productName }
    if let productName {
      return productName.lowercased().hasPrefix(maker.lowercased()) ? productName : "\(maker) \(productName)"
    }
    return product.map { "\(maker) (product \($0))" } ?? maker
  }

  /// Handles a data message.
  ///
  /// - Parameter offset: its offset in the input.
  mutating func take(
    _ definition: FITDefinition, _ bytes: Span<UInt8>, timestamp: UInt32?, offset: Int
  ) {
    let time = timestamp.map { FITTime.microseconds($0) }
    switch definition.message {
    case FITMessageNumber.record: takeRecord(definition, bytes, time: time, offset: offset)
    case FITMessageNumber.gpsMetadata: takeCamera(definition, bytes, time: time, offset: offset)
    case FITMessageNumber.event: takeEvent(definition, bytes, time: time)
    case FITMessageNumber.session:
      if hasRoom() { sessions.append(FITSummary(session: definition, bytes, end: time)) }
    case FITMessageNumber.lap:
      if hasRoom() { laps.append(FITSummary(lap: definition, bytes, end: time)) }
      // The field `intensity`: 0 is active, 1 rest, 2 warm-up, 3 cool-down.
      if let intensity = definition.integer(23, in: bytes), (1...3).contains(intensity) { restLaps += 1 }
    case FITMessageNumber.heartRates: unusedHeartRates += 1
    case FITMessageNumber.timestampCorrelation: correlate(definition, bytes, time: time)
    case FITMessageNumber.coursePoint: takeCoursePoint(definition, bytes, time: time, offset: offset)
    case FITMessageNumber.location: takeLocation(definition, bytes, time: time, offset: offset)
    case FITMessageNumber.course:
      courseName = courseName ?? definition.text(5, in: bytes)
      sport = sport ?? definition.integer(4, in: bytes)
    case FITDriveMessage.number: drive = drive ?? FITDriveMessage.element(definition, bytes)
    case FITMessageNumber.sport: sport = sport ?? definition.integer(0, in: bytes)
    case FITMessageNumber.fileID: takeFileID(definition, bytes)
    case FITMessageNumber.deviceInfo: takeDevice(definition, bytes)
    case FITMessageNumber.fieldDescription:
      for value in developerFields.describe(definition, bytes) {
        rows.set(value.channel, value.number, at: value.row)
      }
    default: break
    }
  }

  /// Reserves memory for a lap, a session or a timer event, which are kept until the end of the file.
  private mutating func hasRoom() -> Bool {
    let hasRoom = budget.reserve(KeptBudget.entrySize, at: .file)
    if !hasRoom { omittedMessages += 1 }
    return hasRoom
  }

  /// Keeps a course point or a location until the end of the file.
  private mutating func append(_ place: Place) {
    let details = place.waypoint.details
    let textSize = (details.name ?? "").utf8.count + (details.description ?? "").utf8.count
    if budget.reserve(FITAccumulator.placeSize + textSize, at: .waiting) {
      places.append(place)
    } else {
      omittedPlaces += 1
    }
  }

  /// Discards the positions out of range, after they have been counted.
  mutating func forgetOffEarth() {
    offEarth = 0
    firstOffEarth = nil
  }

  // MARK: Points

  private mutating func takeRecord(
    _ definition: FITDefinition, _ bytes: Span<UInt8>, time: Int64?, offset: Int
  ) {
    guard let plan = definition.record else { return }
    var record = plan.read(bytes, isBigEndian: definition.isBigEndian)
    count(&record)
    guard let latitude = record.latitude, let longitude = record.longitude else {
      addToSecond(record, time: time, offset: offset)
      return
    }
    guard FITRows.isValid(latitude: latitude) else {
      leaveEarth(offset)
      return
    }
    if !hasPositions {
      hasPositions = true
      unusedCamera += cameraRows.count
      cameraRows = FITRows()
    }
    let fraction = (0..<1).contains(record.fraction) ? Instant.microseconds(inSeconds: record.fraction) : 0
    rows.append(
      latitude: latitude, longitude: longitude, time: time.map { $0 + fraction } ?? Instant.absent)
    rows.add(record)
    if let sensors = waiting {
      if let time, sensors.time == time { rows.fill(sensors.record) } else { missPosition(sensors.offset) }
      waiting = nil
    }
    second = time
    for field in definition.developerFields {
      let value = developerFields.read(
        field, in: bytes, isBigEndian: definition.isBigEndian, row: rows.count - 1)
      if let value { rows.set(value.channel, value.number, at: value.row) }
    }
  }

  /// Merges records of the same second, because some devices write the position and the sensors in separate
  /// records.
  private mutating func addToSecond(_ record: FITRecord, time: Int64?, offset: Int) {
    endWaiting()
    if let time, time == second, !rows.isEmpty {
      rows.fill(record)
    } else if let time {
      waiting = (record, time, offset)
    } else {
      missPosition(offset)
    }
  }

  /// Counts the pending record as one without a position.
  mutating func endWaiting() {
    if let waiting { missPosition(waiting.offset) }
    waiting = nil
  }

  /// Converts the counter's value to the distance since the start.
  private mutating func count(_ record: inout FITRecord) {
    if let count = record.compressedDistance {
      counted += (count - (lastCount ?? 0)) & FITAccumulator.countMask
      lastCount = count
      if record.distance.isNaN { record.distance = Double(counted) / 16 }
    }
    // A distance can also be declared as a floating-point number, which has no range.
    if record.distance.magnitude >= Self.longestDistance { record.distance = .nan }
    if !record.distance.isNaN, record.compressedDistance == nil || record.distance != Double(counted) / 16 {
      // The counter continues from a complete distance.
      counted = Int(record.distance * 16)
      if record.compressedDistance == nil { lastCount = counted & FITAccumulator.countMask }
    }
  }

  private mutating func leaveEarth(_ offset: Int) {
    offEarth += 1
    firstOffEarth = firstOffEarth ?? offset
  }

  private mutating func missPosition(_ offset: Int) {
    if withoutPosition == 0 { firstWithoutPosition = offset }
    withoutPosition += 1
  }

  /// Handles a camera position.
  private mutating func takeCamera(
    _ definition: FITDefinition, _ bytes: Span<UInt8>, time: Int64?, offset: Int
  ) {
    var time = time
    if let device = time {
      let milliseconds = definition.integer(0, in: bytes) ?? 0
      if let satellite = FITTime.microseconds(definition.integer(6, in: bytes)) {
        clock.satelliteTime(satellite, device: device)
      }
      time = device + Int64(milliseconds) * 1000
    }
    guard let latitude = definition.integer(1, in: bytes).flatMap({ Int32(exactly: $0) }),
      let longitude = definition.integer(2, in: bytes).flatMap({ Int32(exactly: $0) })
    else { return }
    guard FITRows.isValid(latitude: latitude) else {
      if !hasPositions { leaveEarth(offset) }
      return
    }
    guard !hasPositions else {
      unusedCamera += 1
      return
    }
    cameraRows.append(latitude: latitude, longitude: longitude, time: time ?? Instant.absent)
    var record = FITRecord()
    record.elevation = definition.number(3, in: bytes).map { ($0 - 2500) / 5 } ?? .nan
    record.speed = definition.number(4, in: bytes).map { $0 / 1000 } ?? .nan
    if let heading = definition.number(5, in: bytes), heading <= 36_000 {
      record.course = heading == 36_000 ? 0 : heading / 100
    }
    cameraRows.add(record)
  }

  private mutating func takeEvent(_ definition: FITDefinition, _ bytes: Span<UInt8>, time: Int64?) {
    // Event 0 is the timer. Type 0 starts it; types 1, 4, 8 and 9 stop it.
    guard definition.integer(0, in: bytes) == 0 else { return }
    switch definition.integer(1, in: bytes) {
    case 0: if hasRoom() { timer.start(time, row: rows.count, cameraRow: cameraRows.count) }
    case 1, 4, 8, 9: if hasRoom() { timer.stop(time) }
    default: break
    }
  }

  private mutating func correlate(_ definition: FITDefinition, _ bytes: Span<UInt8>, time: Int64?) {
    guard let time, let device = FITTime.microseconds(definition.integer(1, in: bytes)) else { return }
    func fraction(_ ticks: UInt8, _ milliseconds: UInt8) -> Int64 {
      if let value = definition.integer(milliseconds, in: bytes) { return Int64(value) * 1000 }
      guard let value = definition.integer(ticks, in: bytes) else { return 0 }
      return Int64(value) * 1_000_000 / 32_768
    }
    clock.correlate(device: device + fraction(2, 5), time: time + fraction(0, 4))
  }

  // MARK: Places

  private mutating func takeCoursePoint(
    _ definition: FITDefinition, _ bytes: Span<UInt8>, time: Int64?, offset: Int
  ) {
    guard let coordinate = coordinate(definition, bytes, fields: 2, 3, offset) else { return }
    var details = PointDetails(name: definition.text(6, in: bytes))
    details.type = FITCoursePointType.name(definition.integer(5, in: bytes))
    let distance = definition.number(4, in: bytes).map { [Channel.distance: $0 / 100] }
    append(
      Place(
        waypoint: Waypoint(coordinate: coordinate, values: distance ?? [:], details: details),
        time: FITTime.microseconds(definition.integer(1, in: bytes)) ?? time))
  }

  private mutating func takeLocation(
    _ definition: FITDefinition, _ bytes: Span<UInt8>, time: Int64?, offset: Int
  ) {
    guard let coordinate = coordinate(definition, bytes, fields: 1, 2, offset) else { return }
    var details = PointDetails(name: definition.text(0, in: bytes))
    details.description = definition.text(6, in: bytes)
    let elevation = definition.number(4, in: bytes).map { [Channel.elevation: ($0 - 2500) / 5] }
    append(
      Place(
        waypoint: Waypoint(coordinate: coordinate, values: elevation ?? [:], details: details), time: time))
  }

  private mutating func coordinate(
    _ definition: FITDefinition, _ bytes: Span<UInt8>, fields latitude: UInt8, _ longitude: UInt8,
    _ offset: Int
  ) -> Coordinate? {
    guard let latitude = definition.integer(latitude, in: bytes).flatMap({ Int32(exactly: $0) }),
      let longitude = definition.integer(longitude, in: bytes).flatMap({ Int32(exactly: $0) })
    else {
      missPosition(offset)
      return nil
    }
    guard FITRows.isValid(latitude: latitude) else {
      leaveEarth(offset)
      return nil
    }
    return Coordinate(latitude: FITRows.degrees(latitude), longitude: FITRows.degrees(longitude))
  }

  // MARK: The file

  private mutating func takeFileID(_ definition: FITDefinition, _ bytes: Span<UInt8>) {
    type = type ?? FITFileType(definition, bytes)
    manufacturer = manufacturer ?? definition.integer(1, in: bytes)
    product = product ?? definition.integer(2, in: bytes)
    productName = productName ?? definition.text(8, in: bytes)
    timeCreated = timeCreated ?? FITTime.microseconds(definition.integer(4, in: bytes))
  }

  /// Handles the device info of the recording device, which has index 0. Other indices are sensors.
  private mutating func takeDevice(_ definition: FITDefinition, _ bytes: Span<UInt8>) {
    guard definition.integer(0, in: bytes) == 0 else { return }
    productName = productName ?? definition.text(27, in: bytes)
  }
}
