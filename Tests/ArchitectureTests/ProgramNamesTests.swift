import Foundation
import Testing

/// The libraries know nothing of the command line; only the program turns a suggestion into options.
@Suite("Names of the program in the libraries")
struct ProgramNamesTests {
  /// Targets that are about the command line.
  private static let programTargets: Set = ["CommandLineParsing", "ghost-convert"]

  /// The sources of the libraries, relative to the folder of all sources, without resources.
  private static func librarySources() throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(
      atPath: SourceTree.folder.path(percentEncoded: false))
    return paths.filter { path in
      let target = String(path.prefix { $0 != "/" })
      return !programTargets.contains(target)
        && [".swift", ".h", ".modulemap"].contains(where: path.hasSuffix)
    }.sorted()
  }

  /// Places that name an option or a command of a program, as `file:line: text`.
  ///
  /// Comments of HTML are no options: `<!--text-->`.
  private static func namings(in text: String, file: String) -> [String] {
    guard text.contains("--") || text.contains("ghost-convert ") else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().compactMap { index, line in
      let line = line.replacing("<!--", with: "").replacing("-->", with: "")
      guard line.contains(#/--[a-z]|ghost-convert [a-z]/#) else { return nil }
      return "\(file):\(index + 1): \(line)"
    }
  }

  @Test("No library names an option or a command")
  func librariesNameNoOptions() throws {
    let files = try Self.librarySources()
    #expect(files.contains { $0.hasPrefix("TrackModel/") })
    var found: [String] = []
    for file in files {
      let text = try String(contentsOf: SourceTree.folder.appending(path: file), encoding: .utf8)
      found += Self.namings(in: text, file: file)
    }
    #expect(found == [])
  }

  @Test(
    "An option or a command is found, a comment of HTML and the name of the program alone are not",
    arguments: [
      ("add --duration 24:30", true), ("/// Moves all times: `--shift`.", true),
      ("see ghost-convert formats", true), ("\"<!--note-->\"", false), ("creator=\"ghost-convert\"", false),
      ("count -- 1", false), ("ghost-convert:untimed", false),
    ])
  func rule(line: String, isNaming: Bool) {
    #expect(Self.namings(in: line, file: "x").isEmpty != isNaming)
  }
}
