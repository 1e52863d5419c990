import TrackModel

/// Writes information about files, tracks and places in the order of the schema.
struct KMLDescriptions {
  /// The declarations at the root, complete before the first extension is written.
  var namespaces = XMLNamespaces(defaultNamespace: KMLNamespace.kml22)
  /// The content that KML cannot represent.
  private(set) var losses = LossReport()

  /// The offsets in the output at which later information about a file can be inserted.
  struct Places {
    var name = 0
    var author = 0
    var description = 0
    /// The ends of the values in `ExtendedData`, and of everything in it.
    var data = 0
    var foreign = 0
    var hasData = false
  }

  /// Appends the information about a file.
  ///
  /// - Returns: the offsets at which more can be inserted, relative to the start of the buffer.
  mutating func append(_ info: FileInfo, to buffer: inout ByteBuffer) -> Places {
    var places = Places()
    append("name", info.name, to: &buffer)
    places.name = buffer.count
    if let author = info.author { append(author, to: &buffer) }
    places.author = buffer.count
    let links = safe(info.links)
    if let link = links.first { append(link, to: &buffer) }
    append("description", info.description, to: &buffer)
    places.description = buffer.count
    let start = begin("ExtendedData", &buffer)
    appendData(info, to: &buffer)
    append(links: links.dropFirst(), to: &buffer)
    append(data: info.extensions, to: &buffer)
    places.data = buffer.count
    append(foreign: info.extensions, to: &buffer)
    places.foreign = buffer.count
    end("ExtendedData", start, &buffer)
    places.hasData = buffer.count > places.description
    return places
  }

  private mutating func appendData(_ info: FileInfo, to buffer: inout ByteBuffer) {
    append(.creator, info.creator, to: &buffer)
    if let time = info.time {
      if time.hasXMLYear {
        append(.time, time.description, to: &buffer)
      } else {
        losses.add("times before year 1 or after 9999")
      }
    }
    append(.keywords, info.keywords, to: &buffer)
    append(.copyright, info.copyright.map(\.author), to: &buffer)
    append(.copyrightYear, info.copyright?.year, to: &buffer)
    append(.license, info.copyright?.license, to: &buffer)
  }

  /// Returns the bytes to insert for information about a file that arrived after the header.
  ///
  /// - Returns: the bytes and their offsets, in ascending order of offset.
  mutating func insertions(_ late: FileInfo, into places: Places) -> [(offset: Int, bytes: [UInt8])] {
    var result: [(offset: Int, bytes: [UInt8])] = []
    func insert(at offset: Int, _ body: (inout KMLDescriptions, inout ByteBuffer) -> Void) {
      var buffer = ByteBuffer()
      body(&self, &buffer)
      if buffer.count > 0 { result.append((offset, buffer.array)) }
    }
    insert(at: places.name) { $0.append("name", late.name, to: &$1) }
    insert(at: places.author) { if let author = late.author { $0.append(author, to: &$1) } }
    insert(at: places.description) { $0.append("description", late.description, to: &$1) }
    let hasData = places.hasData
    let data: (inout KMLDescriptions, inout ByteBuffer) -> Void = {
      $0.appendData(late, to: &$1)
      $0.append(links: $0.safe(late.links)[...], to: &$1)
      $0.append(data: late.extensions, to: &$1)
    }
    if hasData {
      insert(at: places.data, data)
      insert(at: places.foreign) { $0.append(foreign: late.extensions, to: &$1) }
    } else {
      insert(at: places.description) {
        let start = $0.begin("ExtendedData", &$1)
        data(&$0, &$1)
        $0.append(foreign: late.extensions, to: &$1)
        $0.end("ExtendedData", start, &$1)
      }
    }
    return result
  }

  /// Appends the information about a track or route.
  mutating func append(_ info: TrackInfo, kind: String?, to buffer: inout ByteBuffer) {
    let links = safe(info.links, isCounted: kind != KMLFields.plainLine)
    append(name: info.name, link: links.first, comment: info.comment, info.description, to: &buffer)
    if let span = info.timeSpan {
      let start = begin("TimeSpan", &buffer)
      append(time: span.begin, "begin", to: &buffer)
      append(time: span.end, "end", to: &buffer)
      end("TimeSpan", start, &buffer)
    }
    if let style = info.style, style != LineStyle() {
      buffer.append("   <Style><LineStyle>")
      if let color = style.color { buffer.append(element: "color", color.kml) }
      if let width = style.width { buffer.append(element: "width", width) }
      buffer.append("</LineStyle></Style>\n")
    }
    let start = begin("ExtendedData", &buffer)
    append(.kind, kind, to: &buffer)
    append(.type, info.type, to: &buffer)
    append(.source, info.source, to: &buffer)
    append(.number, info.number.map(String.init), to: &buffer)
    append(links: links.dropFirst(), to: &buffer)
    append(data: info.extensions, to: &buffer)
    append(foreign: info.extensions, to: &buffer)
    end("ExtendedData", start, &buffer)
    if kind != KMLFields.plainLine {
      losses.add("laps", info.laps.count)
      if info.resolution != nil { losses.add("notes on how coarse a track is") }
    }
  }

