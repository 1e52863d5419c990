import TrackModel

/// Writes the trackpoints and course points of TCX, and kept extensions.
struct TCXPointWriter {
  /// The declarations at the root, complete before the first point is written.
  private(set) var namespaces = XMLNamespaces(defaultNamespace: TCXNamespace.v2)
  /// The content that TCX cannot represent.
  var losses = LossReport()

  /// The beginning of a trackpoint's line, up to the time.
  static let lineStart = Array("     <Trackpoint><Time>".utf8)

  private static let unqualified = (prefix: "unqualified", uri: TCXNamespace.unqualified)

  private static let channels: ChannelSet = [
    ChannelSet(.elevation), ChannelSet(.distance), ChannelSet(.heartRate), ChannelSet(.cadence),
    ChannelSet(.speed), ChannelSet(.power),
  ]

  init() {
    namespaces.declare(TCXNamespace.xsi, preferring: "xsi")
    // Some readers look for the prefix that Garmin uses.
    namespaces.declare(TCXNamespace.activity2, preferring: "ns3")
  }

  /// Declares the namespaces of the source file.
  mutating func declare(_ info: FileInfo) {
    let own = [TCXNamespace.v2, GPXNamespace.gpx10, GPXNamespace.gpx11, ""]
    for declaration in info.namespaces where !own.contains(declaration.uri) {
      namespaces.declare(declaration.uri, preferring: declaration.prefix)
    }
  }

  // MARK: Trackpoints

  /// Appends the rows of a batch that have a time, one line each.
  ///
  /// - Parameters:
  ///   - isRun: whether cadences are those of a runner, which have a separate element.
  ///   - clock: assigns a time to each row if the track has no times.
  mutating func append(
    _ batch: borrowing PointBatch, isRun: Bool, clock: inout TCXCourseClock?, segment: inout TCXSegment,
    to bytes: inout ByteBuffer
  ) {
    let times = batch.times
    let elevations = batch.values(of: .elevation)
    let distances = batch.values(of: .distance)
    let hasSensors = !batch.channels.isDisjoint(with: TCXPointWriter.channels)
    var detail = 0
    var skipped = 0
    for row in 0..<batch.count {
      var details: PointDetails?
      if detail < batch.details.count, batch.details[detail].row == row {
        details = batch.details[detail].details
        detail += 1
      }
      let coordinate = batch.coordinate(at: row)
      guard let time = clock?.next(coordinate) ?? TCXPointWriter.time(times[row]) else {
        losses.add("trackpoints without a time")
        skipped += 1
        continue
      }
      guard time.hasXMLYear else {
        losses.add("trackpoints of a time before year 1 or after 9999")
        skipped += 1
        continue
      }
      let start = bytes.count
      bytes.append(contentsOf: TCXPointWriter.lineStart.span)
      ISO8601.append(time, to: &bytes)
      bytes.append("</Time>")
      append(coordinate, as: "Position", to: &bytes)
      if !elevations.isEmpty, !elevations[row].isNaN {
        bytes.append(element: "AltitudeMeters", elevations[row])
      }
      let distance = distances.isEmpty ? .nan : distances[row]
      if !distance.isNaN { bytes.append(element: "DistanceMeters", distance) }
      if hasSensors || details != nil { append(sensors: batch, row, isRun: isRun, details, to: &bytes) }
      bytes.append("</Trackpoint>\n")
      segment.add(coordinate, time: time, distance: distance)
      segment.byteCount += bytes.count - start
    }
    if skipped < batch.count { countLosses(batch, all: clock != nil) }
  }

  private static func time(_ microseconds: Int64) -> Instant? {
    microseconds == Instant.absent ? nil : Instant(microseconds: microseconds)
  }

  /// Counts the channels that TCX cannot represent.
  ///
  /// - Parameter all: whether rows without a time were written too.
  private mutating func countLosses(_ batch: borrowing PointBatch, all: Bool) {
    for channel in batch.channels.subtracting(TCXPointWriter.channels).channels {
      let values = batch.values(of: channel)
      var count = 0
      for row in values.indices where !values[row].isNaN && (all || batch.times[row] != Instant.absent) {
        count += 1
      }
      losses.add(channel.pluralTitle, count)
    }
  }

