import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The layout of a table: its separator and columns, detected from its first rows.
struct CSVLayout: Sendable {
  struct Column: Sendable {
    /// The index of the column.
    let index: Int
    let meaning: CSVColumnRole
    var unit: CSVUnit
    /// The heading, or the column's number if the heading is missing.
    let heading: String
  }

  /// The columns of a table with a row for each value of a sensor, as Car Scanner writes it.
  struct SensorColumns: Sendable {
    let name: Int
    let value: Int
    let unit: Int

    init?(_ headings: [String]) {
      let names = headings.map { $0.lowercased() }
      guard let name = names.firstIndex(of: "pid"), let value = names.firstIndex(of: "value"),
        let unit = names.firstIndex(of: "units")
      else { return nil }
      (self.name, self.value, self.unit) = (name, value, unit)
    }
  }

  let separator: UInt8
  /// The columns that are read, in table order.
  private(set) var columns: [Column]
  /// The columns of numbers whose meaning is unknown, with their indices.
  private(set) var extras: [(index: Int, name: ExtraValues.Name)] = []
  /// The columns of ``extras`` without a value in the sample.
  private(set) var emptyExtras: [Int] = []
  /// The headings of ignored columns.
  let unsupportedContent: [String]
  /// The number of rows before the first row of values, including comments.
  let rowsToSkip: Int
  /// The number of columns in the heading, or `nil` if there is no heading.
  let width: Int?
  /// The fields of the heading.
  let headings: [String]
  private(set) var sensorColumns: SensorColumns?
  /// The records that are read from a log with several types of them.
  private(set) var fixRecords: CSVFixRecords?
  /// The columns that mark rows without a fix.
  private(set) var fixColumns: [Int] = []
  /// The lines before the heading. Comments are stored without their `#`.
  let preamble: [String]
  /// Whether the file is an export of RaceChrono.
  var isByRaceChrono: Bool { CSVLayout.isByRaceChrono(preamble) }
  /// Whether columns were found without a heading.
  let isGuessed: Bool
  /// Whether the rows of several tracks alternate.
  private(set) var areTracksMixed = false
  let usesDecimalComma: Bool
  let dateOrder: CSVDateOrder?
  /// Whether a heading states that times are UTC.
  let isUTC: Bool
  /// Whether a heading states that dates and times are those of GPS.
  let isGPSTime: Bool
  /// The meaning of numbers in the time column, or `nil` for dates and times.
  let relativeTime: CSVRelativeTime?
  /// The columns whose numbers are serial days of spreadsheets, according to their headings or because one of
  /// them has many decimals.
  private(set) var serialColumns: Set<Int> = []
  /// The column of the milliseconds of whole seconds.
  private(set) var millisecondColumn: Int?
  /// Whether local times descend in the sample.
  private(set) var areNewestFirst = false
  /// The fractions of the seconds in the time column, or `nil` if it contains them.
  private(set) var fractions: CSVTimeFractions?
  /// The time in columns of numbers, which replaces the time columns.
  private(set) var timeParts: CSVTimeParts?
  /// The ends of laps in the lines before the heading, in microseconds since 1970.
  private(set) var lapMarkers: [Int64] = []

  /// The number of examined bytes.
  static let sampleLength = 1 << 16
  /// The maximum number of rows before the heading.
  private static let headingLimit = 40
  /// The number of examined rows of values.
  private static let rowLimit = 2000

  /// Whether the start of a file is a table with latitudes and longitudes: a suitable heading with degrees
  /// or empty fields below it. If there are rows, but none has a position, a heading for times is required.
  static func isTable(_ opening: [UInt8]) -> Bool {
    guard !opening.contains(where: { $0 < 0x09 && $0 != 0 }) else { return false }
    return candidates(in: opening).contains { separator in
      let rows = rows(of: opening, separator: separator, limit: headingLimit * 2)
      guard let heading = CSVHeadingRow(in: rows, CSVColumns()) else { return false }
      let values = heading.values(in: rows).filter { $0.fields.contains { !$0.isEmpty } }
      if values.isEmpty { return rows[..<heading.row].allSatisfy { $0.isComment || line($0) == nil } }
      let (columns, _, _) = heading.columns(CSVColumns(), values: values)
      if values.contains(where: { row in columns.allSatisfy { row.holds($0.meaning, at: $0.index) } }) {
        return true
      }
      // Loggers write rows without positions until there is a fix.
      return columns.contains { $0.meaning == .time || $0.meaning == .timeOfDay }
        && values.allSatisfy { row in
          columns.allSatisfy { column in
            ![.latitude, .longitude].contains(column.meaning)
              || column.index < row.fields.count
                && CSVNumbers.isAbsent(Array(row.fields[column.index].utf8).span)
          }
        }
    }
  }

