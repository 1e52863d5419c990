import TrackModel

/// The offsets of a time zone from UTC, from the system's database (TZif, RFC 9636).
struct CSVTimeZone {
  /// The times in seconds since 1970 from which offsets apply, and the offsets in seconds east of UTC.
  private var transitions: [(start: Int64, offset: Int64)] = []
  private var first: Int64 = 0
  private var rule: Rule?

  /// The folders that systems store the database in.
  private static let folders = ["/usr/share/zoneinfo/", "/var/db/timezone/zoneinfo/", "/usr/lib/zoneinfo/"]

  /// Loads a zone such as `Europe/Berlin`, `CEST` or `UTC+2`. Returns nil if it is unknown.
  init?(named name: String) {
    if case .clock(let noon, hasZone: true) = CSVTime.read(Array("12:00:00 \(name)".utf8).span, order: nil) {
      first = 43_200 - noon / 1_000_000
      return
    }
    guard
      name.count <= 64,
      name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy({ part in
        part.first?.isLetter == true
          && part.utf8.allSatisfy { byte in
            byte &- 0x30 <= 9 || byte | 0x20 &- 0x61 < 26 || "_+-".utf8.contains(byte)
          }
      })
    else { return nil }
    for folder in Self.folders {
      guard var input = try? ByteInput(path: folder + name), (try? input.fill(atLeast: 1 << 16)) != nil,
        let zone = CSVTimeZone(input.available)
      else { continue }
      self = zone
      return
    }
    return nil
  }

  /// Reads the second block of a TZif file, which has times of 64 bits, and its footer.
  init?(_ bytes: Span<UInt8>) {
    func number(_ index: Int) -> Int { Int(bytes.number(index, 4)) }
    guard bytes.count >= 44, bytes.starts(with: "TZif"), bytes[4] >= UInt8(ascii: "2") else { return nil }
    func length(_ header: Int, time: Int) -> Int {
      number(header + 32) * (time + 1) + number(header + 36) * 6 + number(header + 40)
        + number(header + 28) * (time + 4) + number(header + 24) + number(header + 20)
    }
    let header = 44 + length(0, time: 4)
    guard header + 44 <= bytes.count, header + 44 + length(header, time: 8) <= bytes.count else { return nil }
    let count = number(header + 32)
    let types = header + 44 + count * 9
    let typeCount = number(header + 36)
    func offset(ofType type: Int) -> Int64 {
      type < typeCount ? Int64(Int32(truncatingIfNeeded: bytes.number(types + type * 6, 4))) : 0
    }
    first = offset(ofType: 0)
    for index in 0..<count {
      let start = Int64(bitPattern: bytes.number(header + 44 + index * 8, 8))
      transitions.append((start, offset(ofType: Int(bytes[header + 44 + count * 8 + index]))))
    }
    let footer = bytes.extracting((header + 44 + length(header, time: 8))..<bytes.count).trimmedText
    rule = Rule(footer)
  }

  /// Returns the seconds since 1970 of a local time, which is given as if it were in UTC: two for a time that
  /// occurs twice because clocks are set back. A time that clocks skip is one before they are set forward.
  func utc(local: Int64) -> (first: Int64, second: Int64?) {
    let before = local - offset(at: local - 86_400)
    let after = local - offset(at: local + 86_400)
    guard before != after, offset(at: after) == local - after else { return (before, nil) }
    return offset(at: before) == local - before ? (before, after) : (after, nil)
  }

  private func offset(at time: Int64) -> Int64 {
    let next = transitions.partitionIndex { $0.start > time }
    if next == transitions.count, let rule { return rule.offset(at: time) }
    return next > 0 ? transitions[next - 1].offset : first
  }

  /// The rule for times after the last transition, in the form of POSIX: `CET-1CEST,M3.5.0,M10.5.0/3`.
  struct Rule {
    private var standard: Int64
    private var summer: (offset: Int64, start: Change, end: Change)?

    /// A weekday of a month, and the seconds after its local midnight.
    struct Change {
      var month = 1
      var week = 1
      var weekday = 0
      var seconds: Int64 = 7200
    }

