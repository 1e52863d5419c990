import TrackModel

/// A position in the text of a date or time.
struct CSVTimeCursor: ~Escapable {
  private let text: Span<UInt8>
  var index = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  var isAtEnd: Bool { index >= text.count }
  private var next: UInt8 { index < text.count ? text[index] : 0 }

  mutating func skipBlanks() {
    while index < text.count {
      if text[index] <= 0x20 {
        index += 1
      } else if index + 2 < text.count, text[index] == 0xE2, text[index + 1] == 0x80, text[index + 2] == 0xAF
      {
        // U+202F, which newer systems write before AM and PM.
        index += 3
      } else if index + 1 < text.count, text[index] == 0xC2, text[index + 1] == 0xA0 {
        index += 2
      } else {
        return
      }
    }
  }

  /// Skips a separator between a date and a time of day.
  mutating func skipDateEnd() {
    skipBlanks()
    if ",Tt_-".utf8.contains(next) { index += 1 }
    skipBlanks()
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte, index < text.count else { return false }
    index += 1
    return true
  }

  /// Parses up to 14 digits.
  private mutating func number() -> (value: Int, digits: Int)? {
    let start = index
    var value = 0
    while index < text.count, index - start < 14 {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      value = value * 10 + Int(digit)
      index += 1
    }
    return index > start ? (value, index - start) : nil
  }

  // MARK: Date

  /// Parses a date as days since 1970. Returns `nil`, with `isAmbiguous` false, if there is none.
  mutating func date(order: CSVDateOrder?, isAmbiguous: inout Bool) -> Int? {
    // `Sep 12, 2018`, `Mon Sep 12 2018`, `Thu, 20 Aug 2026`. A day of the week can begin like a month.
    while isWord(next) {
      let start = index
      if let days = monthFirst() { return days }
      index = start
      skipWord()
      skipSeparators()
    }
    guard let first = number() else { return nil }
    switch first.digits {
    case 14:
      // The date is the first eight digits. The time of day follows.
      index -= 6
      return compact(first.value / 1_000_000)
    case 8: return compact(first.value)
    case 6:
      let parts = [first.value / 10_000, first.value / 100 % 100, first.value % 100].map { ($0, 2) }
      return days(parts[0], parts[1], parts[2], order: order, isAmbiguous: &isAmbiguous)
    case 1, 2, 4: break
    default: return nil
    }
    let separator = next
    skipSeparators()
    if isWord(next) {
      skipPreposition()
      guard let month = takeMonth() else { return nil }
      skipSeparators()
      skipPreposition()
      guard let last = number() else { return nil }
      return first.digits == 4 ? days(first, month, last) : days(last, month, first)
    }
    guard separator == UInt8(ascii: "/") || separator == UInt8(ascii: "-") || separator == UInt8(ascii: ".")
    else { return nil }
    guard let second = number(), second.digits <= 2, take(separator) else { return nil }
    skipBlanks()
    guard let third = number(), third.digits <= 2 || third.digits == 4 else { return nil }
    if first.digits == 4 { return days(first, second.value, third) }
    // Dates with points are always day, month, year.
    if separator == UInt8(ascii: ".") { return days(third, second.value, first) }
    return days(first, second, third, order: order, isAmbiguous: &isAmbiguous)
  }

  /// Parses the rest of the text as written by Java's `Date.toString()` and C's `asctime()`: day of the week,
  /// month, day, time of day, zone (Java only) and year. Returns `nil` for other text.
  mutating func momentOfJava() -> (microseconds: Int64, hasZone: Bool)? {
    skipBlanks()
    guard isLetter(next), month(at: index) == nil else { return nil }
    skipLetters()
    skipBlanks()
    guard let month = takeMonth() else { return nil }
    skipBlanks()
    guard let day = number() else { return nil }
    skipBlanks()
    guard let clock = clock(allowsUnknownZone: true) else { return nil }
    guard let year = number(), year.digits == 4, let days = days(year, month, day) else { return nil }
    skipBlanks()
    return isAtEnd ? (Int64(days) * CivilCalendar.dayLength + clock.microseconds, clock.hasZone) : nil
  }

