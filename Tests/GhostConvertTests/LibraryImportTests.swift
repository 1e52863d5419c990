import Foundation
import Testing

@Suite("Import into a library")
struct LibraryImportTests {
  /// The lines of a report, without what is the same in all.
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

  /// Five inputs, one for each state once `a.gpx` has been imported.
  private func withInputs(_ body: (TemporaryFolder) throws -> Void) throws {
    try withFixtures("tuesday.gpx", "thursday.gpx", "backwards.gpx", "waypoints-and-routes.gpx") {
      folder throws in
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("in"), withIntermediateDirectories: true)
      for (old, new) in [
        ("tuesday.gpx", "in/a.gpx"), ("thursday.gpx", "in/c.gpx"), ("backwards.gpx", "in/d.gpx"),
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

  @Test("Every input ends in one state, which the report, the summary and the status tell")
  func states() throws {
    try withInputs { folder throws in
      #expect(try folder.run("import", "in/a.gpx", "--library", "l.gpkg").status == 0)
      let outcome = try folder.run("import", "in", "--library", "l.gpkg", "--report", "r.ndjson")
      #expect(outcome.status == 65)
      #expect(
        outcome.text.contains(
          "5 inputs: 1 imported as 1 drive, 1 already there, 1 duplicate, 1 skipped, 1 failed"),
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
      #expect(lines[3]["reason"] as? String == "outOfOrder")
      #expect(lines[4]["reason"] as? String == "no-track")
      #expect(try folder.names() == ["in", "l.gpkg", "r.ndjson"])
    }
  }

  @Test("A second time nothing is brought in, and --json says the same as the report")
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

  @Test("Other options are told of, and --again imports with them")
  func options() throws {
    try withInputs { folder throws in
      _ = try folder.run("import", "in/a.gpx", "in/c.gpx", "--library", "l.gpkg")
      let other = try folder.run("import", "in/a.gpx", "in/c.gpx", "--library", "l.gpkg", "--cadence", "4")
      #expect(other.text.contains("2 already there as read with other options; --again"), "\(other.text)")
      let again = try folder.run(
        "import", "in/a.gpx", "in/c.gpx", "--library", "l.gpkg", "--cadence", "4", "--again")
      #expect(again.text.contains("2 imported as 2 drives, 0 already there"), "\(again.text)")
      #expect(again.text.contains("points every 4.0"), "\(again.text)")
      let settled = try folder.run("import", "in/a.gpx", "in/c.gpx", "--library", "l.gpkg", "--cadence", "4")
      #expect(!settled.text.contains("other options"))
    }
  }

  @Test("What lies in an archive or comes through a pipe is known by its content")
  func contents() throws {
    try withInputs { folder throws in
      _ = try folder.run("import", "in/a.gpx", "--library", "l.gpkg")
      let piped = try folder.run(
        "import", "-", "--library", "l.gpkg", "--json", input: try folder.data("in/a.gpx"))
      #expect(try states(piped.text) == ["standard input": "already there"])
      #expect(try folder.shell("tar cf in.tar in").status == 0)
      let packed = try folder.run("import", "in.tar", "--library", "l.gpkg", "--json")
      #expect(try states(packed.text)["in.tar/in/a.gpx"] == "already there")
    }
  }

  @Test("What the import itself writes is no input")
  func ownFiles() throws {
    try withInputs { folder throws in
      let outcome = try folder.run("import", "in", "--library", "in/l.gpkg", "--report", "in/r.ndjson")
      #expect(outcome.text.contains("5 inputs:"), "\(outcome.text)")
      let again = try folder.run("import", "in", "--library", "in/l.gpkg", "--report", "in/r.ndjson")
      #expect(again.text.contains("5 inputs:"), "\(again.text)")
    }
  }

  @Test("A report tells of drives that go into files too")
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
    "What cannot be imported into is said in one line with a hint, before anything is made",
    arguments: [
      (["--library", "l.gpkg", "-o", "x"], 64, "one output"),
      (["--library", "l.gpkg", "--blob"], 64, "one output"),
      (["--again"], 64, "--library"), (["--library", "no/such/l.gpkg"], 73, "is there such a folder"),
      (["--library", "in/c.gpx"], 65, "no library of drives"), (["--library", "in"], 73, "cannot be made"),
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

  @Test("Ctrl-C keeps what is whole and says so", arguments: [("INT", 130), ("TERM", 143)])
  func interrupted(signal: String, status: Int) throws {
    try withInputs { folder throws in
      // The second input never ends.
      let line = """
        mkfifo endless.gpx
        (head -c 100 in/c.gpx; sleep 20) > endless.gpx 2>/dev/null & feeder=$!
        $GHOST_CONVERT import in/a.gpx endless.gpx in/c.gpx --library l.gpkg --report r.ndjson --jobs 2 >out 2>err &
        pid=$!
        sleep 1; kill -\(signal) $pid; wait $pid; echo $?
        kill $feeder 2>/dev/null; true
        """
      let outcome = try folder.shell(line)
      #expect(outcome.text.split(separator: "\n").last == "\(status)", "\(outcome.text) \(outcome.errors)")
      let errors = try folder.text("err").split(separator: "\n")
      #expect(errors.filter { $0.contains("stopped: 1 input done") }.count == 1, "\(errors)")
      #expect(try states(folder.text("r.ndjson")) == ["in/a.gpx": "imported"])
      #expect(try !folder.names().contains { $0.hasSuffix("-wal") || $0.hasSuffix(".part") })
      let rest = try folder.run("import", "in/a.gpx", "in/c.gpx", "--library", "l.gpkg", "--json")
      #expect(try states(rest.text) == ["in/a.gpx": "already there", "in/c.gpx": "imported"])
    }
  }
}
