import Foundation
import Testing

@testable import TestSupport

@Suite("Import into a library", .waiting)
struct LibraryImportTests {
  /// Returns the state of each source in a report.
  private func states(_ text: String) throws -> [String: String] {
    var states: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let object = try jsonObject(Data(line.utf8))
      let source = try #require(object["source"] as? String)
      #expect(states[source] == nil, "\(source) twice")
      states[source] = object["state"] as? String
    }
    return states
  }

  /// Calls `body` with five inputs. After an import of `a.gpx`, each of them ends in a different state.
  private func withInputs(_ body: (TemporaryFolder) throws -> Void) throws {
    try withFixtures("tuesday.gpx", "thursday.gpx", "disordered.gpx", "waypoints-and-routes.gpx") {
      folder throws in
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("in"), withIntermediateDirectories: true)
      for (old, new) in [
        ("tuesday.gpx", "in/a.gpx"), ("thursday.gpx", "in/c.gpx"), ("disordered.gpx", "in/d.gpx"),
        ("waypoints-and-routes.gpx", "in/e.gpx"),
      ] {
        try FileManager.default.moveItem(
          at: folder.url.appendingPathComponent(old), to: folder.url.appendingPathComponent(new))
      }
      try folder.write(
        try folder.text("in/a.gpx").replacing("<name>Tuesday</name>", with: "<name>Copy</name>"),
        to: "in/b.gpx")
      try body(folder)
    }
  }

  @Test("Every input ends in one state, which is in the report, the summary and the exit status")
  func states() throws {
    try withInputs { folder throws in
      #expect(try folder.run("import", "in/a.gpx", "--library", "l.gpkg").status == 0)
      let outcome = try folder.run("import", "in", "--library", "l.gpkg", "--report", "r.ndjson")
      #expect(outcome.status == 65)
      #expect(
        outcome.text.contains(
          "5 inputs: 1 imported (1 drive), 1 already imported, 1 duplicate, 1 skipped, 1 failed"),
        "\(outcome.text)")
      #expect(
        try states(folder.text("r.ndjson")) == [
          "in/a.gpx": "already there", "in/b.gpx": "duplicate", "in/c.gpx": "imported", "in/d.gpx": "failed",
          "in/e.gpx": "skipped",
        ])
      let lines = try folder.text("r.ndjson").split(separator: "\n").map { try jsonObject(Data($0.utf8)) }
      #expect(lines[1]["duplicate_of_source"] as? String == "in/a.gpx")
      #expect(lines[1]["duplicate_of"] as? String == (lines[0]["drives"] as? [String])?.first)
      #expect((lines[2]["drives"] as? [String])?.count == 1)
      #expect(lines[2]["size"] as? Int == (try folder.data("in/c.gpx")).count)
      #expect((lines[2]["hash"] as? String)?.count == 32)
      #expect(lines[3]["reason"] as? String == "out-of-order")
      #expect(lines[4]["reason"] as? String == "no-track")
      #expect(try folder.names() == ["in", "l.gpkg", "r.ndjson"])
    }
  }

  @Test("A second import adds no drives, and --json prints the same as the report")
  func again() throws {
    try withInputs { folder throws in
      _ = try folder.run("import", "in", "--library", "l.gpkg", "--quiet")
      let before = try folder.run("import", "in", "--library", "l.gpkg", "--json", "--report", "r.ndjson")
      #expect(before.text == (try folder.text("r.ndjson")))
      #expect(
        try states(before.text) == [
          "in/a.gpx": "already there", "in/b.gpx": "duplicate", "in/c.gpx": "already there",
          "in/d.gpx": "failed",
          "in/e.gpx": "skipped",
        ])
    }
  }

  @Test("Inputs imported earlier with other options are reported, and --again imports them again")
  func options() throws {
    try withInputs { folder throws in
      _ = try folder.run("import", "in/a.gpx", "in/c.gpx", "--library", "l.gpkg")
      let other = try folder.run("import", "in/a.gpx", "in/c.gpx", "--library", "l.gpkg", "--cadence", "4")
      #expect(other.text.contains("2 already imported with other options; use --again"), "\(other.text)")
      let again = try folder.run(
        "import", "in/a.gpx", "in/c.gpx", "--library", "l.gpkg", "--cadence", "4", "--again")
      #expect(again.text.contains("2 imported (2 drives), 0 already imported"), "\(again.text)")
      #expect(again.text.contains("points every 4.0"), "\(again.text)")
      let settled = try folder.run("import", "in/a.gpx", "in/c.gpx", "--library", "l.gpkg", "--cadence", "4")
      #expect(!settled.text.contains("other options"))
    }
  }

  @Test("Inputs from archives and pipes are recognized by their content")
  func contents() throws {
    try withInputs { folder throws in
      _ = try folder.run("import", "in/a.gpx", "--library", "l.gpkg")
      let piped = try folder.run(
        "import", "-", "--library", "l.gpkg", "--json", input: try folder.data("in/a.gpx"))
      // The same bytes under another name.
      #expect(try states(piped.text) == ["standard input": "already there"])
      #expect(try folder.shell("tar cf in.tar in").status == 0)
      let packed = try folder.run("import", "in.tar", "--library", "l.gpkg", "--json")
      #expect(try states(packed.text)["in.tar/in/a.gpx"] == "already there")
      let again = try folder.run(
        "import", "in.tar", "-", "--library", "l.gpkg", "--json", input: try folder.data("in/a.gpx"))
      #expect(try states(again.text)["in.tar/in/a.gpx"] == "already there")
      #expect(try states(again.text)["in.tar/in/c.gpx"] == "already there")
      // Known contents are counted, without a line each.
      #expect(try folder.shell("cp in.tar renamed.tar").status == 0)
      let said = try folder.run("import", "renamed.tar", "--library", "l.gpkg")
      #expect(!said.text.contains("duplicate of"), "\(said.text)")
      #expect(
        said.text.contains("0 imported, 2 already imported, 1 duplicate, 1 skipped, 1 failed"),
        "\(said.text)")
    }
  }

  @Test("Files that the import writes are not inputs")
  func ownFiles() throws {
    try withInputs { folder throws in
      let outcome = try folder.run("import", "in", "--library", "in/l.gpkg", "--report", "in/r.ndjson")
      #expect(outcome.text.contains("5 inputs:"), "\(outcome.text)")
      let again = try folder.run("import", "in", "--library", "in/l.gpkg", "--report", "in/r.ndjson")
      #expect(again.text.contains("5 inputs:"), "\(again.text)")
    }
  }

  @Test("The report also lists drives that are written to files")
  func reportOfFiles() throws {
    try withInputs { folder throws in
      let outcome = try folder.run("import", "in", "--output-directory", "out", "--report", "r.ndjson")
      #expect(outcome.status == 65)
      #expect(
        try states(folder.text("r.ndjson")) == [
          "in/a.gpx": "imported", "in/b.gpx": "duplicate", "in/c.gpx": "imported", "in/d.gpx": "failed",
          "in/e.gpx": "skipped",
        ])
      let first = try jsonObject(Data(try folder.text("r.ndjson").split(separator: "\n")[0].utf8))
      #expect(first["outputs"] as? [String] == ["out/a.drive.json"])
      #expect(
        first["drives"] as? [String] == [try #require(folder.json("out/a.drive.json")["id"] as? String)])
    }
  }

  @Test(
    "An invalid destination is an error of one line with a hint, and no file is created",
    arguments: [
      (["--library", "l.gpkg", "-o", "x"], 64, "--library excludes"),
      (["--library", "l.gpkg", "--blob"], 64, "--library excludes"),
      (["--again"], 64, "--library"), (["--library", "no/such/l.gpkg"], 73, "check that the folder exists"),
      (["--library", "in/c.gpx"], 65, "not a library of drives"),
      (["--library", "in"], 73, "cannot be created"),
      (["--library", "newer.gpkg"], 65, "newer than this program"),
      (["--library", "l.gpkg", "--report", "no/such/r.ndjson"], 73, "r.ndjson"),
      (["in/c.gpx", "--merge", "--library", "l.gpkg"], 64, "--merge"),
    ] as [([String], Int32, String)])
  func refused(arguments: [String], status: Int32, message: String) throws {
    try withInputs { folder throws in
      #expect(try folder.run("import", "in/a.gpx", "--library", "newer.gpkg").status == 0)
      let change = try folder.shell(
        "python3 -c \"import sqlite3; c = sqlite3.connect('newer.gpkg'); c.execute('update library set value = 99'); c.commit()\""
      )
      try #require(change.status == 0)
      let before = try folder.names()
      let outcome = try GhostConvertProgram.run(["import", "in/a.gpx"] + arguments, in: folder.url)
      #expect(outcome.status == status, "\(outcome.errors)")
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
      #expect(outcome.errorLines.count == (status == 64 ? outcome.errorLines.count : 1))
      #expect(try folder.names().filter { !$0.hasSuffix(".part") } == before)
    }
  }

  @Test("Drive documents in a folder are imported into a library, and skipped by an import into files")
  func driveDocuments() throws {
    try withInputs { folder throws in
      let out = try folder.run("import", "in/a.gpx", "in/c.gpx", "--output-directory", "drives", "--quiet")
      #expect(out.status == 0, "\(out.errors)")
      let library = try folder.run("import", "drives", "--library", "l.gpkg")
      #expect(library.text.contains("2 imported (2 drives)"), "\(library.text)")
      #expect(try folder.run("library", "list", "--library", "l.gpkg", "--json").text.contains("\"id\""))
      let files = try folder.run("import", "drives", "--output-directory", "again")
      #expect(files.text.contains("0 imported, 0 duplicates, 2 skipped"), "\(files.text)")
    }
  }

  @Test(
    "An interrupted import keeps the complete drives and reports them",
    arguments: [("INT", 130), ("TERM", 143)])
  func interrupted(signal: String, status: Int) throws {
    try withInputs { folder throws in
      // The second input never ends.
      let line = """
        mkfifo endless.gpx
        (head -c 100 in/c.gpx; sleep 20) > endless.gpx 2>/dev/null & feeder=$!
        $GHOST_CONVERT import in/a.gpx /dev/fd/3 in/c.gpx --library l.gpkg --report r.ndjson --jobs 2 3<endless.gpx >out 2>err &
        pid=$!
        sleep 1; kill -\(signal) $pid; wait $pid; echo $?
        kill $feeder 2>/dev/null; true
        """
      let outcome = try folder.shell(line)
      #expect(outcome.text.split(separator: "\n").last == "\(status)", "\(outcome.text) \(outcome.errors)")
      let errors = try folder.text("err").split(separator: "\n")
      #expect(errors.filter { $0.contains("stopped: 1 input completed") }.count == 1, "\(errors)")
      #expect(try states(folder.text("r.ndjson")) == ["in/a.gpx": "imported"])
      #expect(try !folder.names().contains { $0.hasSuffix("-wal") || $0.hasSuffix(".part") })
      let rest = try folder.run("import", "in/a.gpx", "in/c.gpx", "--library", "l.gpkg", "--json")
      #expect(try states(rest.text) == ["in/a.gpx": "already there", "in/c.gpx": "imported"])
    }
  }

  /// Returns rows of a library as read by Python's sqlite3, with fields separated by `|`.
  private func rows(_ folder: TemporaryFolder, _ sql: String, in library: String = "l.gpkg") throws
    -> [String]
  {
    try folder.write(
      """
      import sqlite3, sys
      for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
          print("|".join(str(field) for field in row))
      """, to: ".rows.py")
    let outcome = try folder.shell("python3 .rows.py \(library) \"\(sql)\"")
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.text.split(separator: "\n").map(String.init)
  }

  @Test("Every input has a row, in the first run and in the second")
  func everyRow() throws {
    try withInputs { folder throws in
      try folder.write(try folder.text("in/a.gpx"), to: "in/a2.gpx")
      try folder.write("no track", to: "in/notes.txt")
      let arguments = ["import", "in", "missing.gpx", "--library", "l.gpkg", "--json"]
      let first = try GhostConvertProgram.run(arguments, in: folder.url)
      let expected = [
        "in/a.gpx": "imported", "in/a2.gpx": "duplicate", "in/b.gpx": "duplicate", "in/c.gpx": "imported",
        "in/d.gpx": "failed", "in/e.gpx": "skipped", "in/notes.txt": "skipped", "missing.gpx": "failed",
      ]
      #expect(try states(first.text) == expected)
      let before = try rows(folder, "SELECT fid, path, state, reason, duplicate_of, drives FROM sources")
      #expect(before.count == 8)
      for (path, state) in expected {
        #expect(before.contains { $0.contains("|\(path)|\(state)|") }, "\(before)")
      }
      let second = try GhostConvertProgram.run(arguments, in: folder.url)
      var known = expected.mapValues { $0 == "imported" ? "already there" : $0 }
      known["in/a2.gpx"] = "already there"
      #expect(try states(second.text) == known)
      #expect(
        try rows(folder, "SELECT fid, path, state, reason, duplicate_of, drives FROM sources") == before)
      let runs = try rows(folder, "SELECT folder, command FROM runs")
      #expect(runs.count == 2)
      #expect(
        runs[0].hasSuffix(
          "\(folder.url.lastPathComponent)|ghost-convert import in missing.gpx --library l.gpkg --json"),
        "\(runs)")
    }
  }

  @Test("Drives of partly failed inputs are counted in the summary and in the library")
  func partOfFailed() throws {
    try withInputs { folder throws in
      let backwards = try folder.text("in/d.gpx")
      let bad = try #require(backwards.range(of: "<trk>")).lowerBound
      let end = try #require(backwards.range(of: "</gpx>")).lowerBound
      let mixed = try folder.text("in/c.gpx").replacing("</gpx>", with: backwards[bad..<end] + "</gpx>")
      try folder.write(mixed, to: "mixed.gpx")
      let outcome = try folder.run("import", "mixed.gpx", "in/a.gpx", "--library", "l.gpkg")
      #expect(outcome.status == 65)
      let summary =
        "1 imported (1 drive), 0 already imported, 0 duplicates, 0 skipped, 1 failed (of which 1 drive could be imported)"
      #expect(outcome.text.contains("2 inputs: " + summary), "\(outcome.text)")
      #expect(try rows(folder, "SELECT outcome FROM runs") == [summary])
      #expect(try rows(folder, "SELECT count(*) FROM drives") == ["2"])
    }
  }

  @Test("A removed drive is not imported again, which is reported, unless --again is given")
  func removed() throws {
    try withInputs { folder throws in
      _ = try folder.run("import", "in/a.gpx", "in/b.gpx", "--library", "l.gpkg")
      let id = try rows(folder, "SELECT id FROM drives")
      #expect(try folder.run("library", "remove", id[0], "--library", "l.gpkg").status == 0)
      let outcome = try folder.run("import", "in/a.gpx", "in/b.gpx", "--library", "l.gpkg", "--report", "r")
      #expect(outcome.status == 0)
      #expect(
        outcome.text.contains("skipped 2: removed from the library earlier; use --again to restore it"),
        "\(outcome.text)")
      #expect(try states(folder.text("r")) == ["in/a.gpx": "skipped", "in/b.gpx": "skipped"])
      let record = try #require(try folder.text("r").split(separator: "\n").first)
      #expect(try jsonObject(Data(record.utf8))["reason"] as? String == "removed")
      // The same recording in other bytes.
      #expect(try folder.shell("gzip -k in/a.gpx").status == 0)
      let packed = try folder.run("import", "in/a.gpx.gz", "--library", "l.gpkg", "--json")
      #expect(try states(packed.text) == ["in/a.gpx.gz": "skipped"])
      let again = try folder.run("import", "in/b.gpx", "--library", "l.gpkg", "--again", "--json")
      #expect(try states(again.text) == ["in/b.gpx": "imported"])
    }
  }

  @Test("--keep-duplicates also applies to a library")
  func keptDuplicates() throws {
    try withInputs { folder throws in
      try folder.write(try folder.text("in/a.gpx"), to: "in/a2.gpx")
      let arguments = [
        "import", "in/a.gpx", "in/a2.gpx", "in/b.gpx", "--library", "l.gpkg", "--keep-duplicates",
      ]
      #expect(
        try GhostConvertProgram.run(arguments, in: folder.url).text.contains("3 imported (3 drives)"))
      #expect(try rows(folder, "SELECT count(DISTINCT id) FROM drives") == ["3"])
      #expect(
        try GhostConvertProgram.run(arguments, in: folder.url).text.contains("3 already imported"))
    }
  }

  @Test(
    "A report replaces only an earlier report",
    arguments: [
      ["import", "in/a.gpx", "--library", "l.gpkg", "--report", "in/a.gpx"],
      ["import", "in/a.gpx", "--library", "l.gpkg", "--report", "./in/a.gpx"],
      ["import", "in", "--library", "l.gpkg", "--report", "in/c.gpx"],
      ["import", "in/a.gpx", "--library", "l.gpkg", "--report", "l.gpkg"],
      ["import", "in/a.gpx", "--library", "new.gpkg", "--report", "new.gpkg"],
      ["import", "in/a.gpx", "--output-directory", "out", "--report", "filtered.ndjson"],
      ["import", "in/a.gpx", "-o", "new.json", "--report", "new.json"],
      ["import", "in/a.gpx", "-o", "x.json", "--report", "in/a.gpx"],
      ["convert", "in/a.gpx", "-o", "x.kml", "--report", "in/a.gpx"],
      ["convert", "in/a.gpx", "-o", "x.kml", "--report", "x.kml"],
      ["convert", "in", "--to", "kml", "--output-directory", "out", "--report", "in/c.gpx"],
    ])
  func report(arguments: [String]) throws {
    try withInputs { folder throws in
      _ = try folder.run("import", "in/c.gpx", "--library", "l.gpkg")
      let filtered = try folder.shell(
        "echo in/c.gpx | $GHOST_CONVERT import --stdin-paths --json > filtered.ndjson")
      try #require(filtered.status == 0)
      let name = try #require(arguments.last)
      let before = try? folder.data(name)
      let outcome = try GhostConvertProgram.run(arguments, in: folder.url)
      #expect(outcome.status == 64, "\(outcome.errors)")
      #expect(outcome.errors.contains("report"), "\(outcome.errors)")
      #expect((try? folder.data(name)) == before)
    }
  }

  @Test("An import of missing files creates no library")
  func missingInputs() throws {
    try withInputs { folder throws in
      let outcome = try folder.run("import", "missing.gpx", "gone", "--library", "l.gpkg")
      #expect(outcome.status == 66)
      #expect(
        outcome.errors.contains("missing.gpx: no such file") && outcome.errors.contains("gone: no such"))
      #expect(!(try folder.names().contains("l.gpkg")))
      // With one that exists, the import takes place.
      #expect(try folder.run("import", "missing.gpx", "in/c.gpx", "--library", "l.gpkg").status == 66)
      #expect(try folder.names().contains("l.gpkg"))
    }
  }

  @Test("An earlier report is replaced, even if its first record is a failure")
  func earlierReport() throws {
    try withInputs { folder throws in
      for input in ["missing.gpx", "in/d.gpx", "in/e.gpx", "in/a.gpx", "in/b.gpx", "in"] {
        _ = try folder.run("import", input, "--library", "l.gpkg", "--report", "r.ndjson")
        let first = try #require(try folder.text("r.ndjson").split(separator: "\n").first)
        let source = try #require(try jsonObject(Data(first.utf8))["source"] as? String)
        #expect(source.hasPrefix(input))
      }
      _ = try folder.run("convert", "in/a.gpx", "-o", "x.kml", "--report", "r.ndjson")
      #expect(try states(folder.text("r.ndjson")) == ["in/a.gpx": "converted"])
    }
  }

  @Test(
    "Empty and invalid names are usage errors, and no file is created",
    arguments: [
      ["import", "in/a.gpx", "--library", ""], ["import", "in/a.gpx", "--library", "-"],
      ["import", "in/a.gpx", "--library", "l.gpkg", "--report", ""], ["import", "in/a.gpx", "-o", ""],
      ["import", "in/a.gpx", "--output-directory", ""], ["library", "list", "--library", ""],
      ["library", "list", "--library", "-"], ["convert", "in/a.gpx", "-o", ""],
      ["convert", "in/a.gpx", "-o", "x.kml", "--report="],
    ])
  func noNames(arguments: [String]) throws {
    try withInputs { folder throws in
      let outcome = try GhostConvertProgram.run(arguments, in: folder.url)
      #expect(outcome.status == 64, "\(outcome.errors)")
      #expect(outcome.errorLines.count == 1)
      #expect(try folder.names() == ["in"])
    }
  }

  @Test(
    "A name with a special meaning for SQLite is the name of a file",
    arguments: [":memory:", "file:x.gpkg", "file:x?mode=memory", ":x"])
  func plainNames(name: String) throws {
    try withInputs { folder throws in
      #expect(try folder.run("import", "in/a.gpx", "--library", name).status == 0)
      #expect(try folder.names() == [name, "in"].sorted())
      #expect(
        try folder.run("library", "list", "--library", name, "--json").text.split(separator: "\n").count == 1)
    }
  }

  @Test("Files in a folder with non-UTF-8 names are read", arguments: ["import", "convert"])
  func foreignNames(command: String) throws {
    try withInputs { folder throws in
      let made = try folder.shell(
        #"mkdir "$(printf 'd/l\344t' | sed 's,d/,,')" && cp in/a.gpx "$(printf 'l\344t/p\374.gpx')" && mkdir out && mv l* out/"#
      )
      try #require(made.status == 0, "\(made.errors)")
      let rest =
        command == "import" ? ["--library", "l.gpkg"] : ["--to", "kml", "--output-directory", "to"]
      let outcome = try GhostConvertProgram.run(
        [command, "out", "--report", "r.ndjson"] + rest, in: folder.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let record = try jsonObject(Data(try folder.text("r.ndjson").utf8))
      #expect(record["source"] as? String == "out/l\u{FFFD}t/p\u{FFFD}.gpx")
      let bytes = try #require(
        (record["source_base64"] as? String).flatMap { Data(base64Encoded: $0) })
      #expect(Array(bytes) == Array("out/l".utf8) + [0xE4] + Array("t/p".utf8) + [0xFC] + Array(".gpx".utf8))
    }
  }

  @Test("Importing an empty folder into a library succeeds")
  func emptyFolder() throws {
    try withInputs { folder throws in
      #expect(try folder.shell("mkdir inbox").status == 0)
      let outcome = try folder.run("import", "inbox", "--library", "l.gpkg", "--json")
      #expect(outcome.status == 0)
      #expect(try states(outcome.text) == ["inbox": "skipped"])
    }
  }

  @Test("A drive document keeps its notes and gear, in files and in a library")
  func notes() throws {
    try withInputs { folder throws in
      _ = try folder.run("import", "in/a.gpx", "-o", "a.drive.json", "--quiet")
      var drive = try folder.json("a.drive.json")
      drive["notes"] = "Rain & wind"
      drive["gear"] = "Brompton"
      drive["kind"] = "ride"
      try JSONSerialization.data(withJSONObject: drive).write(
        to: folder.url.appendingPathComponent("b.drive.json"))
      #expect(try folder.run("import", "b.drive.json", "-o", "c.drive.json").status == 0)
      #expect(try folder.run("import", "b.drive.json", "--library", "l.gpkg").status == 0)
      for key in ["notes", "gear", "kind"] {
        #expect(try folder.json("c.drive.json")[key] as? String == drive[key] as? String)
      }
      #expect(try rows(folder, "SELECT description, gear, kind FROM drives") == ["Rain & wind|Brompton|ride"])
    }
  }
}
