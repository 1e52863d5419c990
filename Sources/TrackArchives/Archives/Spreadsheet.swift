import TrackFormats
import TrackModel

/// A spreadsheet in a ZIP: Office Open XML (XLSX) or OpenDocument (ODS). Not supported.
struct Spreadsheet {
  private let origin: ArchiveOrigin
  private let budget: ArchiveBudget

  /// The number of bytes of each part that are searched for headings.
  private static let searchLimit = 1 << 20

  /// - Parameter names: the entries of the archive.
  /// - Returns: `nil` if the archive is not a spreadsheet.
  init?(_ names: [String], _ origin: ArchiveOrigin, _ budget: ArchiveBudget) {
    guard names.contains("xl/workbook.xml") || names.contains("content.xml") && names.contains("mimetype")
    else {
      return nil
    }
    self.origin = origin
    self.budget = budget
  }

  var error: TrackError {
    TrackError(
      .unsupported, "spreadsheets are not supported",
      suggestion: .text("save the sheet with the positions as CSV")
    )
  }

  /// Whether the spreadsheet has headings of positions.
  var hasPositions: Bool {
    guard let reader = try? origin.open(.archives, budget.renewed()) else { return false }
    while let entry = try? reader.nextEntry() {
      let isText = entry.name == "content.xml" || entry.name == "xl/sharedStrings.xml"
      guard isText || entry.name.hasPrefix("xl/worksheets/"), (try? reader.check(entry)) != nil else {
        continue
      }
      var input = ByteInput(stream: reader, name: nil)
      while input.available.count < Self.searchLimit, (try? input.fill()) == true {}
      let text = String(decoding: input.available.extracting(first: Self.searchLimit).array, as: UTF8.self)
        .lowercased()
      if text.contains("latitude") || text.contains(">lat<") && text.contains(">lon") { return true }
    }
    return false
  }
}
