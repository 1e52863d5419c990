import Foundation
import TestSupport
import Testing

@testable import CommandLineParsing
@testable import ghost_convert

/// The command lines in README, in the articles and in the help.
@Suite("Documented commands", .waiting)
struct DocumentedCommandsTests {
  /// The indented lines of README.md and of the articles. `ReadmeTests` runs the transcripts.
  private static func documentedLines() throws -> [String] {
    let catalogue = "Documentation/GhostConvert.docc/"
    let names = try FileManager.default.contentsOfDirectory(
      atPath: TemporaryFolder.packageRoot.appendingPathComponent(catalogue).path)
    return try (["README.md"] + names.filter { $0.hasSuffix(".md") }.map { catalogue + $0 }).flatMap(lines)
  }

  /// Returns the indented lines of a document. A block with prompts is a transcript, of which only the lines
  /// after the prompts are commands.
  private static func lines(of document: String) throws -> [String] {
    try String(contentsOf: TemporaryFolder.packageRoot.appendingPathComponent(document), encoding: .utf8)
      .components(separatedBy: "\n\n").flatMap { block in
        let lines = block.components(separatedBy: "\n").filter { $0.hasPrefix("    ") }
        let typed = lines.filter { $0.hasPrefix("    $ ") }
        return typed.isEmpty ? lines : typed.map { String($0.dropFirst(6)) }
      }
  }

  /// The arguments of each run of the program in a line of shell. Arguments of the program have no quotes in
  /// the documents.
  private static func arguments(in line: String) -> [[String]] {
    line.components(separatedBy: " #")[0].components(separatedBy: " | ").compactMap { command in
      let words = command.split(separator: " ").map(String.init)
      return words.first == "ghost-convert" ? Array(words.dropFirst()) : nil
    }
  }

  @Test("The program accepts the options and operands of each command in the documents and in the help")
  func accepted() throws {
    let examples = GhostConvert.program.commands.flatMap(\.all).flatMap(\.examples).map(\.line)
    let documented = try Self.documentedLines()
    #expect(documented.flatMap(Self.arguments).count > 40)
    #expect(examples.count > 40)
    for line in documented + examples {
      for arguments in Self.arguments(in: line) {
        #expect(throws: Never.self, "\(line)") { _ = try GhostConvert.program.action(for: arguments) }
      }
    }
  }

  @Test("The recipes of README run in their order and write what they promise")
  func recipes() throws {
    try withFixtures("tuesday.gpx", "thursday.gpx") { (folder) throws in
      let fixtures = TemporaryFolder.packageRoot.appendingPathComponent("Fixtures")
      let ride = try Data(contentsOf: fixtures.appendingPathComponent("fit/course.fit"))
      try ride.write(to: folder.url.appendingPathComponent("2024-05-17.fit"))
      try StravaExport.write(to: folder)
      try StravaExport.zip(
        ["tuesday.gpx", "thursday.gpx"].map { ("2024/\($0)", try folder.text($0)) },
        at: folder.url.appendingPathComponent("archive.zip"))

      let recipes = try Self.lines(of: "README.md").filter { $0.contains("ghost-convert ") }
      #expect(recipes.count > 5)
      for line in recipes where !line.contains("make ") {
        let command = line.replacingOccurrences(of: "ghost-convert", with: "\"$GHOST_CONVERT\"")
        let outcome = try folder.shell(command)
        #expect(outcome.status == 0, "\(line): \(outcome.errors)")
      }
      let list = try folder.run("library", "list", "--library", "drives.gpkg").text
      #expect(list.components(separatedBy: "Morning Ride").count == 4)
      let written = Set(try FileManager.default.subpathsOfDirectory(atPath: folder.url.path))
      #expect(
        written.isSuperset(of: [
          "drives.gpkg", "2024-05-17.drive.json", "race.html", "race.kmz", "out/2024/tuesday.geojson",
          "out/2024/thursday.geojson",
        ]), "\(written.sorted())")
    }
  }

  @Test("The pictures of an article are the ones that the program writes", arguments: ["map", "gap"])
  func pictures(kind: String) throws {
    try withFixtures("tuesday.gpx", "thursday.gpx") { (folder) throws in
      let name = "race-\(kind).svg"
      #expect(try folder.run("compare", "tuesday.gpx", "thursday.gpx", "-o", name).status == 0)
      let stored = TemporaryFolder.packageRoot
        .appendingPathComponent("Documentation/GhostConvert.docc/\(name)")
      #expect(try folder.text(name) == String(contentsOf: stored, encoding: .utf8))
    }
  }
}
