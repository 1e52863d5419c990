import Foundation
import Testing

@testable import TestSupport

@Suite("Resumed conversions", .waiting)
struct ResumeTests {
  private static let state = ".ghost-convert-state.ndjson"

  private func withInputs(_ body: (TemporaryFolder) throws -> Void) throws {
    try withFixtures("tuesday.gpx", "thursday.gpx", "commute.gpx") { folder throws in
      for name in ["in/one", "in/two"] {
        try FileManager.default.createDirectory(
          at: folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
      }
      // Two inputs have the same name.
      for (old, new) in [
        ("tuesday.gpx", "in/one/a.gpx"), ("thursday.gpx", "in/two/a.gpx"), ("commute.gpx", "in/two/b.gpx"),
      ] {
        try FileManager.default.moveItem(
          at: folder.url.appendingPathComponent(old), to: folder.url.appendingPathComponent(new))
      }
      try body(folder)
    }
  }

  private func states(_ folder: TemporaryFolder) throws -> [String: String] {
    let lines = try folder.text("r.ndjson").split(separator: "\n").map { try jsonObject(Data($0.utf8)) }
    return Dictionary(
      uniqueKeysWithValues: lines.map { ($0["source"] as? String ?? "", $0["state"] as? String ?? "") })
  }

  @discardableResult
  private func convert(_ folder: TemporaryFolder, _ more: String...) throws -> OtherProgram.Outcome {
    try GhostConvertProgram.run(
      ["convert", "in", "--flat", "--to", "geojson", "--output-directory", "out", "--report", "r.ndjson"]
        + more,
      in: folder.url)
  }

  private func outputs(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent("out").path)
      .sorted()
  }

