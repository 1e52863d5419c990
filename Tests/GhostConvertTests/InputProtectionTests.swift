import Foundation
import Testing

@testable import TestSupport

@Suite("Outputs that are inputs", .waiting)
struct InputProtectionTests {
  /// The commands, with `OUT` in place of the output. The input is `commute.gpx`; `even.gpx` is in the same
  /// folder.
  static let commands = [
    ["convert", "commute.gpx", "-o", "OUT", "--to", "gpx"],
    ["convert", "even.gpx", "commute.gpx", "-o", "OUT", "--to", "gpx"],
    ["convert", ".", "-o", "OUT", "--to", "gpx"],
    ["import", "even.gpx", "commute.gpx", "--library", "OUT"],
    ["ghost", "commute.gpx", "--every", "10s", "-o", "OUT", "--to", "gpx"],
    ["compare", "commute.gpx", "even.gpx", "-o", "OUT"],
  ]
  static let spellings = ["commute.gpx", "./commute.gpx", "in/../commute.gpx", "soft.gpx", "hard.gpx"]

  private func withInput(_ body: (TemporaryFolder) throws -> Void) throws {
    try withFixtures("commute.gpx", "even.gpx") { folder in
      let manager = FileManager.default
      let path = { (name: String) in folder.url.appendingPathComponent(name).path }
      try manager.createDirectory(atPath: path("in"), withIntermediateDirectories: true)
      try manager.createSymbolicLink(atPath: path("soft.gpx"), withDestinationPath: "commute.gpx")
      try manager.linkItem(atPath: path("commute.gpx"), toPath: path("hard.gpx"))
      try body(folder)
    }
  }

  private func arguments(_ command: [String], _ output: String) -> [String] {
    command.map { $0 == "OUT" ? output : $0 }
  }

  @Test("No command replaces its input, for any path to the file", arguments: commands, spellings)
  func refused(command: [String], output: String) throws {
    try withInput { folder in
      let before = try folder.data("commute.gpx")
      let outcome = try GhostConvertProgram.run(arguments(command, output), in: folder.url)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("\(output): the output is also an input"), "\(outcome.errors)")
      #expect(outcome.errors.contains("--force"))
      #expect(try folder.data("commute.gpx") == before)
    }
  }

  @Test(
    "--force replaces the input",
    arguments: commands.filter { !$0.contains("--library") && !$0.contains(".") && !$0.contains("--merge") })
  func forced(command: [String]) throws {
    try withInput { folder in
      let before = try folder.data("commute.gpx")
      let outcome = try GhostConvertProgram.run(
        arguments(command, "commute.gpx") + ["--force"], in: folder.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try folder.data("commute.gpx") != before)
    }
  }

  @Test(
    "A drive document is not replaced by its own import",
    arguments: ["a.drive.json", "./a.drive.json", "soft.drive.json"])
  func driveOntoItself(output: String) throws {
    try withInput { folder in
      #expect(try folder.run("import", "commute.gpx", "-o", "a.drive.json").status == 0)
      try FileManager.default.createSymbolicLink(
        atPath: folder.url.appendingPathComponent("soft.drive.json").path, withDestinationPath: "a.drive.json"
      )
      let before = try folder.data("a.drive.json")
      let outcome = try folder.run("import", "a.drive.json", "-o", output)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("the output is also an input"), "\(outcome.errors)")
      #expect(try folder.data("a.drive.json") == before)
    }
  }

  @Test("Standard input that is read from the output file is an error")
  func standardInput() throws {
    try withInput { folder in
      let before = try folder.data("commute.gpx")
      let outcome = try folder.shell("$GHOST_CONVERT convert - -o commute.gpx < commute.gpx; echo $?")
      #expect(outcome.text == "64\n")
      #expect(try folder.data("commute.gpx") == before)
    }
  }

  @Test("Converting a folder into itself replaces no file")
  func folderIntoItself() throws {
    try withFixtures("commute.gpx") { folder in
      let before = try folder.data("commute.gpx")
      let outcome = try folder.run("convert", ".", "--to", "gpx", "--output-directory", ".")
      #expect(outcome.status == 64)
      #expect(try folder.data("commute.gpx") == before)
      #expect(try folder.run("convert", ".", "--to", "gpx", "--output-directory", "out").status == 0)
      // Files in the output folder are not inputs and may be replaced.
      #expect(try folder.run("convert", ".", "--to", "gpx", "--output-directory", "out").status == 0)
    }
  }

  @Test("A library is not replaced by an export from it")
  func library() throws {
    try withFixtures("commute.gpx") { folder in
      #expect(try folder.run("import", "commute.gpx", "--library", "drives.gpkg").status == 0)
      try FileManager.default.linkItem(
        at: folder.url.appendingPathComponent("drives.gpkg"),
        to: folder.url.appendingPathComponent("hard.gpx"))
      let outcome = try folder.run("library", "export", "--all", "-o", "hard.gpx")
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("the output is a library"), "\(outcome.errors)")
    }
  }

  @Test(
    "No output replaces a library, even with --force or if no drive of it is read",
    arguments: [
      ["ghost", "drives.gpkg#ID", "--every", "10s", "--to", "gpx", "-o", "OUT"],
      ["ghost", "ID", "--library", "drives.gpkg", "--every", "10s", "--to", "csv", "-o", "OUT"],
      ["compare", "ID", "even.gpx", "--library", "drives.gpkg", "-o", "OUT", "--to", "html"],
      ["convert", "ID", "--library", "drives.gpkg", "-o", "OUT", "--to", "gpx"],
      ["convert", "drives.gpkg#ID", "-o", "OUT", "--to", "gpx"],
      ["convert", "even.gpx", "-o", "OUT", "--to", "gpx"],
      ["record", "--input", "commute.gpx", "--library", "drives.gpkg", "-o", "OUT", "--force"],
      ["library", "export", "--all", "-o", "OUT", "--to", "gpx"],
      ["segment", "export", "bend", "-o", "OUT", "--to", "gpx"],
    ], ["drives.gpkg", "soft-library.gpx"])
  func libraryThatIsRead(command: [String], output: String) throws {
    try withInput { folder in
      #expect(try folder.run("import", "commute.gpx", "--library", "drives.gpkg").status == 0)
      try FileManager.default.createSymbolicLink(
        atPath: folder.url.appendingPathComponent("soft-library.gpx").path,
        withDestinationPath: "drives.gpkg")
      let list = try jsonObject(folder.run("library", "list", "--json").output)
      let id = try #require(list["id"] as? String)
      let before = try folder.data("drives.gpkg")
      let arguments = arguments(command, output).map { $0.replacingOccurrences(of: "ID", with: id) }
      for force in ["record", "library", "segment"].contains(command[0]) ? [[]] : [[], ["--force"]] {
        let outcome = try GhostConvertProgram.run(arguments + force, in: folder.url)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(try folder.data("drives.gpkg") == before)
      }
    }
  }
}
