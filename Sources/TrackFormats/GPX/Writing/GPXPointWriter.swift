import TrackModel

/// Writes the points of GPX: waypoints, routepoints and trackpoints, which all have the same children.
struct GPXPointWriter {
  let version: GPXVersion
  /// The declarations at the root, complete before the first point is written.
  var namespaces: XMLNamespaces
  /// The content that GPX cannot represent.
  var losses = LossReport()
  /// The namespaces of TrackPointExtension: version 1 if the file uses it, and version 2 for the channels
  /// that only it has.
  private var trackPoint = Declared()
  private var trackPoint2 = Declared()
  private var power = Declared()
  private var openTracks = Declared()
  private var cluetrust = Declared()
  private var plain = GPXPlainPoints()
  private var clock = ISO8601Clock()

  /// The namespace of an extension.
  struct Declared {
    let prefix: String
    /// The declaration for the element if the root does not declare the prefix.
    let attribute: String
    /// The beginning of start and end tags, up to the colon.
    let opening: [UInt8]
    let closing: [UInt8]

    init(prefix: String = "", attribute: String = "") {
      self.prefix = prefix
      self.attribute = attribute
      opening = Array("<\(prefix):".utf8)
      closing = Array("</\(prefix):".utf8)
    }
  }

  init(version: GPXVersion) {
    self.version = version
    namespaces = XMLNamespaces(defaultNamespace: version.namespace)
  }

  /// The kinds of points that are delivered in batches.
  enum Kind {
    case routepoint, trackpoint

    fileprivate var element: StaticString {
      switch self {
      case .routepoint: "rtept"
      case .trackpoint: "trkpt"
      }
    }
  }

  /// The channels that are written in Garmin's TrackPointExtension.
  static let trackPointChannels: ChannelSet = [
    ChannelSet(.temperature), ChannelSet(.waterTemperature), ChannelSet(.depth), ChannelSet(.heartRate),
    ChannelSet(.cadence), ChannelSet(.speed), ChannelSet(.course), ChannelSet(.bearing),
  ]
  /// The channels among them that version 1 of the extension lacks.
  private static let trackPoint2Channels: ChannelSet = [
    ChannelSet(.speed), ChannelSet(.course), ChannelSet(.bearing),
  ]
  private static let accuracyChannels: ChannelSet = [
    ChannelSet(.horizontalAccuracy), ChannelSet(.verticalAccuracy),
  ]
  private static let extensionChannels = trackPointChannels.union(accuracyChannels).union([
    ChannelSet(.power), ChannelSet(.distance),
  ])

  /// Declares the namespaces of the source file, then those required by the first points.
  mutating func declare(_ info: FileInfo, channels: ChannelSet) {
    for declaration in info.namespaces
    where ![GPXNamespace.gpx10, GPXNamespace.gpx11, GPXNamespace.xsi].contains(declaration.uri)
      && !declaration.uri.isEmpty
    {
      namespaces.declare(declaration.uri, preferring: declaration.prefix)
    }
    let usesVersion1 =
      namespaces.prefix(of: GPXNamespace.trackPoint1) != nil
      && namespaces.prefix(of: GPXNamespace.trackPoint2) == nil
    let needsVersion2 = !channels.isDisjoint(with: GPXPointWriter.trackPoint2Channels)
    if needsVersion2 || (!usesVersion1 && !channels.isDisjoint(with: GPXPointWriter.trackPointChannels)) {
      namespaces.declare(GPXNamespace.trackPoint2, preferring: "gpxtpx")
    }
    if channels.contains(.power) { namespaces.declare(GPXNamespace.power1, preferring: "pwr") }
    if channels.contains(.distance) { namespaces.declare(GPXNamespace.cluetrust, preferring: "gpxdata") }
    if !channels.isDisjoint(with: GPXPointWriter.accuracyChannels) {
      namespaces.declare(GPXNamespace.openTracks, preferring: "opentracks")
    }
    trackPoint2 = declared(GPXNamespace.trackPoint2, "gpxtpx")
    trackPoint = usesVersion1 && !needsVersion2 ? declared(GPXNamespace.trackPoint1, "gpxtpx") : trackPoint2
    power = declared(GPXNamespace.power1, "pwr")
    openTracks = declared(GPXNamespace.openTracks, "opentracks")
    cluetrust = declared(GPXNamespace.cluetrust, "gpxdata")
    plain = GPXPlainPoints(
      trackPoint: trackPoint, hasVersion2: trackPoint.prefix == trackPoint2.prefix, power: power,
      distance: cluetrust, accuracy: openTracks)
  }

