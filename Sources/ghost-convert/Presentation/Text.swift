import CommandLineParsing
import GhostExport
import GhostModel
import TrackModel

/// Quantities as people read them; `Text+Reading.swift` has how options read them.
enum Text {
  /// Seconds as `24:30` or `1:02:03`, with tenths below a minute.
  static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e15 else { return "?" }
    if abs(seconds) < 60 { return fixed(seconds, 1) + " s" }
    let whole = Int(seconds.rounded())
    let minutes = whole / 60 % 60
    let rest = twoDigits(whole % 60)
    return whole >= 3600 ? "\(whole / 3600):\(twoDigits(minutes)):\(rest)" : "\(minutes):\(rest)"
  }

  /// A length as `18.20 km`, or `320 m` below a kilometre; in miles and feet with `--units imperial`.
  static func distance(_ metres: Double) -> String {
    UnitSystem.current.distance(metres: metres, decimals: 2)
  }

  /// As people measure, and in the miles that a drive holds: `2.19 km (1.36 mi)`.
  static func driveDistance(miles: Double) -> String {
    let text = distance(miles * Geodesy.metresPerMile)
    return UnitSystem.current == .metric ? "\(text) (\(fixed(miles, 2)) mi)" : text
  }

  /// A number with exactly so many decimals, 0…6.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(value) * Double(scale)).rounded()
    guard scaled < 1e18 else { return "\(value)" }
    let whole = Int(scaled)
    var text = String(whole / scale)
    if decimals > 0 {
      let fraction = String(whole % scale)
      text += "." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
    return value < 0 && whole > 0 ? "-" + text : text
  }

  private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
