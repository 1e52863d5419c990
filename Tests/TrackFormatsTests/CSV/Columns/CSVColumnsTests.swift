import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

@Suite("CSV columns set by the user")
struct CSVColumnsTests {
  @Test(
    "Columns are selected by number or heading, with or without a unit",
    arguments: [
      ("lat=2,lon=3,time=1", "2024-05-01T10:00:00Z,47.5,8.25,36", "point 47.5 8.25 2024-05-01T10:00:00Z"),
      (
        "lat=2,lon=3,time=1,speed=4:km/h", "2024-05-01T10:00:00Z,47.5,8.25,36",
        "point 47.5 8.25 2024-05-01T10:00:00Z speed 10"
      ),
      ("latitude=1, longitude=2", "47.5,8.25", "point 47.5 8.25"),
      ("lat=a,lon=b,ele=c:ft", "a,b,c\n47.5,8.25,1000", "point 47.5 8.25 elevation 304.8"),
      ("lat=A,lon=B", "a,b,ele\n47.5,8.25,1000", "point 47.5 8.25 elevation 1000"),
      // Column numbers take precedence over headings.
      ("lat=2,lon=1", "lat,lon\n8.25,47.5", "point 47.5 8.25"),
      ("lat=2,lon=1,speed=3:kmh", "up,down,pace\n8.25,47.5,36", "point 47.5 8.25 speed 10"),
    ])
  func columns(_ said: String, _ text: String, _ expected: String) throws {
    #expect(try CSVTable.points(text, CSVColumns(parsing: said)) == [expected])
  }

  /// Tables of three columns without known headings.
  private static let unnamed = [
    "0.5,47.5,8.25\n1.5,47.6,8.25\n", "09:12:00.5,47.5,8.25\n09:12:01.5,47.6,8.25\n",
    "0:00:00.5,47.5,8.25\n0:00:01.5,47.6,8.25\n",
  ]

  @Test(
    "Numbers of columns are read like their headings, and like tables without a heading", arguments: unnamed)
  func numbers(rows: String) throws {
    let numbers = try CSVColumns(parsing: "lat=2,lon=3,time=1")
    let names = try CSVColumns(parsing: "lat=foo,lon=bar,time=clk")
    let table = "clk,foo,bar\n" + rows
    let points = CSVTable.points(table, names)
    #expect(points.count == 2)
    #expect(points.allSatisfy { $0.contains(" 1999-09-09T09:09:") })
    #expect(CSVTable.points(table, numbers) == points)
    #expect(CSVTable.warnings(table, numbers) == CSVTable.warnings(table, names))
    #expect(CSVTable.points(rows, numbers) == points)
    #expect(CSVTable.points("A title\n\n" + table, numbers) == points)
  }

  @Test("A date and a time of day are combined, whether their numbers or their headings are given")
  func dateAndTime() throws {
    let rows = "17.05.2024;06:12:30;47.5;8.25\n17.05.2024;06:12:31;47.6;8.25\n"
    let points = ["point 47.5 8.25 2024-05-17T06:12:30Z", "point 47.6 8.25 2024-05-17T06:12:31Z"]
    let columns = try CSVColumns(parsing: "date=1,time=2,lat=3,lon=4")
    #expect(CSVTable.points(rows, columns) == points)
    #expect(CSVTable.points("a;b;c;d\n" + rows, columns) == points)
  }

  @Test(
    "A row without a position among values is not a heading",
    arguments: ["lost,lost,?", "-,-,-", "N/A,nan,x", "47°30'N,?,?"])
  func noHeading(row: String) throws {
    let columns = try CSVColumns(parsing: "lat=1,lon=2")
    let table = "47.5,8.25,1\n47.6,8.25,2\n\(row)\n47.7,8.25,3\n"
    #expect(CSVTable.points(table, columns) == ["point 47.5 8.25", "point 47.6 8.25", "point 47.7 8.25"])
    // Degrees and missing values are not the names of columns.
    #expect(CSVTable.warnings("47°30'N,8°15'E\n47°31'N,8°15'E\n", columns) == [])
    #expect(CSVTable.warnings("-,-\n47.5,8.25\n", columns) == ["line 1: row without a position, skipped"])
  }

