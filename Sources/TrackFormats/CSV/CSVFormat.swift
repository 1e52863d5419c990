extension TrackFormat {
  /// Tables with a heading that names the columns. Commas, semicolons, tabs and vertical bars separate
  /// fields. Read; written with commas.
  public static let csv = TrackFormat(
    name: "csv", title: "CSV: tables with columns identified by their headings",
    fileExtensions: ["csv"],
    recognizes: { opening in
      // Parsing the rows is slow, so the quick checks precede it.
      !opening.isMarkup && !opening.isJSON && CSVLayout.isTable(opening.bytes)
        && UnsupportedFormat(content: opening) == nil
    },
    reading: { input, options in CSVReader(input, options: options) },
    writing: { CSVWriter($0) })

  /// CSV with tabs between fields. Tables are always recognised as ``csv``, regardless of the separator.
  public static let tsv = TrackFormat(
    name: "tsv", title: "TSV: CSV with tabs", fileExtensions: ["tsv", "tab"], recognizes: { _ in false },
    reading: { input, options in CSVReader(input, options: options) },
    writing: { CSVWriter($0, separator: .tab) })
}

extension FileOpening {
  /// Whether the bytes are a table with a complete heading and a complete row.
  var holdsRowOfTable: Bool {
    guard let end = bytes.lastIndex(of: 0x0A), bytes.count(where: { $0 == 0x0A }) > 1, rootElement == nil,
      bytes.first != UInt8(ascii: "{"), bytes.first != UInt8(ascii: "[")
    else { return false }
    return CSVLayout.isTable(Array(bytes[...end]))
  }
}
