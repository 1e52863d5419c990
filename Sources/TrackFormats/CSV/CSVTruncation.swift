/// Recognizes a last row that is cut off: inside quotes, with fewer values than all previous rows, or with a
/// last value that is shorter than in them.
struct CSVTruncation {
  /// Whether a previous row has fewer values than columns.
  private var isRagged = false
  /// The number of rows, and the length of the shortest last value in them.
  private var rows = 0
  private var shortestLast = Int.max

  /// The number of rows after which an even shorter value at the end of the file is a cut one.
  private static let comparableRows = 32

  /// Whether the current row is cut off. Called once for each row.
  ///
  /// - Parameters:
  ///   - width: the number of columns, or nil if it is unknown.
  ///   - hasPoint: whether there is a point before the row.
  mutating func isFound(in records: borrowing CSVRecords, width: Int?, hasPoint: Bool) -> Bool {
    let lastLength = records.bytes(of: records.count - 1).count
    let isShort = width.map { records.count < $0 } ?? false
    defer {
      shortestLast = min(shortestLast, lastLength)
      rows += 1
      isRagged = isRagged || isShort
    }
    guard !records.isClosed else { return false }
    let isLastShort = rows >= Self.comparableRows && lastLength < shortestLast && records.count == width
    return records.isCut || (isShort || isLastShort) && !isRagged && hasPoint
  }
}
