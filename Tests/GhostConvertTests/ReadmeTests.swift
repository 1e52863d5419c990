import Foundation
import Testing

@testable import TestSupport
@testable import TrackArchives

@Suite(.waiting) struct ReadmeTests {
  /// README.md and the articles, by their paths in the repository.
  private static var documents: [String] {
    let folder = "Documentation/GhostConvert.docc"
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: TemporaryFolder.packageRoot.appendingPathComponent(folder).path)
    return ["README.md"] + (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { folder + "/" + $0 }
  }

  private static func text(_ document: String) throws -> String {
    try String(
      contentsOf: TemporaryFolder.packageRoot.appendingPathComponent(document), encoding: .utf8)
  }

  @Test("README has at most 150 lines, and the articles exist")
  func length() throws {
    #expect(try Self.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    #expect(Self.documents.count > 15)
  }

  @Test("The commands in README and in each article print the output shown there", arguments: documents)
  func transcripts(document: String) throws {
    let readme = try Self.text(document)
    try withFixtures(
      "commute.gpx", "uneven.gpx", "no-times.gpx", "two-tracks.gpx", "utf16.gpx", "sensors.gpx",
      "cut-off.gpx",
      "tuesday.gpx", "thursday.gpx"
    ) { (folder) throws in
      try StravaExport.write(to: folder)
      for block in readme.components(separatedBy: "```console\n").dropFirst() {
        let shown = try #require(block.components(separatedBy: "\n```").first)
        for part in ("\n" + shown).components(separatedBy: "\n$ ").dropFirst() {
          let lines = part.components(separatedBy: "\n")
          let command = lines[0].replacingOccurrences(of: "ghost-convert", with: "\"$GHOST_CONVERT\"")
          // The line that draws the gap depends on the locale's characters.
          let outcome = try folder.shell("export LC_ALL=C.UTF-8; unset COLUMNS; { \(command); } 2>&1")
          let printed = outcome.text.hasSuffix("\n") ? String(outcome.text.dropLast()) : outcome.text
          #expect(printed == lines.dropFirst().joined(separator: "\n"), "\(lines[0])")
        }
      }
    }
  }
}