  mutating func append(_ waypoint: Waypoint, to buffer: inout ByteBuffer) {
    let details = waypoint.details
    let links = safe(details.links)
    buffer.append("  <Placemark>\n")
    append(
      name: details.name, link: links.first, comment: details.comment, details.description, to: &buffer)
    if let time = waypoint.time {
      let start = begin("TimeStamp", &buffer)
      append(time: time, "when", to: &buffer)
      end("TimeStamp", start, &buffer)
    }
    let isIcon = details.symbol.map(KMLDescriptions.isAddress) ?? false
    if isIcon || details.color != nil {
      buffer.append("   <Style><IconStyle>")
      if let color = details.color { buffer.append(element: "color", color.kml) }
      if isIcon, let symbol = details.symbol {
        buffer.append("<Icon>")
        buffer.append(element: "href", symbol)
        buffer.append("</Icon>")
      }
      buffer.append("</IconStyle></Style>\n")
    }
    let start = begin("ExtendedData", &buffer)
    append(.type, details.type, to: &buffer)
    append(.source, details.source, to: &buffer)
    append(.symbol, isIcon ? nil : details.symbol, to: &buffer)
    append(.fix, details.fix, to: &buffer)
    append(.station, details.differentialStation.map(String.init), to: &buffer)
    for channel in Channel.allCases where channel != .elevation {
      guard let value = waypoint.values[channel] else { continue }
      let array = KMLFields.array(channel)
      buffer.append("    <Data name=\"\(array.name)\">")
      buffer.append(element: "displayName", array.heading)
      buffer.append(element: "value", value)
      buffer.append("</Data>\n")
    }
    append(links: links.dropFirst(), to: &buffer)
    append(data: details.extensions, to: &buffer)
    append(foreign: details.extensions, to: &buffer)
    end("ExtendedData", start, &buffer)
    buffer.append("   <Point>")
    if waypoint.values[.elevation] != nil { buffer.append("<altitudeMode>absolute</altitudeMode>") }
    buffer.append("<coordinates>")
    buffer.append(decimal: waypoint.coordinate.longitude)
    buffer.append(UInt8(ascii: ","))
    buffer.append(decimal: waypoint.coordinate.latitude)
    if let elevation = waypoint.values[.elevation] {
      buffer.append(UInt8(ascii: ","))
      buffer.append(decimal: elevation)
    }
    buffer.append("</coordinates></Point>\n  </Placemark>\n")
  }

  /// Returns whether a symbol is the address of a picture, which KML supports, and not a name.
  private static func isAddress(_ symbol: String) -> Bool {
    let lowercased = symbol.lowercased()
    guard !TrackLink(address: symbol).isScript else { return false }
    return lowercased.contains("://")
      || [".png", ".jpg", ".jpeg", ".gif", ".svg"].contains { lowercased.hasSuffix($0) }
  }

  // MARK: Features

  private mutating func append(
    name: String?, link: TrackLink?, comment: String?, _ description: String?, to buffer: inout ByteBuffer
  ) {
    append("name", name, to: &buffer)
    if let link { append(link, to: &buffer) }
    append("snippet", comment, to: &buffer)
    append("description", description, to: &buffer)
  }

  private func append(_ name: StaticString, _ text: String?, to buffer: inout ByteBuffer) {
    guard let text else { return }
    buffer.append("   ")
    buffer.append(element: name, text)
    buffer.append("\n")
  }

