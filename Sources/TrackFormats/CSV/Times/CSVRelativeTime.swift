import TrackModel

/// Converts the times of a table that are relative to the start of the recording.
struct CSVRelativeTime: Sendable {
  /// Microseconds of a unit of the numbers.
  private let scale: Double
  private let form: Form
  /// The start in microseconds since 1970; nil if the file does not contain it.
  let start: Int64?
  /// Whether the times are times of day of a table without dates.
  var isTimeOfDay: Bool { if case .timeOfDay = form { true } else { false } }
  /// Whether the start has a time zone.
  let hasZone: Bool
  /// Whether the date of the start is ambiguous and was read as day, month and year.
  let isDateAssumed: Bool
  /// Whether the start is in the name of the file.
  let isFromName: Bool
  /// Whether numbers without a unit are milliseconds, as the positions show.
  let isUnitAssumed: Bool
  /// Whether the numbers start again at the first one in each segment, as AiM RaceStudio 2 writes them.
  private let restarts: Bool
  /// The days of times of day; nil for elapsed times.
  private var clock: TimeOfDayClock?
  /// ``clock`` before the first row.
  private let firstClock: TimeOfDayClock?
  /// The last number, the step to it, and the sum of the segments before it.
  private var last: Double?
  private var step = 0.0
  private var elapsed = 0.0
  /// The column of the times, from 0.
  let column: Int

  private enum Form {
    /// Numbers, with the first one.
    case number(Double)
    /// `0:00:12`.
    case elapsed
    /// Times of day of a table without dates.
    case timeOfDay
  }

  /// The microseconds from which a time counts from 1970.
  static let limit = 1e14

  /// - Parameters:
  ///   - columns: the columns of the table.
  ///   - rows: the rows of values in the table.
  ///   - preamble: the lines before the heading, which may contain the start.
  ///   - order: the order of day, month and year.
  ///   - clockStart: the start, if it is not in the file.
  ///   - name: the name of the file, which can contain the start: `Log-20240517-061230 Anneau.csv`.
  ///   - unit: the unit that a column states; nil if it states none.
  /// - Returns: nil if the times are neither ascending numbers that begin with a small one nor elapsed times
  ///   such as `0:00:12` nor times of day. Under a general heading for times, elapsed times must begin in the
  ///   first minute.
  init?(
    _ columns: [CSVLayout.Column], _ rows: [CSVLayout.Row], _ preamble: [String], _ order: CSVDateOrder?,
    _ clockStart: Instant?, _ name: String?,
    unit: (CSVLayout.Column) -> CSVUnit?
  ) {
    guard let column = columns.first(where: { $0.meaning == .time }),
      !columns.contains(where: { $0.meaning == .date })
    else { return nil }
    let texts = rows.compactMap { column.index < $0.fields.count ? $0.fields[column.index] : nil }
      .filter { !$0.isEmpty }
    let stated = clockStart.map { ($0.microseconds, true, false) } ?? Self.start(in: preamble, order)
    let named = stated == nil ? name.flatMap(FileName.time(in:)) : nil
    isFromName = named != nil
    let start = stated ?? named.map { ($0, false, false) }
    let isElapsed = CSVHeading(column.heading)?.meaning == .elapsed
    if let clocks = Self.timesOfDay(texts), let first = clocks.first, !isElapsed,
      first >= Self.leastTimeOfDay || texts.count == 1
    {
      form = .timeOfDay
      scale = 1e6
      isUnitAssumed = false
      restarts = false
      self.column = column.index
      self.start = start.map {
        $0.microseconds - ($0.microseconds % CivilCalendar.dayLength + CivilCalendar.dayLength)
          % CivilCalendar.dayLength + first
      }
      // Longer steps are those over midnight.
      let steps = zip(clocks, clocks.dropFirst()).filter { abs($1 - $0) <= CivilCalendar.dayLength / 2 }
      clock = TimeOfDayClock(
        midnight: (self.start ?? DriveElement.unknownStart.microseconds) - first,
        isNewestFirst: steps.count { $1 < $0 } > steps.count { $1 > $0 })
      firstClock = clock
      hasZone = start?.hasZone ?? true
      isDateAssumed = start?.isDateAssumed ?? false
      return
    }
    let clocks = Self.elapsedTimes(texts)
    let unit = clocks == nil ? unit(column) : nil
    isUnitAssumed = clocks == nil && unit == nil && Self.areMilliseconds(texts, rows, columns)
    restarts = preamble.contains { $0.lowercased().hasPrefix("format, aim csv") }
    let scale = (unit ?? (isUnitAssumed ? .milliseconds : .seconds)).converted(1)
    let values =
      clocks
      ?? Self.numbers(
        texts, scale, unit ?? .own, isCount: isElapsed, allowsSerial: CSVLayout.saysSerial(column.heading))
    guard let values, values.count > 1, let first = values.first, let last = values.max(), first < last,
      last * scale < Self.limit
    else { return nil }
    guard
      clocks != nil
        || Self.ascend(values, scale: isElapsed ? scale : nil, restart: restarts ? first : -.infinity)
    else { return nil }
    form = clocks == nil ? .number(first) : .elapsed
    clock = clocks == nil && !restarts ? Self.clock(from: first, scale) : nil
    firstClock = clock
    self.scale = scale
    self.column = column.index
    self.start = named.map { Self.origin($0, first * scale) } ?? start?.microseconds
    hasZone = start?.hasZone ?? true
    isDateAssumed = start?.isDateAssumed ?? false
  }

