/// Parses and formats dates and times in ISO 8601 and XML Schema formats.
///
/// One parser for all formats and platforms, because system parsers disagree about fractions and offsets and
/// are a thousand times slower.
package enum ISO8601 {
  /// The result of parsing.
  package struct Reading: Sendable, Equatable {
    package var instant: Instant
    /// Whether the text contained a zone. Otherwise the time is interpreted as UTC.
    package var hasZone: Bool
    /// The offset from UTC in minutes, positive to the east. 0 for `Z` and for no zone.
    package var offsetMinutes: Int
  }

  /// Reads the digits after a decimal point at `index` as microseconds, rounded by the seventh; nil if
  /// digits are missing.
  package static func fractionOfSecond(_ text: Span<UInt8>, at index: inout Int) -> Int64? {
    var scale: Int64 = 100_000
    var value: Int64 = 0
    let start = index
    while index < text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      if scale > 0 {
        value += Int64(digit) * scale
      } else if index - start == 6, digit >= 5 {
        value += 1
      }
      scale /= 10
      index += 1
    }
    return index > start ? value : nil
  }

  /// Parses a time.
  ///
  /// Accepts `YYYY-MM-DD`, optionally followed by `T`, `t` or spaces and `hh:mm[:ss[.fraction]]`, optionally
  /// followed by `Z` or an offset `±hh[:mm]` or `±hhmm`, even after a bare date (XML Schema). Spaces around
  /// it and before the zone are skipped. A fraction after a point or comma can have any number of digits and
  /// is rounded to microseconds. Hour 24 is the next midnight (XML Schema). Second 60 is the first second of
  /// the next minute, as in POSIX. Offsets of more than 14 hours are rejected (XML Schema).
  ///
  /// - Parameter allowsPartialDates: whether to accept `YYYY` and `YYYY-MM` as their first moment.
  /// - Returns: `nil` if the text is not a time in the years 0000…9999.
  package static func read(_ text: Span<UInt8>, allowsPartialDates: Bool = false) -> Reading? {
    var index = 0
    if let time = scanPlain(text, at: &index), index == text.count {
      return Reading(instant: Instant(microseconds: time), hasZone: true, offsetMinutes: 0)
    }
    var cursor = Cursor(text)
    cursor.skipBlanks()
    guard let year = cursor.digits(4) else { return nil }
    var month = 1
    var day = 1
    var hasDay = false
    if cursor.take(UInt8(ascii: "-")) {
      guard let value = cursor.digits(2) else { return nil }
      month = value
      if cursor.take(UInt8(ascii: "-")) {
        guard let value = cursor.digits(2) else { return nil }
        day = value
        hasDay = true
      }
    }
    guard hasDay || allowsPartialDates,
      let days = CivilCalendar.days(validating: year, month: month, day: day)
    else { return nil }
    var microseconds = Int64(days) * CivilCalendar.dayLength
    if hasDay, let clock = cursor.clock() { microseconds += clock }
    guard let zone = cursor.zone() else { return nil }
    cursor.skipBlanks()
    guard cursor.isAtEnd else { return nil }
    microseconds -= Int64(zone.minutes) * 60_000_000
    return Reading(
      instant: Instant(microseconds: microseconds), hasZone: zone.isGiven, offsetMinutes: zone.minutes)
  }

  /// Parses a time of the most common form, `YYYY-MM-DDThh:mm:ssZ` with or without three decimals, eight
  /// bytes at a time, and advances `index` past it.
  ///
  /// - Returns: microseconds since 1970, or `nil` for any other form. `index` is then unchanged.
  package static func scanPlain(_ text: Span<UInt8>, at index: inout Int) -> Int64? {
    guard index >= 0, index <= text.count &- 20 else { return nil }
    // YYYY-MM-, DDThh:mm and h:mm:ssZ. Exclusive or with zeros and separators leaves only digits.
    let date = text.word(at: index) ^ 0x2D30_302D_3030_3030
    let clock = text.word(at: index &+ 8) ^ 0x3030_3A30_3054_3030
    let end = text.word(at: index &+ 12) ^ 0x5A30_303A_3030_3A30
    var length = 20
    var seconds = end
    var fraction: UInt64 = 0
    if end >> 56 != 0 {
      guard end >> 56 == 0x2E ^ 0x5A, index <= text.count &- 24 else { return nil }
      let decimals = (text.word(at: index &+ 20) ^ 0x5A30_3030) & 0xFFFF_FFFF
      guard isPlain(decimals, separators: 0xFF00_0000) else { return nil }
      fraction = DecimalDigits.value(decimals, 3) &* 1000
      seconds = end & 0x00FF_FFFF_FFFF_FFFF
      length = 24
    }
    guard isPlain(date, separators: 0xFF00_00FF_0000_0000), isPlain(clock, separators: 0x0000_FF00_00FF_0000),
      isPlain(seconds, separators: 0xFF00_00FF_0000_FF00)
    else { return nil }
    let year = Int(DecimalDigits.value(date, 4))
    let month = Int(DecimalDigits.value(date >> 40, 2))
    let day = Int(DecimalDigits.value(clock, 2))
    let hour = DecimalDigits.value(clock >> 24, 2)
    let minute = DecimalDigits.value(clock >> 48, 2)
    let second = DecimalDigits.value(seconds >> 40, 2)
    guard month >= 1, month <= 12, day >= 1, hour < 24, minute < 60, second < 60,
      day <= 28 || day <= CivilCalendar.days(inMonth: month, of: year)
    else { return nil }
    index &+= length
    let days = CivilCalendar.days(year: year, month: month, day: day)
    let time = Int64((hour &* 60 &+ minute) &* 60 &+ second) &* 1_000_000 &+ Int64(fraction)
    return Int64(days) &* CivilCalendar.dayLength &+ time
  }

  /// Whether eight bytes are digits, with zeros in place of separators.
  @inline(__always)
  private static func isPlain(_ word: UInt64, separators: UInt64) -> Bool {
    word & separators == 0 && DecimalDigits.count(word) == 8
  }

  /// Appends `YYYY-MM-DDThh:mm:ssZ`, with three or six decimals if they are not zero. Years outside 0…9999
  /// have as many digits as needed and a sign.
  ///
  /// - Parameter decimals: 0, 3 or 6 for a fixed number of decimals. Further digits are truncated.
  package static func append(_ instant: Instant, to bytes: inout ByteBuffer, decimals: Int? = nil) {
    let second = floorDivide(instant.microseconds, 1_000_000)
    let remainder = Int(instant.microseconds % 1_000_000)
    let fraction = remainder < 0 ? remainder + 1_000_000 : remainder
    let day = floorDivide(second, 86_400)
    let secondOfDay = Int(second - day * 86_400)
    let date = CivilCalendar.date(days: Int(day))
    if (0...9999).contains(date.year) {
      bytes.append(date.year, width: 4)
    } else {
      bytes.append(String(date.year))
    }
    bytes.append(UInt8(ascii: "-"))
    bytes.append(date.month, width: 2)
    bytes.append(UInt8(ascii: "-"))
    bytes.append(date.day, width: 2)
    bytes.append(UInt8(ascii: "T"))
    bytes.append(timeOfDay: secondOfDay)
    switch decimals ?? (fraction == 0 ? 0 : fraction % 1000 == 0 ? 3 : 6) {
    case 0: break
    case 3:
      bytes.append(UInt8(ascii: "."))
      bytes.append(fraction / 1000, width: 3)
    default:
      bytes.append(UInt8(ascii: "."))
      bytes.append(fraction, width: 6)
    }
    bytes.append(UInt8(ascii: "Z"))
  }

  /// Returns the text that ``append(_:to:decimals:)`` appends.
  package static func text(_ instant: Instant, decimals: Int? = nil) -> String {
    var bytes = ByteBuffer()
    append(instant, to: &bytes, decimals: decimals)
    return bytes.string
  }

  /// Formats an offset in seconds as `+02:00`.
  package static func zone(utcOffset: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = abs(utcOffset) / 60
    return (utcOffset < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }

  /// A position in a text, with bounds checks in every step.
  private struct Cursor: ~Escapable {
    let text: Span<UInt8>
    var index = 0

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) { self.text = text }

    var isAtEnd: Bool { index == text.count }
    var next: UInt8 { index < text.count ? text[index] : 0 }

    mutating func skipBlanks() {
      while index < text.count, text[index] <= 0x20 { index += 1 }
    }

    mutating func take(_ byte: UInt8) -> Bool {
      guard next == byte, index < text.count else { return false }
      index += 1
      return true
    }

    /// Parses exactly `count` decimal digits.
    mutating func digits(_ count: Int) -> Int? {
      guard index + count <= text.count else { return nil }
      var value = 0
      for offset in 0..<count {
        let digit = text[index + offset] &- UInt8(ascii: "0")
        guard digit <= 9 else { return nil }
        value = value * 10 + Int(digit)
      }
      index += count
      return value
    }

    /// Parses the time of day in microseconds, or returns `nil` without advancing if there is none.
    mutating func clock() -> Int64? {
      let start = index
      if let clock = wholeClock() { return clock }
      index = start
      return nil
    }

    private mutating func wholeClock() -> Int64? {
      guard take(UInt8(ascii: "T")) || take(UInt8(ascii: "t")) || next == 0x20 else { return nil }
      skipBlanks()
      guard let hour = digits(2), take(UInt8(ascii: ":")), let minute = digits(2) else { return nil }
      var second = 0
      var fraction: Int64 = 0
      if take(UInt8(ascii: ":")) {
        guard let value = digits(2) else { return nil }
        second = value
        if take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")) {
          guard let value = ISO8601.fractionOfSecond(text, at: &index) else { return nil }
          fraction = value
        }
      }
      if hour == 24, minute == 0, second == 0, fraction == 0 { return CivilCalendar.dayLength }
      return CivilCalendar.timeOfDay(hour, minute, second).map { $0 + fraction }
    }

    /// Parses the zone: `Z`, an offset, or nothing. Returns `nil` for a malformed offset.
    mutating func zone() -> (minutes: Int, isGiven: Bool)? {
      skipBlanks()
      if take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return (0, true) }
      let isWest = next == UInt8(ascii: "-")
      guard isWest || next == UInt8(ascii: "+") else { return (0, false) }
      index += 1
      guard let hours = digits(2) else { return nil }
      var minutes = 0
      if take(UInt8(ascii: ":")) {
        guard let value = digits(2) else { return nil }
        minutes = value
      } else if let value = digits(2) {
        minutes = value
      }
      guard minutes < 60, hours * 60 + minutes <= 14 * 60 else { return nil }
      return ((isWest ? -1 : 1) * (hours * 60 + minutes), true)
    }
  }
}

extension ByteBuffer {
  /// Appends a time of day as `08:12:30`.
  package mutating func append(timeOfDay second: Int) {
    append(second / 3600, width: 2)
    append(UInt8(ascii: ":"))
    append(second / 60 % 60, width: 2)
    append(UInt8(ascii: ":"))
    append(second % 60, width: 2)
  }
}
