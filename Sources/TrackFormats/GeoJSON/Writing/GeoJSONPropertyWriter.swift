import TrackModel

/// Writes the `properties` of a Feature without their braces, and the kept members of the Feature.
struct GeoJSONPropertyWriter {
  /// The data that GeoJSON cannot represent.
  private(set) var losses = LossReport()

  // MARK: Tracks and routes

  /// Appends the metadata of a track or route.
  mutating func append(_ info: TrackInfo, isRoute: Bool, to bytes: inout ByteBuffer) {
    bytes.append(member: "name", info.name)
    bytes.append(member: "cmt", info.comment)
    bytes.append(member: "desc", info.description)
    bytes.append(member: "src", info.source)
    bytes.append(links: info.links)
    if let number = info.number {
      bytes.append(member: "number")
      bytes.append(String(number))
    }
    bytes.append(member: "type", info.type)
    if isRoute { bytes.append(member: "_gpxType", "rte") }
    if let style = info.style { append(style, to: &bytes) }
    if let span = info.timeSpan {
      bytes.append(member: "timespan")
      bytes.append(UInt8(ascii: "{"))
      append(time: span.begin, as: "begin", to: &bytes)
      append(time: span.end, as: "end", to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
    if !info.laps.isEmpty { append(info.laps, to: &bytes) }
    if let resolution = info.resolution {
      bytes.append(member: "coarseness")
      bytes.append(UInt8(ascii: "{"))
      bytes.append(member: "time", resolution.time)
      bytes.append(member: "position", resolution.position)
      bytes.append(UInt8(ascii: "}"))
    }
    appendKept(info.extensions, to: &bytes) {
      GeoJSONPropertyWriter.isFree($0, beside: info, isRoute: isRoute)
    }
  }

  /// Appends simplestyle 1.1 properties.
  private func append(_ style: LineStyle, to bytes: inout ByteBuffer) {
    if let color = style.color {
      bytes.append(member: "stroke", "#" + color.hexadecimal)
      if color.alpha < 255 {
        bytes.append(member: "stroke-opacity", color.opacity)
      }
    }
    bytes.append(member: "stroke-width", style.width)
  }

  private mutating func append(_ laps: [Lap], to bytes: inout ByteBuffer) {
    bytes.append(member: "laps")
    bytes.append(UInt8(ascii: "["))
    for lap in laps {
      bytes.separate()
      bytes.append(UInt8(ascii: "{"))
      append(time: lap.start, as: "startTime", to: &bytes)
      bytes.append(member: "timerTime", lap.timerTime)
      bytes.append(member: "elapsedTime", lap.elapsedTime)
      bytes.append(member: "distance", lap.distance)
      bytes.append(member: "calories", lap.calories)
      bytes.append(member: "trigger", lap.trigger)
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func append(time: Instant?, as name: String, to bytes: inout ByteBuffer) {
    guard let time else { return }
    if time.hasFourDigitYear {
      bytes.append(member: name, time)
    } else {
      losses.add("times before year 0 or after 9999")
    }
  }

  /// Whether a property with this name can be added to those of the model.
  private static func isFree(_ name: String, beside info: TrackInfo, isRoute: Bool) -> Bool {
    switch name {
    case "name": info.name == nil
    case "cmt": info.comment == nil
    case "desc": info.description == nil
    case "src": info.source == nil
    case "links": info.links.isEmpty
    case "number": info.number == nil
    case "type": info.type == nil
    case "_gpxType": !isRoute
    case "stroke", "stroke-opacity": info.style?.color == nil
    case "stroke-width": info.style?.width == nil
    case "timespan": info.timeSpan == nil
    case "laps": info.laps.isEmpty
    case "coarseness": info.resolution == nil
    case "coordTimes", "coordinateProperties", "_cutAt": false
    default: true
    }
  }

  // MARK: Waypoints

  /// Appends the details of a point without its position.
  mutating func append(_ waypoint: Waypoint, to bytes: inout ByteBuffer) {
    let details = waypoint.details
    bytes.append(member: "name", details.name)
    append(timeAndSensors: waypoint, to: &bytes)
    bytes.append(member: "cmt", details.comment)
    bytes.append(member: "desc", details.description)
    bytes.append(member: "src", details.source)
    bytes.append(links: details.links)
    bytes.append(member: "sym", details.symbol)
    if let color = details.color {
      bytes.append(member: "marker-color", "#" + color.hexadecimal)
      if color.alpha < 255 { losses.add("opacities of symbols") }
    }
    bytes.append(member: "type", details.type)
    bytes.append(member: "fix", details.fix)
    if let station = details.differentialStation {
      bytes.append(member: "dgpsid")
      bytes.append(String(station))
    }
    appendKept(details.extensions, to: &bytes) { GeoJSONPropertyWriter.isFree($0, beside: waypoint) }
  }

  /// Appends the channels of a single point except its elevation.
  mutating func append(timeAndSensors point: Waypoint, to bytes: inout ByteBuffer) {
    append(time: point.time, as: "time", to: &bytes)
    guard !point.values.isEmpty else { return }
    let channels = point.values.keys.reduce(into: ChannelSet()) { $0.insert(ChannelSet($1)) }
    for channel in channels.channels where channel != .elevation {
      bytes.append(member: GeoJSONSensor.propertyName(channel), point.values[channel])
    }
  }

  private static func isFree(_ name: String, beside waypoint: Waypoint) -> Bool {
    let details = waypoint.details
    switch name {
    case "name": return details.name == nil
    case "time": return waypoint.time == nil
    case "cmt": return details.comment == nil
    case "desc": return details.description == nil
    case "src": return details.source == nil
    case "links": return details.links.isEmpty
    case "sym": return details.symbol == nil
    case "marker-color": return details.color == nil
    case "type": return details.type == nil
    case "fix": return details.fix == nil
    case "dgpsid": return details.differentialStation == nil
    default:
      return !waypoint.values.keys.contains { $0 != .elevation && GeoJSONSensor.propertyName($0) == name }
    }
  }

  // MARK: Preserved members

  /// Appends kept properties, and values of KML's `ExtendedData` as strings. Other extensions cannot be
  /// represented.
  private mutating func appendKept(
    _ extensions: [ExtensionElement], to bytes: inout ByteBuffer, isFree: (String) -> Bool
  ) {
    var names: Set<String> = []
    // A number can be accompanied by its text, for programs that only support KML.
    var texts: [String: String] = [:]
    for element in extensions {
      for (name, value) in GeoJSONMembers.parted(element, isText: { _, _ in true })?.texts ?? [] {
        texts[name] = value
      }
    }
    for element in extensions where !GeoJSONMembers.isElement(element, .members) {
      if GeoJSONMembers.isElement(element, .properties),
        let taken = GeoJSONMembers.append(
          element, to: &bytes, isFree: { isFree($0) && names.insert($0).inserted })
      {
        losses.add("properties of a name that is taken", taken)
      } else if let data = KMLData(element) {
        if texts[data.name] == data.value { continue }
        if GeoJSONPropertyWriter.isFree(data, isFree), names.insert(data.name).inserted {
          bytes.append(member: data.name, data.value)
          if data.displayName != nil { losses.add("display names of values") }
        } else {
          losses.add("properties of a name that is taken")
        }
      } else if element.isDrive {
        append(drive: element, to: &bytes) { isFree($0) && names.insert($0).inserted }
      } else {
        losses.add("extensions")
      }
    }
  }

  /// Appends one property per attribute of a drive document.
  private mutating func append(
    drive element: ExtensionElement, to bytes: inout ByteBuffer, isFree: (String) -> Bool
  ) {
    for name in DriveElement.attributes {
      guard let value = element.value(of: name) else { continue }
      let property = DriveElement.columnPrefix + name
      guard isFree(property) else {
        losses.add("properties of a name that is taken")
        continue
      }
      let isNumber = name == DriveElement.duration || name == DriveElement.distance
      if isNumber, let number = Double(value), number.isFinite {
        bytes.append(member: property, number)
      } else {
        bytes.append(member: property, value)
      }
    }
  }

  /// Whether a KML value can be a property. Names with a meaning here are allowed only for text properties.
  private static func isFree(_ data: KMLData, _ isFree: (String) -> Bool) -> Bool {
    switch GeoJSONMembers.meaning(of: data.name) {
    case .other: isFree(data.name)
    case let word where [.name, .description, .comment, .source, .type, .symbol].contains(word):
      isFree(word.spelling) && isFree(data.name)
    default: false
    }
  }

  /// Appends kept members of an object.
  ///
  /// - Parameters:
  ///   - names: the existing names of the object. Appended names are added.
  ///   - countsOthers: whether extensions of other formats are counted as losses.
  mutating func append(
    members extensions: [ExtensionElement], to bytes: inout ByteBuffer, names: inout Set<String>,
    countsOthers: Bool = false
  ) {
    for element in extensions {
      if GeoJSONMembers.isElement(element, .members) {
        let taken = GeoJSONMembers.append(element, to: &bytes) { names.insert($0).inserted }
        losses.add("properties of a name that is taken", taken ?? 0)
        if taken == nil { losses.add("extensions") }
      } else if countsOthers {
        losses.add("extensions")
      }
    }
  }

  /// Appends kept members of a Feature.
  mutating func append(membersOfFeature extensions: [ExtensionElement], to bytes: inout ByteBuffer) {
    guard !extensions.isEmpty else { return }
    var names: Set<String> = ["type", "geometry", "properties"]
    append(members: extensions, to: &bytes, names: &names)
  }
}
