import Testing
import TrackModel

@testable import TrackFormats

extension Transcript {
  /// Reads a VBO file.
  init(
    vbo bytes: [UInt8], chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false
  ) {
    var reader = VBOReader(
      ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions(isStrict: isStrict))
    self.init(reading: &reader, capacity: capacity)
  }
}

@Suite("VBO reader")
struct VBOReaderTests {
  private static let names = "sats time lat long velocity heading height"
  private static let date = "File created on 01/03/2024 at 12:00:00\n"

  /// Reads rows with the given column names.
  private func read(
    _ rows: String, names: String = VBOReaderTests.names, date: String = VBOReaderTests.date,
    sections: String = "", isStrict: Bool = false
  ) -> Transcript {
    let text = "\(date)\n\(sections)\n[column names]\n\(names)\n\n[data]\n\(rows)\n"
    return Transcript(vbo: Array(text.utf8), isStrict: isStrict)
  }

  @Test("Positions are minutes of arc, positive to the west, and speeds are in km/h")
  func units() {
    let transcript = read("009 120000.50 +03000.00000 -00600.00000 036.000 091.25 +0149.50")
    #expect(
      transcript.lines == [
        "header", "track", "segment",
        "point 50 10 2024-03-01T12:00:00.500Z elevation 149.5 speed 10 course 91.25 satellites 9",
        "end of segment", "end of track",
      ])
    #expect(transcript.violations == [])
    #expect(transcript.warnings == [])
  }

  @Test(
    "The date of the first line has a time after `at` or `@`, or none",
    arguments: [
      "File created on 29/02/2024 @ 11:32", "File created on 29/02/2024 at 11:32:10",
      "  File created on 29/02/2024   ",
    ])
  func dates(_ line: String) {
    let transcript = read("1 113221.040 +03000.0 +00600.0 0 0 0", date: line)
    #expect(
      transcript.points == [
        "point 50 -10 2024-02-29T11:32:21.040Z elevation 0 speed 0 course 0 satellites 1"
      ])
    #expect(transcript.warnings == [])
  }

  @Test("Lines of a section beyond the limit, and lines that are too long, are counted warnings")
  func sectionLimits() {
    let row = "9 120000.50 +03000.0 -00600.0 36 0 0"
    let gates = Array(repeating: "Start +02743.96 -000784.39 +02743.95 -000784.40\n", count: 1026).joined()
    let comments = (0..<1025).map { "\($0)\n" }.joined()
    let transcript = read(
      row, sections: "[comments]\n\(comments)\(String(repeating: "x", count: 70_000))\n[laptiming]\n\(gates)")
    #expect(transcript.lines.count { $0.hasPrefix("waypoint") } == 1024)
    #expect(transcript.warnings.map(\.code) == [.limitExceeded, .tooLongLine, .limitExceeded])
    #expect(transcript.warnings.map(\.count) == [1, 1, 2])
    #expect(transcript.warnings.last?.message.contains("1024 lines in [laptiming]") == true)
    #expect(read(row + "\n[laptiming]\n\(gates)").warnings.map(\.count) == [2])
    #expect(read(row, sections: "[laptiming]\n\(gates)", isStrict: true).error?.code == .warning)
  }

  @Test(
    "Other programs write the date with the year or the month first, and the half of the day",
    arguments: [
      "File created on 2024-03-14 at 12:00:00", "File created on 3/14/2024 at 12:00:00",
      "File created on 14.03.2024 @ 12:00:00 PM",
    ])
  func otherDates(_ line: String) {
    let transcript = read("9 120000.50 +03000.0 -00600.0 36 0 0", date: line)
    #expect(transcript.points.first?.hasPrefix("point 50 10 2024-03-14T12:00:00.500Z") == true)
    #expect(transcript.warnings == [])
  }

  @Test("Commas are decimal marks, or separate names and values, and times can have colons")
  func commas() {
    let expected = ["point 50 10 2024-03-01T12:00:00.500Z elevation 149.5 speed 10 course 91.25 satellites 9"]
    #expect(read("9 120000,50 +03000,0000 -00600,0000 036,000 91,25 149,5").points == expected)
    #expect(
      read(
        "9,12:00:00.50,+03000.0000,-00600.0000,036.000,91.25,149.5",
        names: Self.names.replacing(" ", with: ",")
      ).points == expected)
  }

  @Test("Elevations can be in feet, and files in UTF-16")
  func feetAndUTF16() {
    // 1000 ft are 304.8 m.
    let text =
      Self.date + "[header]\nsatellites\ntime\nlatitude\nlongitude\nvelocity knots\nheading\nheight ft\n\n"
      + "[column names]\n\(Self.names)\n\n[data]\n9 120000.50 +03000.0 -00600.0 108 0 1000\n"
    let wide: [UInt8] =
      [0xFF, 0xFE] + text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    #expect(FileOpening(wide.span).holdsVBO)
    #expect(
      Transcript(vbo: wide).points == [
        "point 50 10 2024-03-01T12:00:00.500Z elevation 304.8 speed 55.56 course 0 satellites 9"
      ])
  }

  @Test(
    "A section can contain the units of all columns, in one line or one per line",
    arguments: [
      ("count hhmmss.dd ddmm.mmmmm dddmm.mmmmm kmh deg m rpm", "rpm"),
      ("(null)\ns\ndeg\ndeg\nkmh\ndeg\nm\nrpm\n", "rpm"),
      ("count hhmmss.dd ddmm.mmmmm dddmm.mmmmm kmh deg m -", nil),
    ])
  func unitsOfAllColumns(units: String, unit: String?) {
    let transcript = read(
      "9 120000 +03000.0 +00600.0 0 0 0 3000", names: Self.names + " RPM",
      sections: "[channel units]\n\(units)")
    #expect(transcript.lines.contains("  channels RPM \(unit.map { "(\($0)) " } ?? "")3000"))
  }

  @Test(
    "Other columns have the long names and their units, if there is one for each column",
    arguments: [
      ("vertical velocity km/h\nEngine Speed", "rpm", "vertical velocity (km/h) 36, Engine Speed (rpm) 3500"),
      ("vertical velocity kmh\nLateral g", "", "vertical velocity (kmh) 36, Lateral (g) 3500"),
      (
        "vertical velocity m/s\nEngine Speed", "m/s\nrpm",
        "vertical velocity (m/s) 36, Engine Speed (rpm) 3500"
      ),
      ("Brake Pressure (bar)\nkn", "", "Brake Pressure (bar) 36, kn 3500"),
      ("vertical velocity km/h", "", "vertvel 36, rpm 3500"),
      // The names are in another order.
      ("vertical velocity\nheight\nEngine Speed", "", "vertvel 36, rpm 3500"),
    ])
  func longNames(names: String, units: String, expected: String) {
    let usual =
      names.contains("\nheight")
      ? "satellites\ntime\nlatitude\nlongitude\nvelocity kmh\nheading"
      : "satellites\ntime\nlatitude\nlongitude\nvelocity kmh\nheading\nheight"
    let transcript = read(
      "9 120000 +03000.0 +00600.0 0 0 0 36 3500", names: Self.names + " vertvel rpm",
      sections: "[header]\n\(usual)\n\(names)\n\n[channel units]\n\(units)\n")
    #expect(transcript.lines.contains("  channels \(expected)"))
  }

  @Test("A column with the name of an earlier one is another channel")
  func repeatedNames() {
    let transcript = read("9 120000 +03000.0 +00600.0 36 0 0 54 1 2", names: Self.names + " velocity g g")
    #expect(transcript.points.first?.contains("speed 10 ") == true)
    #expect(transcript.lines.contains("  channels velocity 54, g 1, g 2 2"))
  }

  @Test("The name of a gate keeps its commas")
  func gateName() {
    for line in [
      "Start,-00600.6,+03000.0,-00601.2,+03001.2,Bridge, left",
      "Start -600.6 3000 -601.2 3001.2 ¬ Bridge, left",
    ] {
      let transcript = read("9 120000 +03000 -00600 36 0 1", sections: "[laptiming]\n\(line)\n")
      #expect(transcript.lines.contains("  name \"Bridge, left\""))
    }
  }

  @Test("Without a valid date, times count from an unknown start, also past midnight")
  func noDate() {
    for line in ["", "File created on 31/02/2024", "File created on 13/13/2024", "Made by hand"] {
      let transcript = read(
        "1 235958.50 +03000.0 +00600.0 0 0 0\n1 000001 +03000.0 +00600.0 0 0 0", date: line)
      let times = transcript.points.compactMap { $0.split(separator: " ").dropFirst(3).first }
      #expect(times == ["1999-09-09T09:09:09Z", "1999-09-09T09:09:11.500Z"])
      #expect(transcript.warnings.map(\.code) == [.missingDate])
      #expect(transcript.warnings.map(\.count) == [1])
      #expect(transcript.lines.contains { $0.contains("clock") })
    }
    let untimed = read("1 +03000.0 +00600.0 0 0 0", names: "sats lat long velocity heading height", date: "")
    #expect(untimed.points.allSatisfy { $0.hasPrefix("point 50 -10 elevation") })
    #expect(untimed.warnings == [] && untimed.lines.allSatisfy { !$0.contains("clock") })
  }

  @Test("A time of day far from that of the first line makes the date doubtful")
  func doubtfulDate() {
    let transcript = read("1 235900.00 +03000.0 +00600.0 0 0 0", date: "File created on 01/03/2024 at 00:10")
    #expect(transcript.warnings.map(\.code) == [.doubtfulDate])
    #expect(transcript.points.count == 1)
  }

  @Test("A step back by more than 12 hours is midnight; a smaller one is not")
  func midnight() {
    let rows = ["235959.5", "235958.0", "000000.25", "000001"].map { "1 \($0) +03000 +00600 0 0 0" }
    let transcript = read(rows.joined(separator: "\n"), date: "File created on 31/12/2023")
    let times = transcript.points.compactMap { $0.split(separator: " ").dropFirst(3).first }
    #expect(
      times == [
        "2023-12-31T23:59:59.500Z", "2023-12-31T23:59:58Z", "2024-01-01T00:00:00.250Z",
        "2024-01-01T00:00:01Z",
      ])
  }

  @Test("Flags are removed from the number of satellites, and rows without a fix are skipped")
  func satellites() {
    let rows = ["009", "073", "137", "201", "000", "064", "128"].map { "\($0) 120000 +03000 +00600 0 0 0" }
    let transcript = read(rows.joined(separator: "\n") + "\n009 120001 +00000.0 +00000.0 0 0 0")
    #expect(transcript.points.count == 4)
    #expect(transcript.points.allSatisfy { $0.hasSuffix("satellites 9") })
  }

  @Test("Columns are found by name, in any order; the first of two with the same name counts")
  func columns() {
    let transcript = read(
      "120000 +03000 -00600 036.0 -90.00 +1.5E+01 99 8 1",
      names: "time lat lng velocity heading height height sats x")
    #expect(
      transcript.points == [
        "point 50 10 2024-03-01T12:00:00Z elevation 15 speed 10 course 270 satellites 8"
      ])
    let header = "[header]\nsatellites\ntime\nlatitude\nlongitude\nvelocity m/s\n"
    #expect(
      read("7 120000 3000 -600 3.5", names: "", sections: header).points
        == ["point 50 10 2024-03-01T12:00:00Z speed 3.5 satellites 7"])
  }

  @Test("Satellites that are named but missing in the rows are skipped")
  func missingSatellites() {
    #expect(
      read("120000.00 +03000 -00600 036.0 090 1").points == [
        "point 50 10 2024-03-01T12:00:00Z elevation 1 speed 10 course 90"
      ])
  }

  @Test("Positions are degrees if nothing proves minutes")
  func degrees() {
    #expect(read("9 120000 50.25 10.5 0 0 0").points.first?.hasPrefix("point 50.25 10.5 ") == true)
    #expect(read("9 120000 +00030.0 +00006.0 0 0 0").points.first?.hasPrefix("point 0.5 -0.1 ") == true)
    #expect(read("9 120000 30.0 600.0 0 0 0").points.first?.hasPrefix("point 0.5 -10 ") == true)
  }

  @Test("Broken rows are skipped and counted with the location of the first")
  func brokenRows() {
    let transcript = read(
      "9 120000 +03000 -00600 36 0 1\n9 120001 +03000 -99999 36 0 1\n9 129901 +03000 x 36 0 1\n9 120002 +0300"
    )
    #expect(transcript.points.count == 1)
    #expect(
      transcript.warnings.map { "\($0.code) \($0.count) \($0.place.line ?? 0)" } == [
        "invalid-position 2 9", "invalid-time 1 10", "invalid-value 1 10", "broken-row 1 11",
      ])
    let strict = read("9 120001 +03000 -99999 36 0 1", isStrict: true)
    #expect(strict.error?.place.line == 8)
  }

  @Test("Gates are waypoints at their middles, whether latitude or longitude comes first")
  func gates() {
    let row = "9 120000 +03000 -00600 36 0 1"
    for (numbers, name) in [
      ("-00600.6 +03000.0 -00601.2 +03001.2", " ¬   Finish line"),
      ("+03000.0 -00600.6 +03001.2 -00601.2", " ¬   Finish line"),
      (",-00600.6,+03000.0,-00601.2,+03001.2", ",Finish line"),
      (", -00600.6, +03000.0, -00601.2, +03001.2", ", Finish line"),
      ("-00600,6 +03000,0 -00601,2 +03001,2", " ¬ Finish line"),
    ] {
      let transcript = read(
        row, sections: "[laptiming]\nStart \(numbers)\(name)\nSplit \(numbers)\n")
      #expect(
        transcript.lines.prefix(8) == [
          "header", "waypoint 50.01 10.015", "  name \"Finish line\"", "  type \"Start\"",
          "waypoint 50.01 10.015",
          "  name \"Split\"", "  type \"Split\"", "track",
        ])
    }
  }

  @Test("Gates after the data are waypoints after the track")
  func gatesAfterData() {
    let transcript = read(
      "9 120000 +03000 -00600 36 0 1\n\n[laptiming]\nStart +03000.0 -00600.6 +03001.2 -00601.2 ¬ Line\n"
        + "[circuit details]\ncountry Switzerland")
    #expect(transcript.points.count { $0.hasPrefix("point") } == 1)
    #expect(
      transcript.lines.suffix(4) == [
        "end of track", "waypoint 50.01 10.015", "  name \"Line\"", "  type \"Start\"",
      ])
    #expect(transcript.warnings == [])
    #expect(transcript.violations == [])
  }

  @Test("The date can be in the header")
  func dateInHeader() {
    let transcript = read(
      "9 120000 +03000 -00600 36 0 1", date: "", sections: "[header]\nFile created on 01/03/2024 at 12:00\n")
    #expect(transcript.points.first?.hasPrefix("point 50 10 2024-03-01T12:00:00Z") == true)
  }

  @Test("Names can have units, and other names for speed, course and elevation count without the usual ones")
  func otherNames() {
    let expected = "point 50 10 2024-03-01T12:00:00Z elevation 304.8 speed 44.704 course 90 satellites 9"
    for names in [
      "sats time lat long velocity-mph heading height-ft", "sats time lat long speed_mph course altitude_ft",
    ] {
      #expect(read("9 120000 +03000 -00600 100 90 1000", names: names).points == [expected])
    }
    let both = read("9 120000 +03000 -00600 100 36", names: "sats time lat long speed velocity")
    #expect(both.points == ["point 50 10 2024-03-01T12:00:00Z speed 10 satellites 9"])
    #expect(both.lines.contains("  channels speed 100"))
    // A channel with a unit after its name is not the elevation.
    let channels = read("9 120000 +03000 -00600 36 0 1 1000", names: Self.names + " HEIGHT_FT")
    #expect(
      channels.points == ["point 50 10 2024-03-01T12:00:00Z elevation 1 speed 10 course 0 satellites 9"])
    #expect(channels.lines.contains("  channels HEIGHT_FT 1000"))
  }

  @Test("The comments are the description of the file, in UTF-8 or Latin-1")
  func comments() {
    #expect(
      read("", sections: "[comments]\nGenerated by X\n Zürich\n").lines == [
        "header", #"  description "Generated by X\nZürich""#,
      ])
    let bytes = Array("[comments]\n".utf8) + [0xFC] + Array("\n[column names]\nlat long\n[data]\n".utf8)
    #expect(Transcript(vbo: bytes).lines == ["header", #"  description "ü""#])
  }

  @Test("A file without data, positions or content is an error")
  func errors() {
    #expect(Transcript(vbo: []).error?.code == .truncated)
    #expect(Transcript(vbo: Array("[header]\ntime\n".utf8)).error?.code == .malformed)
    #expect(read("1 2", names: "sats time").error?.code == .malformed)
  }

  @Test("A line of more than 64 KiB is skipped")
  func longLine() {
    let row = "9 120000 +03000 -00600 36 0 1"
    let transcript = read(row + "\n" + String(repeating: "9 ", count: 40_000) + "\n" + row)
    #expect(transcript.points.count == 2)
    #expect(transcript.warnings.map(\.code) == [.tooLongLine])
  }

  @Test("A file is recognized by its sections, whatever its name")
  func recognition() throws {
    let heads = ["[header]\nsatellites\n[column names]\nsats\n", "\u{FEFF}File\r\n[comments]\r\n[data]\r\n1"]
    for head in heads {
      var input = ByteInput(bytes: Array(head.utf8), name: "a.txt")
      #expect(try FormatRegistry.standard.detect(&input) == .vbo)
    }
    for other in ["[data]\n1 2 3\n", "[General]\n[Params]\n", "text about [data] and [header]\n"] {
      #expect(!FileOpening(Array(other.utf8).span).holdsVBO)
    }
  }

  @Test(
    "A fixture matches its golden transcript, for chunks and batches of any size",
    arguments: Fixture.all(of: "vbo"))
  func golden(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    try Golden.expect(Transcript(vbo: bytes), of: fixture)
    Transcript.expectInvariance(bytes.count) { Transcript(vbo: bytes, chunk: $0, capacity: $1) }
  }

  @Test("VBO fixtures exist")
  func fixturesExist() { #expect(Fixture.all(of: "vbo").count >= 4) }

  @Test("Corpus files have the content that other readers find", arguments: CorpusFigures.all(in: "vbo"))
  func corpus(_ figures: CorpusFigures) throws {
    var reader = VBOReader(ByteInput(bytes: try figures.bytes()))
    #expect(figures.differences(from: try TrackDocument(reading: &reader)) == [])
  }
}
