import CommandLineParsing
import GhostModel
import TrackModel

/// Quantities as people write and read them.
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

  /// A length as `18.20 km`, or `320 m` below a kilometre.
  static func distance(_ metres: Double) -> String {
    metres < 1000 ? "\(fixed(metres, 0)) m" : "\(fixed(metres / 1000, 2)) km"
  }

  /// As people measure, and in the miles that a drive holds: `2.19 km (1.36 mi)`.
  static func driveDistance(miles: Double) -> String {
    "\(distance(miles * Drive.metresPerMile)) (\(fixed(miles, 2)) mi)"
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

  /// `1 point`, `2 points`.
  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  // MARK: Options

  /// Reads a duration: `24:30`, `1:02:03`, `20m`, `1h30m`, `90s`, `1.5h`, or a plain number of seconds.
  static func seconds(_ text: String) throws(InvalidValue) -> Double {
    let invalid = InvalidValue("expected a duration such as 24:30, 1:02:03, 20m, 1h30m or 90s")
    if text.contains(":") {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard (2...3).contains(parts.count) else { throw invalid }
      var seconds = 0.0
      for (index, part) in parts.enumerated() {
        let isLast = index == parts.count - 1
        guard let value = number(part), isLast || value == value.rounded(), index == 0 || value < 60 else {
          throw invalid
        }
        seconds = seconds * 60 + value
      }
      return seconds
    }
    if let value = number(text[...]) { return value }
    var seconds = 0.0
    var rest = text[...]
    var largest = Double.infinity
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isNumber || $0 == "." }
      rest = rest[digits.endIndex...]
      let unit = rest.prefix { $0.isLetter }
      rest = rest[unit.endIndex...]
      let scales = ["d": 86_400.0, "h": 3600, "m": 60, "min": 60, "s": 1, "ms": 0.001]
      guard let value = number(digits), let scale = scales[unit.lowercased()], scale < largest else {
        throw invalid
      }
      largest = scale
      seconds += value * scale
    }
    guard !text.isEmpty else { throw invalid }
    return seconds
  }

  /// Reads a duration above zero.
  static func positiveSeconds(_ text: String) throws(InvalidValue) -> Double {
    let seconds = try seconds(text)
    guard seconds > 0, seconds <= 3.2e9 else {
      throw InvalidValue("expected a duration above zero and below a hundred years, such as 24:30 or 20m")
    }
    return seconds
  }

  /// Reads a speed: `50km/h`, `30mph`, `10m/s`, `12kn`; in metres per second.
  static func speed(_ text: String) throws(InvalidValue) -> Double {
    let invalid = InvalidValue("expected a speed above zero such as 50km/h, 30mph, 10m/s or 12kn")
    let digits = text.prefix { $0.isNumber || $0 == "." }
    let unit = text[digits.endIndex...].filter { $0 != " " }.lowercased()
    let scales = [
      "km/h": 1 / 3.6, "kmh": 1 / 3.6, "kph": 1 / 3.6, "mph": 0.44704, "mi/h": 0.44704, "m/s": 1,
      "kn": 1.852 / 3.6, "kt": 1.852 / 3.6,
    ]
    guard let value = number(digits), value > 0, let scale = scales[unit] else { throw invalid }
    return value * scale
  }

  /// Reads a length: `15`, `15m`, `0.5km`, `50ft`, `1mi`; in metres.
  static func metres(_ text: String) throws(InvalidValue) -> Double {
    let digits = text.prefix { $0.isNumber || $0 == "." }
    let unit = text[digits.endIndex...].filter { $0 != " " }.lowercased()
    let scales = ["": 1, "m": 1, "km": 1000, "ft": 0.3048, "mi": 1609.344]
    guard let value = number(digits), let scale = scales[unit] else {
      throw InvalidValue("expected a length such as 15, 15m, 0.5km or 50ft")
    }
    return value * scale
  }

  /// A number in plain decimals, not negative.
  private static func number(_ text: Substring) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }),
      let value = Double(String(text)), value.isFinite
    else { return nil }
    return value
  }
}
