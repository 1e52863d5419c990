import TrackModel

/// The escaping rules for text in a page, so that it cannot end an element, an attribute or a string.
enum Escaping: Sendable {
  /// Character data and quoted attributes in HTML and XML.
  case html
  /// A quoted JSON or JavaScript string.
  case json
  /// A CSS identifier, number or colour.
  case css

  /// Escapes text. Control characters, noncharacters and characters that change the text direction become
  /// U+FFFD.
  func callAsFunction(_ text: String) -> String {
    switch self {
    case .html: Escaping.htmlText(text)
    case .json: Escaping.jsonString(text)
    case .css: Escaping.cssText(text)
    }
  }

  /// Returns the escaping that applies after a piece of a page.
  func after(_ literal: String) -> Escaping {
    var rest = literal[...]
    var escaping = self
    while true {
      if case .html = escaping {
        let script = rest.firstRange(of: "<script")
        let style = rest.firstRange(of: "<style")
        guard let open = [script, style].compactMap(\.self).min(by: { $0.lowerBound < $1.lowerBound }),
          let end = rest[open.upperBound...].firstIndex(of: ">")
        else { return escaping }
        escaping = open == script ? .json : .css
        rest = rest[end...].dropFirst()
      } else {
        guard let end = rest.firstRange(of: "</") else { return escaping }
        escaping = .html
        rest = rest[end.upperBound...]
      }
    }
  }

  private static func htmlText(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      byte >= 32 && byte < 127 && byte != 38 && byte != 60 && byte != 62 && byte != 34 && byte != 39
    }
    if isPlain { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n": result += " "
      default: result.unicodeScalars.append(harmless(scalar))
      }
    }
    return result
  }

  private static func jsonString(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      let scalar = harmless(scalar)
      if scalar.isASCII, !"\"&'<>\\".unicodeScalars.contains(scalar) {
        result.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result + "\""
  }

  private static func cssText(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let scalar = harmless(scalar)
      if scalar.properties.isAlphabetic || "0123456789-_#.%".unicodeScalars.contains(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\" + String(scalar.value, radix: 16) + " "
      }
    }
    return result
  }

  /// Replaces control characters, line breaks, noncharacters, and characters that change the text direction.
  static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    scalar.isSteering || scalar.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : scalar
  }
}