  /// Whether the start of a file is a table of numbers with times, but without columns for positions.
  static func isTableWithoutPositions(_ opening: [UInt8]) -> Bool {
    guard !opening.contains(where: { $0 < 0x09 && $0 != 0 }) else { return false }
    return candidates(in: opening).contains { separator in
      let rows = rows(of: opening, separator: separator, limit: headingLimit * 2).filter {
        !$0.isComment && $0.fields.contains { !$0.isEmpty }
      }
      let heading = rows.prefix(headingLimit).firstIndex { row in
        let meanings = row.fields.compactMap { CSVHeading($0)?.meaning }
        return row.fields.count > 1 && meanings.contains { $0.quantity == .time }
          && !meanings.contains { [.latitude, .longitude, .position].contains($0) }
      }
      guard let heading else { return false }
      let values = rows[(heading + 1)...].prefix(headingLimit).filter {
        $0.fields.count == rows[heading].fields.count && $0.fields.contains { Double($0) != nil }
      }
      return values.count > 1
    }
  }

  /// Whether the start of a file is a table: most rows have the same number of fields, and several numbers.
  static func isTableOfNumbers(_ opening: [UInt8]) -> Bool {
    guard !opening.contains(where: { $0 < 0x09 }) else { return false }
    return candidates(in: opening).contains { separator in
      let rows = rows(of: opening, separator: separator, limit: headingLimit).filter {
        !$0.isComment && $0.fields.contains { !$0.isEmpty }
      }
      guard rows.count > 2 else { return false }
      let width = rows[rows.count / 2].fields.count
      return rows.count { $0.fields.count == width && $0.fields.count { Double($0) != nil } > 1 } * 2
        > rows.count
    }
  }

  /// The suggestion for tables without columns for the position.
  static let suggestion = Suggestion.nameColumns(example: "lat=2,lon=3,time=1")

  private static let separators = [",", ";", "\t", "|"].map { (text: String) in text.utf8.first ?? 0 }

  /// Returns the separators in a sample, and the first other one, with which each row is one field.
  private static func candidates(in sample: [UInt8]) -> [UInt8] {
    let present = separators.filter(sample.contains)
    let other = separators.first { !present.contains($0) }
    return separators.filter { present.contains($0) || $0 == other }
      + (sample.first == UInt8(ascii: "%") ? [0x20] : [])
  }

  /// A row of the sample.
  struct Row {
    var fields: [String]
    let isComment: Bool
    let line: Int

    /// Whether a field can be a value of a column.
    func holds(_ meaning: CSVColumnRole, at index: Int) -> Bool {
      meaning.reads(index < fields.count ? fields[index] : "")
    }
  }

  /// - Parameters:
  ///   - sample: complete rows from the start of the file.
  ///   - columns: the user's specification of columns.
  ///   - clockStart: the start from which the times count, if it is not in the file.
  ///   - name: the name of the file, which can contain the start.
  /// - Throws: ``TrackError/Code/malformed`` if there is no latitude and longitude.
  init(
    _ sample: [UInt8], columns said: CSVColumns, clockStart: Instant? = nil, name: String? = nil
  ) throws(TrackError) {
    if let (separator, rows, heading) = CSVLayout.bestHeading(in: sample, said) {
      self.init(heading, rows, separator, said, clockStart, name)
      findUnitOfSpeeds(heading, said, sample)
      return
    }
    for separator in CSVLayout.candidates(in: sample) {
      let rows = CSVLayout.rows(of: sample, separator: separator, limit: CSVLayout.rowLimit)
      guard let guess = CSVGuess(rows, said) else { continue }
      var columns = guess.columns
      columns.dateOrder = said.dateOrder
      self.init(
        CSVHeadingRow(missingIn: rows, before: guess.row), rows, separator, columns, clockStart, name,
        isGuessed: said.assignments.isEmpty)
      return
    }
    let problem =
      said.assignsColumns
      ? "the table does not fit the columns \(said.text)" : "no columns for latitude and longitude"
    throw TrackError(
      .malformed, problem, place: InputLocation(line: 1),
      suggestion: Self.suggestion)
  }

