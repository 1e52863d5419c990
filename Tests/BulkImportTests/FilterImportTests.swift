import Foundation
import TestSupport
import Testing
import TrackArchives
import TrackFormats
import TrackModel

@testable import BulkImport

@Suite("Import as a filter")
struct FilterImportTests {
  /// Imports listed files and returns their records.
  private func records(
    _ paths: [String], jobs: Int = 2, keepsDuplicates: Bool = false, limit: Int = .max
  ) throws -> [[String: Any]] {
    try withFolder { folder in
      try folder.write(paths.map { $0 + "\0" }.joined(), to: "list")
      var settings = FilterImport.Settings()
      settings.keepsDuplicates = keepsDuplicates
      settings.hint = { _ in "advice" }
      var lines: [[UInt8]] = []
      let stop = WorkStop()
      var sink = FilterImport(DriveExtraction(), settings, stop: stop) { line in
        lines.append(line)
        return lines.count < limit
      }
      var walk = EnumerationOptions()
      walk.standardInput = StandardInput(
        list: .null, content: try ByteInput(path: folder.file("list")))
      var run = InputRun<FilterImport.Product>(["-"], jobs: jobs)
      run.walk = walk
      run.stop = stop
      run.run(into: &sink)
      #expect(sink.isOutputLost == (lines.count >= limit))
      #expect(sink.fault == nil)
      return try lines.map { line in
        #expect(line.last == UInt8(ascii: "\n"))
        return try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
      }
    }
  }

  @Test("A drive contains its coordinates and a line with the same points")
  func drive() throws {
    try withFolder { folder in
      try folder.write(gpx(points: 5), to: "a.gpx")
      let record = try #require(try records([folder.file("a.gpx")]).first)
      #expect(record["state"] as? String == "imported")
      let drive = try #require((record["drives"] as? [[String: Any]])?.first)
      let blob = try #require((drive["coordinatesData"] as? String).flatMap { Data(base64Encoded: $0) })
      let points = try #require(try JSONSerialization.jsonObject(with: blob) as? [[String: Double]])
      #expect(points.count == 5)
      // In hexadecimal digits: byte order and type, a count of four bytes, and two numbers of eight bytes
      // per point.
      let digits = 2 * (9 + 16 * points.count)
      #expect((drive["wkb"] as? String)?.count == digits)
      #expect((drive["bbox"] as? [Double]) == [13, 52, 13, points.compactMap { $0["lat"] }.max() ?? 0])
    }
  }

  @Test("Every path has a record, in the order of the list", arguments: [1, 2, 7])
  func order(jobs: Int) throws {
    try withFolder { folder in
      for name in ["a.gpx", "in/b.gpx", "in/c.gpx", "in/deep/d.gpx"] { try folder.write(gpx(), to: name) }
      try folder.write("", to: "in/e.gpx")
      let paths = ["missing", "a.gpx", "in", "", "a.gpx", "in/deep", "missing"].map {
        $0.isEmpty ? "" : folder.file($0)
      }
      let records = try records(paths, jobs: jobs)
      #expect(records.map { $0["source"] as? String } == paths)
      #expect(
        records.map { $0["state"] as? String } == [
          "failed", "imported", "failed", "failed", "imported", "imported", "failed",
        ])
      let counts = records.map { ($0["drives"] as? [Any])?.count }
      #expect(counts == [0, 1, 1, 0, 1, 1, 0])
      #expect(records.map { $0["duplicates"] as? Int } == [0, 0, 2, 0, 0, 0, 0])
      #expect((records[2]["error"] as? [String: Any])?["source"] as? String == folder.file("in/e.gpx"))
    }
  }

  @Test("A path that is too long for every system has a record, and the following paths are read")
  func longPath() throws {
    try withFolder { folder in
      try folder.write(gpx(), to: "a.gpx")
      let long = String(repeating: "x", count: 64 * PathList.longestPath)
      let records = try records([long, folder.file("a.gpx")])
      #expect(records.map { $0["state"] as? String } == ["failed", "imported"])
      #expect((records[0]["error"] as? [String: Any])?["code"] as? String == "limit-exceeded")
      #expect(records[0]["source"] as? String == "")
    }
  }

  @Test(
    "A drive that occurs twice in a folder is counted, unless duplicates are kept", arguments: [false, true])
  func duplicates(keeps: Bool) throws {
    try withFolder { folder in
      for name in ["in/a.gpx", "in/b.gpx"] { try folder.write(gpx(), to: name) }
      let record = try #require(try records([folder.file("in")], keepsDuplicates: keeps).first)
      #expect((record["drives"] as? [Any])?.count == (keeps ? 2 : 1))
      #expect(record["duplicates"] as? Int == (keeps ? 0 : 1))
    }
  }

  @Test("Failures have a hint, and skipped inputs a reason")
  func failures() throws {
    try withFolder { folder in
      try folder.write(gpx(points: 1), to: "in/a.gpx")
      let records = try records([folder.file("missing.gpx"), folder.file("in")])
      #expect(records[0]["state"] as? String == "failed")
      #expect((records[0]["error"] as? [String: Any])?["hint"] as? String == "advice")
      #expect(
        records[1]["state"] as? String == "skipped" && records[1]["reason"] as? String == "too-few-points")
    }
  }

  @Test("Reading stops after a record that cannot be written")
  func lostOutput() throws {
    try withFolder { folder in
      try folder.write(gpx(), to: "a.gpx")
      let paths = (0..<200).map { _ in folder.file("a.gpx") }
      #expect(try records(paths, limit: 3).count == 3)
    }
  }
}
