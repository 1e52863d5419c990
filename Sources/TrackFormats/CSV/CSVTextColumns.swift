import TrackModel

/// The text columns of a table, which are empty in most rows.
struct CSVTextColumns {
  private var columns: [(meaning: CSVColumnRole, index: Int)] = []

  mutating func add(_ meaning: CSVColumnRole, _ index: Int) { columns.append((meaning, index)) }

  /// Whether the current row has any text.
  func areAny(in records: borrowing CSVRecords) -> Bool {
    columns.contains { !records.isEmpty($0.index) }
  }

  /// The details of the current row.
  func details(_ records: borrowing CSVRecords) -> PointDetails {
    var details = PointDetails()
    for (meaning, index) in columns where !records.isEmpty(index) {
      let text = records.text(of: index)
      switch meaning {
      case .name: details.name = text
      case .comment: details.comment = text
      case .description: details.description = text
      case .source: details.source = text
      case .symbol: details.symbol = text
      case .type: details.type = text
      case .fix: details.fix = CSVTextColumns.fix(text)
      case .differentialStation: details.differentialStation = Int(text)
      case .link: details.links = [TrackLink(address: text)]
      default: break
      }
    }
    return details
  }

  /// Returns the kind of fix for `2` and `3`, as receivers number them, or else the text.
  private static func fix(_ text: String) -> String { text == "2" || text == "3" ? text + "d" : text }
}
