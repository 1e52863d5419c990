import TestSupport

/// Generates random documents and random damage.
enum XMLMutation {
  /// Pieces with a meaning in XML.
  private static let pieces: [String] = [
    "<", ">", "&", "\"", "'", "/", "=", "!", "?", "-", "--", "-->", "<!--", "]]>", "]", "<![CDATA[", "<?a",
    "?>",
    "<?xml version=\"1.0\"?>", "&amp;", "&#10;", "&#x41;", "&#0;", "&lt", "&x;", "#", ";", "\n", "\r", "\r\n",
    "\t", " ",
    "\u{0}", "\u{1}", "é", "東", "🚗", "\u{FEFF}", "\u{FFFE}", "\u{85}", "a", "xml", "xmlns", ":", "x:y",
    " xmlns=\"\"",
    " xmlns:x=\"urn:x\"", " xmlns:x=\"\"", " a='1'", " x:a=\"2\"", "<a>", "</a>", "<a/>", "<x:a>", "</x:a>",
    "<!DOCTYPE a>", "1",
    ".", "<!", "</", "/>", "<a b", "<a b=", "\u{7F}",
  ]

  /// Returns a copy with one to three changes.
  static func damage(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 0...12, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 2: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      case 3: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random) }
      case 4: if Int.random(in: 0..<4, using: &random) == 0 { bytes.removeSubrange(place...) }
      default: bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
      }
    }
    return bytes
  }

  /// Returns a well-formed document with all features of XML except a document type.
  static func document(using random: inout SeededGenerator) -> String {
    let opening = [
      "", "<?xml version='1.0'?>", "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone='yes' ?>\r\n",
    ]
    var text = opening.randomElement(using: &random) ?? ""
    if Bool.random(using: &random) { text += "<!-- \(characters(using: &random)) -->\n" }
    text += element(depth: 0, using: &random)
    if Bool.random(using: &random) { text += "\n<?end \(characters(using: &random))?>\n" }
    return text
  }

  private static func element(depth: Int, using random: inout SeededGenerator) -> String {
    // The root declares the prefixes. Inner elements may redeclare them.
    var attributes: [String: String] = [:]
    if depth == 0 { attributes = ["xmlns:p": "'urn:p'", "xmlns:q": "'urn:q'"] }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let name =
        ["a", "b.c", "_d", "p:a", "q:a", "é", "xml:lang", "xmlns", "xmlns:r"].randomElement(using: &random)
        ?? "a"
      attributes[name] =
        name.hasPrefix("xmlns") ? "'urn:\(Int.random(in: 0..<4, using: &random))'" : value(using: &random)
    }
    let name =
      ["a", "p:a", "q:bcdefghij", "long-name-of-25-characters", "x.y_z", "東京"].randomElement(using: &random)
      ?? "a"
    let blank = { (random: inout SeededGenerator) in
      [" ", "\n  ", "\t", "\r\n"].randomElement(using: &random) ?? " "
    }
    var text = "<\(name)"
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
      text += blank(&random) + name + (Bool.random(using: &random) ? "=" : " =\n") + value
    }
    if Bool.random(using: &random) { text += blank(&random) }
    if Int.random(in: 0..<4, using: &random) == 0 { return text + "/>" }
    text += ">"
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: if depth < 5 { text += element(depth: depth + 1, using: &random) }
      case 2: text += blank(&random)
      case 3: text += "<![CDATA[\(characters(using: &random))<&]]>"
      case 4: text += "<!--\(characters(using: &random))<&-->"
      default: text += characters(using: &random) + "&amp;&#x1F697;"
      }
    }
    return text + "</\(name)" + (Int.random(in: 0..<8, using: &random) == 0 ? blank(&random) : "") + ">"
  }

  private static func value(using random: inout SeededGenerator) -> String {
    let quote = Bool.random(using: &random) ? "\"" : "'"
    return quote + characters(using: &random) + "&quot;&#9;>" + quote
  }

  private static func characters(using random: inout SeededGenerator) -> String {
    let choice: [Character] = [
      "a", "B", "0", ".", " ", "\n", "\t", "\r\n", "\r", "é", "東", "🚗", "]", ":", "\u{7F}",
    ]
    return String(
      (0..<Int.random(in: 0...20, using: &random)).map { _ in choice.randomElement(using: &random) ?? "a" })
  }
}
