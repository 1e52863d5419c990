import Foundation
import Testing

/// The codes of warnings and the reasons for skipped inputs in JSON outputs.
@Suite("Codes in JSON outputs")
struct CodeNamesTests {
  @Test("Each code is in lower case with hyphens, and documented")
  func documented() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Documentation/GhostConvert.docc/ErrorsAndWarnings.md")
    let documentation = try String(contentsOf: page, encoding: .utf8)
    let declaration = /(?:TrackWarning\.Code|SkipReason|= Code)\(\s*"([^"\\]+)"/
    let inExtension = /= Self\("([^"]+)"\)/
    var codes: Set<String> = []
    for file in try SourceTree.files() {
      codes.formUnion(file.text.matches(of: declaration).map { String($0.1) })
      guard file.text.contains("extension TrackWarning.Code") else { continue }
      codes.formUnion(file.text.matches(of: inExtension).map { String($0.1) })
    }
    #expect(codes.count > 60)
    for code in codes.sorted() {
      #expect(code.allSatisfy { $0.isLowercase || $0 == "-" }, "\(code)")
      #expect(documentation.contains("`\(code)`"), "\(code) is not documented")
    }
  }
}
