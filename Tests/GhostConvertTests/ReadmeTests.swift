import Foundation
import Testing

@testable import TestSupport
@testable import TrackArchives

@Suite struct ReadmeTests {
  private func readme() throws -> String {
    try String(contentsOf: TemporaryFolder.packageRoot.appendingPathComponent("README.md"), encoding: .utf8)
  }

  @Test("The commands in the README print the output shown there")
  func transcripts() throws {
    let readme = try readme()
    try withFixtures(
      "commute.gpx", "uneven.gpx", "no-times.gpx", "two-tracks.gpx", "utf16.gpx", "sensors.gpx",
      "cut-off.gpx",
      "tuesday.gpx", "thursday.gpx"
    ) { (folder) throws in
      var checked = 0
      for block in readme.components(separatedBy: "```console\n").dropFirst() {
        let shown = try #require(block.components(separatedBy: "\n```").first)
        for part in ("\n" + shown).components(separatedBy: "\n$ ").dropFirst() {
          let lines = part.components(separatedBy: "\n")
          let command = lines[0].replacingOccurrences(of: "ghost-convert", with: "\"$GHOST_CONVERT\"")
          // The line that draws the gap depends on the locale's characters.
          let outcome = try folder.shell("export LC_ALL=C.UTF-8; unset COLUMNS; { \(command); } 2>&1")
          let printed = outcome.text.hasSuffix("\n") ? String(outcome.text.dropLast()) : outcome.text
          #expect(printed == lines.dropFirst().joined(separator: "\n"), "\(lines[0])")
          checked += 1
        }
      }
      #expect(checked >= 5)
    }
  }
}
