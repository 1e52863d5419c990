import TrackModel

/// Elements other than geometry: containers, names, times, styles, extended data and unknown elements.
extension KMLReader {
  /// Returns whether an element opens a node inside another node.
  func canBegin(_ element: KMLElement, in node: Node) -> Bool {
    switch (node, element) {
    case (.document, .kml), (.document, .container), (.kml, .container), (.container, .container),
      (.document, .placemark), (.kml, .placemark), (.container, .placemark):
      true
    case (.placemark, .lineString), (.placemark, .track), (.placemark, .point), (.placemark, .multiGeometry),
      (.multiGeometry, .lineString), (.multiGeometry, .track), (.multiGeometry, .point),
      (.multiGeometry, .multiGeometry):
      true
    default: false
    }
  }

  mutating func start(_ element: KMLElement, _ token: XMLToken) throws(TrackError) {
    let node = nodes[nodes.count - 1]
    switch (node, element) {
    case (.document, .kml): nodes.append(.kml)
    case (.document, _) where element != .container && element != .placemark:
      throw TrackError(
        .unknownFormat, "the root element is not kml", place: tokens.place,
        suggestion: .listFormats)
    case (.foreign, _): beginForeign(token)
    case (.document, .container), (.kml, .container), (.container, .container):
      nodes.append(.container)
      containers.append(KMLContainer())
    case (.document, .placemark), (.kml, .placemark), (.container, .placemark): beginPlacemark()
    case (.placemark, .lineString), (.multiGeometry, .lineString): beginGeometry(.line)
    case (.placemark, .track), (.multiGeometry, .track): beginGeometry(.track)
    case (.placemark, .point), (.multiGeometry, .point): beginGeometry(.point)
    case (.placemark, .multiGeometry), (.multiGeometry, .multiGeometry): nodes.append(.multiGeometry)
    case (_, .area), (_, .overlay), (_, .tour), (_, .networkLink):
      try skip(element, in: node)
      if token.kind == .start { try skip() }
    case (_, .presentation):
      countUnread(token)
      try skip()
    default: try startDescription(element, token)
    }
  }

  private mutating func startDescription(_ element: KMLElement, _ token: XMLToken) throws(TrackError) {
    switch (nodes[nodes.count - 1], element) {
    case (.container, .style), (.cascadingStyle, .style), (.placemark, .style), (.pair, .style):
      nodes.append(.style)
      style = KMLStyle()
      // In these elements it uses the identifier of its parent.
      let around = nodes[nodes.count - 2]
      if around != .cascadingStyle, around != .pair { styleID = nil }
    case (.container, .cascadingStyle):
      nodes.append(.cascadingStyle)
      styleID = nil
    case (.style, .lineStyle): nodes.append(.lineStyle)
    case (.style, .iconStyle): nodes.append(.iconStyle)
    case (.iconStyle, .icon): nodes.append(.icon)
    case (.container, .styleMap), (.placemark, .styleMap):
      nodes.append(.styleMap)
      styleID = nil
    case (.styleMap, .pair):
      nodes.append(.pair)
      pair = ("", "")
    case (.placemark, .timeStamp): nodes.append(.timeStamp)
    case (.placemark, .timeSpan):
      nodes.append(.timeSpan)
      span = TimeSpan()
    case (.placemark, .author), (.container, .author):
      nodes.append(.author)
      person = Person()
    case (.placemark, .link), (.container, .link):
      nodes.append(.link)
      link = TrackLink(address: "")
    case (.placemark, .extendedData), (.container, .extendedData), (.track, .extendedData):
      nodes.append(.extendedData)
    case (.extendedData, .data):
      nodes.append(.data)
      data = KMLPlacemark.Data(name: "", displayName: nil, value: "")
    case (.extendedData, .schemaData):
      nodes.append(.schemaData)
      schemaID = ""
    case (.schemaData, .simpleData):
      nodes.append(.simpleData)
      data = KMLPlacemark.Data(name: "", displayName: nil, value: "")
    case (.schemaData, .simpleArrayData) where nodes.contains(.track):
      nodes.append(.simpleArray)
      track.beginUnknown()
    case (.container, .schema):
      nodes.append(.schema)
      schemaID = ""
    case (.schema, .simpleArrayField):
      nodes.append(.schemaField)
      fieldName = ""
    case (.placemark, .other), (.container, .other), (.extendedData, .other): beginForeign(token)
    case (.placemark, .placemark), (.placemark, .container), (_, .lineString), (_, .track), (_, .point),
      (_, .multiGeometry):
      try tokens.warn(.misplacedElement, "element not allowed here in KML, ignored")
      try skip()
    case (_, .other), (_, .style), (_, .styleMap), (_, .timeStamp), (_, .timeSpan), (_, .extendedData),
      (_, .schema), (_, .simpleArrayData), (_, .kml):
      try skip()
    default:
      nodes.append(.value)
      valueElement = element
    }
  }

