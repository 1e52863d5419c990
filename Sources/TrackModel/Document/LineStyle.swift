/// A colour with 8 bits per component.
public struct TrackColor: Sendable, Hashable {
  /// The red component.
  public var red: UInt8
  /// The green component.
  public var green: UInt8
  /// The blue component.
  public var blue: UInt8
  /// The opacity. 255 is opaque.
  public var alpha: UInt8

  /// Creates a colour from its components.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Creates an opaque colour from `0xRRGGBB`.
  package init(rgb value: UInt32) {
    func component(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
    self.init(red: component(16), green: component(8), blue: component(0))
  }

  /// Parses hexadecimal `rgb`, `rrggbb` or `aarrggbb`, with or without `#`. Returns `nil` for other text.
  public init?(hexadecimal text: String) {
    var digits = Substring(text)
    if digits.first == "#" { digits = digits.dropFirst() }
    guard digits.utf8.allSatisfy({ $0 < 0x80 }), let value = UInt32(digits, radix: 16), digits.first != "+"
    else {
      return nil
    }
    func component(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
    switch digits.utf8.count {
    case 3:
      let red = UInt8(value >> 8 & 15)
      let green = UInt8(value >> 4 & 15)
      let blue = UInt8(value & 15)
      self.init(red: red * 17, green: green * 17, blue: blue * 17)
    case 6: self.init(red: component(16), green: component(8), blue: component(0))
    case 8: self.init(red: component(16), green: component(8), blue: component(0), alpha: component(24))
    default: return nil
    }
  }

  /// The opacity as a fraction, with the fewest decimals that identify it (at most three): 128 of 255 is 0.5.
  public var opacity: Double {
    let share = Double(alpha) / 255
    for scale in [1.0, 10, 100] {
      let rounded = (share * scale).rounded() / scale
      if (rounded * 255).rounded() == Double(alpha) { return rounded }
    }
    return (share * 1000).rounded() / 1000
  }

  /// The colour as lower-case `rrggbb`, without alpha.
  public var hexadecimal: String {
    [red, green, blue].map { TrackColor.twoDigits($0) }.joined()
  }

  /// The colour as `aabbggrr`, the order of KML.
  public var kml: String { [alpha, blue, green, red].map { TrackColor.twoDigits($0) }.joined() }

  /// Parses `aabbggrr`, the order of KML. Returns `nil` for other text.
  public init?(kml text: String) {
    guard text.utf8.count == 8, let color = TrackColor(hexadecimal: text), !text.hasPrefix("#") else {
      return nil
    }
    self.init(red: color.blue, green: color.green, blue: color.red, alpha: color.alpha)
  }

  private static func twoDigits(_ value: UInt8) -> String {
    (value < 16 ? "0" : "") + String(value, radix: 16)
  }
}

/// The drawing style of a line.
public struct LineStyle: Sendable, Hashable {
  /// The line colour, or `nil` if the file has none.
  public var color: TrackColor?
  /// The line width in pixels.
  public var width: Double?

  /// Creates a style. The width is in pixels.
  public init(color: TrackColor? = nil, width: Double? = nil) {
    self.color = color
    self.width = width
  }
}