  @Test(
    "Invalid column specifications are rejected",
    arguments: [
      "", "lat", "lat=", "lat=0", "speed=4:furlongs", "colour=3", "dates=xyz", "lat=99999999999999999999",
    ])
  func refused(_ said: String) {
    expectError(.usage) { try CSVColumns(parsing: said) }
  }

  @Test("A table without a heading is read with a warning if its numbers look like degrees")
  func guessed() {
    let text = "1,2024-05-01T10:00:00Z,47.5001,8.2501,x\n2,2024-05-01T10:00:01Z,47.5002,8.2502,y\n"
    #expect(
      CSVTable.points(text) == [
        "point 47.5001 8.2501 2024-05-01T10:00:00Z", "point 47.5002 8.2502 2024-05-01T10:00:01Z",
      ])
    #expect(
      CSVTable.warnings(text) == [
        "line 1: no header, columns treated as time, latitude, longitude: \"column 3\"",
        "line 1: unknown columns, ignored: \"column 1, column 5\" (first of 2)",
      ])
    // A longitude beyond 90 cannot be a latitude.
    #expect(
      CSVTable.points("139.6917;35.6895\n139.7017;35.6995\n") == [
        "point 35.6895 139.6917", "point 35.6995 139.7017",
      ])
  }

  @Test(
    "A text without latitude and longitude is not a table",
    arguments: [
      "a,b\n1,2\n", "1,2\n3,4\n", "Dear reader,\nhello\n", "name,city\nx,y\n", "lat\n1\n",
      "location,x\nBern,1\n",
    ])
  func noTable(_ text: String) {
    let transcript = Transcript(csv: text)
    #expect(transcript.lines == [])
    #expect(transcript.error?.code == .malformed)
    #expect(transcript.error?.suggestion == .nameColumns(example: "lat=2,lon=3,time=1"))
  }

  @Test(
    "The error for a table of numbers without known headings suggests to name the columns",
    arguments: [
      ("clk,foo,bar\n0.5,1.5,9\n1.5,1.6,9\n2.5,1.7,9\n", true), ("a;b;c\nx;1;2\ny;3;4\nz;5;6\n", true),
      ("Dear reader,\nthis is a letter,\nwith commas,\n", false), ("a,b\n1,2\n", false),
      ("1,2\n3\nx,4\n5,6,7\n", false),
    ])
  func suggestion(text: String, isTable: Bool) {
    var input = ByteInput(bytes: Array(text.utf8))
    let error = #expect(throws: TrackError.self) { try FormatRegistry.standard.detect(&input) }
    #expect(error?.code == .unknownFormat)
    #expect((error?.suggestion == .nameColumns(example: "lat=2,lon=3,time=1")) == isTable)
  }

  @Test("A table is detected by its heading in any encoding; other text is not detected")
  func recognition() throws {
    func detected(_ bytes: [UInt8]) -> String? {
      var input = ByteInput(bytes: bytes)
      return (try? FormatRegistry.standard.detect(&input))?.name
    }
    for text in [
      "time,lat,lon\n1,2,3\n", "# c\n\ntitle\nBreite;Länge\n1;2\n", "lat\tlon\n", "lat|lon|x\n1|2|3",
    ] {
      #expect(detected(Array(text.utf8)) == "csv")
      #expect(detected(Sample.utf16(text, isBig: true)) == "csv")
    }
    for text in [
      "func f(lat, lon)\nlat, lon\n  return lat, lon\n",
      "| lat | lon |\n| --- | --- |\n| of one | of two |\n",
      "lat,lon\n\u{0}\u{1}", "a,b\n1,2\n", "47.1,8.2\n", "{\"lat\": 1, \"lon\": 2}", "<p>lat,lon</p>",
    ] {
      #expect(detected(Array(text.utf8)) != "csv")
    }
  }
}
