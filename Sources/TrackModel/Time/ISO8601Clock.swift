/// Formats consecutive times like ``ISO8601``, computing the date once per day.
package struct ISO8601Clock: Sendable {
  private static let day: Int64 = 86_400_000_000
  /// The first microsecond of the current day.
  private var start: Int64 = 0
  /// The length of the current day in microseconds, or 0 before the first time.
  private var length: UInt64 = 0
  /// `YYYY-MM-` and `DDT`, with the first byte in the lowest bits.
  private var yearAndMonth: UInt64 = 0
  private var dayOfMonth: UInt64 = 0

  package init() {}

  /// Appends the same text as ``ISO8601/append(_:to:decimals:)``, with as many decimals as necessary.
  @inline(__always)
  package mutating func append(_ instant: Instant, to bytes: inout ByteBuffer) {
    // As an unsigned number, a time before the day is also out of range.
    let time = UInt64(bitPattern: instant.microseconds &- start)
    guard time < length else {
      ISO8601.append(instant, to: &bytes)
      change(to: instant)
      return
    }
    append(time, to: &bytes)
  }

  /// Appends a time of the current day, in microseconds.
  private func append(_ time: UInt64, to bytes: inout ByteBuffer) {
    let second = time / 1_000_000
    let fraction = time &- second &* 1_000_000
    let minute = second / 60
    let hour = minute / 60
    let colons = UInt64(UInt8(ascii: ":")) << 16 | UInt64(UInt8(ascii: ":")) << 40
    bytes.append(word: yearAndMonth, count: 8)
    bytes.append(word: dayOfMonth, count: 3)
    bytes.append(
      word: DecimalDigits.two(hour) | DecimalDigits.two(minute &- hour &* 60) << 24
        | DecimalDigits.two(second &- minute &* 60) << 48 | colons, count: 8)
    if fraction > 0 {
      let digits = DecimalDigits.eight(fraction &* 100) | DecimalDigits.ascii
      bytes.append(
        word: digits << 8 | UInt64(UInt8(ascii: ".")), count: fraction % 1000 == 0 ? 4 : 7)
    }
    bytes.append(UInt8(ascii: "Z"))
  }

  /// Makes the day of an instant the current day.
  private mutating func change(to instant: Instant) {
    length = 0
    let time = instant.microseconds % ISO8601Clock.day
    let (start, overflow) = instant.microseconds.subtractingReportingOverflow(
      time < 0 ? time + ISO8601Clock.day : time)
    guard !overflow else { return }
    let date = CivilCalendar.date(days: Int(start / ISO8601Clock.day))
    guard (0...9999).contains(date.year) else { return }
    let year = UInt64(date.year)
    let dashes = UInt64(UInt8(ascii: "-")) << 32 | UInt64(UInt8(ascii: "-")) << 56
    yearAndMonth =
      DecimalDigits.two(year / 100) | DecimalDigits.two(year % 100) << 16
      | DecimalDigits.two(UInt64(date.month)) << 40 | dashes
    dayOfMonth = DecimalDigits.two(UInt64(date.day)) | UInt64(UInt8(ascii: "T")) << 16
    self.start = start
    length = UInt64(ISO8601Clock.day)
  }
}