  /// Parses a month name, a day and a year.
  private mutating func monthFirst() -> Int? {
    guard let month = takeMonth() else { return nil }
    skipSeparators()
    guard let day = number() else { return nil }
    skipSeparators()
    guard let year = number() else { return nil }
    return days(year, month, day)
  }

  private func compact(_ value: Int) -> Int? {
    days((value / 10_000, 4), value / 100 % 100, (value % 100, 2))
  }

  /// Chooses the order of three numbers.
  private func days(
    _ first: (value: Int, digits: Int), _ second: (value: Int, digits: Int),
    _ third: (value: Int, digits: Int),
    order: CSVDateOrder?, isAmbiguous: inout Bool
  ) -> Int? {
    func read(_ order: CSVDateOrder) -> Int? {
      switch order {
      case .dmy: days(third, second.value, first)
      case .mdy: days(third, first.value, second)
      case .ymd: third.digits > 2 ? nil : days(first, second.value, third)
      }
    }
    if let order { return read(order) }
    let all = Set(CSVDateOrder.allCases.compactMap(read))
    if all.count > 1 { isAmbiguous = true }
    return all.count == 1 ? all.first : all.count > 1 ? 0 : nil
  }

  private func days(_ year: (value: Int, digits: Int), _ month: Int, _ day: (value: Int, digits: Int)) -> Int?
  {
    guard day.digits <= 2, year.digits == 4 || year.digits == 2 else { return nil }
    // Two-digit years start in 1980, as GPS time does.
    let value = year.digits == 4 ? year.value : year.value < 80 ? 2000 + year.value : 1900 + year.value
    return CivilCalendar.days(validating: value, month: month, day: day.value)
  }

