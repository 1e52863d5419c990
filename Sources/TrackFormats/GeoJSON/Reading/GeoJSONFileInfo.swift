import TrackModel

/// The metadata of a FeatureCollection, in foreign members (RFC 7946, section 6.1).
enum GeoJSONFileInfo {
  /// - Parameter members: the members of the collection without its features.
  static func info(_ members: [GeoJSONValue]) -> FileInfo {
    var info = FileInfo()
    var rest = GeoJSONMembers()
    for member in members {
      let text = member.isJSON || member.text.isEmpty ? nil : member.text
      switch (member.name, text) {
      case ("name", let text?): info.name = text
      case ("description", let text?), ("desc", let text?): info.description = text
      case ("creator", let text?), ("generator", let text?): info.creator = text
      case ("keywords", let text?): info.keywords = text
      case ("author", let text?): info.author = Person(name: text)
      case ("copyright", let text?): info.copyright = Copyright(author: text)
      case ("time", let text?) where time(text) != nil, ("timestamp", let text?) where time(text) != nil:
        info.time = time(text)
      default:
        if !member.isJSON || !read(member, into: &info) { rest.append(member) }
      }
    }
    if let element = rest.element(.members) { info.extensions.append(element) }
    return info
  }

  private static func time(_ text: String) -> Instant? { ISO8601.read(Array(text.utf8).span)?.instant }

  /// Reads a member that is an object or an array, already validated.
  ///
  /// - Returns: whether the member is part of the model.
  private static func read(_ member: GeoJSONValue, into info: inout FileInfo) -> Bool {
    guard ["author", "copyright", "links"].contains(member.name) else { return false }
    var lexer = JSONLexer(ByteInput(bytes: Array(member.text.utf8)), options: ReadingOptions(isStrict: true))
    do throws(TrackError) {
      switch member.name {
      case "author":
        let author = try person(&lexer)
        info.author = author
      case "copyright":
        let copyright = try copyright(&lexer)
        info.copyright = copyright
      default:
        var links: [TrackLink] = []
        try lexer.beginArray()
        while try lexer.nextElement() { links.append(try TrackLink(geoJSON: &lexer, isStrict: true)) }
        info.links = links
      }
      return true
    } catch {
      return false
    }
  }

  private static func person(_ lexer: inout JSONLexer) throws(TrackError) -> Person {
    var person = Person()
    try lexer.readObject { name, lexer throws(TrackError) in
      switch name {
      case "name": person.name = try lexer.stringOrNothing()
      case "email": person.email = try lexer.stringOrNothing()
      case "link": person.link = try TrackLink(geoJSON: &lexer, isStrict: true)
      default: throw lexer.expected("a member of an author")
      }
    }
    return person
  }

  private static func copyright(_ lexer: inout JSONLexer) throws(TrackError) -> Copyright {
    var copyright = Copyright(author: "")
    try lexer.readObject { name, lexer throws(TrackError) in
      switch name {
      case "author": copyright.author = try lexer.stringOrNothing() ?? ""
      case "year": copyright.year = try lexer.stringOrNothing()
      case "license": copyright.license = try lexer.stringOrNothing()
      default: throw lexer.expected("a member of a copyright")
      }
    }
    return copyright
  }
}

extension ByteBuffer {
  /// Appends the metadata of a file as members of its FeatureCollection.
  mutating func append(members info: FileInfo) {
    append(member: "name", info.name)
    append(member: "description", info.description)
    append(member: "creator", info.creator)
    if let author = info.author {
      append(member: "author")
      append(UInt8(ascii: "{"))
      append(member: "name", author.name)
      append(member: "email", author.email)
      if let link = author.link {
        append(member: "link")
        append(json: link)
      }
      append(UInt8(ascii: "}"))
    }
    if let copyright = info.copyright {
      append(member: "copyright")
      append(UInt8(ascii: "{"))
      append(member: "author", copyright.author)
      append(member: "year", copyright.year)
      append(member: "license", copyright.license)
      append(UInt8(ascii: "}"))
    }
    append(links: info.links)
    append(member: "time", info.time)
    append(member: "keywords", info.keywords)
  }

  /// Appends a member `links`, as togeojson writes it, if there are any.
  mutating func append(links: [TrackLink]) {
    guard !links.isEmpty else { return }
    append(member: "links")
    append(UInt8(ascii: "["))
    for link in links {
      separate()
      append(json: link)
    }
    append(UInt8(ascii: "]"))
  }

  mutating func append(json link: TrackLink) {
    append(UInt8(ascii: "{"))
    append(member: "href", link.address)
    append(member: "text", link.text)
    append(member: "type", link.mediaType)
    append(UInt8(ascii: "}"))
  }
}
