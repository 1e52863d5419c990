/// A colour of what is shown.
public struct ExportColor: Sendable, Hashable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// From `0xRRGGBB`.
  public init(_ value: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
      blue: UInt8(truncatingIfNeeded: value))
  }

  /// `#rrggbb`, as HTML, SVG and simplestyle have it.
  public var hexadecimal: String {
    let digits = Array("0123456789abcdef")
    return [red, green, blue].reduce(into: "#") { text, part in
      text.append(digits[Int(part >> 4)])
      text.append(digits[Int(part & 15)])
    }
  }

  /// The colours of drives, to be told apart with every kind of colour vision: Okabe and Ito, "Color
  /// Universal Design", 2008 (jfly.uni-koeln.de/color), without black and yellow, which get lost on maps:
  /// blue, vermilion, bluish green, reddish purple, orange, sky blue.
  public static let drives = [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9].map(
    ExportColor.init)
  /// What is trimmed or not compared.
  public static let muted = ExportColor(0x8A8A8A)
}