    init?(_ text: String) {
      let parts = text.split(separator: ",")
      guard var head = parts.first.map({ Substring($0) }) else { return nil }
      Self.skipName(&head)
      guard let west = Self.seconds(&head) else { return nil }
      standard = -west
      guard !head.isEmpty else { return }
      Self.skipName(&head)
      let offset = head.isEmpty ? standard + 3600 : Self.seconds(&head).map { -$0 } ?? standard
      guard parts.count == 3, let start = Self.change(parts[1]), let end = Self.change(parts[2]) else {
        return
      }
      summer = (offset, start, end)
    }

    private static func skipName(_ text: inout Substring) {
      if text.first == "<" {
        text = text.drop { $0 != ">" }.dropFirst()
      } else {
        text = text.drop { $0.isLetter }
      }
    }

    /// Reads `[±]h[:mm[:ss]]`.
    private static func seconds(_ text: inout Substring) -> Int64? {
      let end = text.firstIndex { !("0"..."9" ~= $0 || "+-:".contains($0)) } ?? text.endIndex
      let field = text[..<end]
      text = text[end...]
      let isNegative = field.first == "-"
      let parts = field.drop { "+-".contains($0) }.split(separator: ":").map { Int64($0) }
      guard let hours = parts.first ?? nil, abs(hours) < 168 else { return nil }
      let minutes = parts.count > 1 ? parts[1] ?? 0 : 0
      let rest = parts.count > 2 ? parts[2] ?? 0 : 0
      let value = hours * 3600 + minutes % 60 * 60 + rest % 60
      return isNegative ? -value : value
    }

    private static func change(_ text: Substring) -> Change? {
      guard text.first == "M" else { return nil }
      let parts = text.dropFirst().split(separator: "/")
      let numbers = (parts.first ?? "").split(separator: ".").compactMap { Int($0) }
      guard numbers.count == 3, (1...12).contains(numbers[0]), (1...5).contains(numbers[1]),
        (0...6).contains(numbers[2])
      else { return nil }
      var change = Change(month: numbers[0], week: numbers[1], weekday: numbers[2])
      if parts.count > 1 {
        var time = parts[1]
        change.seconds = seconds(&time) ?? 7200
      }
      return change
    }

    func offset(at time: Int64) -> Int64 {
      guard let summer else { return standard }
      let days = Int((time + standard).quotientAndRemainder(dividingBy: 86_400).quotient)
      let year = CivilCalendar.date(days: days).year
      let start = Self.seconds(of: summer.start, year) - standard
      let end = Self.seconds(of: summer.end, year) - summer.offset
      let isSummer = start < end ? start <= time && time < end : time < end || start <= time
      return isSummer ? summer.offset : standard
    }

    /// The local time of a change in a year, in seconds since 1970.
    private static func seconds(of change: Change, _ year: Int) -> Int64 {
      let first = CivilCalendar.days(year: year, month: change.month, day: 1)
      // The first day of 1970 was a Thursday.
      let weekday = ((first + 4) % 7 + 7) % 7
      var day = (change.weekday - weekday + 7) % 7 + (change.week - 1) * 7
      if day >= CivilCalendar.days(inMonth: change.month, of: year) { day -= 7 }
      return Int64(first + day) * 86_400 + change.seconds
    }
  }

  /// Returns the start of the name of a zone at the end of a time: `2024-05-17 08:00 Europe/Berlin`,
  /// `2024-05-17T08:00+02:00[Europe/Berlin]`. Returns nil for a time without one.
  static func nameStart(in text: Span<UInt8>) -> Int? {
    guard text.count > 8, case let last = text[text.count - 1],
      last == UInt8(ascii: "]") || last | 0x20 &- UInt8(ascii: "a") < 26, last != UInt8(ascii: "Z")
    else { return nil }
    var hasSlash = false
    for index in (0..<text.count).reversed() {
      let byte = text[index]
      if byte == UInt8(ascii: "/") { hasSlash = true }
      guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: "[") else { continue }
      return hasSlash ? index : nil
    }
    return nil
  }
}
