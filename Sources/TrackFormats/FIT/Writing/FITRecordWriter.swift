import TrackModel

/// Writes the records of a track and computes the figures of its laps and session.
struct FITRecordWriter {
  /// The figures of the points written so far.
  struct Extent {
    var first: FITPosition?
    var last: FITPosition?
    var firstTime: Int64?
    var lastTime: Int64?
    /// The smallest and largest time. Times need not be ascending.
    var earliestTime: Int64?
    var latestTime: Int64?
    /// The distance at the last point in metres, as written in its record.
    var distance = 0.0
    /// The distance from the first point to the last in metres.
    var length = 0.0
    /// The seconds within segments.
    var timerTime = 0.0
    /// The figures of each lap, ordered by start.
    var laps = FITLapFigures()
  }

  /// The channels that records can represent.
  static let channels: ChannelSet = [
    ChannelSet(.elevation), ChannelSet(.speed), ChannelSet(.heartRate), ChannelSet(.cadence),
    ChannelSet(.power), ChannelSet(.temperature), ChannelSet(.horizontalAccuracy), ChannelSet(.depth),
    ChannelSet(.distance),
  ]

  /// The local types of records and events.
  private static let recordType: UInt8 = 0
  private static let eventType: UInt8 = 1

  private(set) var extent = Extent()
  private(set) var losses = LossReport()
  private var layout: FITRecordLayout = []
  private var hasDefinition = false
  private var definitions: [UInt8: [UInt8]] = [:]
  private var segmentStart: Int64?
  private var segmentEnd: Int64?
  /// The previous point in the same segment.
  private var previous: Coordinate?
  private let isCourse: Bool
  /// The messages that a course lacks in order to be an activity, for courses that can still become one.
  private(set) var timerEvents: FITTimerEvents?
  /// The number of bytes of the track before those of the current call.
  private var written = 0
  /// The start time for points without a time, in FIT seconds.
  private let madeUpStart: Int64
  private var isTimed: Bool?
  /// Whether the times of a course are estimated.
  var hasMadeUpTimes: Bool { isTimed == false }
  private(set) var segments = 0
  /// The offset between the distances of a course and those of its source.
  private var ahead = 0.0

  /// The speed of courses without times in metres per second: 10 km/h, as in GPSBabel.
  static let madeUpSpeed = 10 / SpeedUnits.kilometresPerHour

  /// - Parameters:
  ///   - canBecomeActivity: whether laps that are known only after the points make an activity of a course.
  ///   - laps: the laps whose figures are computed from the points.
  init(isCourse: Bool, canBecomeActivity: Bool = false, madeUpStart: Int64, laps: [Lap] = []) {
    self.isCourse = isCourse
    timerEvents = isCourse && canBecomeActivity ? FITTimerEvents() : nil
    self.madeUpStart = madeUpStart
    extent.laps = FITLapFigures(laps)
  }

  // MARK: Segments

  mutating func beginSegment() {
    segmentStart = nil
    segmentEnd = nil
    previous = nil
  }

  /// Stops the timer.
  mutating func endSegment(to bytes: inout ByteBuffer) {
    guard let start = segmentStart, let end = segmentEnd else {
      losses.add(
        isCourse ? "segments of courses without a point" : "segments without a point that has a time")
      return
    }
    extent.timerTime += max(Double(end - start) / 1e6, 0)
    if !isCourse { appendEvent(at: end, type: 4, to: &bytes) }
    timerEvents?.append(Self.event(at: end, type: 4), at: written)
  }

  /// Starts or stops the timer of a course, which has a single start and stop.
  mutating func appendCourseEnd(to bytes: inout ByteBuffer) {
    if let last = extent.lastTime { appendEvent(at: last, type: 9, to: &bytes) }
    losses.add("segments of courses (joined)", max(segments - 1, 0))
  }

  private mutating func appendEvent(at time: Int64, type: Int, to bytes: inout ByteBuffer) {
    Self.event(at: time, type: type).append(to: &bytes, &definitions)
  }

  private static func event(at time: Int64, type: Int) -> FITMessageBytes {
    var event = FITMessageBytes(FITMessageNumber.event, local: FITRecordWriter.eventType)
    event.add(FITMessageNumber.timestampField, .uint32, Int(FITTime.seconds(time)))
    event.add(3, .uint32, 0)
    event.add(0, .enumeration, 0)
    event.add(1, .enumeration, type)
    return event
  }

  // MARK: Points

