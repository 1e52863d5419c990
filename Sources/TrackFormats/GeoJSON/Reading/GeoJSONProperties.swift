import TrackModel

/// The `properties` of a Feature, read before it is known whether they belong to a track or to waypoints.
struct GeoJSONProperties {
  private var name: String?
  private var title: String?
  private var comment: String?
  private var description: String?
  private var source: String?
  private var type: String?
  private var number: Int?
  private var links: [TrackLink] = []
  private var symbol: String?
  private var markerColor: TrackColor?
  private var fix: String?
  private var station: Int?
  private var time: Instant?
  private var timeSpan: TimeSpan?
  private var laps: [Lap] = []
  private var resolution: Resolution?
  private var color: TrackColor?
  private var opacity: Double?
  private var width: Double?
  /// Numbers with names of sensors.
  private var scalars: [Scalar] = []
  private var others = GeoJSONMembers()
  /// Attributes of ``DriveElement``.
  private var drive: [ExtensionElement.Attribute] = []
  /// Whether the writer cut the lines at the antimeridian.
  private(set) var isCutAtAntimeridian = false
  /// The times and sensor values of the positions.
  var columns = GeoJSONColumns()

  private struct Scalar {
    var channel: Channel
    var value: Double
    var original: GeoJSONValue
  }

  // MARK: Reading

  /// Reads the value of `properties`.
  mutating func read(_ lexer: inout JSONLexer) throws(TrackError) {
    switch try lexer.kind() {
    case .null: try lexer.literal()
    case .object:
      try lexer.beginObject()
      while try lexer.nextMember() { try readProperty(&lexer) }
    default: throw lexer.expected("an object of properties")
    }
  }

  private mutating func readProperty(_ lexer: inout JSONLexer) throws(TrackError) {
    let code = lexer.code(in: GeoJSONProperty.names)
    switch GeoJSONProperty(rawValue: code) ?? .other {
    case .other: try readOther(GeoJSONProperty.channel(code), &lexer)
    case .name: name = try text(.name, &lexer) ?? name
    case .title: title = try text(.title, &lexer) ?? title
    case .description: description = try text(.description, &lexer) ?? description
    case .comment: comment = try text(.comment, &lexer) ?? comment
    case .source: source = try text(.source, &lexer) ?? source
    case .type: type = try text(.type, &lexer) ?? type
    case .symbol: symbol = try text(.symbol, &lexer) ?? symbol
    case .fix: fix = try text(.fix, &lexer) ?? fix
    case .number: number = try whole(.number, &lexer) ?? number
    case .station: station = try whole(.station, &lexer) ?? station
    case .link: if let address = try text(.link, &lexer) { links.append(TrackLink(address: address)) }
    case .links: try readLinks(&lexer)
    case .time: try readTime(&lexer)
    case .timeSpan: try readTimeSpan(&lexer)
    case .laps: try readLaps(&lexer)
    case .resolution: try readCoarseness(&lexer)
    case .coordTimes:
      if try lexer.kind() == .array { try columns.readTimes(&lexer) } else { try keep(.coordTimes, &lexer) }
    case .coordinateProperties: try readCoordinateProperties(&lexer)
    case .stroke:
      guard let text = try text(.stroke, &lexer) else { return }
      if text.hasPrefix("#"), text.utf8.count < 8, let color = TrackColor(hexadecimal: text) {
        self.color = color
      } else {
        others.append(GeoJSONValue(name: "stroke", text: text))
      }
    case .markerColor:
      guard let text = try text(.markerColor, &lexer) else { return }
      if text.utf8.count < 8, let color = TrackColor(hexadecimal: text) {
        markerColor = color
      } else {
        others.append(GeoJSONValue(name: "marker-color", text: text))
      }
    case .strokeOpacity: opacity = try decimal(.strokeOpacity, &lexer) ?? opacity
    case .strokeWidth: width = try decimal(.strokeWidth, &lexer) ?? width
    case .drive: try readDrive(&lexer)
    case .gpxType:
      // Marks a track, as all lines here are, or a route.
      guard let text = try text(.gpxType, &lexer), text != "trk" else { return }
      others.append(GeoJSONValue(name: "_gpxType", text: text))
    case .cutAt:
      guard let text = try text(.cutAt, &lexer) else { return }
      isCutAtAntimeridian = text == GeoJSONProperty.antimeridian
      if !isCutAtAntimeridian { others.append(GeoJSONValue(name: "_cutAt", text: text)) }
    }
  }

  private mutating func readDrive(_ lexer: inout JSONLexer) throws(TrackError) {
    let name = lexer.text
    let value: String
    switch try lexer.kind() {
    case .string: value = try lexer.string()
    case .number:
      _ = try lexer.number()
      value = lexer.text
    default: return try others.take(name, &lexer)
    }
    drive.append(
      ExtensionElement.Attribute(
        name: String(name.dropFirst(DriveElement.columnPrefix.count)), value: value))
  }

