import Foundation
import Testing

@testable import TestSupport

@Suite("Warnings in reports and on standard error", .waiting)
struct WarningReportTests {
  private func records(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { try jsonObject(Data($0.utf8)) }
  }

  @Test(
    "A report has the warnings of each input, with code, count and first location",
    arguments: [
      ["convert", "cut-off.gpx", "-o", "out.csv"],
      ["convert", "cut-off.gpx", "--to", "csv", "--output-directory", "out"], ["import", "cut-off.gpx"],
      ["import", "cut-off.gpx", "--library", "drives.gpkg"],
    ])
  func damaged(arguments: [String]) throws {
    try withFixtures("cut-off.gpx") { folder in
      let outcome = try GhostConvertProgram.run(arguments + ["--report", "r.ndjson"], in: folder.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let record = try #require(try records(folder.text("r.ndjson")).first)
      let warnings = try #require(record["warnings"] as? [[String: Any]])
      #expect(warnings.map { $0["code"] as? String } == ["truncated"])
      #expect(warnings.first?["count"] as? Int == 1)
      #expect((warnings.first?["location"] as? String)?.hasPrefix("line 14") == true)
    }
  }

  @Test("A valid input has an empty list of warnings")
  func sound() throws {
    try withFixtures("even.gpx") { folder in
      #expect(try folder.run("import", "even.gpx", "--report", "r.ndjson").status == 0)
      let record = try #require(try records(folder.text("r.ndjson")).first)
      #expect((record["warnings"] as? [Any])?.isEmpty == true)
    }
  }

  @Test(
    "With --report - standard output has only the records",
    arguments: [
      ["--output-directory", "out"], ["--library", "drives.gpkg"], ["--json", "--library", "l.gpkg"],
    ])
  func pureRecords(arguments: [String]) throws {
    try withFixtures("tuesday.gpx", "thursday.gpx", "cut-off.gpx") { folder in
      let outcome = try GhostConvertProgram.run(["import", ".", "--report", "-"] + arguments, in: folder.url)
      let all = try records(outcome.text)
      #expect(all.map { $0["state"] as? String } == ["imported", "imported", "imported"])
      #expect(all.allSatisfy { $0["warnings"] is [Any] })
    }
  }

  @Test("Drives and the report cannot both be written to standard output")
  func twice() throws {
    try withFixtures("even.gpx") { (folder) throws in
      #expect(try folder.run("import", "even.gpx", "-o", "-", "--report", "-").status == 64)
      #expect(try folder.run("import", "even.gpx", "--json", "--report", "-").status == 64)
    }
  }

  @Test("A report with another spelling of the output's name is rejected before anything is written")
  func otherSpelling() throws {
    try withFixtures("even.gpx") { folder in
      for name in ["./a.csv", "../\(folder.url.lastPathComponent)/a.csv"] {
        let outcome = try folder.run("convert", "even.gpx", "-o", "a.csv", "--report", name)
        #expect(outcome.status == 64 && outcome.errors.contains("is an output as well"), "\(outcome.errors)")
      }
      #expect(try folder.names() == ["even.gpx"])
    }
  }

  @Test(
    "Warnings of one kind from many files are one line, with the first location",
    arguments: [
      ["import", "in", "--output-directory", "out"], ["import", "in", "--library", "drives.gpkg"],
      ["convert", "in", "--to", "csv", "--output-directory", "out"], ["convert", "in", "-o", "out.csv"],
    ])
  func folded(arguments: [String]) throws {
    try withFixtures("cut-off.gpx") { folder in
      let text = try folder.text("cut-off.gpx")
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("in"), withIntermediateDirectories: true)
      for day in 10..<15 {
        try folder.write(text.replacing("2024-05-17", with: "2024-05-\(day)"), to: "in/\(day).gpx")
      }
      let outcome = try GhostConvertProgram.run(arguments, in: folder.url)
      let lines = outcome.errorLines.filter { $0.contains("warning: ") }
      #expect(lines.count == 1, "\(outcome.errors)")
      #expect(lines.first?.contains("5 files: warning: ") == true, "\(lines)")
      #expect(lines.first?.contains("in/10.gpx:14") == true, "\(lines)")
    }
  }