  /// Skips the element whose start tag was read last. Does nothing for a leaf.
  private mutating func skip() throws(TrackError) {
    if tokens.current.kind == .start { try tokens.skipElement() }
  }

  private mutating func skip(_ element: KMLElement, in node: Node) throws(TrackError) {
    if node == .placemark || node == .multiGeometry { hasGeometry = true }
    switch element {
    case .networkLink: try tokens.warn(.notRepresentable, "link to another file, never followed")
    case .overlay: try tokens.warn(.notRepresentable, "image overlay, skipped")
    case .tour: try tokens.warn(.notRepresentable, "camera tour, skipped")
    default: try tokens.warn(.notRepresentable, "polygon or model, skipped")
    }
  }

  // MARK: Values

  mutating func attribute(_ element: KMLElement, _ token: XMLToken) throws(TrackError) {
    let node = nodes[nodes.count - 1]
    switch (node, element) {
    case (.foreign, _): addForeign(attribute: token)
    case (.cascadingStyle, .id), (.styleMap, .id): styleID = tokens.trimmedText(of: token)
    case (.style, .id):
      let around = nodes[nodes.count - 2]
      if around != .cascadingStyle, around != .pair { styleID = tokens.trimmedText(of: token) }
    case (.placemark, .id): unsupportedContent.add("ids of features")
    case (.schema, .id): schemaID = tokens.trimmedText(of: token) ?? ""
    case (.schemaData, .schemaUrl):
      let url = tokens.trimmedText(of: token) ?? ""
      schemaID = url.hasPrefix("#") ? String(url.dropFirst()) : url
    case (.schemaField, .name): fieldName = tokens.trimmedText(of: token) ?? ""
    case (.simpleArray, .name): try beginArray(tokens.trimmedText(of: token) ?? "", token)
    case (.data, .name), (.simpleData, .name): data.name = tokens.trimmedText(of: token) ?? ""
    case (.link, .href): link.address = tokens.trimmedText(of: token) ?? ""
    case (.link, .title): link.text = tokens.trimmedText(of: token)
    case (.link, .type): link.mediaType = tokens.trimmedText(of: token)
    default: break
    }
  }

  /// Reads an element that contains only text.
  mutating func value(_ element: KMLElement, _ token: XMLToken) throws(TrackError) {
    let text = tokens.trimmedText(of: token)
    switch (nodes[nodes.count - 1], element) {
    case (.document, _): try start(element, token)
    case (.container, _): try containerValue(element, token, text)
    case (.placemark, .name): placemark.name = placemark.name ?? text
    case (.placemark, .description): placemark.description = placemark.description ?? text
    case (.placemark, .snippet): placemark.snippet = placemark.snippet ?? text
    case (.placemark, .styleUrl): if let text { try useStyle(text) }
    case (.placemark, .other), (.placemark, .address):
      if text != nil, let leaf = try keptLeaf(token) { add(leaf) }
    case (.timeStamp, .when): placemark.time = try tokens.readTime(token, allowsDates: true) ?? placemark.time
    case (.timeSpan, .begin): span.begin = try tokens.readTime(token, allowsDates: true)
    case (.timeSpan, .end): span.end = try tokens.readTime(token, allowsDates: true)
    case (.author, .name): person.name = text
    case (.author, .email): person.email = text
    case (.author, .uri): person.link = text.map { TrackLink(address: $0) }
    case (.lineStyle, .color): style.line.color = text.flatMap { TrackColor(kml: $0) }
    case (.iconStyle, .color):
      // In KML white means an unchanged icon.
      style.iconColor = text.flatMap { TrackColor(kml: $0) }.flatMap { $0.kml == "ffffffff" ? nil : $0 }
    case (.lineStyle, .width):
      style.line.width = tokens.number(of: token).flatMap { $0 > 0 ? $0 : nil }
    case (.icon, .href), (.iconStyle, .icon): style.icon = text
    case (.pair, .key): pair.key = text ?? ""
    case (.pair, .styleUrl): pair.url = text ?? ""
    case (.data, .value): data.value = tokens.text(of: token)
    case (.data, .displayName): data.displayName = text
    case (.extendedData, .other): if let leaf = try keptLeaf(token) { add(leaf) }
    case (.schemaField, .displayName): try addHeading(text)
    case (.track, .angles):
      try tokens.warn(.notRepresentable, "angles of a model, ignored")
    case (.track, .value), (.line, .other), (.point, .other), (.track, .other): break
    case (_, .area), (_, .overlay), (_, .tour), (_, .networkLink):
      try skip(element, in: nodes[nodes.count - 1])
    case (_, .presentation): countUnread(token)
    default: break
    }
  }

