import TrackModel

/// The heading row of a table.
struct CSVHeadingRow {
  /// The index of the row, or of the first row of values if the table has no heading.
  let row: Int
  private let isComment: Bool
  /// Whether the table has no heading.
  let isMissing: Bool
  let headings: [String]
  let parsed: [CSVHeading?]
  /// The number of rows before the values.
  let rowsToSkip: Int
  /// The sources of the columns below their units, such as `100: gps`. Empty if the table has none.
  let sources: [String]
  /// The headings, with units from the unit rows.
  let unitHeadings: [String]
  /// Whether a row before the heading names AiM, whose loggers are for engines.
  private let isFromEngineLogger: Bool

  /// Finds the first row with a latitude and a longitude, or with the specified headings. Comments are
  /// considered if no other row matches.
  init?(in rows: [CSVLayout.Row], _ said: CSVColumns) {
    for isComment in [false, true] {
      let filled = rows.indices.lazy.filter { rows[$0].fields.contains { !$0.isEmpty } }.prefix(40)
      for index in filled where rows[index].isComment == isComment {
        let row = rows[index]
        var headings = row.fields
        if isComment { headings[0] = CSVColumns.trimmed(headings[0].dropFirst()) }
        let logger = CSVLogger.named(by: headings)
        let parsed = headings.map { CSVHeading(logger?.usualHeading($0) ?? $0) }
        guard CSVHeadingRow.isHeading(headings, parsed, said, rows[..<index], values: rows[(index + 1)...])
        else { continue }
        self.row = index
        self.isComment = isComment
        isMissing = false
        self.headings = headings
        isFromEngineLogger = rows[..<index].contains { row in
          row.fields.contains { $0.lowercased().hasPrefix("aim csv") }
        }
        let units = CSVHeadingRow.units(rows[(index + 1)...], parsed)
        rowsToSkip = index + 1 + units.rows
        sources = units.sources
        unitHeadings = headings.enumerated().map { column, heading in
          var unit = column < units.units.count ? units.units[column] : ""
          // FlySight's units have separate brackets.
          if unit.hasPrefix("("), unit.hasSuffix(")") { unit = String(unit.dropFirst().dropLast()) }
          return unit.isEmpty ? heading : "\(heading) (\(unit))"
        }
        let values = rows.dropFirst(rowsToSkip)
        self.parsed = unitHeadings.enumerated().map { column, heading in
          // Dates in Italian, Polish and Portuguese, or any data.
          if heading.lowercased() == "data", !CSVHeadingRow.isDate(column, values) { return nil }
          return CSVHeading(logger?.usualHeading(heading) ?? heading)
        }
        return
      }
    }
    return nil
  }

  /// Names the columns of a table without a heading by their numbers, if they have values.
  ///
  /// - Parameter first: the index of the first row of values.
  init(missingIn rows: [CSVLayout.Row], before first: Int) {
    row = first
    isComment = false
    isMissing = true
    let values = rows[first...].filter { !$0.isComment }
    headings = (0..<(values.map(\.fields.count).max() ?? 0)).map { index in
      values.contains { index < $0.fields.count && !$0.fields[index].isEmpty } ? "column \(index + 1)" : ""
    }
    parsed = headings.map { _ in nil }
    rowsToSkip = first
    sources = []
    unitHeadings = headings
    isFromEngineLogger = false
  }