  @Test("Failures are listed again at the end", arguments: ["out", "drives.gpkg"])
  func failures(output: String) throws {
    try withFixtures("even.gpx") { folder in
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("in"), withIntermediateDirectories: true)
      try folder.write("<gpx><trk><trkseg><trkpt lat=\"x\"", to: "in/a.gpx")
      try folder.write(folder.text("even.gpx"), to: "in/b.gpx")
      let option = output == "out" ? "--output-directory" : "--library"
      let outcome = try folder.run("import", "in", option, output)
      #expect(outcome.status == 65)
      #expect(
        outcome.errorLines.last?.hasPrefix("ghost-convert: failed: in/a.gpx") == true, "\(outcome.errors)")
    }
  }

  @Test(
    "Failures with one cause are printed once and counted at the end, and each file is named once",
    arguments: [
      ["import", "in", "--output-directory", "out"], ["import", "in", "--library", "drives.gpkg"],
      ["convert", "in", "--to", "csv", "--output-directory", "out"],
    ])
  func foldedFailures(arguments: [String]) throws {
    try withFixtures { folder in
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("in"), withIntermediateDirectories: true)
      for name in ["a", "b", "c"] { try folder.write("AAAA\u{1}", to: "in/\(name).gpx") }
      let outcome = try GhostConvertProgram.run(arguments, in: folder.url)
      #expect(outcome.status == 65)
      let failed = outcome.errorLines.filter { $0.contains(": failed: ") }
      #expect(failed.count == 4, "\(outcome.errors)")
      #expect(failed.first?.hasPrefix("ghost-convert: failed: 3 files: ") == true, "\(failed)")
      #expect(failed.first?.hasSuffix(", the first: in/a.gpx") == true, "\(failed)")
      for (line, name) in zip(failed.dropFirst(), ["a", "b", "c"]) {
        #expect(line.hasPrefix("ghost-convert: failed: in/\(name).gpx: "), "\(line)")
        #expect(!line.contains("; "), "\(line)")
      }
      let others = outcome.errorLines.filter { $0.hasPrefix("ghost-convert: in/") }
      #expect(others.count == 1, "\(outcome.errors)")
      let quiet = try GhostConvertProgram.run(arguments + ["--quiet"], in: folder.url)
      #expect(quiet.errorLines.count == 3, "\(quiet.errors)")
    }
  }

  @Test("convert into a folder ends with the counts of its inputs")
  func counts() throws {
    try withFixtures("even.gpx") { folder in
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("in"), withIntermediateDirectories: true)
      try folder.write("<gpx><trk><trkseg><trkpt lat=\"x\"", to: "in/a.gpx")
      try folder.write(folder.text("even.gpx"), to: "in/b.gpx")
      try folder.write("notes", to: "in/c.txt")
      let outcome = try folder.run("convert", "in", "--to", "csv", "--output-directory", "out")
      #expect(
        outcome.errors.contains(
          "out/: 1 input converted, 0 already converted, 1 skipped, 1 failed\n"
            + "ghost-convert:   skipped 1: not a track format\n"), "\(outcome.errors)")
      let quiet = try folder.run("convert", "in", "--to", "csv", "--output-directory", "out", "-q")
      #expect(!quiet.errors.contains("converted"), "\(quiet.errors)")
      let single = try folder.run("convert", "even.gpx", "--to", "csv", "--output-directory", "one")
      #expect(single.errors.isEmpty, "\(single.errors)")
    }
  }

  @Test("convert keeps isolated fixes at 0°, 0° and reports them; --drop-spikes removes them")
  func nullIsland() throws {
    try withFixtures { folder in
      let fixes = (0..<10).map { second in
        let place = second == 4 ? #"lat="0" lon="0""# : #"lat="46.90\#(second)" lon="7.4""#
        return "<trkpt \(place)><time>2024-05-17T06:00:0\(second)Z</time></trkpt>"
      }
      try folder.write(
        "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\(fixes.joined())"
          + "</trkseg></trk></gpx>", to: "a.gpx")
      let words = "position 0°, 0° far from the rest of the track"
      let kept = try folder.run("convert", "a.gpx", "-o", "b.gpx")
      let advice = "--drop-spikes removes these points"
      #expect(kept.errors == "ghost-convert: a.gpx: warning: \(words); \(advice)\n")
      #expect(try folder.text("b.gpx").ranges(of: "<trkpt").count == 10)
      let dropped = try folder.run("convert", "a.gpx", "--drop-spikes", "-o", "b.gpx")
      #expect(!dropped.errors.contains(words), "\(dropped.errors)")
      #expect(try folder.text("b.gpx").ranges(of: "<trkpt").count == 9)
      for command in [["info"], ["import"], ["ghost", "--at", "0:01"]] {
        let outcome = try GhostConvertProgram.run(command + ["a.gpx"], in: folder.url)
        #expect(outcome.errors.contains("a.gpx: warning: \(words), point skipped"), "\(outcome.errors)")
      }
    }
  }

  @Test("convert and info report times out of order")
  func timesOutOfOrder() throws {
    try withFixtures { folder in
      let fixes = (0..<20).map { second in
        let time =
          second == 4 ? "2026-05-17T06:00:04Z" : "2024-05-17T06:00:\(second < 10 ? "0" : "")\(second)Z"
        return "<trkpt lat=\"46.90\(second)\" lon=\"7.4\"><time>\(time)</time></trkpt>"
      }
      try folder.write(
        "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\(fixes.joined())"
          + "</trkseg></trk></gpx>", to: "a.gpx")
      let converted = try folder.run("convert", "a.gpx", "--reverse", "-o", "b.gpx")
      #expect(converted.errors.contains("a.gpx: warning: time before that of the previous point\n"))
      #expect(try folder.text("b.gpx").contains(#"lat="46.9019" lon="7.4"><time>2024-05-17T06:00:00Z"#))
      let info = try folder.run("info", "a.gpx")
      #expect(info.errors.contains("a.gpx: warning: time out of order, point skipped"), "\(info.errors)")
      #expect(info.text.contains("as drive  19.0 s"))
    }
  }

  @Test("convert reports an option that is unused because the recording has times")
  func unusedPace() throws {
    try withFixtures("commute.gpx") { folder in
      let outcome = try folder.run("convert", "commute.gpx", "--duration", "3:00", "-o", "b.gpx")
      #expect(
        outcome.errors.contains(
          "commute.gpx: warning: the recording has times; the given duration is ignored"))
    }
  }

  @Test("An import does not report fields that drives cannot store")
  func developerFields() throws {
    try withFixtures { folder in
      let fit = TemporaryFolder.packageRoot.appendingPathComponent("Fixtures/fit")
      let outcome = try folder.run("import", fit.path, "--output-directory", "out")
      #expect(!outcome.errors.contains("developer field"), "\(outcome.errors)")
    }
  }
}
