import Foundation
import Testing

@testable import TestSupport

/// Drives of a library as inputs of other commands.
@Suite(.waiting) struct LibraryReferenceTests {
  private func withLibrary<Result>(_ body: (TemporaryFolder) throws -> Result) throws -> Result {
    try withFixtures { (folder) throws in
      let road = DrivenRoad().driving(toEast: 3000, seconds: 300)
      try folder.write(road.gpx(name: "Slow"), to: "slow.gpx")
      try folder.write(
        DrivenRoad().driving(toEast: 3000, seconds: 200).gpx(name: "Fast")
          .replacingOccurrences(of: "2024-05-14", with: "2024-05-15"), to: "fast.gpx")
      #expect(
        try folder.run("import", "--quiet", "slow.gpx", "fast.gpx", "--library", "l.gpkg").status == 0)
      return try body(folder)
    }
  }

  private func identifiers(_ folder: TemporaryFolder) throws -> [String] {
    try folder.run("library", "list", "--json", "--library", "l.gpkg").text.split(separator: "\n").map {
      try #require(try jsonObject(Data($0.utf8))["id"] as? String)
    }
  }

  @Test("Compare accepts drives of a library, and uses the times of their points and their names")
  func compare() throws {
    try withLibrary { folder throws in
      let ids = try identifiers(folder)
      let files = try jsonObject(try folder.run("compare", "--json", "slow.gpx", "fast.gpx").output)
      for inputs in [
        ["--library", "l.gpkg", ids[0], ids[1]], ["l.gpkg#\(ids[0])", "l.gpkg#\(ids[1])"],
        ["slow.gpx", String(ids[1].prefix(8)), "--library", "l.gpkg"],
      ] {
        let outcome = try GhostConvertProgram.run(["compare", "--json"] + inputs, in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let object = try jsonObject(outcome.output)
        #expect(object["margin_s"] as? Double == files["margin_s"] as? Double)
        #expect(object["timing"] as? String == "timestamps")
        #expect(object["winner"] as? String == "Fast, 2024-05-15")
      }
    }
  }

  @Test("Info, ghost and convert accept drives of a library")
  func others() throws {
    try withLibrary { folder throws in
      let id = try identifiers(folder)[0]
      let info = try jsonObject(try folder.run("info", "--json", "l.gpkg#\(id)").output)
      #expect(info["trackpoints"] as? Int == 301)
      #expect(info["duration_s"] as? Double == 300)
      let ghost = try folder.run("ghost", id, "--library", "l.gpkg", "--at", "100", "--json")
      #expect(ghost.status == 0, "\(ghost.errors)")
      let longitude = try #require(try jsonObject(ghost.output)["lon"] as? Double)
      #expect(abs(longitude - 1000 / 111_319.49) < 1e-6)
      let converted = try folder.run("convert", "fast.gpx", "l.gpkg#\(id)", "-o", "both.gpx")
      #expect(converted.status == 0, "\(converted.errors)")
      let both = try jsonObject(try folder.run("info", "--json", "both.gpx").output)
      #expect(both["tracks"] as? Int == 2)
      #expect(both["trackpoints"] as? Int == 502)
      let unknown = try folder.run("info", "l.gpkg#FFFFFFFF")
      #expect(unknown.status != 0)
      #expect(unknown.errors.contains("no drive has an id"), "\(unknown.errors)")
      // A name with other characters than those of an id is that of a missing file.
      let missing = try folder.run("compare", "slow.gpx", "fast1.gpx", "--library", "l.gpkg")
      #expect(missing.status == 66)
      #expect(missing.errors.contains("fast1.gpx: no such file; did you mean fast.gpx?"), "\(missing.errors)")
    }
  }

  @Test("--library without a file uses the library of the environment, including for import")
  func environment() throws {
    try withLibrary { folder throws in
      let id = try identifiers(folder)[0]
      let command = { (words: String) in
        try folder.shell("GHOST_LIBRARY=l.gpkg $GHOST_CONVERT \(words)")
      }
      #expect(try command("compare slow.gpx \(id) --library --json").status == 0)
      #expect(try command("import --library --quiet slow.gpx").status == 0)
      let again = try command("import slow.gpx --library --json")
      #expect(again.text.contains("already there"), "\(again.text) \(again.errors)")
      let here = try folder.run("import", "slow.gpx", "--library", "--quiet")
      #expect(here.status == 0)
      #expect(try folder.names().contains("drives.gpkg"))
    }
  }

  @Test(
    "A library in place of an input or another output is an error that suggests --library",
    arguments: [
      ["info", "l.gpkg"], ["compare", "l.gpkg", "slow.gpx"], ["ghost", "l.gpkg", "--at", "1"],
      ["convert", "l.gpkg", "-o", "x.gpx"], ["import", "l.gpkg"], ["import", "slow.gpx", "-o", "new.gpkg"],
      ["convert", "slow.gpx", "-o", "new.gpkg"],
    ])
  func advice(arguments: [String]) throws {
    try withLibrary { folder throws in
      let outcome = try GhostConvertProgram.run(arguments, in: folder.url)
      #expect(outcome.status != 0)
      #expect(outcome.errors.contains("--library"), "\(outcome.errors)")
      #expect(try !folder.names().contains("new.gpkg"))
    }
  }

  @Test(
    "A library that is missing or invalid has the same status in every command",
    arguments: [
      "info 5C2A", "convert 5C2A -o x.gpx", "compare 5C2A slow.gpx", "compare slow.gpx fast.gpx",
      "compare --segment climb slow.gpx fast.gpx", "laps 5C2A", "ghost 5C2A --at 1",
      "segment find 5C2A --from 1,1 --to 2,2", "library list", "library show 5C2A", "library compare 5C2A",
      "library export --all -o x.gpx", "library remove 5C2A", "library routes", "library check",
      "segment add climb --from 1,1 --to 2,2", "segment list", "segment show climb", "segment remove climb",
      "segment export climb",
    ])
  func unusable(command: String) throws {
    try withLibrary { folder throws in
      let arguments = command.split(separator: " ").map(String.init)
      for (library, status, problem) in [
        ("no.gpkg", 66, "no.gpkg: no such file; check the path, or create a library"),
        ("slow.gpx", 65, "slow.gpx: not a library of drives; a library is a GeoPackage"),
      ] as [(String, Int32, String)] {
        let outcome = try GhostConvertProgram.run(arguments + ["--library", library], in: folder.url)
        #expect(outcome.status == status)
        #expect(outcome.errors.hasPrefix("ghost-convert: \(problem)"), "\(outcome.errors)")
        #expect(outcome.errorLines.count == 1)
      }
    }
  }
}
