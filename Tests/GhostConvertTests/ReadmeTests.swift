import Foundation
import GhostModel
import Testing
import TrackFormats
import TrackModel

@testable import TestSupport
@testable import TrackArchives

// README shows this function word for word.
func drives(in path: String) throws -> [Drive] {
  var input = try ByteInput(path: path)
  let format = try FormatRegistry.standard.detect(&input)
  var reader = try format.reader(input)
  var recordings = RecordingReader()
  var drives: [Drive] = []
  while let recording = try recordings.next(from: &reader) {
    guard recording.kind == .track else { continue }
    let name = recording.name ?? "Drive"
    drives += try DriveImporter.drives(from: recording, options: ImportOptions(), name: name).map(\.drive)
  }
  return drives
}

@Suite struct ReadmeTests {
  private func readme() throws -> String {
    try String(contentsOf: TemporaryFolder.packageRoot.appendingPathComponent("README.md"), encoding: .utf8)
  }

  @Test("README's example for apps is what is compiled here, and works")
  func example() throws {
    let readme = try readme()
    let here = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
    let start = try #require(here.range(of: "func drives(in"))
    let end = try #require(here.range(of: "\n}\n", range: start.lowerBound..<here.endIndex))
    #expect(readme.contains(here[start.lowerBound..<end.upperBound]))
    let found = try drives(in: TemporaryFolder.fixtures.appendingPathComponent("two-tracks.gpx").path)
    #expect(found.map(\.name) == ["Out", "Back"])
    #expect(try found.map { try $0.coordinates.count } == [10, 12])
  }

  @Test("What README shows of commands is what they print")
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
          // The line that shows the gap depends on what the locale has.
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
