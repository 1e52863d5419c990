import Foundation
import GhostModel
import TestSupport
import Testing
import TrackArchives
import TrackFormats
import TrackModel

@testable import BulkImport

@Suite("Records of the filter")
struct FilterRecordTests {
  private func record(_ path: String, keepsDuplicates: Bool = false) throws -> [String: Any] {
    var record = FilterRecord(source: path, keepsDuplicates: keepsDuplicates)
    record.read(DriveExtraction(), WalkOptions()) { _ in TrackError(.limitExceeded, "too large") }
    let line = record.line { _ in "advice" }
    #expect(line.last == UInt8(ascii: "\n"))
    return try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
  }

  @Test("A drive comes with its blob and its line, which have the same points")
  func drive() throws {
    try withFolder { folder in
      try folder.write(gpx(points: 5), to: "a.gpx")
      let record = try record(folder.file("a.gpx"))
      #expect(record["state"] as? String == "imported")
      let drive = try #require((record["drives"] as? [[String: Any]])?.first)
      let blob = try #require((drive["coordinatesData"] as? String).flatMap { Data(base64Encoded: $0) })
      let points = try #require(try JSONSerialization.jsonObject(with: blob) as? [[String: Double]])
      #expect(points.count == 5)
      // Byte order and type, a count of four bytes, and two numbers of eight bytes per point, in hexadecimal
      // digits.
      #expect((drive["wkb"] as? String)?.count == 2 * (9 + 16 * points.count))
      #expect((drive["bbox"] as? [Double]) == [13, 52, 13, points.compactMap { $0["lat"] }.max() ?? 0])
    }
  }

  @Test(
    "A drive that occurs twice in a folder is counted, unless duplicates are kept", arguments: [false, true])
  func duplicates(keeps: Bool) throws {
    try withFolder { folder in
      for name in ["in/a.gpx", "in/b.gpx"] { try folder.write(gpx(), to: name) }
      let record = try record(folder.file("in"), keepsDuplicates: keeps)
      #expect((record["drives"] as? [Any])?.count == (keeps ? 2 : 1))
      #expect(record["duplicates"] as? Int == (keeps ? 0 : 1))
    }
  }

  @Test("Failures come with their advice, and nothing to import with a reason")
  func failures() throws {
    try withFolder { folder in
      let missing = try record(folder.file("missing.gpx"))
      #expect(missing["state"] as? String == "failed")
      #expect((missing["error"] as? [String: Any])?["hint"] as? String == "advice")
      try folder.write(gpx(points: 1), to: "in/a.gpx")
      let short = try record(folder.file("in"))
      #expect(short["state"] as? String == "skipped" && short["reason"] as? String == "too-few-points")
    }
  }
}
