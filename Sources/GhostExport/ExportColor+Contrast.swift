import CMath

extension ExportColor {
  /// The relative luminance, 0…1, as defined by the Web Content Accessibility Guidelines 2.2.
  var luminance: Double {
    func linear(_ part: UInt8) -> Double {
      let value = Double(part) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The contrast ratio as defined by the same guidelines, 1…21.
  func contrast(with other: ExportColor) -> Double {
    let lighter = max(luminance, other.luminance)
    let darker = min(luminance, other.luminance)
    return (lighter + 0.05) / (darker + 0.05)
  }

  /// Returns the colour, darkened or lightened just enough for a contrast with a background.
  ///
  /// - Parameter minimum: the contrast ratio: 3 for lines, 4.5 for text. Ratios up to 4.58 are always
  ///   possible.
  func readable(on background: ExportColor, minimum: Double) -> ExportColor {
    let target: Double = background.luminance > 0.18 ? 0 : 255
    for step in 0...50 {
      let share = Double(step) / 50
      func mixed(_ part: UInt8) -> UInt8 {
        UInt8((Double(part) + (target - Double(part)) * share).rounded())
      }
      let color = ExportColor(red: mixed(red), green: mixed(green), blue: mixed(blue))
      if color.contrast(with: background) >= minimum { return color }
    }
    return ExportColor(red: UInt8(target), green: UInt8(target), blue: UInt8(target))
  }
}
