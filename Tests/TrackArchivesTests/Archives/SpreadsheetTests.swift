import Testing

@testable import TestSupport

@Suite("Spreadsheets")
struct SpreadsheetTests {
  private static func sheet(_ strings: String) -> [UInt8] {
    InputWalkTests.zip(
      ("[Content_Types].xml", Array("<Types/>".utf8)), ("xl/workbook.xml", Array("<workbook/>".utf8)),
      ("xl/sharedStrings.xml", Array("<sst><si><t>\(strings)</t></si></sst>".utf8)))
  }

  private static func openDocument(_ cells: String) -> [UInt8] {
    InputWalkTests.zip(
      ("mimetype", Array("application/vnd.oasis.opendocument.spreadsheet".utf8)),
      ("content.xml", Array("<table>\(cells)</table>".utf8)))
  }

  @Test("A spreadsheet that the user named is an error, with or without positions")
  func named() throws {
    #expect(try InputWalkTests.steps("a.xlsx", Self.sheet("Rent")) == ["!a.xlsx unsupported"])
    #expect(try InputWalkTests.steps("a.ods", Self.openDocument("")) == ["!a.ods unsupported"])
  }

  @Test("A spreadsheet among other files is an error only if it has headings of positions")
  func amongOthers() throws {
    let bytes = InputWalkTests.zip(
      ("positions.xlsx", Self.sheet("Latitude")), ("budget.xlsx", Self.sheet("Rent")),
      ("map.ods", Self.openDocument("<p>lat</p><p>lon</p>")), ("flat.ods", Self.openDocument("<p>lat</p>")))
    #expect(
      try InputWalkTests.steps("x.zip", bytes) == [
        ">x.zip zip", "!x.zip/positions.xlsx unsupported", "-x.zip/budget.xlsx no-track-file",
        "!x.zip/map.ods unsupported", "-x.zip/flat.ods no-track-file",
      ])
  }
}
