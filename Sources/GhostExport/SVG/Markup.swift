/// HTML or SVG under construction. What is put into a literal of it is escaped, so that a name cannot become an
/// element, an attribute or a script; markup put into markup stays as it is.
///
///     let cell: Markup = "<td title=\"\(name)\">\(name)</td>"
struct Markup: ExpressibleByStringInterpolation, Sendable {
  /// The text, ready to be written.
  private(set) var text: String

  init(stringLiteral value: String) { text = value }

  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  /// - Parameter trusted: markup that is known to be well formed.
  init(trusted: String) { text = trusted }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: String) { text += Markup.escape(value) }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
    mutating func appendInterpolation(_ value: Markup) { text += value.text }
    /// A number with up to so many decimals, without an exponent.
    mutating func appendInterpolation(_ value: Double, decimals: Int) {
      text += Quantity.fixed(value, decimals)
    }
  }

  static func += (markup: inout Markup, other: Markup) { markup.text += other.text }

  static func + (first: Markup, second: Markup) -> Markup { Markup(trusted: first.text + second.text) }

  /// Text as character data and as the value of an attribute in quotes, in HTML and in XML alike. What no document
  /// may hold, and what would turn the words around it, becomes U+FFFD.
  static func escape(_ text: String) -> String {
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
      default: result.unicodeScalars.append(isHarmless(scalar) ? scalar : "\u{FFFD}")
      }
    }
    return result
  }

  /// Whether a character may stand in a document: no control character, no noncharacter, and nothing that overrides
  /// the direction of the text that follows it.
  static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<32, 127...159, 0x202A...0x202E, 0x2066...0x2069: false
    default: scalar.value & 0xFFFE != 0xFFFE
    }
  }
}

extension [Markup] {
  func joined() -> Markup { Markup(trusted: map(\.text).joined()) }
}
