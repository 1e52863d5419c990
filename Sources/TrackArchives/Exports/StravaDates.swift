import TrackModel

/// The dates of a Strava export, in the user's language and in UTC without a zone.
///
/// Examples are `Sep 12, 2018, 3:02:23 PM`, `12.09.2018, 15:02:23`, `2018-09-12 15:02:23` and `2018年9月12日
/// 15:02:23`. The order of day and month is determined from the whole column, because some row usually has a
/// day above 12.
struct StravaDates {
  private enum Order { case dayFirst, monthFirst, unknown }
  private let order: Order

  /// - Parameter column: all dates of the export.
  init(column: some Sequence<String>) {
    var order = Order.unknown
    for text in column {
      let parts = StravaDates.parts(text)
      guard parts.month == nil, parts.numbers.count >= 3, parts.numbers[0] < 1000 else { continue }
      // Dates with points or hyphens never have the month first.
      if parts.numbers[0] > 12 || parts.hasPoint {
        order = .dayFirst
      } else if parts.numbers[1] > 12 {
        order = .monthFirst
      }
      if order != .unknown { break }
    }
    self.order = order
  }

  /// Returns the instant of a date, or `nil` if it is ambiguous or invalid.
  func instant(_ text: String) -> Instant? {
    let parts = StravaDates.parts(text)
    var numbers = parts.numbers
    let year: Int
    let month: Int
    let day: Int
    if let word = parts.month {
      guard numbers.count >= 4, let first = numbers.firstIndex(where: { $0 >= 1000 }), first < 2 else {
        return nil
      }
      year = numbers[first]
      month = word
      day = numbers[1 - first]
      numbers.removeFirst(2)
    } else {
      // An unknown word may be the name of a month.
      guard numbers.count >= 5, !parts.hasUnknownWord else { return nil }
      if numbers[0] >= 1000 {
        (year, month, day) = (numbers[0], numbers[1], numbers[2])
      } else {
        guard order != .unknown else { return nil }
        year = numbers[2]
        (day, month) = order == .dayFirst ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
      }
      numbers.removeFirst(3)
    }
    var hour = numbers[0]
    if let isAfternoon = parts.isAfternoon, hour <= 12 { hour = hour % 12 + (isAfternoon ? 12 : 0) }
    let second = numbers.count > 2 ? numbers[2] : 0
    guard (1000...9999).contains(year),
      let days = CivilCalendar.days(validating: year, month: month, day: day),
      let time = CivilCalendar.timeOfDay(hour, numbers[1], second)
    else { return nil }
    return Instant(microseconds: Int64(days) * CivilCalendar.dayLength + time)
  }

  private struct Parts {
    var numbers: [Int] = []
    var month: Int?
    var isAfternoon: Bool?
    var hasPoint = false
    var hasUnknownWord = false
  }

  /// Returns the numbers of a date in order, and the meaning of its words. Digits of all scripts are
  /// supported.
  private static func parts(_ text: String) -> Parts {
    var parts = Parts()
    var number: Int?
    var word = ""
    func endWord(_ parts: inout Parts) {
      guard !word.isEmpty else { return }
      if afternoons.contains(word) {
        parts.isAfternoon = true
      } else if mornings.contains(word) {
        parts.isAfternoon = false
      } else if parts.month == nil {
        parts.month = months.firstIndex { $0.contains { word.hasPrefix($0) } }.map { $0 + 1 }
        if parts.month == nil, word.count > 2 { parts.hasUnknownWord = true }
      }
      word = ""
    }
    // Dots inside words are not separators: `p.m.`.
    for character in text.lowercased() {
      // The properties of other characters are in large tables.
      let ascii = character.asciiValue
      if let digit = ascii.map({ Int($0) - 48 }) ?? character.wholeNumberValue, (0..<10).contains(digit) {
        endWord(&parts)
        number = min((number ?? 0) * 10 + digit, 100_000)
        continue
      }
      if let value = number {
        if character == ".", parts.numbers.count < 2 { parts.hasPoint = true }
        parts.numbers.append(value)
        number = nil
      }
      let isLetter = ascii.map { (97...122).contains($0) } ?? character.isLetter
      if isLetter { word.append(character) } else if character != "." { endWord(&parts) }
    }
    if let number { parts.numbers.append(number) }
    endWord(&parts)
    return parts
  }

  private static let afternoons: Set<String> = ["pm", "nachm", "오후", "下午", "午後", "μμ", "م"]
  private static let mornings: Set<String> = ["am", "vorm", "오전", "上午", "午前", "πμ", "ص"]

  /// The prefixes of month names in English, German, French, Spanish, Italian, Portuguese, Dutch, Russian,
  /// Polish, Hungarian, the Scandinavian languages and Turkish.
  private static let months: [[String]] = [
    ["jan", "ene", "gen", "янв", "sty", "oca"], ["feb", "fév", "fev", "фев", "lut", "şub"],
    ["mar", "mär", "már", "mrt", "мар"], ["apr", "ápr", "avr", "abr", "апр", "kwi", "nis"],
    ["may", "mai", "mag", "mei", "maj", "máj", "мая", "май"],
    ["jun", "jún", "juin", "giu", "июн", "cze", "haz"],
    ["jul", "júl", "juil", "lug", "июл", "lip", "tem"], ["aug", "aoû", "ago", "авг", "sie", "ağu"],
    ["sep", "szep", "set", "сен", "wrz", "eyl"], ["oct", "okt", "ott", "out", "окт", "paź", "eki"],
    ["nov", "ноя", "lis", "kas"], ["dec", "déc", "dez", "dic", "des", "дек", "gru", "ara"],
  ]
}