  /// The column whose changes start tracks.
  var trackColumn: Int? {
    [.track, .object, .trackName].lazy.compactMap { role in columns.first { $0.meaning == role }?.index }
      .first
  }

  /// Whether a value of a column returns after another one.
  private static func areMixed(_ column: Int, _ rows: [Row]) -> Bool {
    var seen: Set<String> = []
    var last = ""
    for row in rows where column < row.fields.count {
      let value = row.fields[column]
      guard !value.isEmpty, value != last else { continue }
      guard seen.insert(value).inserted else { return true }
      last = value
    }
    return false
  }

  /// Finds the unit of the speeds, unless the heading, the logger or the user states it.
  private mutating func findUnitOfSpeeds(_ heading: CSVHeadingRow, _ said: CSVColumns, _ sample: [UInt8]) {
    // Tables of this program are in metres per second.
    guard let index = columns.firstIndex(where: { $0.meaning == .channel(.speed) && $0.unit.isOwn }),
      heading.parsed[columns[index].index].map({ $0.statedUnit == nil }) ?? true,
      !columns.contains(where: { $0.meaning == .kind }),
      !said.assignments.contains(where: { $0.meaning == .channel(.speed) })
    else { return }
    guard var reader = try? CSVReader(sample, self), let document = try? TrackDocument(reading: &reader)
    else { return }
    columns[index].unit = CSVSpeed.unit(document.tracks.flatMap { $0.segments.map(\.points) })
  }

  /// Returns the best heading among those found with each separator, or `nil` if no row is a heading.
  private static func bestHeading(
    in sample: [UInt8], _ said: CSVColumns
  ) -> (separator: UInt8, rows: [Row], heading: CSVHeadingRow)? {
    var best: (separator: UInt8, rows: [Row], heading: CSVHeadingRow)?
    for separator in candidates(in: sample) {
      let rows = rows(of: sample, separator: separator, limit: rowLimit)
      guard let heading = CSVHeadingRow(in: rows, said) else { continue }
      if let other = best?.heading, !heading.isBetter(than: other) { continue }
      best = (separator, rows, heading)
    }
    return best
  }

  private init(
    _ heading: CSVHeadingRow, _ rows: [Row], _ separator: UInt8, _ said: CSVColumns, _ clockStart: Instant?,
    _ name: String?, isGuessed: Bool = false
  ) {
    self.separator = separator
    rowsToSkip = heading.rowsToSkip
    let values = heading.values(in: rows)
    headings = heading.isMissing ? [] : rows[heading.row].fields
    width = heading.isMissing ? nil : headings.count
    sensorColumns = SensorColumns(headings)
    fixRecords = CSVFixRecords(heading.logger, values)
    var (columns, extras, rest) = heading.columns(said, values: values)
    preamble = rows[..<heading.row].compactMap(CSVLayout.line).map {
      separator == 0x20 ? $0.replacing(", ", with: " ") : $0
    }
    dateOrder = said.dateOrder ?? heading.dateOrder ?? CSVLayout.dateOrder(columns, values)
    var relativeTime = CSVRelativeTime(columns, values, preamble, dateOrder, clockStart, name) {
      heading.timeUnit($0)
    }
    if !said.assignments.contains(where: { $0.meaning.quantity == .time }),
      let parts = CSVTimeParts(heading.headings, values),
      parts.isUTC || relativeTime != nil
        || !columns.contains(where: {
          [.time, .date].contains($0.meaning) && !parts.columns.contains($0.index)
        })
    {
      timeParts = parts
      relativeTime = nil
      columns.removeAll { [.time, .date, .timeOfDay].contains($0.meaning) }
      let first = parts.columns[0]
      columns.append(Column(index: first, meaning: .time, unit: .own, heading: heading.headings[first]))
    }
    self.relativeTime = relativeTime
    self.columns = columns
    serialColumns = Set(columns.filter { Self.isSerial($0, values) }.map(\.index))
    areNewestFirst = Self.areNewestFirst(columns, values, dateOrder)
    fixColumns = heading.fixColumns(columns, values)
    if relativeTime?.isTimeOfDay != false {
      millisecondColumn = CSVLayout.millisecondColumn(headings, columns, values)
    }
    let others =
      (sensorColumns.map { [$0.name, $0.value, $0.unit] } ?? []) + (timeParts?.columns ?? [])
      + (millisecondColumn.map { [$0] } ?? [])
      + (fixRecords == nil ? [] : CSVFixRecords.columns)
    self.extras = extras.filter { !others.contains($0.index) }
    emptyExtras = self.extras.map(\.index).filter { index in
      values.allSatisfy {
        index >= $0.fields.count || CSVNumbers.isAbsent(Array($0.fields[index].utf8).span)
      }
    }
    fractions = CSVTimeFractions(headings, columns, values)
    let indices = others + fixColumns + [fractions?.column, millisecondColumn].compactMap(\.self)
    let read = indices.map { heading.headings[$0] }
    unsupportedContent = rest.filter { !read.contains($0) }
    self.isGuessed = isGuessed
    usesDecimalComma = CSVLayout.usesDecimalComma(columns, values)
    isUTC = timeParts?.isUTC ?? heading.isUTC(columns)
    isGPSTime =
      timeParts == nil && columns.contains { $0.meaning == .timeOfDay && $0.heading.lowercased() == "gpst" }
    if let relativeTime {
      lapMarkers = CSVLaps.markers(
        in: preamble, start: relativeTime.start ?? DriveElement.unknownStart.microseconds)
    }
    // In tables of this program, rows of other kinds are between those of a track.
    if let track = trackColumn, !columns.contains(where: { $0.meaning == .kind }) {
      areTracksMixed = CSVLayout.areMixed(track, values)
    }
  }

