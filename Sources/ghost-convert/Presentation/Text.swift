import CommandLineParsing
import GhostExport
import GhostModel
import TrackModel

/// Formats quantities for text output. `Text+Reading.swift` parses quantities in options.
enum Text {
  /// Formats seconds as `24:30` or `1:02:03`, with tenths below a minute.
  static func clock(_ seconds: Double) -> String {
    abs(seconds) < 60 ? Formatted.fixed(seconds, 1) + " s" : Formatted.clock(seconds)
  }

  /// Formats the difference between two clocks in whole seconds: `11 s`, `1:00:00`, `7168 days`.
  static func clockDifference(_ seconds: Double) -> String {
    let seconds = abs(seconds).rounded()
    if seconds < 60 { return "\(Formatted.fixed(seconds, 0)) s" }
    return seconds < 172_800 ? clock(seconds) : "\(Formatted.fixed(seconds / 86_400, 0)) days"
  }

  /// Formats a length as `18.20 km`, or `320 m` below a kilometre; in miles and feet with `--units
  /// imperial`.
  static func distance(_ metres: Double) -> String {
    UnitSystem.current.distance(metres: metres, decimals: 2)
  }

  /// Formats a position in degrees, as `46.500110, 7.500330`.
  static func place(_ place: Coordinate, decimals: Int = 6, separator: String = ", ") -> String {
    Formatted.fixed(place.latitude, decimals) + separator + Formatted.fixed(place.longitude, decimals)
  }

  /// Formats the length of a drive, which drive documents store in miles.
  static func driveDistance(miles: Double) -> String { distance(miles * Geodesy.metresPerMile) }
}