  private func declared(_ namespace: String, _ wanted: String) -> Declared {
    if let prefix = namespaces.prefix(of: namespace) { return Declared(prefix: prefix) }
    var all = namespaces
    let prefix = all.declare(namespace, preferring: wanted)
    return Declared(prefix: prefix, attribute: " xmlns:\(prefix)=\"\(namespace)\"")
  }

  // MARK: Points

  /// Appends rows of a batch, one line each.
  mutating func append(
    _ batch: borrowing PointBatch, _ rows: Range<Int>, as kind: Kind, to bytes: inout ByteBuffer
  ) {
    // Version 1.0 represents sensor values differently.
    let plainChannels = version == .version11 ? plain.channels : [ChannelSet(.elevation)]
    guard batch.details.isEmpty, batch.channels.isSubset(of: plainChannels) else {
      return appendAny(batch, rows, as: kind, to: &bytes)
    }
    let word = kind.element.description.utf8.reversed().reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
    var row = rows.lowerBound
    while row < rows.upperBound {
      row = plain.append(batch, row..<rows.upperBound, as: word, to: &bytes)
      if row < rows.upperBound { appendAny(batch, row..<(row + 1), as: kind, to: &bytes) }
      row += 1
    }
  }

  /// Appends rows with any channels and details.
  private mutating func appendAny(
    _ batch: borrowing PointBatch, _ rows: Range<Int>, as kind: Kind, to bytes: inout ByteBuffer
  ) {
    let element = kind.element
    let times = batch.times
    let latitudes = batch.latitudes
    let longitudes = batch.longitudes
    let channels = batch.channels
    var detail = batch.details.partitionIndex { $0.row >= rows.lowerBound }
    for row in rows {
      bytes.append("   <")
      bytes.append(element)
      append(latitude: latitudes[row], longitude: longitudes[row], to: &bytes)
      let start = bytes.count
      bytes.append(UInt8(ascii: ">"))
      var details: PointDetails?
      if detail < batch.details.count, batch.details[detail].row == row {
        details = batch.details[detail].details
        detail += 1
      }
      append(time: times[row], channels, details, kind, to: &bytes) { batch.value($0, at: row) }
      if bytes.count == start + 1 {
        // A point without children is an empty-element tag.
        bytes.truncate(to: start)
        bytes.append("/>\n")
      } else {
        bytes.append("</")
        bytes.append(element)
        bytes.append(">\n")
      }
    }
  }

  mutating func append(_ waypoint: Waypoint, to bytes: inout ByteBuffer) {
    bytes.append(" <wpt")
    append(
      latitude: waypoint.coordinate.latitude, longitude: waypoint.coordinate.longitude, to: &bytes)
    bytes.append(UInt8(ascii: ">"))
    let channels = waypoint.values.keys.reduce(into: ChannelSet()) { $0.insert(ChannelSet($1)) }
    var details = waypoint.details
    if let color = details.color { details.extensions.append(GPXStyle.element(for: color)) }
    append(
      time: waypoint.time?.microseconds ?? Instant.absent, channels, details, nil, to: &bytes
    ) { waypoint.values[$0] }
    bytes.append("</wpt>\n")
  }