  @Test("Complete outputs are kept; missing, changed and truncated outputs are written again")
  func goesOn() throws {
    try withInputs { folder throws in
      #expect(try convert(folder, "--resume").status == 0)
      #expect(Set(try states(folder).values) == ["converted"])
      #expect(try outputs(folder) == [Self.state, "a-2.geojson", "a.geojson", "b.geojson"])
      let whole = try ["a", "a-2", "b"].map { try folder.data("out/\($0).geojson") }
      try convert(folder, "--resume")
      #expect(Set(try states(folder).values) == ["already there"])
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("out/a.geojson"))
      try folder.write("{", to: "out/b.geojson")
      let outcome = try convert(folder, "--resume")
      #expect(
        outcome.errors.contains("2 inputs converted, 1 already converted, 0 skipped, 0 failed"),
        "\(outcome.errors)")
      #expect(
        try states(folder) == [
          "in/one/a.gpx": "converted", "in/two/a.gpx": "already there", "in/two/b.gpx": "converted",
        ])
      #expect(try ["a", "a-2", "b"].map { try folder.data("out/\($0).geojson") } == whole)
    }
  }

  @Test("An input keeps the name of its output when other inputs are added before it")
  func names() throws {
    try withInputs { folder throws in
      try convert(folder, "--resume")
      let second = try folder.data("out/a-2.geojson")
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("in/before"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: folder.url.appendingPathComponent("in/two/b.gpx"),
        to: folder.url.appendingPathComponent("in/before/a.gpx"))
      try convert(folder, "--resume")
      #expect(
        try states(folder) == [
          "in/before/a.gpx": "converted", "in/one/a.gpx": "already there", "in/two/a.gpx": "already there",
          "in/two/b.gpx": "already there",
        ])
      #expect(try folder.data("out/a-2.geojson") == second)
      #expect(try folder.data("out/a-3.geojson") == folder.data("out/b.geojson"))
    }
  }

  @Test("Other options convert all inputs again, with the same output names")
  func options() throws {
    try withInputs { folder throws in
      try convert(folder, "--resume")
      try convert(folder, "--resume", "--simplify", "50")
      #expect(Set(try states(folder).values) == ["converted"])
      #expect(try outputs(folder) == [Self.state, "a-2.geojson", "a.geojson", "b.geojson"])
      try convert(folder, "--resume", "--simplify", "50")
      #expect(Set(try states(folder).values) == ["already there"])
    }
  }

  @Test("A completed run leaves no journal; a killed run leaves one that --resume can use")
  func killed() throws {
    try withInputs { folder throws in
      #expect(try convert(folder).status == 0)
      #expect(try outputs(folder) == ["a-2.geojson", "a.geojson", "b.geojson"])
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("out"))
      // The last input never ends.
      let command = "convert in /dev/fd/3 --flat --to geojson --output-directory out --jobs 2"
      let line = """
        mkfifo endless.gpx
        (cat in/one/a.gpx | head -c 17000; sleep 60) > endless.gpx 2>/dev/null & feeder=$!
        $GHOST_CONVERT \(command) 3<endless.gpx 2>err & pid=$!
        for try in $(seq 300); do
          ls out/3.geojson.*.part out/a.geojson out/a-2.geojson out/b.geojson >/dev/null 2>&1 && break
          sleep 0.1
        done
        sleep 1; kill -9 $pid; wait $pid; kill $feeder 2>/dev/null; ls -A out
        """
      let left = try folder.shell(line).text.split(separator: "\n")
      #expect(left.contains { $0.hasPrefix("3.geojson.") && $0.hasSuffix(".part") }, "\(left)")
      #expect(left.contains(Substring(Self.state)))
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("endless.gpx"))
      let again = try convert(folder)
      #expect(again.errors.contains("use --resume to continue"), "\(again.errors)")
      _ = try folder.shell("rm out/*.geojson\n" + line)
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("endless.gpx"))
      try convert(folder, "--resume")
      #expect(Set(try states(folder).values) == ["already there"])
      #expect(try outputs(folder) == [Self.state, "a-2.geojson", "a.geojson", "b.geojson"])
    }
  }

  /// Returns the paths of all files in `out`, relative to it.
  private func tree(_ folder: TemporaryFolder) throws -> [String] {
    try folder.shell("cd out && find . -type f ! -name '.ghost*' | sort").text.split(separator: "\n").map {
      String($0.dropFirst(2))
    }
  }

  private func convertTree(_ folder: TemporaryFolder, _ more: String...) throws -> OtherProgram.Outcome {
    try GhostConvertProgram.run(
      ["convert", "in", "--to", "geojson", "--output-directory", "out"] + more, in: folder.url)
  }

  @Test(
    "Outputs keep the folders of their inputs, unless --flat is given", arguments: [true, false])
  func structure(isImport: Bool) throws {
    try withInputs { folder throws in
      let command =
        isImport
        ? ["import", "in/", "--output-directory", "out"]
        : ["convert", "in/", "--to", "drive", "--output-directory", "out"]
      #expect(try GhostConvertProgram.run(command, in: folder.url).status == 0)
      #expect(try tree(folder) == ["one/a.drive.json", "two/a.drive.json", "two/b.drive.json"])
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("out"))
      #expect(try GhostConvertProgram.run(command + ["--flat"], in: folder.url).status == 0)
      #expect(try tree(folder) == ["a-2.drive.json", "a.drive.json", "b.drive.json"])
    }
  }

  @Test("An archive in a folder adds no level to the output's path")
  func archiveInFolder() throws {
    try withInputs { folder throws in
      #expect(try folder.shell("cd in/two && tar cf x.tar a.gpx && rm a.gpx b.gpx").status == 0)
      #expect(try convertTree(folder).status == 0)
      #expect(try tree(folder) == ["one/a.geojson", "two/a.geojson"])
    }
  }

  @Test("A resumed and completed run is not reported as interrupted, by runs with and without --resume")
  func completed() throws {
    try withInputs { folder throws in
      for arguments in [["--resume"], [], ["--resume"], []] {
        let outcome = try GhostConvertProgram.run(
          ["convert", "in", "--to", "geojson", "--output-directory", "out"] + arguments, in: folder.url)
        #expect(outcome.status == 0)
        #expect(!outcome.errors.contains("interrupted"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("took the place"), "\(outcome.errors)")
        #expect(try tree(folder) == ["one/a.geojson", "two/a.geojson", "two/b.geojson"])
      }
      #expect(try convertTree(folder, "--resume").errors.contains("3 already converted"))
    }
  }

  @Test("A run without --resume keeps the names of outputs and reports outputs without an input")
  func namesStay() throws {
    try withInputs { folder throws in
      try convert(folder, "--resume")
      let second = try folder.data("out/a-2.geojson")
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("in/before"), withIntermediateDirectories: true)
      try FileManager.default.moveItem(
        at: folder.url.appendingPathComponent("in/two/b.gpx"),
        to: folder.url.appendingPathComponent("in/before/a.gpx"))
      let outcome = try convert(folder)
      #expect(try folder.data("out/a-2.geojson") == second)
      #expect(try folder.data("out/a-3.geojson") == folder.data("out/b.geojson"))
      #expect(
        outcome.errors.contains(
          "1 output of removed inputs kept, the first: out/b.geojson"),
        "\(outcome.errors)")
    }
  }

  @Test("Outputs of another format are written beside those of the first")
  func otherFormat() throws {
    try withInputs { folder throws in
      #expect(try convertTree(folder, "--resume").status == 0)
      let first = try folder.data("out/one/a.geojson")
      let outcome = try folder.run("convert", "in", "--to", "csv", "--output-directory", "out", "--resume")
      #expect(outcome.errors.contains("3 inputs converted, 0 already converted"), "\(outcome.errors)")
      #expect(try folder.data("out/one/a.geojson") == first)
      #expect(try tree(folder).count == 6)
      #expect(try convertTree(folder, "--resume").errors.contains("3 already converted"))
    }
  }

  @Test("An interrupted run leaves only complete outputs and the journal")
  func interrupted() throws {
    try withInputs { folder throws in
      let line = """
        mkfifo endless.gpx
        (cat in/one/a.gpx | head -c 17000; sleep 20) > endless.gpx 2>/dev/null & feeder=$!
        $GHOST_CONVERT convert in /dev/fd/3 --flat --to geojson --output-directory out --jobs 2 3<endless.gpx 2>err & pid=$!
        sleep 1; kill -INT $pid; wait $pid; echo $?; kill $feeder 2>/dev/null; true
        """
      let outcome = try folder.shell(line)
      #expect(outcome.text.split(separator: "\n").last == "130", "\(outcome.text)")
      let errors = try folder.text("err")
      #expect(errors.contains("stopped: 3 outputs in out/ completed"), "\(errors)")
      #expect(try outputs(folder) == [Self.state, "a-2.geojson", "a.geojson", "b.geojson"])
    }
  }

  @Test("Options that exclude each other are usage errors")
  func refused() throws {
    try withInputs { folder throws in
      #expect(try folder.run("convert", "in", "-o", "all.gpx", "--resume").status == 64)
      #expect(try folder.run("convert", "in/one/a.gpx", "-o", "-", "--report", "-").status == 64)
    }
  }

  @Test("The report of a conversion to one output has the state of each input")
  func joined() throws {
    try withInputs { folder throws in
      try folder.write("<gpx><trk>", to: "in/two/c.gpx")
      let outcome = try folder.run("convert", "in", "-o", "all.gpx", "--report", "r.ndjson")
      #expect(outcome.status == 65)
      #expect(
        try states(folder) == [
          "in/one/a.gpx": "converted", "in/two/a.gpx": "converted", "in/two/b.gpx": "converted",
          "in/two/c.gpx": "failed",
        ])
      let strict = try folder.run("convert", "in", "-o", "none.gpx", "--strict", "--report", "r.ndjson")
      #expect(strict.status == 65)
      #expect(Set(try states(folder).values) == ["failed"])
    }
  }
}
