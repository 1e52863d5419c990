extension TrackFormat {
  public static let csv = TrackFormat(
    name: "csv", title: "CSV: tables with a column for each quantity, found by its heading",
    fileExtensions: ["csv"],
    recognizes: { CSVLayout.isTable($0.bytes) && !$0.isJSON && UnsupportedFormat(content: $0) == nil },
    reading: { input, options in CSVReader(input, options: options) },
    writing: { CSVWriter($0) })

  /// The same with tabs between the fields; a table is recognised as ``csv`` whatever separates its fields.
  public static let tsv = TrackFormat(
    name: "tsv", title: "TSV: the same with tabs", fileExtensions: ["tsv", "tab"], recognizes: { _ in false },
    reading: { input, options in CSVReader(input, options: options) },
    writing: { CSVWriter($0, separator: .tab) })
}

extension FileOpening {
  /// Whether it is a table of which a heading and a row have arrived whole.
  var holdsRowOfTable: Bool {
    guard let end = bytes.lastIndex(of: 0x0A), bytes.count(where: { $0 == 0x0A }) > 1, rootElement == nil,
      bytes.first != UInt8(ascii: "{"), bytes.first != UInt8(ascii: "[")
    else { return false }
    return CSVLayout.isTable(Array(bytes[...end]))
  }
}
