import TrackModel

/// The table `activities.csv` of a Strava export, in whatever language and with whatever number of columns.
///
/// The headings are translated, some come twice, and every few months there are more of them; what holds is where
/// the first columns stand and what is in them: identifier, date, name, type, description, seconds. The file is in
/// the column whose cells begin with `activities/`, and the gear in the one before.
struct StravaActivities {
  /// A row of the table.
  struct Activity {
    /// The line of the table on which it begins, from 1.
    var line: Int
    var date: String
    var notes: ActivityNotes
    /// Relative to the folder of the table; empty for one that was entered by hand.
    var file: String
  }

  /// In the order of the table.
  private(set) var activities: [Activity] = []

  private static let folder = "activities/"
  /// What stands in place of a file that Strava has lost.
  static let lostFile = "#error#"

  /// - Returns: nil for another table.
  init?(_ bytes: [UInt8]) {
    guard let fileColumn = StravaActivities.fileColumn(bytes) else { return nil }
    var rows: [(line: Int, cells: [String], gear: String, file: String)] = []
    StravaActivities.read(bytes) { records in
      guard StravaActivities.isIdentifier(records.bytes(of: 0)) else { return }
      rows.append(
        (
          records.line, (0..<6).map { records.text(of: $0) }, records.text(of: fileColumn - 1),
          records.text(of: fileColumn)
        ))
    }
    guard !rows.isEmpty else { return nil }
    let dates = StravaDates(column: rows.map { $0.cells[1] })
    for row in rows {
      var notes = ActivityNotes()
      notes.name = StravaActivities.value(row.cells[2])
      notes.type = StravaActivities.value(row.cells[3])
      notes.description = StravaActivities.value(row.cells[4])
      notes.gear = StravaActivities.value(row.gear)
      if let start = dates.instant(row.cells[1]),
        let seconds = DecimalReading.read(Array(row.cells[5].utf8).span),
        seconds > 0, seconds < 1e9
      {
        notes.timeSpan = TimeSpan(
          begin: start, end: Instant(microseconds: start.microseconds + Int64(seconds * 1e6)))
      }
      activities.append(Activity(line: row.line, date: row.cells[1], notes: notes, file: row.file))
    }
  }

  /// The column with the files: the one in which most cells are names of files; where no row has one, the one whose
  /// heading says so.
  private static func fileColumn(_ bytes: [UInt8]) -> Int? {
    var counts: [Int] = []
    var named: Int?
    var isHeading = true
    read(bytes) { records in
      while counts.count < records.count { counts.append(0) }
      for column in 6..<max(records.count, 6) {
        if isHeading, records.text(of: column).lowercased() == "filename" { named = named ?? column }
        if begins(records.bytes(of: column), folder) || begins(records.bytes(of: column), lostFile) {
          counts[column] += 1
        }
      }
      isHeading = false
    }
    guard let most = counts.max(), most > 0 else { return named }
    return counts.firstIndex(of: most)
  }

  private static func read(_ bytes: [UInt8], _ body: (borrowing CSVRecords) -> Void) {
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var records = CSVRecords(ByteInput(bytes: Array(bytes[mark...])), separator: UInt8(ascii: ","))
    // A row without an end ends the table; the rows before it stay.
    while (try? records.next()) == true { body(records) }
  }

  private static func begins(_ cell: Span<UInt8>, _ text: String) -> Bool {
    guard cell.count >= text.utf8.count else { return false }
    for (index, byte) in text.utf8.enumerated() where cell[index] != byte { return false }
    return true
  }

  private static func isIdentifier(_ cell: Span<UInt8>) -> Bool {
    guard !cell.isEmpty else { return false }
    for index in cell.indices where !(48...57).contains(cell[index]) { return false }
    return true
  }

  /// A cell's text; nil for a blank one.
  private static func value(_ text: String) -> String? { text.allSatisfy(\.isWhitespace) ? nil : text }
}
