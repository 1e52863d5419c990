public import TrackModel

/// Reads the time of a row from one or two columns.
extension CSVRow {
  /// Returns the time of the row in microseconds since 1970, or ``Instant/absent``. Invalid times are
  /// reported.
  mutating func readTime(_ records: borrowing CSVRecords, _ report: Report) throws(TrackError) -> Int64 {
    let time = try readSeconds(records, report)
    guard time != Instant.absent, let column = columns.milliseconds,
      let milliseconds = numbers.read(records.bytes(of: column)), (0..<1000).contains(milliseconds)
    else { return time }
    return time + Int64((milliseconds * 1000).rounded())
  }

  /// Returns the time without the milliseconds that a column of their own contains.
  private mutating func readSeconds(
    _ records: borrowing CSVRecords, _ report: Report
  ) throws(TrackError) -> Int64 {
    if let timeColumn = columns.time {
      if let timeParts {
        let parts = timeParts.columns.map { numbers.read(records.bytes(of: $0)) ?? .nan }
        guard let time = timeParts.time(parts) else { return try unreadable(timeColumn, records, report) }
        return try zoned(time, false, timeColumn, records, report)
      }
      let time = try readTime(of: timeColumn, records, report)
      guard let column = fractions?.column else { return time }
      return fractions?.refined(time, records.bytes(of: column)) ?? time
    }
    guard let dateColumn = columns.date, let clockColumn = columns.clock else { return Instant.absent }
    let hasDate = !records.isEmpty(dateColumn.index)
    guard hasDate, !records.isEmpty(clockColumn.index) else {
      if hasDate || !records.isEmpty(clockColumn.index) {
        try report(.invalidTime, "incomplete date and time of day, ignored", nil, nil)
      }
      return Instant.absent
    }
    let date = try parse(dateColumn, isDate: true, records)
    let clock = parseClock(clockColumn, records)
    switch (date, clock) {
    case (_, .moment(let time, let hasZone)): return try zoned(time, hasZone, clockColumn, records, report)
    case (.date(let date), .clock(let time, let hasZone)):
      return try zoned(moment(date, time), hasZone, clockColumn, records, report)
    case (.moment(let time, let hasZone), .clock(let clock, let clockHasZone)):
      // The time-of-day column takes precedence over that of the date, which is usually midnight.
      let start =
        time - ((time % CivilCalendar.dayLength) + CivilCalendar.dayLength) % CivilCalendar.dayLength
      return try zoned(start + clock, hasZone || clockHasZone, clockColumn, records, report)
    case (.date, _), (.moment, _): return try unreadable(clockColumn, records, report)
    default: return try unreadable(dateColumn, records, report)
    }
  }

  /// Returns a moment of a date and a time of day. Some loggers write the date of the start in all rows: a
  /// step back by more than 23 hours is midnight.
  private mutating func moment(_ date: Int64, _ clock: Int64) -> Int64 {
    var days: Int64 = 0
    if let last = lastMoment, last.date == date {
      days = last.days + (clock < last.clock - CivilCalendar.dayLength / 24 * 23 ? 1 : 0)
    }
    lastMoment = (date, clock, days)
    return date + clock + days * CivilCalendar.dayLength
  }

  /// Returns the time in a column in microseconds since 1970, or ``Instant/absent``.
  mutating func readTime(
    of column: CSVRowColumns.Source, _ records: borrowing CSVRecords, _ report: Report
  ) throws(TrackError) -> Int64 {
    guard !records.isEmpty(column.index) else { return Instant.absent }
    if let time = relativeTime?.time(records.bytes(of: column.index), &numbers) {
      return time
    }
    switch try parse(column, isDate: false, records) {
    case .moment(let time, let hasZone): return try zoned(time, hasZone, column, records, report)
    case .date(let time): return try zoned(time, false, column, records, report)
    case .clock:
      try report(
        .invalidTime, "time of day without a date, ignored", columns.headings[column.index],
        records.text(of: column.index))
      return Instant.absent
    case .ambiguous, .none: return try unreadable(column, records, report)
    }
  }

  private func unreadable(
    _ column: CSVRowColumns.Source, _ records: borrowing CSVRecords, _ report: Report
  ) throws(TrackError) -> Int64 {
    if !CSVNumbers.isAbsent(records.bytes(of: column.index)) {
      try report(
        .invalidTime, "invalid time, ignored", columns.headings[column.index], records.text(of: column.index))
    }
    return Instant.absent
  }

