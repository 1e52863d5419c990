import GhostExport
import GhostModel
import Testing

@testable import TestSupport

struct CSVExportTests {
  @Test("Each position is a row with the number of its stretch")
  func rows() throws {
    let lines = try ComparisonOutput.csv.text(try Race.document()).split(separator: "\n")
    #expect(
      lines[0]
        == "first,second,stretch,latitude,longitude,time,distance_m,first_elapsed_s,second_elapsed_s,gap_s,ahead"
    )
    // Six positions up to the divergence, and eleven after it, one of them twice.
    #expect(lines.count == 1 + 6 + 12)
    #expect(lines[1] == "\"Tuesday <&>\"\" 🚗\",Thursday,1,50,8,2000-01-01T12:00:00Z,0,0,60,0,")
    #expect(
      lines[2]
        == "\"Tuesday <&>\"\" 🚗\",Thursday,1,50,8.001,2000-01-01T12:00:10Z,71.7,10,69,-1,Thursday")
    #expect(
      lines[7]
        == "\"Tuesday <&>\"\" 🚗\",Thursday,2,50,8.01,2000-01-01T12:01:40Z,717,100,180,20,\"Tuesday <&>\"\" 🚗\""
    )
  }

  @Test("The rows contain every pair")
  func pairs() throws {
    let lines = try ComparisonOutput.csv.text(try LongDrive.document(points: 10, drives: 3)).split(
      separator: "\n")
    #expect(lines.count == 1 + 2 * 10)
    #expect(lines[11].hasPrefix("\"Drive 1 <&>\"\"' 🏁\",\"Drive 3 <&>"))
  }

  @Test("Labels with commas and line feeds are quoted")
  func quoting() throws {
    var document = try Race.document()
    document.comparison.drives[0].label = "a, b"
    document.comparison.drives[1].label = "c\nd"
    let text = try ComparisonOutput.csv.text(document)
    #expect(text.contains("\n\"a, b\",\"c\nd\",1,50,8,"))
    // An escape sequence would change the terminal in which the table is printed.
    document.comparison.drives[1].label = "\u{1B}[31mred"
    #expect(try ComparisonOutput.csv.text(document).contains(",\u{FFFD}[31mred,1,50,8,"))
  }

  @Test("On request, labels that spreadsheets run as formulas begin with an apostrophe")
  func formulas() throws {
    var document = try Race.document()
    document.comparison.drives[0].label = "=1+1"
    document.comparison.drives[1].label = "-1"
    #expect(try ComparisonOutput.csv.text(document).contains("\n=1+1,-1,1,50,8,"))
    let text = try ComparisonOutput.csv.text(document, ExportOptions(quotesFormulas: true))
    // A number is not a formula.
    #expect(text.contains("\n'=1+1,-1,1,50,8,"))
  }

  @Test("GDAL reads the same number of positions", .enabled(if: OtherProgram.ogrinfo.isInstalled))
  func gdal() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(try ComparisonOutput.csv.bytes(try Race.document()), to: "race.csv")
    let report = try OtherProgram.ogrinfo.printed([
      "-ro", "-al", "-so", file, "-oo", "X_POSSIBLE_NAMES=longitude", "-oo", "Y_POSSIBLE_NAMES=latitude",
    ])
    #expect(report.contains("Geometry: Point"))
    #expect(report.contains("Feature Count: 18"))
    #expect(report.contains("Extent: (8.000000, 50.000000) - (8.020000, 50.000000)"))
  }

  @Test("GPSBabel reads positions and times", .enabled(if: OtherProgram.gpsbabel.isInstalled))
  func gpsbabel() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(try ComparisonOutput.csv.bytes(try Race.document()), to: "race.csv")
    let rows = try GPSBabel.rows(file, format: "unicsv,utc=0", points: .waypoints)
    #expect(rows.count == 18)
    #expect(rows.first == "50.000000 8.000000 2000/01/01 12:00:00")
    #expect(rows.last == "50.000000 8.020000 2000/01/01 12:03:40")
  }
}