  /// The number of columns that are read.
  static let mostColumns = 1000

  /// Returns the rows of a sample, with the blank rows, which do not count towards the limit.
  private static func rows(of sample: [UInt8], separator: UInt8, limit: Int) -> [Row] {
    var records = CSVRecords(ByteInput(bytes: sample, chunk: max(sample.count, 1)), separator: separator)
    var rows: [Row] = []
    var count = 0
    // Reading from memory only fails for a row that is too long, and a sample is short.
    while count < limit, (try? records.next()) == true, !records.isCut {
      if !records.isBlank { count += 1 }
      rows.append(
        Row(
          fields: (0..<min(records.count, mostColumns)).map { records.text(of: $0) + records.unit(of: $0) },
          isComment: records.isComment,
          line: records.line))
    }
    return rows
  }

  /// Whether numbers below a heading are serial days.
  static func saysSerial(_ heading: String) -> Bool {
    let (outside, inside) = CSVHeading.words(of: heading)
    return (outside + inside).contains {
      ["excel", "serial", "date", "datetime", "datum", "days"].contains($0)
    }
  }

  private static func isSerial(_ column: Column, _ rows: [Row]) -> Bool {
    guard !saysSerial(column.heading) else { return true }
    guard column.meaning == .time, column.unit.isOwn else { return false }
    var numbers = CSVNumbers(usesDecimalComma: false)
    return rows.contains { row in
      guard column.index < row.fields.count, case let text = Array(row.fields[column.index].utf8),
        let number = numbers.read(text.span)
      else { return false }
      return CSVTime.isSerial(number, decimals: numbers.decimals(of: text.span))
    }
  }

  /// Returns the column with the milliseconds of times in whole seconds: numbers below 1000.
  private static func millisecondColumn(
    _ headings: [String], _ columns: [Column], _ rows: [Row]
  ) -> Int? {
    let names: Set<String> = ["milliseconds", "millisecond", "millis", "milli", "msec", "msecs", "ms"]
    guard
      let time = columns.first(where: { $0.meaning == .timeOfDay })
        ?? columns.first(where: { $0.meaning == .time }),
      let column = headings.firstIndex(where: { names.contains(CSVHeading.words(of: $0).outside.joined()) }),
      !columns.contains(where: { $0.index == column })
    else { return nil }
    func text(_ row: Row, _ index: Int) -> String { index < row.fields.count ? row.fields[index] : "" }
    let cells = rows.map { text($0, column) }.filter { !$0.isEmpty }
    let isFraction =
      cells.contains { Int($0) ?? 0 > 0 } && cells.allSatisfy { (0..<1000).contains(Int($0) ?? -1) }
    let areWholeSeconds = rows.allSatisfy { row in
      let text = text(row, time.index)
      if let number = Double(text) { return number < 1e10 && number == number.rounded() }
      // Dates can contain points.
      return !text[(text.lastIndex(of: ":") ?? text.startIndex)...].contains { ".,".contains($0) }
    }
    return isFraction && areWholeSeconds ? column : nil
  }

