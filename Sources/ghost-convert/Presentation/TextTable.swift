import TrackModel

/// A text table whose columns are as wide as their longest cell, separated by two spaces.
struct TextTable {
  /// The alignment of a column's cells.
  enum Alignment { case left, right }

  private let alignments: [Alignment]
  private var rows: [[String]]

  /// Creates a table.
  ///
  /// - Parameter header: A heading per column.
  init(_ header: [(String, Alignment)]) {
    alignments = header.map(\.1)
    rows = [header.map(\.0)]
  }

  /// Adds a row.
  ///
  /// - Parameter cells: one cell per column.
  mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The lines, indented by two spaces, without trailing spaces.
  var lines: [String] {
    let cells = rows.map { $0.map(Diagnostic.singleLine) }
    let widths = alignments.indices.map { column in
      cells.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return cells.map { row in
      var line = ""
      for (column, cell) in row.enumerated() where column < alignments.count {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += "  " + (alignments[column] == .left ? cell + padding : padding + cell)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
