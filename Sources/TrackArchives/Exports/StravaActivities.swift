import TrackFormats
import TrackModel

/// The table `activities.csv` of a Strava export, in any language and with any number of columns.
///
/// Headings are translated, some occur twice, and columns are added over time. Only the first columns are
/// stable: identifier, date, name, type, description, seconds. The file is in the column whose cells start
/// with `activities/`, and the gear in the column before it, unless that has a different English heading.
///
/// Tables have hundreds of thousands of rows: the cells are kept as bytes, and a row is decoded when it is
/// used.
struct StravaActivities: RandomAccessCollection, Sendable {
  /// A row of the table, decoded property by property.
  struct Activity {
    fileprivate let table: StravaActivities
    fileprivate let index: Int

    /// The line at which the row starts, from 1.
    var line: Int { Int(table.rows[index].line) }
    var name: String? { table.value(index, .name) }
    var date: String { table.text(index, .date) }
    /// The path relative to the folder of the table. Empty for a manual entry.
    var file: String { table.text(index, .file) }
    /// Whether the row has an unclosed quote, so that its cells may be in other columns.
    var hasUnclosedQuote: Bool { table.rows[index].hasUnclosedQuote }
    /// Whether the table ends inside the row.
    var isTruncated: Bool { table.isTruncated && index == table.rows.count - 1 }

    var notes: ActivityNotes {
      var notes = ActivityNotes()
      notes.name = name
      notes.type = table.value(index, .type)
      notes.description = table.value(index, .description)
      notes.gear = table.value(index, .gear)
      let duration = table.rows[index].duration
      if duration > 0, duration < 1e9, let start = table.dates.instant(date) {
        let end = start.microseconds + Int64(duration * 1e6)
        notes.timeSpan = TimeSpan(begin: start, end: Instant(microseconds: end))
      }
      return notes
    }
  }

  /// The place of a row's cells in ``cells``, in the order of ``Cell``, one after another.
  private struct Row {
    var line: Int32
    var hasUnclosedQuote: Bool
    var duration: Double
    var start: UInt32
    var lengths: InlineArray<6, UInt32>
  }

  private enum Cell: Int { case date, name, type, description, gear, file }

  private var rows: [Row] = []
  private var cells: [UInt8] = []
  /// Whether the table ends inside its last row.
  private var isTruncated = false
  /// The rows with a file, by its name and then by row.
  private var byFile: [Int32] = []
  private var dates = StravaDates(column: EmptyCollection<String>())

  private static let folder = "activities/"
  /// The placeholder for a file that Strava has lost.
  static let lostFile = "#error#"

  var startIndex: Int { 0 }
  var endIndex: Int { rows.count }

  subscript(index: Int) -> Activity { Activity(table: self, index: index) }

  /// The first row with a file.
  ///
  /// - Complexity: O(log *n*).
  func row(of file: String) -> Int? {
    let name = Array(file.utf8)
    let place = byFile.partitionIndex { !bytes(Int($0), .file).lexicographicallyPrecedes(name) }
    guard place < byFile.count, bytes(Int(byFile[place]), .file).elementsEqual(name) else { return nil }
    return Int(byFile[place])
  }

  private func bytes(_ index: Int, _ cell: Cell) -> ArraySlice<UInt8> {
    let row = rows[index]
    var start = Int(row.start)
    for before in 0..<cell.rawValue { start += Int(row.lengths[before]) }
    return cells[start..<(start + Int(row.lengths[cell.rawValue]))]
  }

  private func text(_ index: Int, _ cell: Cell) -> String {
    String(decoding: bytes(index, cell), as: UTF8.self)
  }

  /// Returns a cell's text, or `nil` if it is blank.
  private func value(_ index: Int, _ cell: Cell) -> String? {
    let text = text(index, cell)
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }

  // MARK: Reading

  /// - Returns: `nil` for other tables.
  init?(_ bytes: [UInt8]) {
    // Spreadsheet programs may have changed the separator.
    for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")] {
      self.init(bytes, separator)
      if !isEmpty { return }
    }
    return nil
  }

  private init(_ bytes: [UInt8], _ separator: UInt8) {
    guard let fileColumn = StravaActivities.fileColumn(bytes, separator) else { return }
    let gearColumn = StravaActivities.gearColumn(bytes, separator, before: fileColumn)
    // Memory that is reserved but not used costs nothing; growing would hold two copies.
    cells.reserveCapacity(bytes.count)
    rows.reserveCapacity(bytes.count / 40)
    var columns = 0
    StravaActivities.read(bytes, separator) { records in
      columns = Swift.max(columns, records.count)
      isTruncated = records.count < columns && bytes.last != 0x0A && bytes.last != 0x0D
      guard StravaActivities.isIdentifier(records.bytes(of: 0)),
        let start = UInt32(exactly: cells.count), let line = Int32(exactly: records.line)
      else { return }
      let duration = DecimalReading.read(Array(records.text(of: 5).utf8).span)
      var row = Row(
        line: line, hasUnclosedQuote: records.hasUnclosedQuote || records.isCut, duration: duration ?? 0,
        start: start,
        lengths: InlineArray(repeating: 0))
      for (cell, column) in [1, 2, 3, 4, gearColumn, fileColumn].enumerated() {
        guard let column else { continue }
        let text = records.text(of: column)
        cells.append(contentsOf: text.utf8)
        row.lengths[cell] = UInt32(truncatingIfNeeded: text.utf8.count)
      }
      rows.append(row)
    }
    dates = StravaDates(column: rows.indices.lazy.map { [self] in text($0, .date) })
    byFile = rows.indices.lazy.filter { [rows] in rows[$0].lengths[Cell.file.rawValue] > 0 }.map(Int32.init)
    let table = self
    byFile.sort { first, second in
      let (left, right) = (table.bytes(Int(first), .file), table.bytes(Int(second), .file))
      if left.lexicographicallyPrecedes(right) { return true }
      return first < second && !right.lexicographicallyPrecedes(left)
    }
  }

  /// Returns the column in which most cells are file names, or else the one with a matching heading.
  private static func fileColumn(_ bytes: [UInt8], _ separator: UInt8) -> Int? {
    var counts: [Int] = []
    var named: Int?
    var isHeading = true
    read(bytes, separator) { records in
      while counts.count < records.count { counts.append(0) }
      for column in 6..<Swift.max(records.count, 6) {
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
    read(bytes, separator) { records in
      if isHeading, fileColumn < records.count, records.text(of: fileColumn).lowercased() == "filename" {
        isGear = records.text(of: fileColumn - 1).lowercased().contains("gear")
      }
      isHeading = false
    }
    return isGear && fileColumn > 5 ? fileColumn - 1 : nil
  }

  /// Reads all rows.
  private static func read(
    _ bytes: [UInt8], _ separator: UInt8, _ body: (borrowing CSVRecords) -> Void
  ) {
    let start = bytes.span.byteOrderMarkLength
    var limits = ReadingLimits()
    limits.rowSize = Swift.max(limits.rowSize, bytes.count)
    var records = CSVRecords(
      ByteInput(bytes: start == 0 ? bytes : Array(bytes[start...])), separator: separator, limits: limits)
    // Bytes in memory can be read, and no row is longer than the table.
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
}
