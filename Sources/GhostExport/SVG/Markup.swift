/// HTML or SVG markup. Interpolated strings are escaped, so that a name cannot become an element, an
/// attribute or a script. Interpolated markup is inserted unchanged.
///
///     let cell: Markup = "<td title=\"\(name)\">\(name)</td>"
struct Markup: ExpressibleByStringInterpolation, Sendable {
  /// The markup as text.
  private(set) var text: String

  init(stringLiteral value: String) { text = value }

  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  /// - Parameter trusted: well-formed markup.
  init(trusted: String) { text = trusted }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: String) { text += Escaping.html(value) }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
    mutating func appendInterpolation(_ value: Markup) { text += value.text }
    /// Inserts a number with up to `decimals` decimals, without an exponent.
    mutating func appendInterpolation(_ value: Double, decimals: Int) {
      text += Quantity.fixed(value, decimals)
    }
  }

  static func += (markup: inout Markup, other: Markup) { markup.text += other.text }

  static func + (first: Markup, second: Markup) -> Markup { Markup(trusted: first.text + second.text) }
}

extension [Markup] {
  func joined() -> Markup { Markup(trusted: map(\.text).joined()) }
}
