import Foundation
import GhostModel
import Testing
import TrackModel

@testable import DriveLibrary

struct PostGISScriptTests {
  private func summary(name: String) throws -> LibraryDrive {
    LibraryDrive(
      id: try #require(UUID(uuidString: "5C2A3E0B-8D1F-8A47-9B61-0E6F2D9C4A35")), name: name,
      startTime: Instant(microseconds: 1_714_543_200_250_000), endTime: nil, duration: 2.5, distance: 1,
      points: 2, kind: "\\N", description: nil, gear: "", source: "a\u{0}b")
  }

  private let line = [Coordinate(latitude: 2, longitude: 1), Coordinate(latitude: 0, longitude: 1)]
  // 1.0 and 2.0 as little-endian doubles. 4326 is 0x10E6; the flag 0x20000000 marks a spatial reference,
  // 0x40000000 measures.
  private let one = "000000000000F03F"
  private let two = "0000000000000040"
  private let zero = "0000000000000000"

  @Test("A row has the text format of COPY: separated by tabs, nulls as \\N, special characters escaped")
  func row() throws {
    let name = "tab\there\nline\rback\\slash \\."
    let row = PostGISScript.row(try summary(name: name), coordinates: line, recording: nil)
    #expect(
      String(decoding: row, as: UTF8.self)
        == #"5c2a3e0b-8d1f-8a47-9b61-0e6f2d9c4a35"# + "\t"
        + #"tab\there\nline\rback\\slash \\."# + "\t2024-05-01T06:00:00.250Z\t" + #"\N"#
        + "\t2.5\t1609.344\t2\t"
        + #"\\N"# + "\t" + #"\N"# + "\t\ta\u{FFFD}b\t"
        + "0102000020E610000002000000\(one)\(two)\(one)\(zero)" + "\t" + #"\N"# + "\n")
  }

  @Test(
    "Recorded points have their times as measures; points without a time and segments of one point are omitted"
  )
  func trajectory() throws {
    var first = Recording.Segment()
    first.append(line[0], time: Instant(microseconds: 1_000_000))
    first.append(line[1], time: nil)
    first.append(line[1], time: Instant(microseconds: 2_000_000))
    var second = Recording.Segment()
    second.append(line[0], time: Instant(microseconds: 3_000_000))
    let bytes = try #require(ExtendedBinary.trajectory(Recording(segments: [first, second])))
    let text = bytes.map { String(format: "%02X", $0) }.joined()
    #expect(
      text == "0105000060E610000001000000" + "010200004002000000" + "\(one)\(two)\(one)"
        + "\(one)\(zero)\(two)")
    #expect(ExtendedBinary.trajectory(Recording(segments: [second])) == nil)
    #expect(ExtendedBinary.line([line[0]]) == nil)
  }
}