  private mutating func skipSeparators() {
    while index < text.count {
      switch text[index] {
      case 0...0x20, UInt8(ascii: ","), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "."): index += 1
      default: return
      }
    }
  }

  private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private mutating func skipLetters() {
    while index < text.count, isLetter(text[index]) { index += 1 }
  }

  /// Whether a byte is part of a word in UTF-8.
  private func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || byte >= 0x80 }

  private mutating func skipWord() {
    while index < text.count, isWord(text[index]) { index += 1 }
  }

  /// Skips the `de` of `5 de agosto de 2026`.
  private mutating func skipPreposition() {
    guard index + 2 < text.count, text[index] | 0x20 == UInt8(ascii: "d"),
      text[index + 1] | 0x20 == UInt8(ascii: "e"),
      !isWord(text[index + 2])
    else { return }
    index += 2
    skipSeparators()
  }

  private mutating func takeMonth() -> Int? {
    guard let month = month(at: index) else { return nil }
    skipWord()
    return month
  }

  /// Parses a month name by its first three bytes, in the languages of ``months``.
  private func month(at start: Int) -> Int? {
    guard start + 3 <= text.count, isWord(text[start]) else { return nil }
    if text[start] >= 0x80 {
      let word = text.extracting(start..<min(start + 6, text.count)).trimmedText.lowercased()
      return CSVTimeCursor.cyrillicMonths[word]
    }
    var key = 0
    for offset in 0..<3 { key = key << 8 | Int(text[start + offset] | 0x20) }
    // French distinguishes June and July by their fourth letter.
    if key == CSVTimeCursor.june, start + 3 < text.count, text[start + 3] | 0x20 == UInt8(ascii: "l") {
      return 7
    }
    return CSVTimeCursor.months[key]
  }

  private static let june = key("jui")

  private static func key(_ name: some StringProtocol) -> Int {
    name.utf8.prefix(3).reduce(0) { $0 << 8 | Int($1 | 0x20) }
  }

  /// The first three letters of months in Russian.
  private static let cyrillicMonths = [
    "янв": 1, "фев": 2, "мар": 3, "апр": 4, "май": 5, "мая": 5, "июн": 6, "июл": 7, "авг": 8, "сен": 9,
    "окт": 10,
    "ноя": 11, "дек": 12,
  ]

  /// The months in English, German, Spanish, French, Italian, Portuguese, Dutch, Polish and the languages of
  /// Scandinavia, as phones write them.
  private static let months: [Int: Int] = {
    var months: [Int: Int] = [:]
    let names = [
      "jan ene gen sty", "feb fév fev lut", "mar mär mrz mrt maa", "apr avr abr kwi", "may mai mei mag maj",
      "jun jui giu cze", "jul lug lip", "aug aoû ago sie", "sep set wrz", "oct okt ott out paź", "nov lis",
      "dec dez dic déc des gru",
    ]
    for (index, spellings) in names.enumerated() {
      for name in spellings.split(separator: " ") { months[key(name)] = index + 1 }
    }
    return months
  }()

  // MARK: Time of day

  /// Parses a time of day: `h:mm`, `h:mm:ss`, French `8h05` or `hhmmss`, each with an optional fraction, AM
  /// or PM, and zone, up to the end of the text.
  ///
  /// - Parameters:
  ///   - isAfterDate: whether hyphens can separate the parts: `16-57-56`.
  ///   - allowsUnknownZone: whether an unknown name of a zone is read like a missing one.
  mutating func clock(
    isAfterDate: Bool = false, allowsUnknownZone: Bool = false
  ) -> (microseconds: Int64, hasZone: Bool)? {
    guard let first = number() else { return nil }
    var hour = first.value
    var minute = 0
    var second = 0
    let separator = isAfterDate && next == UInt8(ascii: "-") ? next : UInt8(ascii: ":")
    if take(separator) || take(UInt8(ascii: "h")) {
      guard first.digits <= 2, let minutes = number(), minutes.digits == 2 else { return nil }
      minute = minutes.value
      if take(separator) {
        guard let seconds = number(), seconds.digits == 2 else { return nil }
        second = seconds.value
      }
    } else {
      guard first.digits == 6 else { return nil }
      hour = first.value / 10_000
      minute = first.value / 100 % 100
      second = first.value % 100
    }
    var fraction: Int64 = 0
    // Some loggers write `12:30:45:123`.
    let isColon = next == UInt8(ascii: ":") && index + 4 == text.count
    if next == UInt8(ascii: ".") || next == UInt8(ascii: ",") || isColon {
      index += 1
      guard let value = ISO8601.fractionOfSecond(text, at: &index) else { return nil }
      fraction = value
    }
    skipBlanks()
    if let isAfternoon = takeHalfOfDay() {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
      skipBlanks()
    }
    guard let time = CivilCalendar.timeOfDay(hour, minute, second),
      let zone = zone(allowsUnknown: allowsUnknownZone)
    else { return nil }
    skipBlanks()
    return (time + fraction - Int64(zone.minutes) * 60_000_000, zone.isGiven)
  }

  /// Returns the unknown name of the zone in a time as written by Java, which was read without a zone.
  static func unknownZone(in text: Span<UInt8>) -> String? {
    guard text.count > 20, text[3] == UInt8(ascii: " ") else { return nil }
    let words = text.trimmedText.split(separator: " ")
    return words.count == 6 && words[4].allSatisfy(\.isLetter) ? String(words[4]) : nil
  }

  /// Ambiguous names of time zones. A table with such a name is read with a warning that names the assumed
  /// zone.
  enum AmbiguousZone: String, CaseIterable {
    case cst = "CST"
    case ist = "IST"

    var warning: String {
      switch self {
      case .cst: "time zone CST is ambiguous, treated as North America's, UTC-06:00"
      case .ist: "time zone IST is ambiguous, treated as India's, UTC+05:30"
      }
    }
  }

  /// Returns the ambiguous name of a zone in a time, if any.
  static func ambiguousZone(in text: Span<UInt8>) -> AmbiguousZone? {
    // ISO 8601 ends with a Z or a digit.
    guard text.count > 4, text[4] != UInt8(ascii: "-") || text[text.count - 1] > UInt8(ascii: "9"),
      text[text.count - 1] != UInt8(ascii: "Z")
    else { return nil }
    var key = 0
    for index in 0...text.count {
      let byte = index < text.count ? text[index] & 0xDF : 0
      if byte &- UInt8(ascii: "A") < 26 {
        key = (key << 8 | Int(byte)) & 0xFFFF_FFFF
      } else if key != 0 {
        for zone in AmbiguousZone.allCases where key == zone.rawValue.utf8.reduce(0, { $0 << 8 | Int($1) }) {
          return zone
        }
        key = 0
      }
    }
    return nil
  }

  /// Minutes east of UTC by the names of zones. Ambiguous names denote the zone in North America or Europe,
  /// and `IST` denotes India's zone.
  private static let zones: [Int: Int] = {
    let offsets = [
      "utc": 0, "gmt": 0, "wet": 0, "wez": 0, "west": 60, "wesz": 60, "bst": 60, "cet": 60, "mez": 60,
      "cest": 120, "mesz": 120,
      "eet": 120, "eest": 180, "oez": 120, "oesz": 180, "msk": 180, "sast": 120, "nst": -210, "ndt": -150,
      "ast": -240, "adt": -180,
      "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
      "akst": -540, "akdt": -480, "hst": -600, "brt": -180, "art": -180, "hkt": 480, "sgt": 480, "awst": 480,
      "ist": 330,
      "irst": 210, "irdt": 270, "gst": 240, "azt": 240, "get": 240, "samt": 240, "trt": 180, "idt": 180,
      "msd": 240, "pkt": 300, "uzt": 300, "yekt": 300, "npt": 345, "almt": 360, "omst": 360, "mmt": 390,
      "ict": 420, "wib": 420, "novt": 420, "krat": 420, "wita": 480, "pht": 480, "phst": 480, "myt": 480,
      "irkt": 480, "wit": 540, "yakt": 540, "vlat": 600, "chst": 600, "magt": 660, "pett": 720, "fjt": 720,
      "wat": 60, "cat": 120, "eat": 180, "brst": -120, "uyt": -180, "clst": -180, "clt": -240, "bot": -240,
      "vet": -240, "cot": -300, "pet": -300, "ect": -300, "awdt": 540, "sst": -660,
      "jst": 540, "kst": 540, "acst": 570, "acdt": 630, "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780,
    ]
    var zones: [Int: Int] = [:]
    for (name, minutes) in offsets { zones[name.utf8.reduce(0) { $0 << 8 | Int($1) }] = minutes }
    return zones
  }()

  /// Parses `AM`, `PM` or `a.m.`, or returns `nil`.
  private mutating func takeHalfOfDay() -> Bool? {
    let first = next | 0x20
    guard first == UInt8(ascii: "a") || first == UInt8(ascii: "p") else { return nil }
    let start = index
    index += 1
    _ = take(UInt8(ascii: "."))
    guard next | 0x20 == UInt8(ascii: "m") else {
      // The name of a zone.
      index = start
      return nil
    }
    index += 1
    _ = take(UInt8(ascii: "."))
    return first == UInt8(ascii: "p")
  }

  /// Parses `Z`, a zone name such as `CEST`, an offset `±hh[:mm]` or `±hhmm`, optionally after `UTC` or
  /// `GMT`, or nothing. Returns `nil` for a malformed offset or an unknown name.
  private mutating func zone(allowsUnknown: Bool) -> (minutes: Int, isGiven: Bool)? {
    var isGiven = false
    if take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return (0, true) }
    if isLetter(next) {
      let start = index
      skipLetters()
      var key = 0
      for position in start..<min(index, start + 5) { key = key << 8 | Int(text[position] | 0x20) }
      guard let minutes = CSVTimeCursor.zones[key] else { return allowsUnknown ? (0, false) : nil }
      guard minutes == 0 else { return (minutes, true) }
      isGiven = true
    }
    let isWest = next == UInt8(ascii: "-")
    guard isWest || next == UInt8(ascii: "+") else { return (0, isGiven) }
    index += 1
    guard let hours = number() else { return nil }
    var minutes = hours.digits == 4 ? hours.value : hours.value * 100
    guard hours.digits == 2 || hours.digits == 4 || hours.digits == 1 else { return nil }
    if take(UInt8(ascii: ":")) {
      guard let value = number(), value.digits == 2 else { return nil }
      minutes += value.value
    }
    let offset = minutes / 100 * 60 + minutes % 100
    guard minutes % 100 < 60, offset <= 14 * 60 else { return nil }
    return (isWest ? -offset : offset, true)
  }
}
