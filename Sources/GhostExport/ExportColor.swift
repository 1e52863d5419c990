import TrackModel

/// An sRGB colour of an export.
public struct ExportColor: Sendable, Hashable {
  /// The red component, from 0 to 255.
  public var red: UInt8
  /// The green component, from 0 to 255.
  public var green: UInt8
  /// The blue component, from 0 to 255.
  public var blue: UInt8

  /// Creates a colour from components of 0 to 255.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates a colour from `0xRRGGBB`.
  public init(_ value: UInt32) {
    let color = TrackColor(rgb: value)
    self.init(red: color.red, green: color.green, blue: color.blue)
  }

  /// The colour as `#rrggbb`, for HTML, SVG and simplestyle.
  public var hexadecimal: String {
    let digits = Array("0123456789abcdef")
    return [red, green, blue].reduce(into: "#") { text, part in
      text.append(digits[Int(part >> 4)])
      text.append(digits[Int(part & 15)])
    }
  }

  /// Colours of drives for every kind of colour vision (Okabe and Ito, "Color Universal Design", 2008,
  /// jfly.uni-koeln.de/color): blue, vermilion, bluish green, reddish purple, orange, sky blue. Black and
  /// yellow are omitted because they are hard to see on maps.
  public static let drives = [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9].map(
    ExportColor.init)
  /// The colour of trimmed or uncompared parts.
  public static let muted = ExportColor(0x8A8A8A)
}