  private func append(latitude: Double, longitude: Double, to bytes: inout ByteBuffer) {
    bytes.append(" lat=\"")
    bytes.append(decimal: latitude)
    bytes.append("\" lon=\"")
    // The schema allows -180 but not 180, which is the same meridian.
    bytes.append(decimal: longitude == 180 ? -180 : longitude)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends the children of a point in the order of the schema.
  private mutating func append(
    time: Int64, _ channels: ChannelSet, _ details: PointDetails?, _ kind: Kind?,
    to bytes: inout ByteBuffer, value: (Channel) -> Double?
  ) {
    if version == .version10 {
      append10(
        time: time, channels, details, isTrackpoint: kind == .trackpoint, to: &bytes, value: value)
      return
    }
    if channels.contains(.elevation), let elevation = value(.elevation) {
      bytes.append(element: "ele", elevation)
    }
    if time != Instant.absent { append(time: Instant(microseconds: time), to: &bytes) }
    let hasFixChannels = !channels.subtracting(GPXPointWriter.extensionChannels).isEmpty
    if hasFixChannels {
      if let value = value(.magneticVariation) { bytes.append(element: "magvar", value) }
      if let value = value(.geoidHeight) { bytes.append(element: "geoidheight", value) }
    }
    if let details { append(texts: details, to: &bytes) }
    append(fix: hasFixChannels ? channels : [], details, to: &bytes, value: value)
    let hasSensors = !channels.isDisjoint(with: GPXPointWriter.extensionChannels)
    guard hasSensors || details?.extensions.isEmpty == false || details?.extraValues != nil else { return }
    let start = bytes.count
    bytes.append("<extensions>")
    let empty = bytes.count
    if hasSensors { append(sensors: channels, details, to: &bytes, value: value) }
    for element in details?.extraValues?.elements ?? [] { append(rest: element, to: &bytes) }
    for element in details?.extensions ?? [] { append(rest: element, to: &bytes) }
    if bytes.count == empty {
      bytes.truncate(to: start)
    } else {
      bytes.append("</extensions>")
    }
  }

  /// Appends the children from `sat` to `dgpsid`.
  mutating func append(
    fix channels: ChannelSet, _ details: PointDetails?, to bytes: inout ByteBuffer,
    value: (Channel) -> Double?
  ) {
    if !channels.isEmpty {
      if let value = value(.satellites) { append(satellites: value, to: &bytes) }
      if let value = value(.hdop) { bytes.append(element: "hdop", value) }
      if let value = value(.vdop) { bytes.append(element: "vdop", value) }
      if let value = value(.pdop) { bytes.append(element: "pdop", value) }
      if let value = value(.differentialAge) { bytes.append(element: "ageofdgpsdata", value) }
    }
    if let station = details?.differentialStation {
      if (0...1023).contains(station) {
        bytes.append("<dgpsid>")
        bytes.append(String(station))
        bytes.append("</dgpsid>")
      } else {
        losses.add("differential stations outside 0 to 1023")
      }
    }
  }

  mutating func append(time: Instant, to bytes: inout ByteBuffer) {
    guard time.hasXMLYear else {
      losses.add("times before year 1 or after 9999")
      return
    }
    bytes.append("<time>")
    clock.append(time, to: &bytes)
    bytes.append("</time>")
  }

  private mutating func append(satellites value: Double, to bytes: inout ByteBuffer) {
    guard value >= 0, value <= 1e6 else {
      losses.add("invalid numbers of satellites")
      return
    }
    bytes.append(element: "sat", value.rounded())
  }

  /// Appends the texts of a point, from `name` to `fix`.
  mutating func append(texts details: PointDetails, to bytes: inout ByteBuffer) {
    if let text = details.name { bytes.append(element: "name", text) }
    if let text = details.comment { bytes.append(element: "cmt", text) }
    if let text = details.description { bytes.append(element: "desc", text) }
    if let text = details.source { bytes.append(element: "src", text) }
    switch version {
    case .version10:
      if bytes.append(url: details.links.first) { losses.add("media types of links") }
      losses.add("further links of points", details.links.count - 1)
    case .version11: for link in details.links { bytes.append(link) }
    }
    if let text = details.symbol { bytes.append(element: "sym", text) }
    if let text = details.type { bytes.append(element: "type", text) }
    if let fix = details.fix {
      if ["none", "2d", "3d", "dgps", "pps"].contains(fix) {
        bytes.append(element: "fix", fix)
      } else {
        losses.add("kinds of fix that GPX does not have")
      }
    }
  }

  // MARK: Sensors

  private mutating func append(
    sensors channels: ChannelSet, _ details: PointDetails?, to bytes: inout ByteBuffer,
    value: (Channel) -> Double?
  ) {
    if !channels.isDisjoint(with: GPXPointWriter.trackPointChannels) {
      append(trackPoint: channels, to: &bytes, value: value)
    }
    if channels.contains(.power), let value = value(.power) {
      if value >= 0, value <= 65_535 {
        append("PowerInWatts>", value.rounded(), power, to: &bytes)
        if value != value.rounded() { losses.add("fractional watts (rounded)") }
      } else {
        losses.add("powers out of range")
      }
    }
    if channels.contains(.distance), let value = value(.distance) {
      append("distance>", value, cluetrust, to: &bytes)
    }
    if channels.contains(.horizontalAccuracy), let value = value(.horizontalAccuracy) {
      append("accuracy_horizontal>", value, openTracks, to: &bytes)
    }
    if channels.contains(.verticalAccuracy), let value = value(.verticalAccuracy) {
      append("accuracy_vertical>", value, openTracks, to: &bytes)
    }
  }

  /// Appends Garmin's TrackPointExtension, with its children in the order of its schema.
  mutating func append(
    trackPoint channels: ChannelSet, to bytes: inout ByteBuffer, value: (Channel) -> Double?
  ) {
    let needsVersion2 =
      !channels.isDisjoint(with: GPXPointWriter.trackPoint2Channels)
      && (value(.speed) != nil || value(.course) != nil || value(.bearing) != nil)
    let trackPoint = needsVersion2 ? trackPoint2 : trackPoint
    let start = bytes.count
    bytes.append(contentsOf: trackPoint.opening.span)
    bytes.append("TrackPointExtension")
    bytes.append(trackPoint.attribute)
    bytes.append(UInt8(ascii: ">"))
    let empty = bytes.count
    if channels.contains(.temperature), let value = value(.temperature) {
      append("atemp>", value, trackPoint, isChild: true, to: &bytes)
    }
    if channels.contains(.waterTemperature), let value = value(.waterTemperature) {
      append("wtemp>", value, trackPoint, isChild: true, to: &bytes)
    }
    if channels.contains(.depth), let value = value(.depth) {
      append("depth>", value, trackPoint, isChild: true, to: &bytes)
    }
    if channels.contains(.heartRate), let value = value(.heartRate) {
      append("hr>", value, 1...255, trackPoint, isChild: true, to: &bytes)
    }
    if channels.contains(.cadence), let value = value(.cadence) {
      append("cad>", value, 0...254, trackPoint, isChild: true, to: &bytes)
    }
    if channels.contains(.speed), let value = value(.speed) {
      append("speed>", value, trackPoint, isChild: true, to: &bytes)
    }
    if channels.contains(.course), let value = value(.course) {
      append("course>", value, trackPoint, isChild: true, to: &bytes)
    }
    if channels.contains(.bearing), let value = value(.bearing) {
      append("bearing>", value, trackPoint, isChild: true, to: &bytes)
    }
    if bytes.count == empty {
      bytes.truncate(to: start)
      return
    }
    bytes.append(contentsOf: trackPoint.closing.span)
    bytes.append("TrackPointExtension>")
  }

  /// Appends a kept extension. Elements that a TrackPointExtension contained in violation of its schema are
  /// written next to it, where any element is allowed.
  mutating func append(rest element: ExtensionElement, to bytes: inout ByteBuffer) {
    let isTrackPoint =
      element.name == "TrackPointExtension"
      && (element.namespace == GPXNamespace.trackPoint2 || element.namespace == GPXNamespace.trackPoint1)
    if isTrackPoint, element.children.contains(where: { $0.name != "Extensions" }) {
      for child in element.children {
        guard version == .version11 || GPXSchemas.declare(child) else {
          losses.add("extensions")
          continue
        }
        namespaces.append(child, unqualified: GPXNamespace.unqualifiedPrefix, to: &bytes)
      }
    } else {
      namespaces.append(element, unqualified: GPXNamespace.unqualifiedPrefix, to: &bytes)
    }
  }

  /// - Parameters:
  ///   - tag: the name and the end of a tag.
  ///   - isChild: whether the parent element has the declaration.
  private func append(
    _ tag: StaticString, _ value: Double, _ declared: Declared, isChild: Bool = false,
    to bytes: inout ByteBuffer
  ) {
    bytes.append(contentsOf: declared.opening.span)
    bytes.append(tag)
    if !isChild, !declared.attribute.isEmpty {
      bytes.truncate(to: bytes.count - 1)
      bytes.append(declared.attribute)
      bytes.append(UInt8(ascii: ">"))
    }
    bytes.append(decimal: value)
    bytes.append(contentsOf: declared.closing.span)
    bytes.append(tag)
  }

  /// Appends a value whose type in the schema is an integer in a range.
  private mutating func append(
    _ tag: StaticString, _ value: Double, _ range: ClosedRange<Double>, _ declared: Declared,
    isChild: Bool = false, to bytes: inout ByteBuffer
  ) {
    let whole = value.rounded()
    guard range.contains(whole) else {
      losses.add("heart rates or cadences out of range")
      return
    }
    if whole != value { losses.add("fractional heart rates or cadences (rounded)") }
    append(tag, whole, declared, isChild: isChild, to: &bytes)
  }
}
