import DriveLibrary
import Foundation
import GhostModel
import Testing
import TrackModel

@testable import TestSupport

@Suite(.waiting) struct LibraryCommandTests {
  /// Calls `body` with a library of three drives. The ids of two of them have a common prefix.
  private func withLibrary<Result>(_ body: (TemporaryFolder) throws -> Result) throws -> Result {
    try withFixtures { (folder) throws in
      try folder.makeLibrary([
        .made("AB12CD1", name: "Zur Arbeit", start: "2025-02-03T06:12:09Z", kind: "driving"),
        .made(
          "AB12CD2", name: "ÜBER LAND", start: "2025-01-31T23:59:59Z", kind: "in_vehicle",
          over: [(52.52, 13.4), (52.53, 13.4), (52.54, 13.4)]),
        .made("F0", name: "Old one", start: "2024-12-31T07:30:00Z", kind: "cycling"),
      ])
      return try body(folder)
    }
  }

  private func names(_ outcome: OtherProgram.Outcome) throws -> [String] {
    try outcome.text.split(separator: "\n").map {
      try #require(try jsonObject(Data($0.utf8))["name"] as? String)
    }
  }

  @Test("The list is sorted by start, with abbreviated ids that are unique")
  func list() throws {
    try withLibrary { (folder) throws in
      let outcome = try folder.run("library", "list")
      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      // 0.001° of latitude is 111 m at 46.5°, 0.02° is 2.23 km at 52.5° (WGS 84).
      #expect(
        outcome.text == """
          id       start                    duration    distance  name
          F000000  2024-12-31 07:30Z           1.0 s       111 m  Old one
          AB12CD2  2025-01-31 23:59Z           2.0 s     2.23 km  ÜBER LAND
          AB12CD1  2025-02-03 06:12Z           1.0 s       111 m  Zur Arbeit

          3 drives, 2.45 km, 4.0 s

          """)
      #expect(!(try folder.run("library", "list", "--quiet").text.contains("3 drives")))
      #expect(try folder.names() == ["drives.gpkg"], "reading leaves no other files")
    }
  }

  @Test(
    "Filters select by time, place, name and kind",
    arguments: [
      (["--since", "2025-01"], ["ÜBER LAND", "Zur Arbeit"]),
      (["--until", "2025-01"], ["Old one", "ÜBER LAND"]),
      (["--since", "2025-01-31T23:59:59Z", "--until", "2025-01-31T23:59:59Z"], ["ÜBER LAND"]),
      // The list shows minutes, and the drive starts at their last second.
      (["--since", "2025", "--until", "2025-01-31T23:59"], ["ÜBER LAND"]),
      (["--since", "2025", "--until", "2025-01-31T23:58"], []),
      (["--since", "2025-02-03T07:12:10+01:00"], []),
      (["--since", "2024", "--until", "2024"], ["Old one"]),
      (["--name", "über"], ["ÜBER LAND"]),
      (["--kind", "driving"], ["ÜBER LAND", "Zur Arbeit"]),
      (["--kind", "Cycling"], ["Old one"]),
      (["--near", "52.535,13.4"], ["ÜBER LAND"]),
      // 0.01° of longitude is 678 m at this latitude.
      (["--near", "52.535,13.41"], []),
      (["--near", "52.535,13.41", "--radius", "0.7km"], ["ÜBER LAND"]),
      (["--near", "46.5,7.5", "--since", "2025"], ["Zur Arbeit"]),
    ])
  func filters(options: [String], expected: [String]) throws {
    try withLibrary { (folder) throws in
      let outcome = try GhostConvertProgram.run(["library", "list", "--json"] + options, in: folder.url)
      #expect(outcome.status == 0)
      #expect(try names(outcome) == expected)
    }
  }

  @Test(
    "An invalid filter is a usage error",
    arguments: [
      ["--since", "2025-13"], ["--until", "yesterday"], ["--near", "91,0"], ["--near", "52.5"],
      ["--radius", "500m"], ["--near", "1,2", "--radius", "0"], ["--since", "2025", "--until", "2024"],
      ["--since"], ["extra"],
    ])
  func usage(options: [String]) throws {
    try withLibrary { (folder) throws in
      let outcome = try GhostConvertProgram.run(["library", "list"] + options, in: folder.url)
      #expect(outcome.status == 64)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.text == "")
    }
  }

  @Test("Totals by month and year include drives without a start")
  func totals() throws {
    try withLibrary { (folder) throws in
      let library = try DriveLibrary(path: folder.file("drives.gpkg"), mode: .writing)
      let outcome = SourceOutcome(path: "plan.gpx", contentHash: "plan", state: .imported)
      try library.record([(outcome, [.made("E0", start: nil)])], run: nil)
      library.close()
      let months = try folder.run("library", "list", "--by", "month", "--since", "2025")
      #expect(
        months.text == """
            month    drives  distance  duration
            2025-01       1   2.23 km     2.0 s
            2025-02       1     111 m     1.0 s

          2 drives, 2.34 km, 3.0 s

          """)
      let years = try folder.run("library", "list", "--by", "year", "--json").text.split(separator: "\n")
        .map { try jsonObject(Data($0.utf8)) }
      #expect(years.map { $0["period"] as? String } == ["2024", "2025", nil])
      #expect(years.map { $0["drives"] as? Int } == [1, 2, 1])
      #expect(years.map { $0["duration_s"] as? Double } == [1, 3, 1])
      #expect(try #require(years[2]["distance_m"] as? Double) > 111)
    }
  }

  @Test("Long names are shortened in text, and complete in JSON")
  func longNames() throws {
    try withFixtures { (folder) throws in
      let name = "Start " + String(repeating: "x", count: 5000) + " 2025-01-31"
      try folder.makeLibrary([.made("A0", name: name)])
      let list = try folder.run("library", "list")
      #expect(list.text.contains("Start x") && list.text.contains("x 2025-01-31"))
      #expect(list.text.utf8.count < 300)
      #expect(try names(folder.run("library", "list", "--json")) == [name])
      let export = try folder.run("library", "export", "--all", "--to", "gpx", "--output-directory", "out")
      #expect(export.text.utf8.count < 400)
    }
  }

  @Test("An empty library and an empty selection are reported")
  func nothing() throws {
    try withLibrary { (folder) throws in
      #expect(
        try folder.run("library", "list", "--since", "2030").text
          == "none of the library's 3 drives matches\n")
      #expect(try folder.run("library", "list", "--since", "2030", "--json").text == "")
      try folder.makeLibrary([], name: "empty.gpkg")
      #expect(try folder.run("library", "list", "--library", "empty.gpkg").text == "the library is empty\n")
    }
  }

  @Test("The library comes from --library, from GHOST_LIBRARY, or is drives.gpkg in the current folder")
  func whichLibrary() throws {
    try withLibrary { (folder) throws in
      try folder.makeLibrary([.made("C0", name: "Other")], name: "other.gpkg")
      let list = "$GHOST_CONVERT library list --json"
      #expect(try names(folder.shell(list)).count == 3)
      #expect(try names(folder.shell("GHOST_LIBRARY=other.gpkg \(list)")) == ["Other"])
      #expect(try names(folder.shell("GHOST_LIBRARY=other.gpkg \(list) --library drives.gpkg")).count == 3)
      #expect(try names(folder.shell("GHOST_LIBRARY= \(list)")).count == 3)
    }
    try withFixtures { (folder) throws in
      let outcome = try folder.run("library", "list")
      #expect(outcome.status == 66)
      #expect(outcome.errors.contains("no drives.gpkg in the current folder"))
      #expect(try folder.run("library", "list", "--library", "none.gpkg").status == 66)
      #expect(try folder.names() == [], "nothing was made")
      try folder.write("no database at all, but some text that is long enough", to: "text.gpkg")
      let foreign = try folder.run("library", "list", "--library", "text.gpkg")
      #expect(foreign.status == 65)
      #expect(foreign.errors.contains("not a library of drives"))
    }
  }

  @Test("A drive is shown with all its properties, and can be printed as a drive document")
  func show() throws {
    try withLibrary { (folder) throws in
      let text = try folder.run("library", "show", "ab12cd2")
      #expect(text.status == 0)
      #expect(text.text.hasPrefix("ÜBER LAND\n  id        AB12CD20-0000-8000-8000-000000000000\n"))
      #expect(text.text.contains("  points    3 every 1.000 s\n"))
      #expect(text.text.contains("  recorded  3 points, each with its time\n"))
      let json = try jsonObject(try folder.run("library", "show", "F", "--json").output)
      #expect(json["name"] as? String == "Old one")
      #expect((json["recording"] as? [String: Any])?["timed_points"] as? Int == 2)
      let document = try folder.run("library", "show", "AB12CD2", "--document").output
      let expected = try NewLibraryDrive.made(
        "AB12CD2", name: "ÜBER LAND", start: "2025-01-31T23:59:59Z", kind: "in_vehicle",
        over: [(52.52, 13.4), (52.53, 13.4), (52.54, 13.4)])
      #expect(try JSONDecoder().decode(Drive.self, from: document) == expected.drive)
      #expect(
        try folder.run("library", "show", "AB12CD2", "--blob").output == expected.drive.coordinatesData)
    }
  }

  @Test(
    "An id without a drive and an ambiguous id are errors",
    arguments: [
      (["show", "AB12CD"], 64, "2 drives have ids that begin with 'AB12CD': AB12CD1 (Zur Arbeit), AB12CD2"),
      (["show", "AB13"], 66, "no drive has an id that begins with 'AB13'"),
      (["show", ""], 66, "no drive"), (["show", "%"], 66, "no drive"),
      (["show", "F", "AB12CD1", "--blob"], 64, "2 drives, but only one can be printed"),
      (["show"], 64, "missing operand ID"),
      (["remove", "F", "nonsense"], 66, "begins with 'nonsense'"),
      (["remove", "F", "AB1"], 64, "2 drives"),
      (["remove"], 64, "missing operand ID"),
      (["export", "nonsense", "-o", "x.gpx"], 66, "begins with 'nonsense'"),
    ])
  func identifiers(arguments: [String], status: Int32, message: String) throws {
    try withLibrary { (folder) throws in
      let outcome = try GhostConvertProgram.run(["library"] + arguments, in: folder.url)
      #expect(outcome.status == status)
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
      #expect(try names(try folder.run("library", "list", "--json")).count == 3, "nothing is removed")
      #expect(try folder.names() == ["drives.gpkg"])
    }
  }

  @Test("Drives are removed, and a check finds the library valid")
  func remove() throws {
    try withLibrary { (folder) throws in
      let outcome = try folder.run("library", "remove", "F", "ab12cd1")
      #expect(outcome.status == 0)
      #expect(
        outcome.text == """
          removed  F000000  2024-12-31 07:30Z           1.0 s       111 m  Old one
          removed  AB12CD1  2025-02-03 06:12Z           1.0 s       111 m  Zur Arbeit

          """)
      #expect(try names(try folder.run("library", "list", "--json")) == ["ÜBER LAND"])
      let check = try folder.run("library", "check")
      #expect(check.status == 0)
      #expect(check.text == "1 drive, no problems\n")
      #expect(try folder.names() == ["drives.gpkg"])
    }
  }

  @Test("The name, the kind and the gear of drives can be set, and are not changed back by imports")
  func set() throws {
    try withFixtures("tuesday.gpx") { (folder) throws in
      let importing = ["import", "tuesday.gpx", "--library", "drives.gpkg"]
      #expect(try GhostConvertProgram.run(importing, in: folder.url).status == 0)
      let id = try #require(
        try jsonObject(folder.run("library", "list", "--json").output)["id"] as? String)
      let outcome = try GhostConvertProgram.run(
        ["library", "set", id, "--name", "To work", "--kind", "driving", "--gear", "Ioniq"], in: folder.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.text.hasPrefix("changed  ") && outcome.text.hasSuffix("  To work\n"))
      for change in [importing + ["--again"], ["library", "remove", id], importing + ["--again"]] {
        #expect(try GhostConvertProgram.run(change, in: folder.url).status == 0)
      }
      let drive = try jsonObject(folder.run("library", "list", "--json").output)
      #expect(drive["name"] as? String == "To work")
      #expect(drive["kind"] as? String == "driving")
      #expect(drive["gear"] as? String == "Ioniq")
      let none = try folder.run("library", "set", id, "--kind", "", "--gear", "", "--json")
      #expect(try jsonObject(none.output)["kind"] is NSNull)
      #expect(try jsonObject(none.output)["gear"] is NSNull)
      #expect(try folder.run("library", "check").text == "1 drive, no problems\n")
      #expect(try folder.run("library", "set", id).status == 64)
      #expect(try folder.run("library", "set", id, "--name", " ").status == 64)
      #expect(try folder.run("library", "set", "--name", "x").status == 64)
      #expect(try folder.run("library", "set", "FFFF", "--name", "x").status == 66)
    }
  }

  @Test(
    "A check prints the problems, even with --quiet", .enabled(if: SQLiteTool.isThere, "needs sqlite3"))
  func check() throws {
    try withLibrary { (folder) throws in
      try SQLiteTool.run("UPDATE recordings SET data = x'00' WHERE drive_id LIKE 'F0%'", folder)
      let outcome = try folder.run("library", "check")
      #expect(outcome.status == 65)
      #expect(
        outcome.text
          == "drive F0000000-0000-8000-8000-000000000000: the recorded points are damaged; "
          + "import its source (week.gpx) with --again to repair it\n")
      let quiet = try folder.run("library", "check", "--quiet")
      #expect(quiet.status == 65)
      #expect(quiet.text == outcome.text && quiet.errors == "")
      let json = try folder.run("library", "check", "--json")
      #expect(json.status == 65)
      let object = try #require(
        JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String: Any])
      let problems = try #require(object["problems"] as? [[String: String]])
      #expect(
        problems == [
          [
            "drive": "F0000000-0000-8000-8000-000000000000",
            "message": "drive F0000000-0000-8000-8000-000000000000: the recorded points are damaged",
            "hint": "import its source (week.gpx) with --again to repair it",
          ]
        ])
      try SQLiteTool.run("DELETE FROM drives", folder)
      let empty = try folder.run("library", "check", "--json")
      #expect(empty.status == 0 && empty.text == "{\"drives\": 0, \"problems\": []}\n")
    }
  }

  @Test(
    "A library as an input is an error that names the right commands",
    arguments: ["import", "convert", "info", "compare"])
  func asInput(command: String) throws {
    try withLibrary { (folder) throws in
      let operands =
        ["convert": ["drives.gpkg", "-o", "x.gpx"], "compare": ["drives.gpkg", "drives.gpkg"]][command]
        ?? ["drives.gpkg"]
      let outcome = try GhostConvertProgram.run([command] + operands, in: folder.url)
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("ghost-convert library list"), "\(outcome.errors)")
      #expect(outcome.errors.contains("library export"))
      #expect(try folder.names() == ["drives.gpkg"])
    }
  }

  @Test("A library is imported into another one with everything that is stored of its drives")
  func combining() throws {
    try withFixtures("tuesday.gpx", "thursday.gpx") { (folder) throws in
      _ = try folder.run("import", "tuesday.gpx", "thursday.gpx", "--library", "a.gpkg")
      let id = try #require(
        try folder.run("library", "list", "-q", "--library", "a.gpkg").text.split(separator: "\n").last
      )
      .prefix(6)
      let set = ["library", "set", String(id), "--name", "Mine", "--gear", "Ioniq", "--library", "a.gpkg"]
      #expect(try GhostConvertProgram.run(set, in: folder.url).status == 0)
      _ = try folder.run("import", "tuesday.gpx", "--library", "b.gpkg")
      let added = try folder.run("import", "a.gpkg", "--library", "b.gpkg")
      #expect(added.status == 0, "\(added.errors)")
      #expect(added.text.contains("thursday.gpx → b.gpkg: Mine, 5:18, 4.38 km\n"), "\(added.text)")
      #expect(added.text.contains("2 inputs: 1 imported (1 drive), 1 already imported"), "\(added.text)")
      for form in ["--json", "--document"] {
        let shown = ["a.gpkg", "b.gpkg"].map { ["library", "show", String(id), form, "--library", $0] }
          .map { try? GhostConvertProgram.run($0, in: folder.url).text }
        #expect(shown[0] == shown[1] && shown[0] != "")
      }
      // The file is known, and so is the library.
      let known = try folder.run("import", "thursday.gpx", "a.gpkg", "--library", "b.gpkg")
      #expect(known.text.contains("0 imported, 3 already imported"), "\(known.text)")
      #expect(try folder.run("library", "check", "--library", "b.gpkg").text == "2 drives, no problems\n")
      let options = try folder.run("import", "a.gpkg", "--library", "c.gpkg", "--reverse")
      #expect(options.status == 64 && options.errors.contains("as they are"), "\(options.errors)")
      #expect(try folder.run("import", "a.gpkg", "--library", "a.gpkg").status == 64)
      // Values that were set stay set, and those that were set in the library itself win.
      _ = try folder.run("import", "thursday.gpx", "--again", "--library", "b.gpkg")
      let name = { (library: String) throws in
        try jsonObject(folder.run("library", "show", String(id), "--json", "--library", library).output)[
          "name"]
          as? String
      }
      #expect(try name("b.gpkg") == "Mine")
      for (library, text) in [("a.gpkg", "Other"), ("c.gpkg", "Own")] {
        _ = try folder.run("import", "thursday.gpx", "--library", library)
        _ = try folder.run("library", "set", String(id), "--name", text, "--library", library)
      }
      for library in ["b.gpkg", "c.gpkg"] { _ = try folder.run("import", "a.gpkg", "--library", library) }
      #expect(try name("b.gpkg") == "Mine" && name("c.gpkg") == "Own")
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("c.gpkg"))
      #expect(try folder.names() == ["a.gpkg", "b.gpkg", "thursday.gpx", "tuesday.gpx"])
    }
  }

  @Test("A damaged drive of a library fails, and the others are imported", .enabled(if: SQLiteTool.isThere))
  func combiningDamaged() throws {
    try withLibrary { (folder) throws in
      try SQLiteTool.run("UPDATE recordings SET data = x'00' WHERE drive_id LIKE 'F0%'", folder)
      let outcome = try folder.run("import", "drives.gpkg", "--library", "new.gpkg")
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("F0000000-0000-8000-8000-000000000000 is damaged"), "\(outcome.errors)")
      #expect(try names(folder.run("library", "list", "--json", "--library", "new.gpkg")).count == 2)
    }
  }

  @Test(
    "A library as an operand is a usage error that names the option --library",
    arguments: ["list", "show", "routes", "compare", "export", "set", "remove", "check"])
  func asOperand(command: String) throws {
    try withLibrary { (folder) throws in
      let outcome = try folder.run("library", command, "drives.gpkg")
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("use --library drives.gpkg"), "\(outcome.errors)")
    }
  }
}

/// The command line shell of SQLite, if it is installed.
enum SQLiteTool {
  static let isThere = ["/usr/bin/sqlite3", "/opt/homebrew/bin/sqlite3"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  static func run(_ sql: String, _ folder: TemporaryFolder) throws {
    let outcome = try folder.shell("sqlite3 drives.gpkg \"\(sql)\"")
    guard outcome.status == 0 else { throw NoObject() }
  }
}