  /// Reads a property with the name of a sensor, or one that is not part of the model.
  private mutating func readOther(_ channel: Channel?, _ lexer: inout JSONLexer) throws(TrackError) {
    let name = lexer.text
    guard let channel = channel ?? GeoJSONSensor.channel(lexer.rawText) else {
      return try others.take(name, &lexer)
    }
    switch try lexer.kind() {
    case .array: try columns.readSensor(channel, &lexer)
    case .null: try lexer.literal()
    case .number:
      guard let value = try lexer.number() else {
        return try lexer.warnOfText(.invalidValue, "number too large, ignored")
      }
      let original = GeoJSONValue(name: name, text: lexer.text, isJSON: true)
      scalars.append(Scalar(channel: channel, value: value, original: original))
    case .string:
      try lexer.takeString()
      let original = GeoJSONValue(name: name, text: lexer.text)
      if let value = DecimalReading.read(lexer.rawText) {
        scalars.append(Scalar(channel: channel, value: value, original: original))
      } else {
        others.append(original)
      }
    case .true, .false, .object: try others.take(name, &lexer)
    }
  }

  private mutating func keep(_ property: GeoJSONProperty, _ lexer: inout JSONLexer) throws(TrackError) {
    try others.take(property.spelling, &lexer)
  }

  /// Reads a string or a number. Returns `nil` for null and for values that are kept unchanged.
  private mutating func text(_ property: GeoJSONProperty, _ lexer: inout JSONLexer) throws(TrackError)
    -> String?
  {
    switch try lexer.kind() {
    case .string:
      let text = try lexer.string()
      return text.isEmpty ? nil : text
    case .number:
      _ = try lexer.number()
      return lexer.text
    case .null: try lexer.literal()
    case .true, .false, .array, .object: try keep(property, &lexer)
    }
    return nil
  }

  private mutating func decimal(
    _ property: GeoJSONProperty, _ lexer: inout JSONLexer
  ) throws(TrackError) -> Double? {
    guard let text = try text(property, &lexer) else { return nil }
    if let number = DecimalReading.read(Array(text.utf8).span) { return number }
    others.append(GeoJSONValue(name: property.spelling, text: text))
    return nil
  }

  private mutating func whole(_ property: GeoJSONProperty, _ lexer: inout JSONLexer) throws(TrackError)
    -> Int?
  {
    guard let text = try text(property, &lexer) else { return nil }
    if let number = Int(text) { return number }
    others.append(GeoJSONValue(name: property.spelling, text: text))
    return nil
  }

  private mutating func readTime(_ lexer: inout JSONLexer) throws(TrackError) {
    if try lexer.kind() == .array {
      try columns.readTimes(&lexer)
    } else {
      time = try JSONTime.read(&lexer) ?? time
    }
  }

  /// Reads `[{"href": …, "text": …, "type": …}]`, a single such object, or an address.
  private mutating func readLinks(_ lexer: inout JSONLexer) throws(TrackError) {
    switch try lexer.kind() {
    case .string: links.append(TrackLink(address: try lexer.string()))
    case .object: try readLink(&lexer)
    case .array:
      try lexer.beginArray()
      while try lexer.nextElement() {
        switch try lexer.kind() {
        case .object: try readLink(&lexer)
        case .string: links.append(TrackLink(address: try lexer.string()))
        default:
          try lexer.warn(.invalidValue, "invalid link, ignored")
          try lexer.skip()
        }
      }
    default: try keep(.links, &lexer)
    }
  }

  private mutating func readLink(_ lexer: inout JSONLexer) throws(TrackError) {
    let link = try TrackLink(geoJSON: &lexer)
    if link.address.isEmpty {
      try lexer.warn(.invalidValue, "link without an address, ignored")
    } else {
      links.append(link)
    }
  }

  private mutating func readTimeSpan(_ lexer: inout JSONLexer) throws(TrackError) {
    guard try lexer.kind() == .object else { return try keep(.timeSpan, &lexer) }
    let span = try TimeSpan(geoJSON: &lexer)
    if span != TimeSpan() { timeSpan = span }
  }

  private mutating func readLaps(_ lexer: inout JSONLexer) throws(TrackError) {
    guard try lexer.kind() == .array else { return try keep(.laps, &lexer) }
    try lexer.beginArray()
    while try lexer.nextElement() {
      guard try lexer.kind() == .object else {
        try lexer.warn(.invalidValue, "invalid lap, ignored")
        try lexer.skip()
        continue
      }
      laps.append(try Lap(geoJSON: &lexer))
    }
  }

  private mutating func readCoarseness(_ lexer: inout JSONLexer) throws(TrackError) {
    guard try lexer.kind() == .object else { return try keep(.resolution, &lexer) }
    let resolution = try Resolution(geoJSON: &lexer)
    if resolution != Resolution() { self.resolution = resolution }
  }