  private mutating func zoned(
    _ time: Int64, _ hasZone: Bool, _ column: CSVRowColumns.Source, _ records: borrowing CSVRecords,
    _ report: Report
  ) throws(TrackError) -> Int64 {
    if columns.areOfGPS { return GPSTime.utc(calendar: time) }
    if !hasZone, let zone = try zone(of: column, records, report) {
      let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000)
      let (first, second) = zone.utc(local: seconds)
      let time = try nearer(first, second, column, report)
      if let last = lastInZone, last != time { ascendsInZone = time > last }
      lastInZone = time
      return time * 1_000_000 + rest
    }
    if !hasZone, let name = CSVTimeCursor.unknownZone(in: records.bytes(of: column.index)) {
      try report(.unknownZone, "unknown time zone, time treated as UTC", columns.headings[column.index], name)
      return time
    }
    if !hasZone, !columns.areUTC {
      try report(.timeWithoutZone, CSVRow.timeWithoutZone, columns.headings[column.index], nil)
    }
    if hasZone, let zone = CSVTimeCursor.ambiguousZone(in: records.bytes(of: column.index)) {
      try report(.ambiguousZone, zone.warning, columns.headings[column.index], nil)
    }
    return time
  }

  /// Returns the one of two times that is nearer to the last time in a zone, unless it would be on the other
  /// side of it than the order of the rows says.
  private func nearer(
    _ first: Int64, _ second: Int64?, _ column: CSVRowColumns.Source, _ report: Report
  ) throws(TrackError) -> Int64 {
    guard let second else { return first }
    if let last = lastInZone {
      if ascendsInZone == true, first < last - CSVRow.longestDisorder, second > last { return second }
      if ascendsInZone == false, second > last + CSVRow.longestDisorder, first < last { return first }
      let nearer = abs(first - last) <= abs(second - last) ? first : second
      if abs(nearer - last) <= CSVRow.longestSilence { return nearer }
    }
    // The newest rows come from the second hour, and the oldest go to the first.
    let isFirst = lastInZone.map { abs(first - $0) <= abs(second - $0) } ?? !columns.areNewestFirst
    let used = isFirst ? "first" : "second"
    try report(
      .ambiguousTime,
      "local time that occurs twice because clocks were set back; the \(used) one is used",
      columns.headings[column.index], nil)
    return isFirst ? first : second
  }

  /// The seconds by which a row can be earlier than the one before it.
  private static let longestDisorder: Int64 = 60

  /// The seconds from the last time within which a time that occurs twice is certain.
  private static let longestSilence: Int64 = 1800

  /// - Throws: ``TrackError/Code/invalidValue`` for an ambiguous date.
  private mutating func parse(
    _ column: CSVRowColumns.Source, isDate: Bool, _ records: borrowing CSVRecords
  ) throws(TrackError) -> CSVTime {
    var bytes = records.bytes(of: column.index)
    if let end = CSVTimeZone.nameStart(in: bytes) { bytes = bytes.extracting(0..<end) }
    var time = CSVTime.none
    if bytes.count > 4, bytes[4] == UInt8(ascii: "-") {
      time = CSVTime.read(bytes, order: columns.dateOrder, isDate: isDate)
    } else {
      if CSVRow.isNumber(bytes), let number = numbers.read(bytes) {
        // Six digits are a date or a time of day, five digits are days.
        let allowsSerial = isDate || columns.serials.contains(column.index)
        time =
          bytes[0] == UInt8(ascii: "0")
          ? .none
          : CSVTime.read(
            number: number, decimals: numbers.decimals(of: bytes), allowsSerial: allowsSerial,
            unit: column.unit)
      }
      if time == .none { time = CSVTime.read(bytes, order: columns.dateOrder, isDate: isDate) }
    }
    guard time == .ambiguous else { return time }
    throw TrackError(
      .invalidValue, "ambiguous order of day and month",
      place: InputLocation(line: records.line, path: columns.headings[column.index]),
      offendingText: records.text(of: column.index),
      suggestion: .nameDateOrder)
  }

  private mutating func parseClock(
    _ column: CSVRowColumns.Source, _ records: borrowing CSVRecords
  ) -> CSVTime {
    var bytes = records.bytes(of: column.index)
    if let end = CSVTimeZone.nameStart(in: bytes) { bytes = bytes.extracting(0..<end) }
    let time = CSVTime.read(bytes, order: columns.dateOrder)
    if time != .none { return time }
    // A spreadsheet's time of day is a fraction of a day.
    guard let number = numbers.read(bytes), (0..<1).contains(number) else { return .none }
    return .clock(Int64((number * 86_400_000).rounded()) * 1000, hasZone: false)
  }

  /// Whether a text consists of digits with at most one decimal mark, and possibly an exponent.
  private static func isNumber(_ bytes: Span<UInt8>) -> Bool {
    var marks = 0
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") {
        marks += 1
      } else if byte | 0x20 == UInt8(ascii: "e"), index > 0 {
        let digits = bytes.extracting((index + 1)..<bytes.count)
        let isSigned = digits.count > 1 && [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(digits[0])
        return marks <= 1 && digits.digits((isSigned ? 1 : 0)..<digits.count) != nil
      } else if byte &- UInt8(ascii: "0") > 9, !(index == 0 && byte == UInt8(ascii: "-")) {
        return false
      }
    }
    return marks <= 1 && bytes.count > 0
  }
}

extension TrackWarning.Code {
  /// An abbreviation of a time zone has several meanings, so that its times may be wrong by hours.
  public static let ambiguousZone = Self("ambiguous-zone")
  /// A local time occurs twice, because clocks were set back.
  static let ambiguousTime = Self("ambiguous-time")
  /// The name of a time zone is not in the system's database.
  static let unknownZone = Self("unknown-zone")
}
