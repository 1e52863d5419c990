import Foundation
import TestSupport
import Testing

/// The exit statuses of sysexits(3), each with exactly one line on standard error.
@Suite(.waiting) struct ExitStatusTests {
  struct Case: CustomTestStringConvertible {
    var says: String
    var arguments: [String]
    var status: Int32
    /// The strings that the line must contain.
    var holds: [String]
    var testDescription: String { says }
  }

  static let cases = [
    Case(
      says: "An unknown option has a suggestion", arguments: ["import", "--cadance", "1", "commute.gpx"],
      status: 64,
      holds: ["import: unknown option --cadance", "did you mean --cadence?"]),
    Case(
      says: "An unknown command has a suggestion", arguments: ["imprt", "commute.gpx"], status: 64,
      holds: ["unknown command imprt", "did you mean import?"]),
    Case(
      says: "A missing operand refers to the help", arguments: ["info"], status: 64,
      holds: ["missing operand FILE", "ghost-convert info --help"]),
    Case(
      says: "An invalid value names the expected ones",
      arguments: ["import", "--cadence", "fast", "commute.gpx"],
      status: 64, holds: ["'fast'", "--cadence", "expected auto or a time"]),
    Case(
      says: "A crop range that ends before it begins is suggested in the correct order",
      arguments: [
        "convert", "commute.gpx", "--crop", "2024-05-17T06:14:00Z..2024-05-17T06:13:00Z", "--to", "csv",
      ], status: 64,
      holds: ["--crop", "write the earlier time first: 2024-05-17T06:13:00Z..2024-05-17T06:14:00Z"]),
    Case(
      says: "A drive without times names the options that provide them",
      arguments: ["convert", "no-times.gpx", "--to", "drive"], status: 65,
      holds: ["no times", "--duration 24:30 or --speed 50km/h"]),
    Case(
      says: "An unknown format lists the known ones", arguments: ["info", "--from", "docx", "commute.gpx"],
      status: 64, holds: ["'docx'", "expected one of gpx"]),
    Case(
      says: "options that cannot be used together are refused",
      arguments: ["import", "commute.gpx", "-o", "a.json", "--output-directory", "b"], status: 64,
      holds: ["--output and --output-directory cannot be used together"]),
    Case(
      says: "An output of unknown format is rejected",
      arguments: ["convert", "commute.gpx", "-o", "out.xyz"],
      status: 64, holds: ["out.xyz", "--to"]),
    Case(
      says: "Several drives for one output are rejected",
      arguments: ["import", "two-tracks.gpx", "-o", "one.json"],
      status: 64, holds: ["two-tracks.gpx", "one.json", "--output-directory"]),
    Case(
      says: "A truncated file is refused if warnings are errors",
      arguments: ["info", "--strict", "cut-off.gpx"],
      status: 65, holds: ["cut-off.gpx:14:", "ends inside an element"]),
    Case(
      says: "Invalid data names the file and the line", arguments: ["import", "broken.gpx"], status: 65,
      holds: ["ghost-convert: broken.gpx:5:", "trkseg"]),
    Case(
      says: "Plain text has no known format", arguments: ["info", "note.txt"], status: 65,
      holds: ["note.txt: unsupported format: text", "gpx"]),
    Case(
      says: "An empty file is reported as empty", arguments: ["info", "empty.gpx"], status: 65,
      holds: ["empty.gpx"]),
    Case(
      says: "A recording without times suggests options", arguments: ["import", "no-times.gpx"], status: 65,
      holds: ["no-times.gpx: no times", "--duration 24:30", "--speed 50km/h"]),
    Case(
      says: "Times out of order are rejected, with the first of them",
      arguments: ["import", "disordered.gpx"],
      status: 65, holds: ["disordered.gpx", "5 of 10 points", "(point 2)"]),
    Case(
      says: "A file without tracks is rejected",
      arguments: ["import", "waypoints-and-routes.gpx"], status: 65,
      holds: ["waypoints-and-routes.gpx", "no track", "route"]),
    Case(
      says: "A missing file is named", arguments: ["import", "missing.gpx"], status: 66,
      holds: ["missing.gpx: no such file"]),
    Case(
      says: "A file in an archive is answered with advice about the archive",
      arguments: ["info", "commute.gpx/rides/a.gpx"], status: 66,
      holds: [
        "no such file; commute.gpx is a file, not a folder; if it is an archive, name the archive alone"
      ]),
    Case(
      says: "An empty folder is rejected", arguments: ["info", "folder"], status: 65,
      holds: ["folder: the folder is empty"]),
    Case(
      says: "A folder whose drives need a folder", arguments: ["import", "."], status: 64,
      holds: [".: contains several files", "--output-directory"]),
    Case(
      says: "An output in a missing folder",
      arguments: ["convert", "commute.gpx", "-o", "no/such/out.gpx"],
      status: 73, holds: ["no/such/out.gpx: no such file or directory"]),
    Case(
      says: "A folder as the output is rejected",
      arguments: ["import", "commute.gpx", "-o", "folder"], status: 73,
      holds: ["folder: is a folder, not a file; add a file name"]),
    Case(
      says: "A report in place of a folder is rejected",
      arguments: ["import", "commute.gpx", "--report", "folder"], status: 73,
      holds: ["folder: is a folder, not a file; add a file name"]),
    Case(
      says: "A format that needs times names the options that provide them",
      arguments: ["convert", "no-times.gpx", "-o", "out.igc"], status: 65,
      holds: ["no trackpoint with a time", "--duration 24:30 or --speed 50km/h"]),
    Case(
      says: "A place that is not on a line has the largest distance as advice",
      arguments: ["segment", "find", "commute.gpx", "--line", "commute.gpx", "--from", "1,1", "--to", "2,2"],
      status: 65,
      holds: ["the start is", "m from the line of the segment; choose a place at most 200 m from it"]),
  ]