  /// Returns the microseconds since 1970, relative to ``DriveElement/unknownStart`` if the start is unknown,
  /// or nil if the form of the text differs from that of the sample.
  mutating func time(_ text: Span<UInt8>, _ numbers: inout CSVNumbers) -> Int64? {
    let start = start ?? DriveElement.unknownStart.microseconds
    let number: Double?
    switch form {
    case .number(let first): number = numbers.read(text).map { sinceStart($0, first) }
    case .elapsed: number = Self.seconds(text)
    case .timeOfDay:
      guard case .clock(let time, _) = CSVTime.read(text, order: nil) else { return nil }
      return clock?.advance(to: time)
    }
    guard let number, let time = Self.microseconds(number, scale) else { return nil }
    return start + (clock?.advance(to: time) ?? time)
  }

  /// Starts the days of a track that does not follow the track above it.
  mutating func beginTrack() { clock = firstClock }

  /// Returns a number in microseconds, or nil if it is too large for a relative time.
  private static func microseconds(_ number: Double, _ scale: Double) -> Int64? {
    guard number.isFinite, abs(number) * scale < limit else { return nil }
    return Int64((number * scale).rounded())
  }

  /// Returns the clock of numbers that can be times of day according to the first one, and nil for others.
  private static func clock(from first: Double, _ scale: Double) -> TimeOfDayClock? {
    guard let first = microseconds(first, scale),
      (leastTimeOfDay..<CivilCalendar.dayLength).contains(first)
    else { return nil }
    return TimeOfDayClock(midnight: 0)
  }

  /// Returns numbers with the days before them, if they can be times of day.
  ///
  /// - Parameter scale: the microseconds of the unit.
  static func withDays(_ numbers: [Double], _ scale: Double) -> [Double] {
    guard let first = numbers.first, var clock = clock(from: first, scale) else { return numbers }
    return numbers.map { number in
      guard let time = microseconds(number, scale) else { return number }
      return number + Double(clock.advance(to: time) - time) / scale
    }
  }

  /// The microseconds from which the first time can be a time of day instead of an elapsed time.
  private static let leastTimeOfDay: Int64 = 60_000_000
  /// The microseconds that a recording can begin before the time from which it counts.
  private static let longestLead = 3600e6

  /// Returns a number with the segments before its own, each as long as its rows.
  private mutating func sinceStart(_ number: Double, _ first: Double) -> Double {
    guard restarts, (0...Self.limit).contains(number * scale) else { return number }
    if let last, number < last, number <= first {
      elapsed += last + step - number
    } else if let last, number > last {
      step = number - last
    }
    last = number
    return elapsed + number
  }

