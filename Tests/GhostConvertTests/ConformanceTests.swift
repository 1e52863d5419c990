import Foundation
import Testing

@testable import TestSupport

/// The corpus is in the folder `../shared`, outside the project.
@Suite struct ConformanceTests {
  static let shared = TemporaryFolder.packageRoot.deletingLastPathComponent().appendingPathComponent("shared")
  static let isThere = FileManager.default.isExecutableFile(
    atPath: shared.appendingPathComponent("corpus/check").path)

  @Test(
    "Info agrees with other readers about the files of the corpus",
    .enabled(if: isThere, "needs the conformance corpus in ../shared"),
    arguments: ["agree", "valid", "round-trip"])
  func corpus(check: String) throws {
    try withFixtures { (folder) throws in
      let script = TemporaryFolder.packageRoot.appendingPathComponent("Tests/check-corpus").path
      let outcome = try folder.shell("'\(script)' \"$GHOST_CONVERT\" --shared '\(Self.shared.path)' \(check)")
      #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
      #expect(outcome.text.contains("\(check): "))
      #expect(!outcome.text.contains("SKIPPED"))
    }
  }
}
