import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackFormats

@Suite("Line files")
struct LineFileTests {
  private func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns whether a first line is that of a report, according to these tests.
  private let isReport: @Sendable ([UInt8]) -> Bool = { String(decoding: $0, as: UTF8.self) == "old" }

  @Test("A report gets its name when it is complete, and an earlier report is kept until then")
  func report() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("report.ndjson")
    try Data("old\n".utf8).write(to: URL(filePath: path))
    let report = try LineFile.report(path, isReport: isReport)
    try report.append("one\n")
    try report.append("two\n")
    #expect(text(path) == "old\n")
    #expect(text(path + ".part") == "one\ntwo\n")
    try report.finish()
    #expect(text(path) == "one\ntwo\n")
    #expect(text(path + ".part") == nil)
  }

  @Test("The incomplete report of an earlier run is removed")
  func leftOver() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("report.ndjson")
    try Data("old\nleft over, and longer\n".utf8).write(to: URL(filePath: path + ".part"))
    let report = try LineFile.report(path, isReport: isReport)
    try report.append("one\n")
    try report.finish()
    #expect(text(path) == "one\n")
  }

  @Test("A journal continues after a truncated line")
  func journal() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("state")
    try LineFile.journal(path).append("one\n")
    try LineFile.journal(path).append("cu")
    try LineFile.journal(path).append("two\n")
    #expect(text(path) == "one\ncu\ntwo\n")
    let journal = try LineFile.journal(path)
    #expect(try journal.contents() == Array("one\ncu\ntwo\n".utf8))
    try journal.removeContents()
    try journal.append("three\n")
    #expect(text(path) == "three\n")
  }

  @Test("A journal or an unfinished report that is a link is rejected, and its target is unchanged")
  func links() throws {
    let folder = try TemporaryFolder()
    let victim = folder.file("victim")
    try Data("keep\n".utf8).write(to: URL(filePath: victim))
    for name in ["state", "report.part"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(name), withDestinationPath: "victim")
    }
    expectError(.notCreatable) { try LineFile.journal(folder.file("state")) }
    expectError(.notCreatable) {
      try LineFile.report(folder.file("report"), isReport: { _ in true })
    }
    #expect(text(victim) == "keep\n")
  }

  @Test("A journal whose name is taken by a folder is rejected with this reason")
  func folderAsJournal() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("state"), withIntermediateDirectories: false)
    let error = #expect(throws: TrackError.self) { try LineFile.journal(folder.file("state")) }
    #expect(error?.code == .notCreatable && error?.message.hasPrefix("is a folder") == true)
    // The reason of the system.
    let missing = #expect(throws: TrackError.self) { try LineFile.journal(folder.file("no/state")) }
    #expect(missing?.message == "no such file or directory")
  }

  @Test("A journal that is another name of a file is rejected, and the file is unchanged")
  func hardLinks() throws {
    let folder = try TemporaryFolder()
    let victim = folder.file("victim")
    try Data("keep\n".utf8).write(to: URL(filePath: victim))
    try FileManager.default.linkItem(atPath: victim, toPath: folder.file("state"))
    let error = #expect(throws: TrackError.self) { try LineFile.journal(folder.file("state")) }
    #expect(error?.code == .notCreatable && error?.message.contains("another name") == true)
    #expect(text(victim) == "keep\n")
    try FileManager.default.removeItem(atPath: victim)
    #expect(try LineFile.journal(folder.file("state")).contents() == Array("keep\n".utf8))
  }

  @Test(
    "A report that is a link is only written to an earlier report",
    arguments: [nil, "", "old\n"] as [String?])
  func linkedReport(content: String?) throws {
    let folder = try TemporaryFolder()
    let target = folder.file("target")
    if let content { try Data(content.utf8).write(to: URL(filePath: target)) }
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("report"), withDestinationPath: "target")
    func write() throws {
      let report = try LineFile.report(folder.file("report"), isReport: isReport)
      try report.append("one\n")
      try report.finish()
    }
    if content == "old\n" {
      try write()
      #expect(text(target) == "one\n")
    } else {
      expectError(.usage) { try write() }
      #expect(text(target) == content)
    }
  }

  @Test("A report in a missing folder is rejected")
  func missing() throws {
    let folder = try TemporaryFolder()
    expectError(.notCreatable) {
      try LineFile.report(folder.file("no/such.ndjson"), isReport: isReport)
    }
  }

  @Test(
    "A file that is not a report is not replaced, even if it was created meanwhile", arguments: ["", ".part"])
  func foreign(ending: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("track.gpx")
    try Data("new\nold\n".utf8).write(to: URL(filePath: path + ending))
    expectError(.usage) { try LineFile.report(path, isReport: isReport) }
    #expect(text(path + ending) == "new\nold\n")
    let other = folder.file("other.gpx")
    let report = try LineFile.report(other, isReport: isReport)
    try report.append("one\n")
    try Data("new\n".utf8).write(to: URL(filePath: other))
    expectError(.usage) { try report.finish() }
    #expect(text(other) == "new\n")
    #expect(text(other + ".part") == "one\n")
  }

  @Test("An empty file is replaced by a report, and a device receives its lines")
  func empty() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("r")
    try Data().write(to: URL(filePath: path))
    let report = try LineFile.report(path, isReport: isReport)
    try report.append("one\n")
    try report.finish()
    #expect(text(path) == "one\n")
    let device = try LineFile.report("/dev/null", isReport: isReport)
    try device.append("one\n")
    try device.finish()
  }
}