  /// Returns the rows of units and sources below a heading, and the number of rows to skip.
  ///
  /// AiM RaceStudio 2 writes a second row of names before the units and a row of numbers after them. `$DATA`
  /// of FlySight 2, `[Channel Data]` of HP Tuners and blank rows precede the values.
  private static func units(
    _ rows: ArraySlice<CSVLayout.Row>, _ parsed: [CSVHeading?]
  ) -> (units: [String], sources: [String], rows: Int) {
    var rest = rows.prefix { !$0.isComment }
    if let first = rest.first, isNames(first, parsed),
      rest.dropFirst().first.flatMap({ Self.units(in: $0, parsed) }) != nil
    {
      rest.removeFirst()
    }
    let units = rest.first.flatMap { Self.units(in: $0, parsed) } ?? []
    if !units.isEmpty { rest.removeFirst() }
    let sources = units.isEmpty ? [] : rest.first.map(Self.sourceNames) ?? []
    if !sources.isEmpty { rest.removeFirst() }
    if !units.isEmpty, let first = rest.first, isNumbering(first, parsed.count) { rest.removeFirst() }
    if rest.first?.fields == ["$DATA"] { rest.removeFirst() }
    guard rest.startIndex > rows.startIndex else { return ([], [], 0) }
    rest = rest.drop { row in row.fields.allSatisfy(\.isEmpty) || row.fields == ["[Channel Data]"] }
    return (units, sources, rest.startIndex - rows.startIndex)
  }

  /// Whether the first value of a column is a date.
  private static func isDate(_ column: Int, _ rows: ArraySlice<CSVLayout.Row>) -> Bool {
    let text = rows.lazy.compactMap { column < $0.fields.count ? Array($0.fields[column].utf8) : nil }
      .first { !CSVNumbers.isAbsent($0.span) }
    return switch text.map({ CSVTime.read($0.span, order: nil, isDate: true) }) {
    case .date, .moment, .ambiguous: true
    default: false
    }
  }

  /// Whether a row is as wide as the heading and has no numbers.
  private static func isNames(_ row: CSVLayout.Row, _ parsed: [CSVHeading?]) -> Bool {
    row.fields.count == parsed.count && units(in: row, parsed) == nil
      && row.fields.allSatisfy { DecimalReading.read(Array($0.utf8).span) == nil }
  }

  /// Whether a row numbers the columns from 1.
  private static func isNumbering(_ row: CSVLayout.Row, _ width: Int) -> Bool {
    width > 3 && row.fields == (1...width).map(String.init)
  }

  /// Returns the names of the sources in a row such as `100: gps,calc,200: obd`, or no names for other rows.
  private static func sourceNames(in row: CSVLayout.Row) -> [String] {
    guard row.fields.contains(where: { $0.prefixMatch(of: /[0-9]+: [a-z]/) != nil }),
      row.fields.allSatisfy({ DecimalReading.read(Array($0.utf8).span) == nil })
    else { return [] }
    return row.fields.map { $0.split(separator: " ").last.map(String.init) ?? "" }
  }

  /// The fields of a row, if they are units of the columns: no field is a number, and either the position
  /// columns contain angle units, or they are empty and each field below a known heading is a suitable unit.
  private static func units(in row: CSVLayout.Row, _ parsed: [CSVHeading?]) -> [String]? {
    guard row.fields.allSatisfy({ DecimalReading.read(Array($0.utf8).span) == nil }) else { return nil }
    var coordinates = 0
    var units = 0
    var others = 0
    for (column, heading) in parsed.enumerated() {
      guard let heading, column < row.fields.count, !row.fields[column].isEmpty else { continue }
      let isCoordinate = heading.meaning == .latitude || heading.meaning == .longitude
      let (outside, inside) = CSVHeading.words(of: row.fields[column])
      let unit = heading.meaning.quantity.flatMap { CSVUnit.named((outside + inside).joined(), for: $0) }
      if unit == nil, isCoordinate || heading.meaning == .position { return nil }
      if unit == nil { others += 1 } else if isCoordinate { coordinates += 1 } else { units += 1 }
    }
    if coordinates > 1 { return row.fields }
    return coordinates == 0 && units > 0 && others == 0 ? row.fields : nil
  }

  /// Returns the unit of a column of times, or nil if it states none.
  func timeUnit(_ column: CSVLayout.Column) -> CSVUnit? {
    guard column.unit.isOwn else { return column.unit }
    let (outside, inside) = CSVHeading.words(of: unitHeadings[column.index])
    return (outside + inside).compactMap { CSVUnit.named($0, for: .time) }.first { !$0.isOwn }
  }

