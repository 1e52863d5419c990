import TrackModel

/// A text table whose columns are as wide as their longest cell, separated by two spaces.
package struct TextTable {
  /// The alignment of a column's cells.
  package enum Alignment { case left, right }

  private let alignments: [Alignment]
  private var rows: [[String]]
  /// The indices of the rows with one cell across all columns.
  private var headings: Set<Int> = []

  /// Creates a table.
  ///
  /// - Parameter header: A heading per column.
  package init(_ header: [(String, Alignment)]) {
    alignments = header.map(\.1)
    rows = [header.map(\.0)]
  }

  /// Adds a row.
  ///
  /// - Parameter cells: one cell per column.
  package mutating func add(_ cells: [String]) { rows.append(cells) }

  /// Adds a row with one cell across all columns.
  package mutating func add(heading: String) {
    headings.insert(rows.count)
    rows.append([heading])
  }

  /// The lines, indented by two spaces, without trailing spaces.
  package var lines: [String] {
    let cells = rows.map { $0.map(Diagnostic.singleLine) }
    let widths = alignments.indices.map { column in
      cells.enumerated().map { headings.contains($0) || column >= $1.count ? 0 : $1[column].count }.max() ?? 0
    }
    return cells.enumerated().map { index, row in
      if headings.contains(index) { return "  " + row[0] }
      var line = ""
      for (column, cell) in row.enumerated() where column < alignments.count {
        let width = widths[column]
        line += "  " + (alignments[column] == .left ? cell.padded(to: width) : cell.rightAligned(in: width))
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

extension String {
  /// Returns the text with spaces after it, up to a width in characters.
  package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }

  /// Returns the text with spaces or other characters before it, up to a width in characters.
  package func rightAligned(in width: Int, filledWith filler: String = " ") -> String {
    String(repeating: filler, count: max(width - count, 0)) + self
  }
}
