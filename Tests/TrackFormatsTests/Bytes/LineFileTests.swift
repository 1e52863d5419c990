import Foundation
import Testing
import TrackModel

@testable import TrackFormats

@Suite("Files of lines")
struct LineFileTests {
  private func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("A report has its name when it is whole, and an older one stays until then")
  func report() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("report.ndjson")
    try Data("old\n".utf8).write(to: URL(filePath: path))
    let report = try LineFile.report(path)
    try report.append("one\n")
    try report.append("two\n")
    #expect(text(path) == "old\n")
    #expect(text(path + ".part") == "one\ntwo\n")
    try report.finish()
    #expect(text(path) == "one\ntwo\n")
    #expect(text(path + ".part") == nil)
  }

  @Test("What an earlier run has left of a report goes")
  func leftOver() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("report.ndjson")
    try Data("left over, and longer\n".utf8).write(to: URL(filePath: path + ".part"))
    let report = try LineFile.report(path)
    try report.append("one\n")
    try report.finish()
    #expect(text(path) == "one\n")
  }

  @Test("A journal goes on behind a line that was cut")
  func journal() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("state")
    try LineFile.journal(path, isNew: false).append("one\n")
    try LineFile.journal(path, isNew: false).append("cu")
    try LineFile.journal(path, isNew: false).append("two\n")
    #expect(text(path) == "one\ncu\ntwo\n")
    try LineFile.journal(path, isNew: true).append("three\n")
    #expect(text(path) == "three\n")
  }

  @Test("A report in a folder that is not there is refused")
  func missing() throws {
    let folder = try TemporaryFolder()
    #expect(throws: TrackError(.notCreatable, "")) { try LineFile.report(folder.file("no/such.ndjson")) }
  }
}
