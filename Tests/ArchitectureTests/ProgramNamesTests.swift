import Foundation
import Testing

/// The libraries do not depend on the command line; only the program turns a suggestion into options.
@Suite("Options and commands in the libraries")
struct ProgramNamesTests {
  /// The targets of the command line.
  private static let programTargets: Set = ["CommandLineParsing", "ghost-convert"]

  /// The source files of the libraries, relative to `Sources`, without resources.
  private static func librarySources() throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(
      atPath: SourceTree.folder.path(percentEncoded: false))
    return paths.filter { path in
      let target = String(path.prefix { $0 != "/" })
      return !programTargets.contains(target)
        && [".swift", ".h", ".modulemap"].contains(where: path.hasSuffix)
    }.sorted()
  }

  /// The lines that mention an option or a command of the program, as `file:line: text`.
  ///
  /// HTML comments are not options: `<!--text-->`.
  private static func namings(in text: String, file: String) -> [String] {
    guard text.contains("--") || text.contains("ghost-convert ") else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().compactMap { index, line in
      let line = line.replacing("<!--", with: "").replacing("-->", with: "")
      guard line.contains(#/--[a-z]|ghost-convert [a-z]/#) else { return nil }
      return "\(file):\(index + 1): \(line)"
    }
  }

  @Test("No library mentions an option or a command")
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
    "Options and commands are found; HTML comments and the program's name alone are not",
    arguments: [
      ("add --duration 24:30", true), ("/// Moves all times: `--shift`.", true),
      ("see ghost-convert formats", true), ("\"<!--note-->\"", false), ("creator=\"ghost-convert\"", false),
      ("count -- 1", false), ("ghost-convert:untimed", false),
    ])
  func rule(line: String, isNaming: Bool) {
    #expect(Self.namings(in: line, file: "x").isEmpty != isNaming)
  }
}