  private mutating func append(
    sensors batch: borrowing PointBatch, _ row: Int, isRun: Bool, _ details: PointDetails?,
    to bytes: inout ByteBuffer
  ) {
    if let value = batch.value(.heartRate, at: row) {
      if let whole = whole(value, 1...255, "heart rates") {
        bytes.append("<HeartRateBpm><Value>")
        bytes.append(decimal: whole)
        bytes.append("</Value></HeartRateBpm>")
      }
    }
    var runCadence: Double?
    if let value = batch.value(.cadence, at: row), let whole = whole(value, 0...254, "cadences") {
      if isRun {
        runCadence = whole
      } else {
        bytes.append(element: "Cadence", whole)
      }
    }
    let speed = batch.value(.speed, at: row)
    let watts = batch.value(.power, at: row).flatMap { whole($0, 0...65_535, "powers") }
    if let details { countLosses(details) }
    let kept = details?.extensions ?? []
    let sensor = kept.lazy.compactMap { TCXPointWriter.cadenceSensor($0) }.first
    let hasSensors = speed != nil || runCadence != nil || watts != nil || sensor != nil
    guard hasSensors || !kept.isEmpty else { return }
    let start = bytes.count
    bytes.append("<Extensions>")
    let empty = bytes.count
    if hasSensors {
      bytes.append("<ns3:TPX")
      if let sensor {
        bytes.append(" CadenceSensor=\"")
        bytes.append(sensor)
        bytes.append("\"")
      }
      bytes.append(UInt8(ascii: ">"))
      if let speed { bytes.append(element: "ns3:Speed", speed) }
      if let runCadence { bytes.append(element: "ns3:RunCadence", runCadence) }
      if let watts { bytes.append(element: "ns3:Watts", watts) }
      bytes.append("</ns3:TPX>")
    }
    for element in kept { append(kept: element, to: &bytes) }
    if bytes.count == empty {
      bytes.truncate(to: start)
    } else {
      bytes.append("</Extensions>")
    }
  }

  /// Returns the cadence sensor in an attribute of Garmin's extensions, or nil for other elements.
  private static func cadenceSensor(_ element: ExtensionElement) -> String? {
    guard isActivityExtension(element) else { return nil }
    let value = element.attributes.first { $0.name == "CadenceSensor" || $0.name == "SourceSensor" }?.value
    return value == "Footpod" || value == "Bike" ? value : nil
  }

  /// Returns a value rounded to an integer, or nil if it is outside a range. Counts both kinds of change.
  private mutating func whole(_ value: Double, _ range: ClosedRange<Double>, _ what: String) -> Double? {
    let whole = value.rounded()
    guard range.contains(whole) else {
      losses.add("\(what) out of range")
      return nil
    }
    if whole != value { losses.add("fractional \(what) (rounded)") }
    return whole
  }

  private mutating func countLosses(_ details: PointDetails) {
    var rest = details
    rest.extensions = []
    rest.fix = nil
    rest.differentialStation = nil
    if let extra = rest.extraValues.take() { losses.add(extra) }
    if !rest.isEmpty { losses.add("names, symbols or other texts of trackpoints") }
    if details.fix != nil { losses.add("kinds of fix") }
    if details.differentialStation != nil { losses.add("differential stations") }
  }

  // MARK: Course points

  /// Appends a waypoint as a course point, or counts it as lost if it has no time, which the schema
  /// requires.
  mutating func append(_ waypoint: Waypoint, to bytes: inout ByteBuffer) {
    guard let time = waypoint.time, time.hasXMLYear else {
      losses.add("waypoints without a time")
      return
    }
    let details = waypoint.details
    let type = TCXCoursePointType.named(details.type)
    let symbol = type == nil ? TCXCoursePointType.named(details.symbol) : nil
    if type == nil, details.type != nil { losses.add("types of waypoints") }
    if symbol == nil, details.symbol != nil { losses.add("symbols of waypoints") }
    if details.color != nil { losses.add("colours of waypoints") }
    bytes.append("   <CoursePoint>")
    let name = TCXSource.token(details.name ?? "")
    bytes.append(element: "Name", shortened(name.isEmpty ? "Point" : name, to: 10, "names of waypoints"))
    bytes.open("Time")
    ISO8601.append(time, to: &bytes)
    bytes.close("Time")
    append(waypoint.coordinate, as: "Position", to: &bytes)
    if let elevation = waypoint.values[.elevation] { bytes.append(element: "AltitudeMeters", elevation) }
    bytes.append(element: "PointType", type ?? symbol ?? TCXCoursePointType.generic)
    if let text = details.description { bytes.append(element: "Notes", text) }
    append(extensions: details.extensions, to: &bytes)
    bytes.append("</CoursePoint>\n")
    for channel in Channel.allCases where channel != .elevation && waypoint.values[channel] != nil {
      losses.add(channel.pluralTitle)
    }
    if details.comment != nil { losses.add("comments of waypoints") }
    if details.source != nil { losses.add("sources of waypoints") }
    losses.add("links of waypoints", details.links.count)
    if details.fix != nil { losses.add("kinds of fix") }
    if details.differentialStation != nil { losses.add("differential stations") }
  }

