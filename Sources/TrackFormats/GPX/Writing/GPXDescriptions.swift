import TrackModel

/// Writes information about files, tracks and routes as fields, in the order of the schema.
struct GPXDescriptions {
  let version: GPXVersion
  /// The declarations at the root, complete before the first extension is written.
  var namespaces: XMLNamespaces
  /// The content that GPX cannot represent.
  private(set) var losses = LossReport()

  init(version: GPXVersion) {
    self.version = version
    namespaces = XMLNamespaces(defaultNamespace: version.namespace)
  }

  /// Returns the fields of a file, without extensions: the content of `metadata` in GPX 1.1, and the first
  /// children of the root in 1.0.
  mutating func fields(of info: FileInfo) -> GPXFields {
    var fields = GPXFields()
    fields.add("name", info.name)
    fields.add("desc", info.description)
    switch version {
    case .version10: add(author10: info.author, to: &fields)
    case .version11: if let author = info.author { add(author, to: &fields.buffer) }
    }
    fields.end()
    switch version {
    case .version10: if info.copyright != nil { losses.add("copyrights") }
    case .version11: if let copyright = info.copyright { add(copyright, to: &fields.buffer) }
    }
    fields.end()
    add(links: info.links, "links of files", to: &fields)
    if let time = info.time { add(time: time, to: &fields.buffer) }
    fields.end()
    fields.add("keywords", info.keywords)
    return fields
  }

  /// Returns the fields of a track or a route, from its name to its extensions.
  mutating func fields(of info: TrackInfo, isRoute: Bool) -> GPXFields {
    var fields = GPXFields()
    fields.add("name", info.name)
    fields.add("cmt", info.comment)
    fields.add("desc", info.description)
    fields.add("src", info.source)
    add(links: info.links, "links of tracks", to: &fields)
    if let number = info.number {
      if number >= 0 {
        fields.buffer.append(element: "number", String(number))
      } else {
        losses.add("track numbers below zero")
      }
    }
    fields.end()
    switch version {
    case .version10: if info.type != nil { losses.add("types of tracks") }
    case .version11: fields.add("type", info.type)
    }
    if info.timeSpan != nil { losses.add("spans of time of whole tracks") }
    if info.resolution != nil { losses.add("notes on how coarse a source is") }
    losses.add("laps", info.laps.count)
    for element in elements(for: info.style, isRoute: isRoute) { append(element, to: &fields.buffer) }
    for element in keepable(info.extensions) { append(element, to: &fields.buffer) }
    fields.end(inside: version == .version11 ? "extensions" : nil)
    return fields
  }

  /// Returns the extensions that the version allows, and counts the others.
  mutating func keepable(_ extensions: [ExtensionElement]) -> [ExtensionElement] {
    guard version == .version10 else { return extensions }
    let kept = extensions.filter { GPXSchemas.declare($0) }
    losses.add("extensions", extensions.count - kept.count)
    return kept
  }

  func append(_ element: ExtensionElement, to buffer: inout ByteBuffer) {
    namespaces.append(element, unqualified: GPXNamespace.unqualifiedPrefix, to: &buffer)
  }

  // MARK: Parts

  private mutating func elements(for style: LineStyle?, isRoute: Bool) -> [ExtensionElement] {
    guard let style else { return [] }
    let elements = GPXStyle.elements(for: style, isRoute: isRoute)
    guard version == .version10 else { return elements }
    if style.width != nil { losses.add("widths of lines") }
    if let color = style.color, !GPXStyle.isDisplayColor(color) {
      losses.add("colours of lines (the nearest of Garmin's sixteen written)")
    }
    return elements.filter { GPXSchemas.declare($0) }
  }

  private mutating func add(links: [TrackLink], _ what: String, to fields: inout GPXFields) {
    switch version {
    case .version10:
      if fields.buffer.append(url: links.first) { losses.add("media types of links") }
      losses.add("further \(what)", links.count - 1)
    case .version11: for link in links { fields.buffer.append(link) }
    }
    fields.end()
  }

  private mutating func add(time: Instant, to buffer: inout ByteBuffer) {
    guard time.hasXMLYear else {
      losses.add("times before year 1 or after 9999")
      return
    }
    buffer.append("<time>")
    ISO8601.append(time, to: &buffer)
    buffer.append("</time>")
  }

  private mutating func add(_ author: Person, to buffer: inout ByteBuffer) {
    buffer.append("<author>")
    if let text = author.name { buffer.append(element: "name", text) }
    if let email = author.email {
      // GPX splits an address at its at sign; a text without one is not an address.
      if let sign = email.lastIndex(of: "@") {
        buffer.append("<email id=\"")
        buffer.append(xmlAttribute: String(email[..<sign]))
        buffer.append("\" domain=\"")
        buffer.append(xmlAttribute: String(email[email.index(after: sign)...]))
        buffer.append("\"/>")
      } else {
        losses.add("invalid addresses of authors")
      }
    }
    if let link = author.link { buffer.append(link) }
    buffer.append("</author>")
  }

  private mutating func add(author10 author: Person?, to fields: inout GPXFields) {
    guard let author else { return }
    if let text = author.name { fields.buffer.append(element: "author", text) }
    if let email = author.email {
      if GPXDescriptions.isEmail10(email) {
        fields.buffer.append(element: "email", email)
      } else {
        losses.add("addresses of authors that GPX 1.0 does not allow")
      }
    }
    if author.link != nil { losses.add("links of authors") }
  }

  /// Returns whether a text matches the schema's `emailType`: groups of letters and underscores, joined by
  /// dots, at least two of them after the at sign.
  static func isEmail10(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    let words = parts.map { $0.split(separator: ".", omittingEmptySubsequences: false) }
    return words[1].count > 1
      && words.joined().allSatisfy { word in
        !word.isEmpty
          && word.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
            default: scalar == "_"
            }
          }
      }
  }

  private mutating func add(_ copyright: Copyright, to buffer: inout ByteBuffer) {
    buffer.append("<copyright author=\"")
    buffer.append(xmlAttribute: copyright.author)
    buffer.append("\">")
    if let year = copyright.year {
      if year.utf8.count == 4, year.utf8.allSatisfy({ (48...57).contains($0) }) {
        buffer.append(element: "year", year)
      } else {
        losses.add("invalid years of copyrights")
      }
    }
    if let text = copyright.license { buffer.append(element: "license", text) }
    buffer.append("</copyright>")
  }
}

extension ByteBuffer {
  /// Appends a GPX 1.1 `link`.
  mutating func append(_ link: TrackLink) {
    append("<link href=\"")
    append(xmlAttribute: link.address)
    append("\">")
    if let text = link.text { append(element: "text", text) }
    if let type = link.mediaType { append(element: "type", type) }
    append("</link>")
  }

  /// Appends a GPX 1.0 `url` and its `urlname`.
  ///
  /// - Returns: whether the link has a media type, which was omitted.
  mutating func append(url link: TrackLink?) -> Bool {
    guard let link else { return false }
    append(element: "url", link.address)
    if let text = link.text { append(element: "urlname", text) }
    return link.mediaType != nil
  }
}