  /// Whether most times of a sample are earlier than those above them, before their zones are considered.
  private static func areNewestFirst(_ columns: [Column], _ rows: [Row], _ order: CSVDateOrder?) -> Bool {
    func time(_ row: Row, _ role: CSVColumnRole) -> CSVTime {
      guard let column = columns.first(where: { $0.meaning == role }), column.index < row.fields.count
      else { return .none }
      var text = Array(row.fields[column.index].utf8).span
      if let end = CSVTimeZone.nameStart(in: text) { text = text.extracting(0..<end) }
      return CSVTime.read(text, order: order, isDate: role == .date)
    }
    let times = rows.compactMap { row -> Int64? in
      if case .moment(let time, _) = time(row, .time) { return time }
      guard case .date(let date) = time(row, .date), case .clock(let clock, _) = time(row, .timeOfDay) else {
        return nil
      }
      return date + clock
    }
    let steps = zip(times, times.dropFirst())
    return steps.count { $1 < $0 } > steps.count { $1 > $0 }
  }

  /// Returns the text of a line before the heading, or `nil`.
  private static func line(_ row: Row) -> String? {
    var fields = row.fields
    if row.isComment, let first = fields.first { fields[0] = CSVColumns.trimmed(first.dropFirst()) }
    let text = fields.filter { !$0.isEmpty }.joined(separator: ", ")
    return text.isEmpty || text.lowercased().hasPrefix("sep=") ? nil : text
  }

  static func isByRaceChrono(_ preamble: [String]) -> Bool {
    preamble.first?.hasPrefix("This file is created using RaceChrono") == true
  }

  /// Whether degrees have decimal commas more often than decimal points, or the values of channels if the
  /// rows have no positions.
  private static func usesDecimalComma(_ columns: [Column], _ rows: [Row]) -> Bool {
    func commas(_ isCounted: (CSVColumnRole) -> Bool) -> Int {
      var commas = 0
      for column in columns where isCounted(column.meaning) {
        for row in rows where column.index < row.fields.count {
          let field = row.fields[column.index]
          if field.contains(".") { commas -= 1 } else if field.contains(",") { commas += 1 }
        }
      }
      return commas
    }
    let inPositions = commas { $0 == .latitude || $0 == .longitude }
    guard inPositions == 0 else { return inPositions > 0 }
    return commas { if case .channel = $0 { true } else { false } } > 0
  }

  /// Returns the only order in which all dates of the sample are valid, or `nil` if there are several.
  ///
  /// Of several orders of six digits, the only one without dates in the future is returned, or the only one
  /// with which all dates are in the same month instead of several years.
  private static func dateOrder(_ columns: [Column], _ rows: [Row]) -> CSVDateOrder? {
    var orders = Set(CSVDateOrder.allCases)
    var dates: Set<String> = []
    for column in columns where column.meaning == .time || column.meaning == .date {
      for row in rows where column.index < row.fields.count {
        let field = row.fields[column.index]
        let possible = CSVDateOrder.allCases.filter {
          CSVTime.read(Array(field.utf8).span, order: $0, isDate: column.meaning == .date) != .none
        }
        if possible.isEmpty { continue }
        orders.formIntersection(possible)
        dates.insert(field)
      }
    }
    guard orders.count > 1, dates.allSatisfy({ $0.utf8.count == 6 }) else {
      return orders.count == 1 ? orders.first : nil
    }
    return likelyOrder(orders, dates, now: Int64(time(nil)) * 1_000_000)
  }

  /// Returns the most likely order of dates of six digits, or `nil`.
  ///
  /// - Parameter now: the current time in microseconds since 1970.
  static func likelyOrder(
    _ orders: Set<CSVDateOrder>, _ dates: Set<String>, now: Int64
  ) -> CSVDateOrder? {
    var spans: [(order: CSVDateOrder, days: Int64)] = []
    for order in orders {
      let times = dates.compactMap { text -> Int64? in
        guard case .date(let time) = CSVTime.read(Array(text.utf8).span, order: order, isDate: true) else {
          return nil
        }
        return time
      }
      guard let first = times.min(), let last = times.max(), last < now + CivilCalendar.dayLength else {
        continue
      }
      spans.append((order, (last - first) / CivilCalendar.dayLength))
    }
    if spans.count == 1 { return spans[0].order }
    let short = spans.filter { $0.days <= 31 }
    let isClear = spans.allSatisfy { $0.days <= 31 || $0.days > 300 }
    return short.count == 1 && isClear ? short[0].order : nil
  }
}