  private mutating func readCoordinateProperties(_ lexer: inout JSONLexer) throws(TrackError) {
    guard try lexer.kind() == .object else { return try keep(.coordinateProperties, &lexer) }
    try lexer.beginObject()
    while try lexer.nextMember() {
      let property = GeoJSONProperty(rawValue: lexer.code(in: GeoJSONProperty.names)) ?? .other
      let channel = GeoJSONSensor.channel(lexer.rawText)
      // Looking at the next value can replace the bytes of the name.
      let heading = GeoJSONChannelName.heading(ofArray: lexer.text)
      if try lexer.kind() == .array {
        if let heading {
          if try columns.readExtra(ExtraValues.Name(heading: heading), &lexer) { continue }
        } else if let channel {
          try columns.readSensor(channel, &lexer)
          continue
        } else if property == .coordTimes || property == .time {
          try columns.readTimes(&lexer)
          continue
        }
        let limit = ExtraValues.maximumCount
        try lexer.warn(.notRepresentable, "more than \(limit) arrays of other position values, ignored")
        try lexer.skip()
        continue
      }
      try lexer.warn(.notRepresentable, "unknown array of position values, ignored")
      try lexer.skip()
    }
  }

  // MARK: Giving

  /// Returns the metadata of a track.
  ///
  /// - Parameter members: the members of the Feature object that are kept.
  func trackInfo(members: GeoJSONMembers) -> TrackInfo {
    var info = TrackInfo(name: name ?? title)
    info.comment = comment
    info.description = description
    info.source = source
    info.links = links
    info.number = number
    info.type = type
    if color != nil || width != nil { info.style = LineStyle(color: color.map(translucent), width: width) }
    info.timeSpan = timeSpan
    // If every point has a time, this is the first of them.
    if timeSpan == nil, let time, !columns.hasTimes { info.timeSpan = TimeSpan(begin: time) }
    info.laps = laps
    info.resolution = resolution
    var rest = GeoJSONMembers()
    if name != nil, let title { rest.append(GeoJSONValue(name: "title", text: title)) }
    if let symbol { rest.append(GeoJSONValue(name: "sym", text: symbol)) }
    if let markerColor {
      rest.append(GeoJSONValue(name: "marker-color", text: "#" + markerColor.hexadecimal))
    }
    if let fix { rest.append(GeoJSONValue(name: "fix", text: fix)) }
    if let station { rest.append(GeoJSONValue(name: "dgpsid", Double(station))) }
    if color == nil, let opacity { rest.append(GeoJSONValue(name: "stroke-opacity", opacity)) }
    for scalar in scalars { rest.append(scalar.original) }
    rest.append(others)
    info.extensions = extensions(rest, members)
    if !drive.isEmpty { info.extensions.append(DriveElement.make(drive)) }
    return info
  }

  private func extensions(_ properties: GeoJSONMembers, _ members: GeoJSONMembers) -> [ExtensionElement] {
    var extensions: [ExtensionElement] = []
    if let element = properties.element(.properties) { extensions.append(element) }
    if let element = members.element(.members) { extensions.append(element) }
    return extensions
  }

  private func translucent(_ color: TrackColor) -> TrackColor {
    guard let opacity, opacity >= 0, opacity <= 1 else { return color }
    var color = color
    color.alpha = UInt8((opacity * 255).rounded())
    return color
  }

  /// Returns the details of waypoints, without their positions.
  func waypoint(members: GeoJSONMembers) -> Waypoint {
    var waypoint = Waypoint(coordinate: Coordinate(latitude: 0, longitude: 0), time: time ?? timeSpan?.begin)
    for scalar in scalars where waypoint.values[scalar.channel] == nil {
      waypoint.values[scalar.channel] = scalar.channel.known(scalar.value)
    }
    waypoint.details.name = name ?? title
    waypoint.details.comment = comment
    waypoint.details.description = description
    waypoint.details.source = source
    waypoint.details.links = links
    waypoint.details.symbol = symbol
    waypoint.details.color = markerColor
    waypoint.details.type = type
    waypoint.details.fix = fix
    waypoint.details.differentialStation = station
    var rest = GeoJSONMembers()
    if name != nil, let title { rest.append(GeoJSONValue(name: "title", text: title)) }
    if let number { rest.append(GeoJSONValue(name: "number", Double(number))) }
    if let color { rest.append(GeoJSONValue(name: "stroke", text: "#" + color.hexadecimal)) }
    if let opacity { rest.append(GeoJSONValue(name: "stroke-opacity", opacity)) }
    if let width { rest.append(GeoJSONValue(name: "stroke-width", width)) }
    for attribute in drive {
      rest.append(GeoJSONValue(name: DriveElement.columnPrefix + attribute.name, text: attribute.value))
    }
    rest.append(others)
    waypoint.details.extensions = extensions(rest, members)
    return waypoint
  }
}
