import TrackModel

/// Converts the times of a table that are relative to the start of the recording.
struct CSVRelativeTime: Sendable {
  /// Microseconds of a unit of the numbers.
  private let scale: Double
  /// Whether the times are written as `0:00:12`.
  private let isClock: Bool
  /// The start in microseconds since 1970; nil if the file does not contain it.
  let start: Int64?
  /// Whether the start has a time zone.
  let hasZone: Bool
  /// The column of the times, from 0.
  let column: Int

  /// Seconds; larger numbers are dates.
  private static let limit = 1e8

  /// - Parameters:
  ///   - columns: the columns of the table.
  ///   - rows: the rows of values in the table.
  ///   - preamble: the lines before the heading, which may contain the start.
  ///   - isInMilliseconds: whether the numbers of a column are milliseconds instead of seconds.
  /// - Returns: nil if the times are neither ascending numbers that begin with a small one nor elapsed times
  ///   such as `0:00:12`. Under a general heading for times, these must begin in the first minute.
  init?(
    _ columns: [CSVLayout.Column], _ rows: [CSVLayout.Row], _ preamble: [String],
    isInMilliseconds: (CSVLayout.Column) -> Bool
  ) {
    guard let column = columns.first(where: { $0.meaning == .time }),
      !columns.contains(where: { $0.meaning == .date })
    else { return nil }
    var numbers = CSVNumbers(usesDecimalComma: false)
    var values: [Double] = []
    let texts = rows.compactMap { column.index < $0.fields.count ? $0.fields[column.index] : nil }
      .filter { !$0.isEmpty }
    let clocks = Self.elapsedTimes(texts)
    isClock = clocks != nil
    if let clocks {
      let isElapsed = CSVHeading(column.heading)?.meaning == .elapsed
      guard isElapsed || clocks.first.map({ $0 < 60 }) == true else { return nil }
      values = clocks
    }
    for text in texts where !isClock {
      let bytes = Array(text.utf8)
      guard let number = DecimalReading.read(bytes.span) ?? numbers.read(bytes.span) else { return nil }
      let decimals = numbers.decimals(of: bytes.span)
      guard number >= values.last ?? 0,
        CSVTime.read(number: number, decimals: decimals, allowsSerial: false) == .none
      else { return nil }
      // Six digits may be a time of day.
      if decimals == 0,
        bytes.count == 6 || bytes.count == 14 || bytes[0] == UInt8(ascii: "0") && bytes.count > 1
      {
        return nil
      }
      values.append(number)
    }
    let scale = isInMilliseconds(column) && !isClock ? 1e3 : 1e6
    guard values.count > 1, let first = values.first, let last = values.last, first < last,
      last * scale < Self.limit * 1e6
    else { return nil }
    self.scale = scale
    self.column = column.index
    let start = Self.start(in: preamble)
    self.start = start?.microseconds
    hasZone = start?.hasZone ?? true
  }

  /// Returns the microseconds since 1970, relative to ``DriveElement/unknownStart`` if the start is unknown,
  /// or nil if the form of the text differs from that of the sample.
  func time(_ text: Span<UInt8>, _ numbers: inout CSVNumbers) -> Int64? {
    guard let number = isClock ? Self.seconds(text) : numbers.read(text) else { return nil }
    guard number.isFinite, abs(number) * scale < Self.limit * 1e6 else { return nil }
    return (start ?? DriveElement.unknownStart.microseconds) + Int64((number * scale).rounded())
  }

  /// Returns the seconds of at least two ascending texts such as `0:00:12`, or nil for other texts.
  static func elapsedTimes(_ texts: [String]) -> [Double]? {
    guard texts.count > 1 else { return nil }
    var values: [Double] = []
    for text in texts {
      guard let value = seconds(Array(text.utf8).span), value >= values.last ?? 0 else { return nil }
      values.append(value)
    }
    return values
  }

  /// Returns the seconds of `h:mm:ss` or `m:ss`, with or without a fraction, or nil for other text.
  private static func seconds(_ text: Span<UInt8>) -> Double? {
    var whole = 0
    var field = 0
    var digits = 0
    var colons = 0
    var fraction: Double?
    for index in text.indices {
      let byte = text[index]
      if let value = fraction {
        guard byte &- UInt8(ascii: "0") <= 9 else { return nil }
        digits += 1
        fraction = value * 10 + Double(byte &- UInt8(ascii: "0"))
      } else if byte &- UInt8(ascii: "0") <= 9 {
        guard digits < 6 else { return nil }
        digits += 1
        field = field * 10 + Int(byte &- UInt8(ascii: "0"))
      } else if byte == UInt8(ascii: ":") {
        guard digits > 0, colons < 2, colons == 0 || digits == 2 && field < 60 else { return nil }
        colons += 1
        whole = (whole + field) * 60
        field = 0
        digits = 0
      } else {
        guard byte == UInt8(ascii: ".") || byte == UInt8(ascii: ","), colons > 0, digits == 2 else {
          return nil
        }
        fraction = 0
        digits = 0
      }
    }
    guard colons > 0, field < 60, fraction != nil || digits == 2 else { return nil }
    var result = fraction ?? 0
    if fraction != nil { for _ in 0..<digits { result /= 10 } }
    return Double(whole + field) + result
  }

  /// Returns the start of the recording from lines such as `Date, Sunday, December 15, 2024` and `Time, 1:34
  /// PM`.
  private static func start(in preamble: [String]) -> (microseconds: Int64, hasZone: Bool)? {
    var date: Int64?
    var clock: (microseconds: Int64, hasZone: Bool)?
    let isRaceChrono = preamble.first?.hasPrefix("This file is created using RaceChrono") == true
    for line in preamble {
      guard let end = line.firstIndex(where: { ":,=".contains($0) }) else { continue }
      let key = CSVHeading.words(of: String(line[..<end])).outside.joined()
      let value = Array(line[line.index(after: end)...].drop { $0 == " " }.utf8)
      // The times count from midnight.
      if isRaceChrono, key == "created" {
        let day = value.prefix { $0 != UInt8(ascii: ",") }
        if case .date(let day) = CSVTime.read(Array(day).span, order: .dmy) { date = day }
        continue
      }
      guard ["date", "sessiondate", "startdate", "time", "starttime", "sessionstart", "datum"].contains(key)
      else {
        continue
      }
      // Only America writes AM and PM with dates of numbers alone.
      let order: CSVDateOrder? = line.hasSuffix(" AM") || line.hasSuffix(" PM") ? .mdy : nil
      switch CSVTime.read(value.span, order: order) {
      case .moment(let moment, let hasZone): return (moment, hasZone)
      case .date(let day): date = date ?? day
      case .clock(let time, let hasZone): clock = clock ?? (time, hasZone)
      case .ambiguous, .none: break
      }
    }
    return date.map { ($0 + (clock?.microseconds ?? 0), clock?.hasZone ?? false) }
  }
}
