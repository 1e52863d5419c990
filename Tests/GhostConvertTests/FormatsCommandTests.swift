import Foundation
import TestSupport
import Testing

@Suite(.waiting) struct FormatsCommandTests {
  @Test("The JSON has one object per format of the table")
  func table() throws {
    try withFixtures { (folder) throws in
      let table = try folder.run("formats").text.split(separator: "\n")
      let objects = try folder.run("formats", "--json").text.split(separator: "\n")
        .map { try jsonObject(Data($0.utf8)) }
      #expect(table.map { String($0.prefix { $0 != " " }) } == objects.map { $0["name"] as? String ?? "" })
      let gpx = try #require(objects.first { $0["name"] as? String == "gpx" })
      #expect(gpx["read"] as? Bool == true && gpx["write"] as? Bool == true)
      #expect(gpx["extensions"] as? [String] == ["gpx"])
    }
  }

  @Test(
    "Each supported shell has a completion script; other shells are usage errors",
    arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    try withFixtures { (folder) throws in
      let outcome = try folder.run("completions", shell)
      #expect(outcome.status == 0)
      #expect(outcome.text.contains("ghost-convert") && outcome.text.contains("cadence"))
      #expect(try folder.run("completions", "tcsh").status == 64)
    }
  }
}