  /// Returns a text, shortened to its first `count` characters if it is longer.
  mutating func shortened(_ text: String, to count: Int, _ what: String) -> String {
    guard text.unicodeScalars.count > count else { return text }
    losses.add("\(what) of more than \(count) letters (cut)")
    return TCXSource.token(String(text.unicodeScalars.prefix(count)))
  }

  // MARK: Parts

  func append(_ coordinate: Coordinate, as tag: StaticString, to bytes: inout ByteBuffer) {
    bytes.open(tag)
    bytes.append(element: "LatitudeDegrees", coordinate.latitude)
    // The schema allows -180 but not 180, which is the same meridian.
    bytes.append(element: "LongitudeDegrees", coordinate.longitude == 180 ? -180 : coordinate.longitude)
    bytes.close(tag)
  }

  /// Appends `Extensions` with the kept elements, or nothing without elements.
  mutating func append(extensions: [ExtensionElement], to bytes: inout ByteBuffer) {
    guard !extensions.isEmpty else { return }
    let start = bytes.count
    bytes.append("<Extensions>")
    let empty = bytes.count
    for element in extensions { append(kept: element, to: &bytes) }
    if bytes.count == empty {
      bytes.truncate(to: start)
    } else {
      bytes.append("</Extensions>")
    }
  }

  private static func isActivityExtension(_ element: ExtensionElement) -> Bool {
    element.namespace == TCXNamespace.activity2 || element.namespace == TCXNamespace.activity1
  }

  /// Appends a kept element. The schema restricts the order and values in Garmin's containers, so children
  /// that do not fit are written next to them, where any element is allowed.
  private mutating func append(kept element: ExtensionElement, to bytes: inout ByteBuffer) {
    guard TCXPointWriter.isActivityExtension(element) else {
      namespaces.append(element, unqualified: TCXPointWriter.unqualified, to: &bytes)
      return
    }
    switch element.name {
    case "TPX", "ActivityTrackpointExtension", "Extensions":
      for child in element.children { append(kept: child, to: &bytes) }
    case "LX", "ActivityLapExtension": append(lapExtension: element, to: &bytes)
    default: namespaces.append(element, unqualified: TCXPointWriter.unqualified, to: &bytes)
    }
  }

  /// The children of `LX` in the order of the schema, with their largest values; nil for no limit.
  private static let lapValues: [(name: StaticString, text: String, limit: Double?)] = [
    ("ns3:AvgSpeed", "AvgSpeed", nil), ("ns3:MaxBikeCadence", "MaxBikeCadence", 254),
    ("ns3:AvgRunCadence", "AvgRunCadence", 254), ("ns3:MaxRunCadence", "MaxRunCadence", 254),
    ("ns3:Steps", "Steps", 65_535), ("ns3:AvgWatts", "AvgWatts", 65_535),
    ("ns3:MaxWatts", "MaxWatts", 65_535),
  ]

  private mutating func append(lapExtension element: ExtensionElement, to bytes: inout ByteBuffer) {
    var rest = element.children
    let start = bytes.count
    bytes.append("<ns3:LX>")
    let empty = bytes.count
    for (tag, name, limit) in TCXPointWriter.lapValues {
      guard let index = rest.firstIndex(where: { $0.name == name }) else { continue }
      guard let value = DecimalReading.read(rest[index].text.utf8Bytes.span),
        limit.map({ (0...$0).contains(value) && value == value.rounded() }) ?? true
      else { continue }
      bytes.append(element: tag, value)
      rest.remove(at: index)
    }
    if bytes.count == empty {
      bytes.truncate(to: start)
    } else {
      bytes.append("</ns3:LX>")
    }
    for child in rest { append(kept: child, to: &bytes) }
  }
}
