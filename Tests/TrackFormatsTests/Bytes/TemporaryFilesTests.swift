import Foundation
import Testing

@testable import TestSupport
@testable import TrackFormats

@Suite("Temporary files")
struct TemporaryFilesTests {
  @Test(
    "Only names of unfinished outputs belong to a process",
    arguments: [
      ("ride.gpx.123-4567.part", 123), ("a.b.c.gpx.1-0.part", 1), ("ride.gpx.part", nil),
      ("123-4567.part", nil),
      ("ride.gpx.123.part", nil), ("ride.gpx.123-x.part", nil), ("ride.gpx.-1-2.part", nil),
      ("ride.gpx.123-4567.parts", nil), ("ride.gpx.123-99999999999.part", nil), ("ride.gpx.0-1.part", nil),
    ] as [(String, Int32?)])
  func owner(name: String, owner: Int32?) {
    #expect(TemporaryFiles.owner(ofTemporary: name) == owner)
  }

  @Test("Files of programs that have ended are removed, and nothing else ")
  func stale() throws {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "exit 0"]
    try process.run()
    process.waitUntilExit()
    let names = [
      "ride.gpx.\(process.processIdentifier)-7.part", "ride.gpx.\(getpid())-7.part", "ride.gpx.1-7.part",
      "a.part",
      "ride.gpx",
    ]
    for name in names { try Data().write(to: URL(filePath: folder.file(name))) }
    #expect(TemporaryFiles.removeStale(inFolder: folder.file("")) == 1)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.file("")).sorted()
    #expect(left == names.dropFirst().sorted())
  }
}