  /// Whether a number can follow another one.
  ///
  /// - Parameter scale: the microseconds of the unit if small steps back are allowed, which loggers write
  ///   that poll several sensors; nil for numbers that ascend.
  static func follows(_ number: Double, _ last: Double, scale: Double?) -> Bool {
    number >= last - (scale.map { 10e6 / $0 } ?? 0)
  }

  /// Whether numbers ascend, with at most one step back in a hundred.
  ///
  /// - Parameter restart: the maximum of the numbers at which a segment starts.
  static func ascend(_ numbers: [Double], scale: Double?, restart: Double = -.infinity) -> Bool {
    let back = zip(numbers, numbers.dropFirst()).count { $1 > restart && !follows($1, $0, scale: scale) }
    return back <= min(numbers.count / 10, 1 + numbers.count / 100)
  }

  /// Whether numbers without a unit are milliseconds: whole numbers in steps of at least 20, with smooth
  /// movement that is too slow for seconds.
  private static func areMilliseconds(
    _ texts: [String], _ rows: [CSVLayout.Row], _ columns: [CSVLayout.Column]
  ) -> Bool {
    let numbers = texts.compactMap { Int($0) }.filter { (0...Int(limit / 1e3)).contains($0) }
    guard numbers.count == texts.count, numbers.count >= 5,
      let latitude = columns.first(where: { $0.meaning == .latitude }),
      let longitude = columns.first(where: { $0.meaning == .longitude })
    else { return false }
    let steps = zip(numbers, numbers.dropFirst()).map { Double($1 - $0) }
    guard let step = steps.upperMedian, (20...10_000).contains(step),
      steps.count(where: { abs($0 - step) <= step / 10 }) * 10 >= steps.count * 9
    else { return false }
    var reading = CSVNumbers(usesDecimalComma: false)
    func degrees(_ row: CSVLayout.Row, _ column: CSVLayout.Column) -> Double? {
      guard column.index < row.fields.count else { return nil }
      let bytes = Array(row.fields[column.index].utf8)
      return reading.degrees(bytes.span, isLatitude: column.meaning == .latitude).map(column.unit.converted)
    }
    let positions = rows.compactMap { row -> Coordinate? in
      guard let latitude = degrees(row, latitude), let longitude = degrees(row, longitude) else { return nil }
      let position = Coordinate(latitude: latitude, longitude: longitude)
      return position.isValid ? position : nil
    }
    func length(by stride: Int) -> Double {
      zip(positions, positions.dropFirst(stride)).reduce(0) {
        $0 + Geodesy.sphericalDistance(from: $1.0, to: $1.1)
      }
    }
    let path = length(by: 1)
    let speed = path / Double(numbers[numbers.count - 1] - numbers[0])
    // 0.001 m per number are 1 m/s in milliseconds, and 3.6 m/h in seconds. Noise at a stop turns back at
    // each row.
    return (0.001...0.07).contains(speed)
      && length(by: 2) > 1.8 * path * Double(positions.count - 2) / Double(positions.count - 1)
  }

  /// Returns texts as numbers, or nil if one of them is not a number, or may be a date or a time of day.
  ///
  /// - Parameters:
  ///   - scale: the microseconds of the unit.
  ///   - unit: the unit that the heading states.
  ///   - isCount: whether the heading states that the numbers are a count.
  ///   - allowsSerial: whether the heading states that the numbers are serial days.
  private static func numbers(
    _ texts: [String], _ scale: Double, _ unit: CSVUnit, isCount: Bool, allowsSerial: Bool
  ) -> [Double]? {
    var numbers = CSVNumbers(usesDecimalComma: false)
    var values: [Double] = []
    for text in texts {
      let bytes = Array(text.utf8)
      guard let number = DecimalReading.read(bytes.span) ?? numbers.read(bytes.span) else { return nil }
      let decimals = numbers.decimals(of: bytes.span)
      // Without a unit, four decimals are those of days in spreadsheets.
      guard number * scale >= -longestLead,
        CSVTime.read(
          number: number, decimals: isCount ? 0 : decimals, allowsSerial: allowsSerial, unit: unit) == .none
      else { return nil }
      // Six digits may be a time of day, unless the unit is a part of a second.
      if decimals == 0, scale == 1e6,
        bytes.count == 6 || bytes.count == 14 || bytes[0] == UInt8(ascii: "0") && bytes.count > 1
      {
        return nil
      }
      values.append(number)
    }
    return withDays(values, scale)
  }