  /// Counts presentation settings that differ from the default.
  private mutating func countUnread(_ token: XMLToken) {
    switch tokens.name(of: token).local {
    case "LookAt", "Camera": unsupportedContent.add("views of a camera")
    case "LabelStyle": unsupportedContent.add("styles of labels")
    case "PolyStyle": unsupportedContent.add("styles of areas")
    case "BalloonStyle": unsupportedContent.add("styles of balloons")
    case "ListStyle": unsupportedContent.add("styles of lists")
    case "scale", "heading", "hotSpot":
      if nodes.last == .iconStyle { unsupportedContent.add("sizes and angles of icons") }
    case "visibility":
      if tokens.trimmedText(of: token) == "0" { unsupportedContent.add("hidden features (shown)") }
    case "extrude": if tokens.trimmedText(of: token) == "1" { unsupportedContent.add("lines drawn as walls") }
    case "Region": unsupportedContent.add("regions in which features are shown")
    case "outerColor", "outerWidth": unsupportedContent.add("borders of lines")
    case "physicalWidth": unsupportedContent.add("widths of lines in metres")
    case "altitudeOffset":
      if let offset = tokens.trimmedText(of: token), Double(offset) != 0 {
        unsupportedContent.add("offsets of heights")
      }
    case "AddressDetails": unsupportedContent.add("details of addresses")
    default: break
    }
  }

  private mutating func addHeading(_ text: String?) throws(TrackError) {
    guard let text else { return }
    let key = "\(schemaID)/\(fieldName)"
    headingSize += key.utf8.count + text.utf8.count + KeptBudget.entrySize
    if headingSize <= limits.nameSize {
      headings[key] = text
    } else {
      try tokens.warn(
        .limitExceeded,
        "more than \(ReadingLimits.text(size: limits.nameSize)) of headings, the rest ignored")
    }
  }

  private mutating func containerValue(_ element: KMLElement, _ token: XMLToken, _ text: String?)
    throws(TrackError)
  {
    let isFile = containers.count == 1
    switch element {
    case .name where isFile: state.file.name = state.file.name ?? text
    case .name:
      let last = containers.count - 1
      if containers[last].isUsed, text != nil {
        try tokens.warn(.misplacedElement, "name of a folder after its contents, ignored")
      } else {
        containers[last].name = text
      }
    case .description where isFile: state.file.description = state.file.description ?? text
    case .description, .snippet:
      if text != nil {
        try tokens.warn(
          .notRepresentable, "description of a folder or summary of a file, ignored")
      }
    case .generator: state.file.creator = state.file.creator ?? text
    case .other, .address:
      if isFile, text != nil, let leaf = try keptLeaf(token) { state.file.extensions.append(leaf) }
    default: break
    }
  }

  /// Resolves a reference to a style.
  private mutating func useStyle(_ url: String) throws(TrackError) {
    if let shared = styles.style(at: url) {
      placemark.style.merge(shared)
    } else {
      try tokens.warn(.notRepresentable, "style used before its declaration, ignored")
    }
  }

  /// Ends an element other than geometry.
  mutating func endDescription(_ node: Node) throws(TrackError) {
    switch node {
    case .container: containers.removeLast()
    case .timeSpan: placemark.span = placemark.span ?? (span == TimeSpan() ? nil : span)
    case .author:
      if nodes[nodes.count - 1] == .container {
        if person != Person(), state.file.author == nil { state.file.author = person }
      } else if let name = person.name {
        data = KMLPlacemark.Data(name: "author", displayName: nil, value: name)
        try addData()
      }
    case .link:
      let size = link.address.utf8.count + (link.text?.utf8.count ?? 0) + (link.mediaType?.utf8.count ?? 0)
      guard !link.address.isEmpty, try hasRoom(size) else { break }
      if nodes[nodes.count - 1] == .placemark {
        placemark.links.append(link)
      } else {
        state.file.links.append(link)
      }
    case .style: try endStyle()
    case .pair:
      if pair.key == "normal", !pair.url.isEmpty {
        if let styleID {
          try checkStyles(styles.addMap(id: styleID, to: pair.url))
        } else {
          try useStyle(pair.url)
        }
      }
    case .data, .simpleData: try addData()
    case .foreign: if let element = try closeForeign() { add(element) }
    default: break
    }
  }

  /// Warns of a shared style that was omitted.
  private mutating func checkStyles(_ isKept: Bool) throws(TrackError) {
    guard !isKept else { return }
    try tokens.warn(
      .limitExceeded,
      "more than \(ReadingLimits.text(size: limits.nameSize)) of styles, the rest ignored")
  }

  private mutating func endStyle() throws(TrackError) {
    switch nodes[nodes.count - 1] {
    case .placemark:
      // A placemark's own style takes precedence over the shared one.
      style.merge(placemark.style)
      placemark.style = style
    case .pair where pair.key == "normal":
      if let styleID {
        try checkStyles(styles.add(style, id: styleID))
      } else {
        placemark.style.merge(style)
      }
    case .container, .cascadingStyle:
      if let styleID { try checkStyles(styles.add(style, id: styleID)) }
    default: break
    }
  }
}