  /// Appends the rows of a batch that FIT can represent.
  ///
  /// - Parameter line: receives the points of a course, to locate course points.
  mutating func append(
    _ batch: borrowing PointBatch, to bytes: inout ByteBuffer, line: inout FITLine
  ) {
    let before = bytes.count
    defer { written += bytes.count - before }
    let times = batch.times
    if isTimed == nil { isTimed = (0..<batch.count).contains { times[$0] != Instant.absent } }
    let wanted = layout.taking(batch)
    if wanted != layout || !hasDefinition {
      layout = wanted
      hasDefinition = true
      layout.appendDefinition(local: FITRecordWriter.recordType, to: &bytes)
    }
    let distances = batch.values(of: .distance)
    for row in 0..<batch.count {
      let coordinate = batch.coordinate(at: row)
      var distance = extent.distance
      if let previous { distance += Geodesy.sphericalDistance(from: previous, to: coordinate) }
      let walked = distance - extent.distance
      if !distances.isEmpty, !distances[row].isNaN {
        distance = isCourse ? alongCourse(distances[row], distance) : distances[row]
      }
      guard let time = time(times[row], distance) else { continue }
      if FITRecordWriter.centimetres(distance) == .max { losses.add("distances out of range") }
      previous = coordinate
      let position = FITPosition(coordinate)
      // If the source's distance restarts, the course continues.
      let counted = distance - extent.distance
      let step = extent.first == nil ? 0 : counted >= 0 ? counted : walked
      extent.length += step
      extent.laps.add(position, time: time, metres: step, isInSegment: segmentStart != nil)
      begin(time, to: &bytes, at: written + bytes.count - before)
      extent.distance = distance
      extent.first = extent.first ?? position
      extent.last = position
      append(time, position, distance, batch, row, to: &bytes)
      if isCourse {
        line.append(
          position, seconds: FITTime.seconds(time), centimetres: FITRecordWriter.centimetres(distance))
      }
    }
    countLosses(batch)
  }

  /// Returns the distance along a course, which starts at 0 and never decreases, regardless of the source's
  /// origin.
  ///
  /// - Parameter reckoned: the distance computed from the previous point.
  private mutating func alongCourse(_ counted: Double, _ reckoned: Double) -> Double {
    if extent.first == nil || counted - ahead < extent.distance { ahead = counted - reckoned }
    return counted - ahead
  }

  /// Returns the time of a point in FIT microseconds, or `nil` if the point cannot be written.
  private mutating func time(_ time: Int64, _ distance: Double) -> Int64? {
    if isTimed == false, isCourse {
      losses.add("times of course points (estimated at 10 km/h, because devices require them)")
      // Recorded distances are arbitrary numbers; times are limited to FIT's range.
      let seconds = min(max((distance / FITRecordWriter.madeUpSpeed).rounded(), 0), 1e9)
      return min(madeUpStart + Int64(seconds) * 1_000_000, Int64(FITTime.invalid - 2) * 1_000_000)
    }
    guard time != Instant.absent else {
      losses.add("trackpoints without a time")
      return nil
    }
    guard let result = FITTime.fromInstant(time) else {
      losses.add("trackpoints with a time before July 1998 or after 2126")
      return nil
    }
    if result % 1_000_000 * 128 % 1_000_000 != 0 { losses.add("times between 128ths of a second (rounded)") }
    return result
  }

  /// Records a point's time, and starts the timer at the first point of a segment.
  ///
  /// - Parameter offset: the number of bytes of the track before the point.
  private mutating func begin(_ time: Int64, to bytes: inout ByteBuffer, at offset: Int) {
    if segmentStart == nil {
      if let latest = extent.latestTime, !FITRecordWriter.canPart(latest, time) {
        if !isCourse { losses.add(FITTimerEvents.overlap) }
        timerEvents?.overlaps += 1
      }
      segmentStart = time
      segments += 1
      if !isCourse || extent.firstTime == nil {
        appendEvent(at: time, type: 0, to: &bytes)
      } else {
        timerEvents?.append(Self.event(at: time, type: 0), at: offset)
      }
    }
    segmentEnd = time
    extent.firstTime = extent.firstTime ?? time
    extent.lastTime = time
    extent.earliestTime = min(extent.earliestTime ?? time, time)
    extent.latestTime = max(extent.latestTime ?? time, time)
  }

  /// Whether readers can find the start of a segment between two points from the second of the timer start
  /// and the order of messages.
  private static func canPart(_ last: Int64, _ first: Int64) -> Bool {
    let second = FITTime.wholeSeconds(first)
    let before = recordedSecond(last)
    return before < second || (before == second && last <= first && recordedSecond(first) == second)
  }

  /// The second of a record's timestamp in microseconds, after rounding to 128ths.
  static func recordedSecond(_ time: Int64) -> Int64 { (time * 128 + 500_000) / 1_000_000 / 128 * 1_000_000 }