  private mutating func append(_ author: Person, to buffer: inout ByteBuffer) {
    buffer.append("   <atom:author>")
    if let name = author.name { buffer.append(element: "atom:name", name) }
    if let link = author.link, !safe([link]).isEmpty {
      buffer.append(element: "atom:uri", link.address)
      if link.text != nil || link.mediaType != nil { losses.add("texts of links of authors") }
    }
    if let email = author.email {
      let parts = email.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) {
        buffer.append(element: "atom:email", email)
      } else {
        losses.add("invalid addresses of authors")
      }
    }
    buffer.append("</atom:author>\n")
  }

  /// Returns the links that do not run a script, because viewers of KML follow links with a click.
  private mutating func safe(_ links: [TrackLink], isCounted: Bool = true) -> [TrackLink] {
    let safe = links.filter { !$0.isScript }
    if isCounted { losses.add("links that run a script", links.count - safe.count) }
    return safe
  }

  /// Appends a link as the feature's link element.
  private mutating func append(_ link: TrackLink, to buffer: inout ByteBuffer) {
    buffer.append("   <atom:link href=\"")
    buffer.append(xmlAttribute: link.address)
    buffer.append("\"")
    if let type = link.mediaType {
      let parts = type.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) {
        buffer.append(" type=\"")
        buffer.append(xmlAttribute: type)
        buffer.append("\"")
      } else {
        losses.add("media types of links")
      }
    }
    if let text = link.text {
      buffer.append(" title=\"")
      buffer.append(xmlAttribute: text)
      buffer.append("\"")
    }
    buffer.append("/>\n")
  }

  /// Appends the links for which a feature has no element.
  private mutating func append(links: ArraySlice<TrackLink>, to buffer: inout ByteBuffer) {
    for link in links {
      append(
        KMLPlacemark.Data(
          name: KMLFields.Field.link.rawValue, displayName: link.text, value: link.address), to: &buffer)
      if link.mediaType != nil { losses.add("media types of links") }
    }
  }

  private mutating func append(time: Instant?, _ name: StaticString, to buffer: inout ByteBuffer) {
    guard let time else { return }
    guard time.hasXMLYear else {
      losses.add("times before year 1 or after 9999")
      return
    }
    buffer.open(name)
    ISO8601.append(time, to: &buffer)
    buffer.close(name)
  }

  // MARK: Extended data

  /// Appends a start tag and returns the positions needed to remove it if the element stays empty.
  private func begin(_ name: StaticString, _ buffer: inout ByteBuffer) -> (start: Int, empty: Int) {
    let start = buffer.count
    buffer.append("   ")
    buffer.open(name)
    return (start, buffer.count)
  }

  private func end(_ name: StaticString, _ place: (start: Int, empty: Int), _ buffer: inout ByteBuffer) {
    if buffer.count == place.empty {
      buffer.truncate(to: place.start)
    } else {
      buffer.close(name)
      buffer.append("\n")
    }
  }

  private func append(_ field: KMLFields.Field, _ value: String?, to buffer: inout ByteBuffer) {
    guard let value else { return }
    append(KMLPlacemark.Data(name: field.rawValue, displayName: nil, value: value), to: &buffer)
  }

  private func append(_ data: KMLPlacemark.Data, to buffer: inout ByteBuffer) {
    buffer.append("<Data name=\"")
    buffer.append(xmlAttribute: data.name)
    buffer.append("\">")
    if let displayName = data.displayName { buffer.append(element: "displayName", displayName) }
    buffer.append(element: "value", data.value)
    buffer.append("</Data>")
  }

  /// Appends the extensions that are values of `ExtendedData` in KML files, or simple properties of GeoJSON.
  /// Because values are texts in KML, numbers and Booleans are written with the other extensions too.
  func append(data extensions: [ExtensionElement], to buffer: inout ByteBuffer) {
    let names = Set(extensions.compactMap { KMLPlacemark.Data($0)?.name })
    for element in extensions {
      if let data = KMLPlacemark.Data(element) {
        append(data, to: &buffer)
      } else if let (texts, _) = GeoJSONMembers.parted(element, isText: KMLDescriptions.isData) {
        for (name, value) in texts where !names.contains(name) {
          append(KMLPlacemark.Data(name: name, displayName: nil, value: value), to: &buffer)
        }
      }
    }
  }

  /// Returns whether a name and a value in a `Data` element are read back unchanged and without another
  /// meaning.
  private static func isData(_ name: String, _ value: String) -> Bool {
    guard !name.isEmpty, KMLFields.Field(rawValue: name) == nil, KMLFields.channel(name) == nil else {
      return false
    }
    // White space around a name is trimmed, and XML cannot represent most control characters.
    return name.first?.isWhitespace != true && name.last?.isWhitespace != true
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 }
      && (name + value).unicodeScalars.allSatisfy { scalar in
        scalar.value >= 0x20 && scalar.value & 0xFFFE != 0xFFFE || scalar == "\n" || scalar == "\t"
      }
  }

  /// Appends the other extensions.
  func append(foreign extensions: [ExtensionElement], to buffer: inout ByteBuffer) {
    for extensionElement in extensions where KMLPlacemark.Data(extensionElement) == nil {
      var element = extensionElement
      if let parted = GeoJSONMembers.parted(element, isText: KMLDescriptions.isData) {
        guard let rest = parted.rest else { continue }
        element = rest
      }
      namespaces.append(element, unqualified: GPXNamespace.unqualifiedPrefix, to: &buffer)
    }
  }
}
