import TrackModel

/// Finds the columns of a table without a heading: the specified columns, or columns whose numbers look like
/// degrees.
struct CSVGuess {
  let columns: [CSVLayout.Column]
  let unsupportedContent: [String]
  let rowsToSkip: Int

  /// - Parameter rows: the first rows of the file.
  init?(_ rows: [CSVLayout.Row], _ said: CSVColumns) {
    let first = rows.firstIndex { row in
      !row.isComment && row.fields.count > 1 && !CSVGuess.isSeparatorHint(row)
    }
    guard let first else { return nil }
    let values = rows[first...].filter { !$0.isComment && $0.fields.contains { !$0.isEmpty } }
    let columns = said.assignments.isEmpty ? CSVGuess.guess(values) : CSVGuess.columns(said, values)
    guard let columns else { return nil }
    self.columns = columns.sorted { $0.index < $1.index }
    let width = values.map(\.fields.count).max() ?? 0
    unsupportedContent = (0..<width).filter { index in
      !columns.contains { $0.index == index }
        && values.contains { index < $0.fields.count && !$0.fields[index].isEmpty }
    }.map { "column \($0 + 1)" }
    rowsToSkip = first
  }

  private static func isSeparatorHint(_ row: CSVLayout.Row) -> Bool {
    row.fields.first?.lowercased().hasPrefix("sep=") == true
  }

  /// Returns the specified columns if they contain positions in at least one row.
  private static func columns(_ said: CSVColumns, _ values: [CSVLayout.Row]) -> [CSVLayout.Column]? {
    var columns: [CSVLayout.Column] = []
    for assignment in said.assignments {
      guard case .number(let number) = assignment.reference else { return nil }
      columns.append(
        CSVLayout.Column(
          index: number - 1, meaning: assignment.meaning, unit: assignment.unit ?? .own,
          heading: "column \(number)"))
    }
    func reads(_ meaning: CSVColumnRole, _ isReadable: (Span<UInt8>) -> Bool) -> Bool {
      guard let column = columns.first(where: { $0.meaning == meaning }) else { return false }
      return values.contains { row in
        column.index < row.fields.count && isReadable(Array(row.fields[column.index].utf8).span)
      }
    }
    var numbers = CSVNumbers(usesDecimalComma: false)
    let hasBoth =
      reads(.latitude) { numbers.degrees($0, isLatitude: true) != nil }
      && reads(.longitude) { numbers.degrees($0, isLatitude: false) != nil }
    return hasBoth || reads(.position) { CSVNumbers.position($0) != nil } ? columns : nil
  }

  /// Returns the first two adjacent columns whose values are all degrees with decimals, latitude first unless
  /// the values rule it out, and the first column of times.
  private static func guess(_ values: [CSVLayout.Row]) -> [CSVLayout.Column]? {
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

  private static func column(_ index: Int, _ meaning: CSVColumnRole) -> CSVLayout.Column {
    CSVLayout.Column(index: index, meaning: meaning, unit: .own, heading: "column \(index + 1)")
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
