import Testing
import TrackModel

@testable import GhostExport

@Suite struct TextTableTests {
  @Test("Columns are as wide as their longest cell, with two leading spaces and no trailing spaces")
  func layout() {
    var table = TextTable([("leg", .left), ("km", .right), ("won by", .left)])
    table.add(["1 to Zürich", "9.5", "a"])
    table.add(["2", "110.25", ""])
    #expect(
      table.lines == [
        "  leg              km  won by",
        "  1 to Zürich     9.5  a",
        "  2            110.25",
      ])
  }

  @Test("Missing and additional cells are ignored, and control characters become spaces")
  func odd() {
    var table = TextTable([("a", .left), ("b", .right)])
    table.add(["1"])
    table.add(["1", "2", "3"])
    table.add(["x\ny", "\u{1B}"])
    #expect(table.lines == ["  a    b", "  1", "  1    2", "  x y"])
  }

  @Test("A heading does not widen the columns")
  func heading() {
    var table = TextTable([("lap", .left), ("time", .right)])
    table.add(heading: "a long name of a recording.gpx")
    table.add(["1", "59.20"])
    #expect(table.lines == ["  lap   time", "  a long name of a recording.gpx", "  1    59.20"])
  }

  @Test(
    "Times are printed as minutes and seconds",
    arguments: [
      (0.0, "0:00"), (0.4, "0:00"), (9.5, "0:10"), (59.4, "0:59"), (59.6, "1:00"), (-42, "-0:42"),
      (-0.2, "0:00"),
      (1470, "24:30"), (3723, "1:02:03"), (.nan, "?"), (.infinity, "?"),
    ])
  func minutes(seconds: Double, text: String) { #expect(Formatted.clock(seconds) == text) }

  @Test(
    "A gap has tenths below ten seconds, and a sign unless it rounds to zero",
    arguments: [
      (42.0, "+0:42"), (-118.4, "-1:58"), (3.44, "+3.4 s"), (-9.94, "-9.9 s"), (9.96, "+0:10"),
      (0.04, "0.0 s"),
      (-0.04, "0.0 s"), (-0.06, "-0.1 s"),
    ])
  func gaps(seconds: Double, text: String) { #expect(Text.signedGap(seconds) == text) }

  @Test("An uncertainty is at least 0.1 s")
  func doubt() {
    #expect(Text.doubt(0) == "± 0.1 s")
    #expect(Text.doubt(0.63) == "± 0.6 s")
    #expect(Text.doubt(75) == "± 1:15")
  }

  @Test("Labels in columns are shortened in the middle to 24 characters")
  func columns() {
    #expect(Text.column("a way that is 24 letters") == "a way that is 24 letters")
    #expect(Text.column("a way that is 25 letters!") == "a way that … 25 letters!")
  }
}
