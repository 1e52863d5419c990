import TrackModel

/// Parses quantities in options. All commands use the same parser for a quantity, so that a value has the
/// same meaning everywhere. A decimal comma and a space before the unit are allowed.
package enum QuantityArgument {
  /// The longest duration in seconds, about a hundred years.
  private static let longestDuration = 3.2e9

  /// Parses a duration in seconds, at most a hundred years: `24:30` (minutes and seconds), `1:02:03`, `1h30`,
  /// `90min`, `1.5 h`, `90s`, or a plain number of seconds.
  package static func seconds(_ text: String) throws(InvalidValue) -> Double {
    guard let seconds = duration(text) else {
      throw InvalidValue(
        "expected a duration such as 24:30 (minutes and seconds), 1:02:03, 1h30, 20min or 90s")
    }
    guard seconds <= longestDuration else {
      throw InvalidValue("expected a duration below a hundred years, such as 24:30 or 20min")
    }
    return seconds
  }

  /// Parses a duration above zero, in seconds.
  package static func positiveSeconds(_ text: String) throws(InvalidValue) -> Double {
    let seconds = try seconds(text)
    guard seconds > 0 else {
      throw InvalidValue("expected a duration above zero and below a hundred years, such as 24:30 or 20min")
    }
    return seconds
  }

  /// Parses an offset in seconds: a duration with an optional sign. With a sign, two fields are hours and
  /// minutes as in a time zone: `+01:00` is one hour, `1:00` is one minute.
  ///
  /// - Parameter maximum: the largest offset.
  package static func offset(_ text: String, maximum: Double) throws(InvalidValue) -> Double {
    let invalid = InvalidValue("expected an offset such as +1h, -30s or +01:00 (hours and minutes)")
    let sign = text.first.flatMap { "+-\u{2212}".contains($0) ? $0 : nil }
    let rest = sign == nil ? text : String(text.dropFirst())
    var value = duration(rest)
    if sign != nil, let fields = fields(rest), fields.count == 2 {
      guard fields[1] == fields[1].rounded() else { throw invalid }
      value = value.map { $0 * 60 }
    }
    guard let value else { throw invalid }
    guard value <= maximum else { throw InvalidValue("expected an offset below 9,500 years") }
    return sign == nil || sign == "+" ? value : -value
  }

  /// Parses a speed above zero, in metres per second: `50km/h`, `30 mph`, `13.9 m/s`, `12kn`. The unit is
  /// required.
  package static func speed(_ text: String) throws(InvalidValue) -> Double {
    guard let (value, unit) = quantity(text), value > 0, let scale = speedScales[unit] else {
      throw InvalidValue("expected a speed above zero such as 50km/h, 30mph, 10m/s or 12kn")
    }
    return value * scale
  }

  /// Parses a length in metres: `15`, `15m`, `0.5 km`, `50ft`, `1mi`. The default unit is metres.
  package static func metres(_ text: String) throws(InvalidValue) -> Double {
    guard let (value, unit) = quantity(text), let scale = lengthScales[unit] else {
      throw InvalidValue("expected a length such as 15, 15m, 0.5km or 50ft")
    }
    return value * scale
  }

  /// Parses a length above zero, in metres.
  package static func positiveMetres(_ text: String) throws(InvalidValue) -> Double {
    let metres = try metres(text)
    guard metres > 0 else {
      throw InvalidValue("expected a length above zero such as 15, 15m, 0.5km or 50ft")
    }
    return metres
  }

  /// Parses an angle in degrees, 0…180: `30`, `30°`, `30 deg`.
  package static func angle(_ text: String) throws(InvalidValue) -> Double {
    guard let (value, unit) = quantity(text), ["", "\u{B0}", "deg"].contains(unit), value <= 180 else {
      throw InvalidValue("expected an angle of 0 to 180 degrees such as 30")
    }
    return value
  }

  /// Parses a time of day in seconds since midnight: `6:30`, `06:30`, `6:30:15`, `T06:30`; `24:00` is the end
  /// of the day.
  ///
  /// - Returns: the time, or nil for invalid text.
  package static func timeOfDay(_ text: String) -> Double? {
    let text = text.first == "T" ? String(text.dropFirst()) : text
    let parts: [Substring] = text.split(separator: ":")
    guard let fields = fields(text), fields[0] == fields[0].rounded(), fields[0] <= 24,
      parts.dropFirst().allSatisfy({ $0.prefix(while: \.isNumber).count == 2 }),
      fields.count == 3 || fields[1] == fields[1].rounded()
    else { return nil }
    let seconds = fields[0] * 3600 + fields[1] * 60 + (fields.count > 2 ? fields[2] : 0)
    return seconds <= 86_400 ? seconds : nil
  }

  // MARK: Numbers

  /// Parses a whole number.
  ///
  /// - Parameter expected: the description of the range in the error.
  package static func number(
    _ text: String, in range: ClosedRange<Int> = 1...Int.max, expected: String = "a number from 1"
  ) throws(InvalidValue) -> Int {
    guard let number = Int(text), range.contains(number) else { throw InvalidValue("expected \(expected)") }
    return number
  }

  // MARK: Parts

  private static let speedScales = [
    "km/h": 1 / SpeedUnits.kilometresPerHour, "kmh": 1 / SpeedUnits.kilometresPerHour,
    "kph": 1 / SpeedUnits.kilometresPerHour, "mph": mile / 3600, "mi/h": mile / 3600, "m/s": 1,
    "mps": 1,
    "kn": knot, "kt": knot, "kts": knot, "knots": knot, "ft/s": Geodesy.metresPerFoot,
  ]
  private static let mile = Geodesy.metresPerMile
  private static let knot = Geodesy.metresPerNauticalMile / 3600

  private static let lengthScales = [
    "": 1, "m": 1, "km": 1000, "ft": Geodesy.metresPerFoot, "yd": 0.9144, "mi": mile,
    "nmi": Geodesy.metresPerNauticalMile,
  ]

  /// The length of each unit of time, in seconds.
  private static let timeScales: [String: Double] = [
    "d": 86_400, "day": 86_400, "days": 86_400, "h": 3600, "hr": 3600, "hrs": 3600, "hour": 3600,
    "hours": 3600, "m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60, "s": 1, "sec": 1, "secs": 1,
    "second": 1, "seconds": 1, "ms": 0.001,
  ]

  private static func duration(_ text: String) -> Double? {
    if text.contains(":") { return fields(text)?.reduce(0) { $0 * 60 + $1 } }
    var rest = text[...]
    var seconds = 0.0
    var smallest: Double?
    repeat {
      guard let (value, unit) = quantityPrefix(&rest) else { return nil }
      // The default unit is seconds, or after a unit the next smaller one: 1h30 is an hour and a half.
      let next = smallest.map { $0 == 86_400 ? 3600.0 : $0 / 60 } ?? 1
      guard let scale = unit.isEmpty ? (rest.isEmpty ? next : nil) : timeScales[unit],
        scale < smallest ?? .infinity
      else { return nil }
      smallest = scale
      seconds += value * scale
    } while !rest.isEmpty
    return seconds
  }

  /// Parses two or three numbers between colons. Only the last may have a fraction, and those after the
  /// first must be below 60.
  private static func fields(_ text: String) -> [Double]? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var fields: [Double] = []
    for (index, part) in parts.enumerated() {
      guard let value = number(part), index == parts.count - 1 || value == value.rounded(),
        index == 0 || value < 60
      else { return nil }
      fields.append(value)
    }
    return fields
  }

  /// Parses a number and its unit. The unit is converted to lower case, and is empty if missing.
  package static func quantity(_ text: String) -> (value: Double, unit: String)? {
    var rest = text[...]
    guard let quantity = quantityPrefix(&rest), rest.isEmpty else { return nil }
    return quantity
  }

  /// Removes a number with its unit from the start of a text and returns it.
  private static func quantityPrefix(_ text: inout Substring) -> (value: Double, unit: String)? {
    func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
    func isSpace(_ character: Character) -> Bool {
      character == " " || character == "\u{A0}" || character == "\u{202F}"
    }
    text = text.drop(while: isSpace)
    let digits = text.prefix { isDigit($0) || $0 == "." || $0 == "," }
    text = text[digits.endIndex...].drop(while: isSpace)
    let unit = text.prefix { !isDigit($0) && !isSpace($0) }
    text = text[unit.endIndex...].drop(while: isSpace)
    return number(digits).map { ($0, unit.lowercased()) }
  }

  /// Parses a non-negative decimal number with a point or a comma before the fraction.
  private static func number(_ text: Substring) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 || $0 == 44 }),
      let value = Double(text.replacing(",", with: ".")), value.isFinite
    else { return nil }
    return value
  }
}
