package import TrackModel

/// Formats quantities for plain text and tables.
package enum Text {
  /// Formats seconds as `24:30` or `1:02:03`, with tenths below a minute.
  package static func clock(_ seconds: Double) -> String {
    abs(seconds) < 60 ? Formatted.fixed(seconds, 1) + " s" : Formatted.clock(seconds)
  }

  /// Formats the difference between two clocks in whole seconds: `11 s`, `1:00:00`, `7168 days`.
  package static func clockDifference(_ seconds: Double) -> String {
    let seconds = abs(seconds).rounded()
    if seconds < 60 { return "\(Formatted.fixed(seconds, 0)) s" }
    return seconds < 172_800 ? clock(seconds) : "\(Formatted.fixed(seconds / 86_400, 0)) days"
  }

  /// Formats a length as `18.20 km`, or `320 m` below a kilometre; in miles and feet in imperial
  /// units.
  package static func distance(_ metres: Double) -> String {
    UnitSystem.current.distance(metres: metres, decimals: 2)
  }

  /// Formats a position in degrees, as `46.500110, 7.500330`.
  package static func place(_ place: Coordinate, decimals: Int = 6, separator: String = ", ") -> String {
    Formatted.fixed(place.latitude, decimals) + separator + Formatted.fixed(place.longitude, decimals)
  }

  /// Formats a difference of time as `0:42`, or with tenths below ten seconds: `3.4 s`.
  package static func gap(_ seconds: Double) -> String { TimeResolution.current.duration(seconds) }

  /// Formats a difference of time with its sign. Values that round to zero have no sign.
  package static func signedGap(_ seconds: Double) -> String {
    abs(seconds) < TimeResolution.current.smallest ? gap(0) : (seconds < 0 ? "-" : "+") + gap(seconds)
  }

  /// Formats an uncertainty as `± 0.6 s`. The smallest value is 0.1 s, or 0.01 s in hundredths.
  package static func doubt(_ seconds: Double) -> String {
    "± \(gap(max(seconds, 2 * TimeResolution.current.smallest)))"
  }

  /// Returns the uncertainty of a time for the notes of a table, or nil if it is small.
  ///
  /// - Parameters:
  ///   - seconds: one standard deviation.
  ///   - least: that of the most certain time in the table, of which it is a multiple if it is remarkable.
  package static func remarkableDoubt(_ seconds: Double, least: Double?) -> String? {
    seconds >= max(0.5, 3 * (least ?? 0)) ? doubt(seconds) : nil
  }

  /// Shortens a text to the width of a column, 24 characters.
  package static func column(_ text: String) -> String { text.shortened(to: 24) }

  /// Shortens the name of a drive to one line of 80 characters.
  package static func name(_ text: String) -> String { Diagnostic.singleLine(text).shortened(to: 80) }

  /// Formats a difference as `+0.42` or `-0.42`.
  static func signedHundredths(_ seconds: Double) -> String {
    let text = Formatted.fixed(abs(seconds), 2)
    return text == "0.00" ? text : (seconds < 0 ? "-" : "+") + text
  }

  /// Formats seconds as `1:52.34`, or `52.34` below a minute. A time that is not a number or negative, from a
  /// damaged library, becomes `–`.
  package static func lapTime(_ seconds: Double) -> String {
    guard seconds >= 0 else { return "–" }
    return seconds < 59.995 ? Formatted.fixed(seconds, 2) : Formatted.preciseClock(min(seconds, 1e9))
  }
}
