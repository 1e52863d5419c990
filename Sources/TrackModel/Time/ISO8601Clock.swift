/// Formats consecutive times like ``ISO8601``, computing the date once per day and the text of a minute once.
package struct ISO8601Clock: Sendable {
  /// The first microsecond of the current day.
  private var start: Int64 = 0
  /// The length of the current day in microseconds, or 0 before the first time.
  private var length: UInt64 = 0
  /// `YYYY-MM-` and `DDT`, with the first byte in the lowest bits.
  private var yearAndMonth: UInt64 = 0
  private var dayOfMonth: UInt64 = 0
  /// The first microsecond of the current minute.
  private var minuteStart: Int64 = 0
  /// The length of the current minute in microseconds, or 0 before the first time.
  private var minuteLength: UInt64 = 0
  /// `DDThh:mm`.
  private var dayAndMinute: UInt64 = 0

  package init() {}

  /// Appends the same text as ``ISO8601/append(_:to:decimals:)``, with as many decimals as necessary.
  package mutating func append(_ instant: Instant, to bytes: inout ByteBuffer) {
    // As an unsigned number, a time before the minute is also out of range.
    var time = UInt64(bitPattern: instant.microseconds &- minuteStart)
    if time >= minuteLength {
      guard changeMinute(to: instant) else { return ISO8601.append(instant, to: &bytes) }
      time = UInt64(bitPattern: instant.microseconds &- minuteStart)
    }
    let second = time / 1_000_000
    let fraction = time &- second &* 1_000_000
    let colon = UInt64(UInt8(ascii: ":"))
    let zone = UInt64(UInt8(ascii: "Z"))
    bytes.append(word: yearAndMonth, count: 8, then: dayAndMinute, count: 8)
    guard fraction > 0 else {
      bytes.append(word: colon | DecimalDigits.two(second) << 8 | zone << 24, count: 4)
      return
    }
    bytes.append(word: colon | DecimalDigits.two(second) << 8 | UInt64(UInt8(ascii: ".")) << 24, count: 4)
    let digits = DecimalDigits.eight(fraction &* 100) | DecimalDigits.ascii
    if fraction % 1000 == 0 {
      bytes.append(word: digits & 0xFF_FFFF | zone << 24, count: 4)
    } else {
      bytes.append(word: digits & 0xFFFF_FFFF_FFFF | zone << 48, count: 7)
    }
  }

  /// Makes the minute of an instant the current one.
  ///
  /// - Returns: false if its year does not have four digits.
  private mutating func changeMinute(to instant: Instant) -> Bool {
    if UInt64(bitPattern: instant.microseconds &- start) >= length { change(to: instant) }
    let time = UInt64(bitPattern: instant.microseconds &- start)
    minuteLength = 0
    guard time < length else { return false }
    let minute = time / 60_000_000
    let hour = minute / 60
    dayAndMinute =
      dayOfMonth | DecimalDigits.two(hour) << 24 | UInt64(UInt8(ascii: ":")) << 40
      | DecimalDigits.two(minute &- hour &* 60) << 48
    minuteStart = start &+ Int64(minute &* 60_000_000)
    minuteLength = 60_000_000
    return true
  }

  /// Makes the day of an instant the current day.
  private mutating func change(to instant: Instant) {
    length = 0
    let time = instant.microseconds % CivilCalendar.dayLength
    let (start, overflow) = instant.microseconds.subtractingReportingOverflow(
      time < 0 ? time + CivilCalendar.dayLength : time)
    guard !overflow else { return }
    let date = CivilCalendar.date(days: Int(start / CivilCalendar.dayLength))
    guard (0...9999).contains(date.year) else { return }
    let year = UInt64(date.year)
    let dashes = UInt64(UInt8(ascii: "-")) << 32 | UInt64(UInt8(ascii: "-")) << 56
    yearAndMonth =
      DecimalDigits.two(year / 100) | DecimalDigits.two(year % 100) << 16
      | DecimalDigits.two(UInt64(date.month)) << 40 | dashes
    dayOfMonth = DecimalDigits.two(UInt64(date.day)) | UInt64(UInt8(ascii: "T")) << 16
    self.start = start
    length = UInt64(CivilCalendar.dayLength)
  }
}