  @Test("A failure has its exit status and one line with the place and a hint", arguments: cases)
  func failure(_ wanted: Case) throws {
    try withFixtures(
      "commute.gpx", "cut-off.gpx", "no-times.gpx", "disordered.gpx", "waypoints-and-routes.gpx",
      "two-tracks.gpx"
    ) { (folder) throws in
      try folder.write("dear diary", to: "note.txt")
      try folder.write("", to: "empty.gpx")
      try folder.write(
        """
        <?xml version="1.0"?>
        <gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="x">
        <trk><trkseg>
        <trkpt lat="1" lon="2"/>
        </trk></trkseg>
        </gpx>
        """, to: "broken.gpx")
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("folder"), withIntermediateDirectories: false)
      let before = try folder.names()
      let outcome = try GhostConvertProgram.run(wanted.arguments, in: folder.url)
      #expect(outcome.status == wanted.status)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.hasPrefix("ghost-convert: "))
      for part in wanted.holds { #expect(outcome.errors.contains(part), "\(outcome.errors)") }
      #expect(try folder.names() == before, "a failing run leaves nothing behind")
    }
  }

  @Test(
    "A full device is a write error",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full, which Linux has"),
    arguments: [
      ["convert", "commute.gpx", "--to", "gpx", "-o", "/dev/full"],
      ["import", "commute.gpx", "-o", "/dev/full"],
    ])
  func fullDevice(arguments: [String]) throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let outcome = try GhostConvertProgram.run(arguments, in: folder.url)
      #expect(outcome.status == 74)
      #expect(
        outcome.errorLines == [
          "ghost-convert: /dev/full: no space left on device; make room, or write to another disk"
        ])
    }
  }

  @Test(
    "A full standard output is a write error, for all kinds of output",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full, which Linux has"),
    arguments: [
      ["convert", "commute.gpx", "-o", "-"], ["import", "commute.gpx", "-o", "-"], ["info", "commute.gpx"],
      ["info", "--json", "commute.gpx"], ["import", "commute.gpx"], ["formats"], ["manual"],
      ["completions", "zsh"],
      ["--help"], ["--version"],
    ])
  func fullStandardOutput(arguments: [String]) throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let outcome = try GhostConvertProgram.run(arguments, in: folder.url, output: "/dev/full")
      #expect(outcome.status == 74)
      #expect(outcome.errorLines.count == 1 && outcome.errors.contains("no space left on device"))
    }
  }

  @Test("An error about a file name with a line feed is one line")
  func lineFeedInName() throws {
    try withFixtures { (folder) throws in
      let outcome = try folder.run("info", "two\nlines.gpx")
      #expect(outcome.status == 66)
      #expect(outcome.errorLines.count == 1)
    }
  }

  @Test("An invalid input does not stop the other inputs, and sets the exit status")
  func severalInputs() throws {
    try withFixtures("commute.gpx", "disordered.gpx", "even.gpx") { (folder) throws in
      let imported = try folder.run("import", "commute.gpx", "disordered.gpx", "missing.gpx", "even.gpx")
      // The status of the first failure.
      #expect(imported.status == 65)
      #expect(imported.errorLines.count == 2)
      #expect(
        try folder.names().filter { $0.hasSuffix(".drive.json") } == [
          "commute.drive.json", "even.drive.json",
        ])
      let info = try folder.run("info", "--json", "missing.gpx", "commute.gpx", "even.gpx")
      #expect(info.status == 66)
      #expect(info.text.split(separator: "\n").count == 3)
      let converted = try folder.run(
        "convert", "commute.gpx", "missing.gpx", "even.gpx", "--to", "gpx", "--output-directory", "out")
      #expect(converted.status == 66)
      let made = try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appendingPathComponent("out").path)
      #expect(made.sorted() == ["commute.gpx", "even.gpx"])
    }
  }

  @Test("A closed pipe ends the program like the signal, without temporary files")
  func closedPipe() throws {
    try withFixtures("commute.gpx", "even.gpx") { (folder) throws in
      let outcome = try folder.shell(
        """
        { sleep 0.5; $GHOST_CONVERT import *.gpx --json --output-directory out; echo $? > status; } | true
        { sleep 0.5; (trap '' PIPE; $GHOST_CONVERT info *.gpx); echo $? >> status; } | true
        """)
      // SIGPIPE is 13. A program for which it is ignored reports the error.
      #expect(String(decoding: try folder.data("status"), as: UTF8.self) == "141\n74\n")
      #expect(outcome.errors.contains("standard output: broken pipe"))
      let made = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
      #expect(!made.contains { $0.hasSuffix(".part") })
    }
  }

  @Test("A closed standard stream stays closed, and no file that is opened later takes its place")
  func closedStreams() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let noInput = try folder.shell("$GHOST_CONVERT info commute.gpx - <&-")
      #expect(noInput.status == 66)
      #expect(noInput.errors.contains("standard input: bad file descriptor"))
      // What is printed must not become part of the output.
      let noOutput = try folder.shell("$GHOST_CONVERT convert commute.gpx -o out.gpx --report - >&- 2>&-")
      #expect(noOutput.status != 0)
      let text = (try? folder.data("out.gpx")).map { String(decoding: $0, as: UTF8.self) } ?? "<?xml</gpx>\n"
      #expect(text.hasPrefix("<?xml") && text.hasSuffix("</gpx>\n"))
    }
  }
}
