/// Changes XML in ways that keep most of it well-formed: whole elements move, attributes and texts change,
/// and document types with entities and default attributes appear.
struct XMLMutator {
  /// Tags, and what is between them.
  private var tokens: [[UInt8]] = []

  init(_ bytes: [UInt8]) {
    var start = 0
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "<"), index > start {
        tokens.append(Array(bytes[start..<index]))
        start = index
      } else if byte == UInt8(ascii: ">") {
        tokens.append(Array(bytes[start...index]))
        start = index + 1
      }
    }
    if start < bytes.count { tokens.append(Array(bytes[start...])) }
  }

  var bytes: [UInt8] { Array(tokens.joined()) }

  mutating func mutate(using random: inout some RandomNumberGenerator) {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard let place = tokens.indices.randomElement(using: &random) else {
        tokens = [Array("<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>".utf8)]
        return
      }
      let element = self.element(from: place)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: tokens.removeSubrange(element)
      case 1: tokens.insert(contentsOf: tokens[element], at: place)
      case 2:
        // Elsewhere.
        let moved = Array(tokens[element])
        tokens.removeSubrange(element)
        tokens.insert(contentsOf: moved, at: Int.random(in: 0...tokens.count, using: &random))
      case 3:
        // Deeper.
        let depth = Int.random(in: 1...40, using: &random)
        let name = Self.names.randomElement(using: &random) ?? "a"
        tokens.insert(
          contentsOf: Array(repeating: Array("</\(name)>".utf8), count: depth), at: element.upperBound)
        tokens.insert(contentsOf: Array(repeating: Array("<\(name)>".utf8), count: depth), at: place)
      case 4: addAttribute(to: place, using: &random)
      case 5: changeValue(at: place, using: &random)
      case 6: tokens.insert(Array((Self.texts.randomElement(using: &random) ?? "").utf8), at: place)
      case 7: addDocumentType(using: &random)
      case 8:
        // Often the same, as in hostile files.
        let copies = Array(repeating: Array(tokens[element]), count: Int.random(in: 2...30, using: &random))
        tokens.insert(contentsOf: copies.joined(), at: place)
      default:
        let name = Self.names.randomElement(using: &random) ?? "a"
        tokens[element.lowerBound] = Array("<\(name)>".utf8)
        if element.count > 1 { tokens[element.upperBound - 1] = Array("</\(name)>".utf8) }
      }
    }
  }

  /// The tokens of the element that begins at a token; that token alone if it begins none.
  private func element(from place: Int) -> Range<Int> {
    guard isStart(tokens[place]) else { return place..<(place + 1) }
    var depth = 0
    for index in place..<tokens.count {
      if isStart(tokens[index]) { depth += 1 }
      if tokens[index].starts(with: Array("</".utf8)) { depth -= 1 }
      if depth == 0 { return place..<(index + 1) }
    }
    return place..<(place + 1)
  }

  private func isStart(_ token: [UInt8]) -> Bool {
    guard token.count > 2, token[0] == UInt8(ascii: "<"), token.last == UInt8(ascii: ">") else {
      return false
    }
    return !"/!?".utf8.contains(token[1]) && token[token.count - 2] != UInt8(ascii: "/")
  }

  private mutating func addAttribute(to place: Int, using random: inout some RandomNumberGenerator) {
    guard isStart(tokens[place]) else { return }
    let name = Self.attributes.randomElement(using: &random) ?? "a"
    let value = Self.texts.randomElement(using: &random) ?? ""
    tokens[place].removeLast()
    tokens[place] += Array(" \(name)=\"\(value.replacing("<", with: ""))\">".utf8)
  }

  /// Replaces the characters of a text, or of the first value of a tag.
  private mutating func changeValue(at place: Int, using random: inout some RandomNumberGenerator) {
    let text = Array((Self.texts.randomElement(using: &random) ?? "").utf8)
    guard tokens[place].first == UInt8(ascii: "<") else {
      tokens[place] = text
      return
    }
    let quotes = tokens[place].indices.filter { tokens[place][$0] == UInt8(ascii: "\"") }
    guard quotes.count > 1 else { return }
    let pair = 2 * Int.random(in: 0..<(quotes.count / 2), using: &random)
    tokens[place].replaceSubrange(
      (quotes[pair] + 1)..<quotes[pair + 1], with: text.filter { $0 != 0x22 && $0 != 0x3C })
  }

  private mutating func addDocumentType(using random: inout some RandomNumberGenerator) {
    let count = Int.random(in: 1...300, using: &random)
    let name = Self.names.randomElement(using: &random) ?? "gpx"
    let declarations = (0..<count).map { number in
      switch Int.random(in: 0..<4, using: &random) {
      case 0: "<!ENTITY e\(number) \"\(number == 0 ? "x" : "&e\(number - 1);&e\(number - 1);")\">"
      case 1: "<!ATTLIST \(name) a\(number) CDATA \"\(number)\">"
      case 2: "<!ELEMENT \(name)\(number) ANY>"
      default: "<!ENTITY % p\(number) \"<!ELEMENT q ANY>\">"
      }
    }
    let first = tokens.first.map { $0.starts(with: Array("<?xml".utf8)) } ?? false
    tokens.insert(
      Array("<!DOCTYPE \(name) [\(declarations.joined())]>".utf8), at: first ? 1 : 0)
    if Bool.random(using: &random),
      let text = tokens.indices.last(where: { tokens[$0].first != UInt8(ascii: "<") })
    {
      tokens[text] += Array("&e\(count - 1);".utf8)
    }
  }

  private static let names = [
    "gpx", "trk", "trkseg", "trkpt", "rte", "rtept", "wpt", "name", "time", "ele", "extensions", "metadata",
    "link",
    "kml", "Document", "Folder", "Placemark", "LineString", "MultiGeometry", "coordinates", "gx:Track",
    "gx:MultiTrack", "when", "gx:coord", "ExtendedData", "Data", "value", "Schema", "SchemaData",
    "gx:SimpleArrayData",
    "TrainingCenterDatabase", "Activities", "Activity", "Lap", "Track", "Trackpoint", "Position",
    "LatitudeDegrees",
    "Courses", "Course", "CoursePoint", "Extensions", "TPX", "a", "x:y",
  ]
  private static let attributes = [
    "lat", "lon", "version", "creator", "xmlns", "xmlns:x", "xmlns:gx", "id", "href", "name", "StartTime",
    "Sport",
    "schemaUrl", "x:a", "xml:space",
  ]
  private static let texts = [
    "", "0", "-0", "1e400", "-1e-400", "NaN", "90", "180.0000001", "-180",
    "47.123456789012345678901234567890",
    "2024-05-17T06:12:30Z", "2024-05-17T06:12:30.123456789+23:59", "0000-00-00T00:00:00Z",
    "9999-12-31T23:59:60Z",
    "7.4,46.9,500 7.5,46.8", "7.4,46.9", ",,", "7.4 46.9 500", "&amp;", "&#x10FFFF;", "&lt;b&gt;", "&e1;",
    "&e0;",
    "<![CDATA[a]]>", "<!-- c -->", "<?p q?>", "\r\n", "é", "🚗", "http://www.topografix.com/GPX/1/1",
    "http://www.opengis.net/kml/2.2", "http://www.google.com/kml/ext/2.2", "urn:x",
  ]
}
