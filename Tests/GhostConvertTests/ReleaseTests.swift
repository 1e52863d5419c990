import Foundation
import TestSupport
import Testing

@testable import ghost_convert

/// The version is set in `GhostConvert.version`; documents repeat it.
@Suite("The version in documents", .waiting)
struct ReleaseTests {
  private func file(_ name: String) throws -> String {
    try String(contentsOf: TemporaryFolder.packageRoot.appendingPathComponent(name), encoding: .utf8)
  }

  @Test("The program, the changelog and the citation have the same version and date")
  func version() throws {
    let version = GhostConvert.version
    let date = GhostConvert.releaseDate
    try withFixtures { (folder) throws in
      #expect(try folder.run("--version").text == "ghost-convert \(version)\n")
    }
    let releases = try file("CHANGELOG.md").split(separator: "\n").filter { $0.hasPrefix("## [") }
    #expect(releases.first { $0 != "## [Unreleased]" } == "## [\(version)] - \(date)")
    let citation = try file("CITATION.cff").split(separator: "\n").map(String.init)
    #expect(citation.contains("version: \(version)") && citation.contains("date-released: \(date)"))
    #expect(try file("Contrib/homebrew/ghost-convert.rb").contains("/ghost-convert-\(version).tar.gz\""))
    #expect(try file("Documentation/GhostConvert.docc/Installing.md").contains("version = \"\(version)\""))
  }

  @Test("Scripts/version reads the version and the date from the source")
  func script() throws {
    try withFixtures { (folder) throws in
      let script = TemporaryFolder.packageRoot.appendingPathComponent("Scripts/version").path
      #expect(
        try folder.shell("'\(script)'; '\(script)' --date").text
          == "\(GhostConvert.version)\n\(GhostConvert.releaseDate)\n")
    }
  }
}