  private mutating func append(
    _ time: Int64, _ position: FITPosition, _ distance: Double, _ batch: borrowing PointBatch, _ row: Int,
    to bytes: inout ByteBuffer
  ) {
    // Rounds to 128ths if the layout has them, so that whole seconds stay whole.
    let ticks = (time * 128 + 500_000) / 1_000_000
    bytes.append(FITRecordWriter.recordType)
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: ticks / 128))
    bytes.append(littleEndian: position.latitude)
    bytes.append(littleEndian: position.longitude)
    bytes.append(littleEndian: FITRecordWriter.centimetres(distance))
    guard !layout.isEmpty else { return }
    func value(_ channel: Channel) -> Double { batch.value(channel, at: row) ?? .nan }
    if layout.contains(.altitude) {
      bytes.append(
        littleEndian: number(
          value(.elevation), scale: 5, offset: 500, UInt16.max, "elevations out of range",
          "elevations (rounded to 0.2 m)"))
    }
    if layout.contains(.speed) {
      bytes.append(littleEndian: number(value(.speed), scale: 1000, UInt32.max, "speeds out of range"))
    }
    if layout.contains(.heartRate) {
      bytes.append(whole(value(.heartRate), "heart rates"))
    }
    if layout.contains(.cadence) {
      let cadence = value(.cadence)
      let isFractional = layout.contains(.fractionalCadence)
      bytes.append(whole(isFractional ? cadence.rounded(.down) : cadence, "cadences"))
      if isFractional {
        let part = ((cadence - cadence.rounded(.down)) * 128).rounded(.down)
        bytes.append(part.isNaN ? 0xFF : UInt8(min(part, 127)))
      }
    }
    if layout.contains(.power) {
      bytes.append(
        littleEndian: number(
          value(.power), scale: 1, UInt16.max, "powers out of range",
          "fractional watts (rounded)"))
    }
    if layout.contains(.temperature) { bytes.append(UInt8(bitPattern: temperature(value(.temperature)))) }
    if layout.contains(.accuracy) { bytes.append(whole(value(.horizontalAccuracy), "accuracies")) }
    if layout.contains(.depth) {
      bytes.append(littleEndian: number(value(.depth), scale: 1000, UInt32.max, "depths out of range"))
    }
    if layout.contains(.time128) { bytes.append(UInt8(truncatingIfNeeded: ticks % 128)) }
  }

  /// Converts metres to the unit of a record.
  static func centimetres(_ metres: Double) -> UInt32 {
    let value = (metres * 100).rounded()
    return value >= 0 && value < Double(UInt32.max) ? UInt32(value) : .max
  }

  /// Converts a value to a field's number: (value + offset) × scale, or the type's invalid value.
  ///
  /// - Parameter rounding: the loss to report for a rounded value, or `nil` if the field's resolution is
  ///   sufficient.
  private mutating func number<Number: UnsignedInteger & FixedWidthInteger>(
    _ value: Double, scale: Double, offset: Double = 0, _ invalid: Number, _ loss: String,
    _ rounding: String? = nil
  ) -> Number {
    if value.isNaN { return invalid }
    let exact = (value + offset) * scale
    let number = exact.rounded()
    guard number >= 0, number < Double(invalid) else {
      losses.add(loss)
      return invalid
    }
    // Fifths of a metre have no exact representation.
    if let rounding, abs(exact - number) > 1e-6 { losses.add(rounding) }
    return Number(number)
  }

  private mutating func whole(_ value: Double, _ what: String) -> UInt8 {
    if value.isNaN { return 0xFF }
    let number = value.rounded()
    guard number >= 0, number < 255 else {
      losses.add("\(what) out of range")
      return 0xFF
    }
    if number != value { losses.add("fractional \(what) (rounded)") }
    return UInt8(number)
  }

  private mutating func temperature(_ value: Double) -> Int8 {
    if value.isNaN { return .max }
    let number = value.rounded()
    guard number >= -128, number < 127 else {
      losses.add("temperatures out of range")
      return .max
    }
    if number != value { losses.add("fractional temperatures (rounded)") }
    return Int8(number)
  }

  // MARK: Losses

  private mutating func countLosses(_ batch: borrowing PointBatch) {
    for channel in batch.channels.subtracting(FITRecordWriter.channels).channels {
      let values = batch.values(of: channel)
      var count = 0
      for row in values.indices where !values[row].isNaN { count += 1 }
      losses.add(channel.pluralTitle, count)
    }
    for row in batch.details { losses.add(words: row.details, of: "trackpoints") }
  }
}
