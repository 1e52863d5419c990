import TrackModel

/// Finds the columns of a table without a heading: the specified columns, or columns whose numbers look like
/// degrees.
struct CSVGuess {
  /// The columns by number.
  let columns: CSVColumns
  /// The index of the first row of values.
  let row: Int

  /// - Parameter rows: the first rows of the file.
  init?(_ rows: [CSVLayout.Row], _ said: CSVColumns) {
    let first = rows.firstIndex { row in
      !row.isComment && row.fields.count > 1 && !CSVGuess.isSeparatorHint(row)
    }
    guard let first else { return nil }
    row = first
    let values = rows[first...].filter { !$0.isComment && $0.fields.contains { !$0.isEmpty } }
    guard said.assignments.isEmpty else {
      columns = said
      guard CSVGuess.fits(said, values) else { return nil }
      return
    }
    guard let columns = CSVGuess.guess(values) else { return nil }
    self.columns = CSVColumns(columns)
  }

  private static func isSeparatorHint(_ row: CSVLayout.Row) -> Bool {
    row.fields.first?.lowercased().hasPrefix("sep=") == true
  }

  /// Whether the specified columns contain a position in at least one row.
  private static func fits(_ said: CSVColumns, _ values: [CSVLayout.Row]) -> Bool {
    var columns: [(meaning: CSVColumnRole, index: Int)] = []
    for assignment in said.assignments {
      guard case .number(let number) = assignment.reference else { return false }
      columns.append((assignment.meaning, number - 1))
    }
    let meanings = Set(columns.map(\.meaning))
    return (meanings.isSuperset(of: [.latitude, .longitude]) || meanings.contains(.position))
      && values.contains { row in columns.allSatisfy { row.holds($0.meaning, at: $0.index) } }
  }

  /// Returns the first two adjacent columns whose values are all degrees with decimals, latitude first unless
  /// the values rule it out, and the first column of times.
  private static func guess(_ values: [CSVLayout.Row]) -> [CSVColumns.Assignment]? {
    let sample = Array(values.prefix(50))
    guard let width = sample.map(\.fields.count).min(), width >= 2 else { return nil }
    var numbers = CSVNumbers(usesDecimalComma: false)
    /// Returns the largest magnitude in a column of degrees, or `nil` for other columns.
    func magnitude(_ index: Int) -> Double? {
      var largest = 0.0
      var hasDecimals = false
      for row in sample {
        let bytes = Array(row.fields[index].utf8)
        guard let value = numbers.degrees(bytes.span, isLatitude: true), abs(value) <= 180 else { return nil }
        hasDecimals = hasDecimals || numbers.decimals(of: bytes.span) >= 3
        largest = max(largest, abs(value))
      }
      return hasDecimals ? largest : nil
    }
    let magnitudes = (0..<width).map(magnitude)
    for index in 0..<(width - 1) {
      guard let first = magnitudes[index], let second = magnitudes[index + 1], min(first, second) <= 90 else {
        continue
      }
      let isLatitudeFirst = first <= 90
      var columns = [
        column(index, isLatitudeFirst ? .latitude : .longitude),
        column(index + 1, isLatitudeFirst ? .longitude : .latitude),
      ]
      let time = (0..<width).first { other in
        other != index && other != index + 1 && sample.allSatisfy { isMoment($0.fields[other], &numbers) }
      }
      if let time { columns.append(column(time, .time)) }
      return columns
    }
    return nil
  }

  private static func column(_ index: Int, _ meaning: CSVColumnRole) -> CSVColumns.Assignment {
    CSVColumns.Assignment(meaning: meaning, reference: .number(index + 1), unit: nil)
  }

  private static func isMoment(_ text: String, _ numbers: inout CSVNumbers) -> Bool {
    let bytes = Array(text.utf8)
    let time: CSVTime =
      if let number = numbers.read(bytes.span) {
        CSVTime.read(number: number, decimals: numbers.decimals(of: bytes.span), allowsSerial: false)
      } else {
        CSVTime.read(bytes.span, order: .dmy)
      }
    if case .moment = time { return true }
    return false
  }
}
