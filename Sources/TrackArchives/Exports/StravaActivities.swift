import TrackFormats
import TrackModel

/// The table `activities.csv` of a Strava export, in any language and with any number of columns.
///
/// Headings are translated, some occur twice, and columns are added over time. Only the first columns are
/// stable: identifier, date, name, type, description, seconds. The file is in the column whose cells start
/// with `activities/`, and the gear in the column before it, unless that has a different English heading.
struct StravaActivities {
  /// A row of the table.
  struct Activity {
    /// The line at which the row starts, from 1.
    var line: Int
    var date: String
    var notes: ActivityNotes
    /// The path relative to the folder of the table. Empty for a manual entry.
    var file: String
    /// Whether the row has an unclosed quote, so that only its beginning is known.
    var isCut = false
  }

  /// The rows in table order.
  private(set) var activities: [Activity] = []

  private static let folder = "activities/"
  /// The placeholder for a file that Strava has lost.
  static let lostFile = "#error#"

  /// - Returns: `nil` for other tables.
  init?(_ bytes: [UInt8]) {
    // Spreadsheet programs may have changed the separator.
    for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")] {
      self.init(bytes, separator)
      if !activities.isEmpty { return }
    }
    return nil
  }

  private init(_ bytes: [UInt8], _ separator: UInt8) {
    guard let fileColumn = StravaActivities.fileColumn(bytes, separator) else { return }
    let gearColumn = StravaActivities.gearColumn(bytes, separator, before: fileColumn)
    // Tables have hundreds of thousands of rows: each is kept once.
    var durations: [Double] = []
    StravaActivities.read(bytes, separator) { records, line in
      guard StravaActivities.isIdentifier(records.bytes(of: 0)) else { return }
      var notes = ActivityNotes()
      notes.name = StravaActivities.value(StravaActivities.text(records, 2))
      notes.type = StravaActivities.value(StravaActivities.text(records, 3))
      notes.description = StravaActivities.value(StravaActivities.text(records, 4))
      notes.gear = gearColumn.flatMap { StravaActivities.value(StravaActivities.text(records, $0)) }
      let duration = DecimalReading.read(Array(StravaActivities.text(records, 5).utf8).span)
      durations.append(duration ?? 0)
      activities.append(
        Activity(
          line: line, date: StravaActivities.text(records, 1), notes: notes,
          file: StravaActivities.text(records, fileColumn), isCut: StravaActivities.isBroken(records)))
    }
    let dates = StravaDates(column: activities.map(\.date))
    for index in activities.indices where durations[index] > 0 && durations[index] < 1e9 {
      guard let start = dates.instant(activities[index].date) else { continue }
      let end = start.microseconds + Int64(durations[index] * 1e6)
      activities[index].notes.timeSpan = TimeSpan(begin: start, end: Instant(microseconds: end))
    }
  }

  /// Returns the column in which most cells are file names, or else the one with a matching heading.
  private static func fileColumn(_ bytes: [UInt8], _ separator: UInt8) -> Int? {
    var counts: [Int] = []
    var named: Int?
    var isHeading = true
    read(bytes, separator) { records, _ in
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

  /// Returns the column with the gear, which is the one before the files, or `nil` if it has a different
  /// English heading.
  private static func gearColumn(_ bytes: [UInt8], _ separator: UInt8, before fileColumn: Int) -> Int? {
    var isGear = true
    var isHeading = true
    read(bytes, separator) { records, _ in
      if isHeading, fileColumn < records.count, records.text(of: fileColumn).lowercased() == "filename" {
        isGear = records.text(of: fileColumn - 1).lowercased().contains("gear")
      }
      isHeading = false
    }
    return isGear && fileColumn > 5 ? fileColumn - 1 : nil
  }

  /// Reads the rows with their first lines. After an unclosed quote, reading resumes at the next line.
  private static func read(
    _ bytes: [UInt8], _ separator: UInt8, _ body: (borrowing CSVRecords, _ line: Int) -> Void
  ) {
    var rest = bytes[(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)...]
    var linesBefore = 0
    // Limited, because a table with many such rows is invalid.
    for _ in 0..<100 {
      var records = CSVRecords(ByteInput(bytes: Array(rest)), separator: separator)
      var isBroken = false
      do throws(TrackError) {
        while try records.next() {
          body(records, linesBefore + records.line)
          isBroken = StravaActivities.isBroken(records)
          if isBroken { break }
        }
      } catch {
        isBroken = true
      }
      guard isBroken, let next = lines(records.line, in: rest) else { return }
      linesBefore += records.line
      rest = rest[next...]
    }
  }

  /// Returns the bytes after `count` lines, or `nil` if there are none.
  private static func lines(_ count: Int, in bytes: ArraySlice<UInt8>) -> Int? {
    var left = count
    var index = bytes.startIndex
    while left > 0 {
      guard let end = bytes[index...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return nil }
      index = end + 1
      if bytes[end] == 0x0D, index < bytes.endIndex, bytes[index] == 0x0A { index += 1 }
      left -= 1
    }
    return index < bytes.endIndex ? index : nil
  }

  /// Whether a quoted cell extends over the following rows.
  private static func isBroken(_ records: borrowing CSVRecords) -> Bool {
    records.isCut || records.hasTextBehindQuote && brokenColumn(records) != nil
  }

  /// The first column of more than one line.
  private static func brokenColumn(_ records: borrowing CSVRecords) -> Int? {
    for column in 0..<records.count where records.text(of: column).contains(where: \.isNewline) {
      return column
    }
    return nil
  }

  /// Returns a cell, or its first line for a broken row.
  private static func text(_ records: borrowing CSVRecords, _ column: Int) -> String {
    let text = records.text(of: column)
    guard isBroken(records), let broken = brokenColumn(records), column >= broken else { return text }
    return column == broken ? String(text.prefix { !$0.isNewline }) : ""
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

  /// Returns a cell's text, or `nil` if it is blank.
  private static func value(_ text: String) -> String? { text.allSatisfy(\.isWhitespace) ? nil : text }
}