  /// Returns texts that are all times of day in microseconds since midnight, or nil for other texts.
  private static func timesOfDay(_ texts: [String]) -> [Int64]? {
    var times: [Int64] = []
    for text in texts {
      guard text.contains(":"), case .clock(let time, _) = CSVTime.read(Array(text.utf8).span, order: nil)
      else {
        return nil
      }
      times.append(time)
    }
    return times
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
  private static func start(
    in preamble: [String], _ order: CSVDateOrder?
  ) -> (microseconds: Int64, hasZone: Bool, isDateAssumed: Bool)? {
    var date: Int64?
    var clock: (microseconds: Int64, hasZone: Bool)?
    let isRaceChrono = CSVLayout.isByRaceChrono(preamble)
    let isMoTeC = preamble.first?.contains("MoTeC CSV File") == true
    let lines = preamble.compactMap { line -> (key: String, value: Substring)? in
      guard let end = line.firstIndex(where: { ":,=".contains($0) }) else { return nil }
      let key = CSVHeading.words(of: String(line[..<end])).outside.joined()
      return keys.contains(key) || isRaceChrono && key == "created"
        ? (key, line[line.index(after: end)...].drop { $0 == " " }) : nil
    }
    // Only America writes AM and PM with dates of numbers alone.
    let isAmerican = lines.contains { $0.value.hasSuffix(" AM") || $0.value.hasSuffix(" PM") }
    let known = order ?? (isAmerican ? .mdy : isRaceChrono || isMoTeC ? .dmy : nil)
    var isDateAssumed = false
    for (key, value) in lines {
      // Other cells may follow on the line.
      var time = CSVTime.read(Array(value.utf8).span, order: known)
      if time == .none || key == "created" {
        time = CSVTime.read(Array(value.prefix { $0 != "," }.utf8).span, order: known)
      }
      // The date shows another order than the one that is assumed.
      if time == .none, order == nil { time = CSVTime.read(Array(value.utf8).span, order: nil) }
      if time == .ambiguous {
        isDateAssumed = true
        time = CSVTime.read(Array(value.utf8).span, order: .dmy)
      }
      switch time {
      case .moment(let moment, let hasZone): return (moment, hasZone, isDateAssumed)
      case .date(let day): date = date ?? day
      // The times of RaceChrono count from midnight.
      case .clock(let time, let hasZone): clock = clock ?? (isRaceChrono ? nil : (time, hasZone))
      case .ambiguous, .none: break
      }
    }
    return date.map { ($0 + (clock?.microseconds ?? 0), clock?.hasZone ?? false, isDateAssumed) }
  }

  /// Returns the time from which numbers count: the start in the file's name, or the midnight before it if
  /// the first number is the time of day.
  private static func origin(_ start: Int64, _ first: Double) -> Int64 {
    let timeOfDay = start % CivilCalendar.dayLength
    let isTimeOfDay = timeOfDay > nearMidnight && abs(first - Double(timeOfDay)) < Double(nearMidnight)
    return isTimeOfDay ? start - timeOfDay : start
  }

  /// Ten minutes in microseconds.
  private static let nearMidnight: Int64 = 600_000_000

  private static let keys: Set<String> = [
    "date", "sessiondate", "startdate", "logdate", "time", "starttime", "sessionstart", "logtime", "datum",
    "dateutc", "creationtime",
  ]
}
