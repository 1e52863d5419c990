import TrackModel

/// Formats quantities for people.
enum Quantity {
  /// Formats seconds without a sign: `4.2 s`, `0:42`, `24:30`, `1:02:03`.
  static func duration(_ seconds: Double) -> String {
    let seconds = abs(seconds)
    guard seconds.isFinite, seconds < 1e12 else { return "?" }
    return TimeResolution.current.duration(seconds)
  }

  /// Formats seconds like a clock, with a minus sign if negative: `0:04`, `−1:20`, `1:02:03`.
  static func clock(_ seconds: Double) -> String {
    TimeResolution.current.clock(seconds, minus: "−")
  }

  /// Formats seconds with a sign: `+0:12`, `−4.2 s`, or `0` if they round to zero.
  static func signedDuration(_ seconds: Double) -> String {
    if abs(seconds) < TimeResolution.current.smallest { return "0" }
    return (seconds < 0 ? "−" : "+") + duration(seconds)
  }

  /// Formats metres: `320 m`, `11.3 km`, `240 km`.
  static func distance(_ metres: Double) -> String {
    let units = UnitSystem.current
    if units == .metric, (999.5..<1000).contains(metres) { return "1.0 km" }
    return units.distance(metres: metres, decimals: metres < 99_950 ? 1 : 0)
  }

  /// Formats the average speed over a distance.
  static func speed(_ metres: Double, in seconds: Double) -> String {
    seconds > 0 ? UnitSystem.current.speed(metresPerSecond: metres / seconds) : "–"
  }

  /// Formats a number with exactly `decimals` decimals (0…6), without an exponent.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard abs(value) < 9e11 else { return value.isFinite ? (value < 0 ? "-" : "") + "9999999999" : "0" }
    return Formatted.fixed(value, decimals)
  }

  /// Joins items as `A`, `A and B` or `A, B and C`.
  static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Capitalises the first word, unless it is a name such as `ride_2` or `iPhone`, and adds a full stop.
  static func sentence(_ words: String) -> String {
    let isWord = words.prefix { !$0.isWhitespace && $0 != "," }.allSatisfy(\.isLowercase)
    return (isWord ? words.prefix(1).uppercased() : String(words.prefix(1))) + words.dropFirst() + "."
  }
}
