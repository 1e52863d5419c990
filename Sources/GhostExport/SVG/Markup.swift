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
  /// may hold, control characters for the most part, becomes U+FFFD.
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
      case _ where scalar.value < 32 || (127...159).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE:
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension [Markup] {
  func joined() -> Markup { Markup(trusted: map(\.text).joined()) }
}
