import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackFormats

@Suite("Temporary files")
struct TemporaryFilesTests {
  /// The name of a temporary file of this host for a process.
  private static func name(_ file: String, process: Int32) -> String {
    let own = TemporaryFiles.name(beside: file)
    return own.replacing("-\(getpid())-", with: "-\(process)-")
  }

  @Test("A temporary name begins with the file's name and names program, host and process")
  func naming() throws {
    let name = TemporaryFiles.name(beside: "out/ride.gpx")
    #expect(name.hasPrefix("out/ride.gpx.ghost-convert-") && name.hasSuffix(".part"))
    #expect(TemporaryFiles.owner(ofTemporary: name) == getpid())
    #expect(TemporaryFiles.name(beside: "out/ride.gpx") != name)
    // The longest name that the system takes leaves no room for a suffix.
    let longest = String(repeating: "é", count: 125) + ".gpx"
    let beside = TemporaryFiles.name(beside: "out/" + longest)
    #expect(FileName.bytes(beside).count == "out/".utf8.count + 255)
    #expect(TemporaryFiles.owner(ofTemporary: beside) == getpid())
  }

  @Test("Names of other programs, hosts and processes do not belong to a process")
  func owner() {
    let own = Self.name("ride.gpx", process: 123)
    #expect(TemporaryFiles.owner(ofTemporary: own) == 123)
    #expect(TemporaryFiles.owner(ofTemporary: own + "s") == nil)
    #expect(TemporaryFiles.owner(ofTemporary: String(own.dropFirst("ride.gpx.".count))) == nil)
    #expect(TemporaryFiles.owner(ofTemporary: own.replacing("-123-", with: "-0-")) == nil)
    #expect(TemporaryFiles.owner(ofTemporary: own.replacing("-123-", with: "-x-")) == nil)
    #expect(TemporaryFiles.owner(ofTemporary: own.replacing("-123-", with: "-99999999999-")) == nil)
    #expect(
      TemporaryFiles.owner(ofTemporary: own.replacing("ghost-convert-", with: "ghost-convert-f")) == nil)
    #expect(TemporaryFiles.isTemporary(own))
    #expect(TemporaryFiles.isTemporary("ride.gpx.ghost-convert-4049c22c-13410-3291053658.part"))
    for other in ["ride.gpx.123-4567.part", "ride.gpx.ghost-convert-123-4567.part", "ride.gpx.part"] {
      #expect(!TemporaryFiles.isTemporary(other))
      #expect(TemporaryFiles.owner(ofTemporary: other) == nil)
    }
  }

  @Test("Files of programs that have ended are removed, and nothing else")
  func stale() throws {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "exit 0"]
    try process.run()
    process.waitUntilExit()
    let gone = process.processIdentifier
    let names = [
      Self.name("ride.gpx", process: gone), Self.name("ride.gpx", process: getpid()),
      Self.name("ride.gpx", process: 1), "ride.gpx.\(gone)-7.part", "a.part", "ride.gpx",
    ]
    for name in names { try Data().write(to: URL(filePath: folder.file(name))) }
    #expect(TemporaryFiles.removeStale(inFolder: folder.file("")) == 1)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.file("")).sorted()
    #expect(left == names.dropFirst().sorted())
  }
}