  /// Whether the table has engine channels, so that water temperature means coolant temperature.
  var hasEngine: Bool {
    isFromEngineLogger
      || headings.contains { heading in
        CSVHeading.words(of: heading).outside.contains {
          ["rpm", "engine", "exhaust", "throttle", "coolant", "oil"].contains($0)
        }
      }
  }

  private static func isHeading(
    _ headings: [String], _ parsed: [CSVHeading?], _ said: CSVColumns, _ above: ArraySlice<CSVLayout.Row>,
    values: ArraySlice<CSVLayout.Row>
  ) -> Bool {
    var known = Set(parsed.compactMap { $0?.meaning })
    for assignment in said.assignments {
      switch assignment.reference {
      case .heading(let name):
        guard headings.contains(where: { $0.lowercased() == name }) else { return false }
        known.insert(assignment.meaning)
      case .number(let number):
        // Specified numbers complete a heading row, and identify one by the first position below it.
        guard number <= headings.count else { return false }
        func isPosition(_ row: CSVLayout.Row) -> Bool { row.holds(assignment.meaning, at: number - 1) }
        if !CSVNumbers.isAbsent(Array(headings[number - 1].utf8).span),
          !assignment.meaning.reads(headings[number - 1]),
          parsed.contains(where: { $0 != nil })
            || values.prefix(3).contains(where: isPosition) && !above.contains(where: isPosition)
        {
          known.insert(assignment.meaning)
        }
      }
    }
    if known.contains(.latitude), known.contains(.longitude) {
      // x and y can be values, so the fields below them must be numbers.
      guard let index = headings.firstIndex(where: { $0.lowercased() == "x" }) else { return true }
      let isNamed = parsed.indices.contains { $0 != index && parsed[$0]?.meaning == .longitude }
      return isNamed || !said.assignments.isEmpty
        || values.contains { row in
          index < row.fields.count && Double(row.fields[index].replacing(",", with: ".")) != nil
        }
    }
    // "Position" is ambiguous, so its values must be positions.
    guard let index = parsed.firstIndex(where: { $0?.meaning == .position }) else {
      return known.contains(.position)
    }
    return values.contains { row in
      index < row.fields.count && CSVNumbers.position(Array(row.fields[index].utf8).span) != nil
    }
  }

  /// Returns the rows of values up to another heading.
  func values(in rows: [CSVLayout.Row]) -> [CSVLayout.Row] {
    let type = logger?.recordType
    return Array(
      rows.dropFirst(rowsToSkip).filter { !$0.isComment && (type == nil || $0.fields.first == type) }
        .prefix { !isRepeated(in: $0) })
  }

  /// Whether a row is this or another heading, which loggers write when they start again.
  private func isRepeated(in row: CSVLayout.Row) -> Bool {
    guard let column = parsed.firstIndex(where: { $0?.meaning == .latitude || $0?.meaning == .position }),
      column < row.fields.count, row.fields[column].first?.isLetter == true
    else { return false }
    return CSVHeadingRow(in: [row], CSVColumns()) != nil
  }

  /// Whether this result is better than that of another separator.
  func isBetter(than other: CSVHeadingRow) -> Bool {
    if isComment != other.isComment { return other.isComment }
    if row != other.row { return row < other.row }
    return parsed.count { $0 != nil } > other.parsed.count { $0 != nil }
  }

  /// The order of the dates, if a heading specifies it or the logger is known.
  var dateOrder: CSVDateOrder? { parsed.lazy.compactMap { $0?.dateOrder }.first ?? logger?.dateOrder }

  var logger: CSVLogger? { CSVLogger.named(by: headings) }

  /// Whether the heading of a time column contains UTC.
  func isUTC(_ columns: [CSVLayout.Column]) -> Bool {
    columns.contains { column in
      [.time, .date, .timeOfDay].contains(column.meaning) && column.index < parsed.count
        && parsed[column.index]?.isUTC == true
    }
  }
}
