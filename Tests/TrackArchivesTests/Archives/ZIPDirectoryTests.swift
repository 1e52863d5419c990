import Testing
import TrackModel

@testable import TestSupport
@testable import TrackArchives

@Suite("Directory of a ZIP")
struct ZIPDirectoryTests {
  private static let archive = InputWalkTests.zip(("a.gpx", InputWalkTests.gpx()))

  /// The archive with the four bytes at an offset of the end record, which has 22 bytes.
  private static func archive(_ value: UInt8, at offset: Int) -> [UInt8] {
    var bytes = archive
    for index in 0..<4 { bytes[bytes.count - 22 + offset + index] = value }
    return bytes
  }

  @Test("A directory within the file is accepted, and so are files without one and with a ZIP64 record")
  func accepted() throws {
    // APPNOTE 4.3.16: the length of the directory is at 12, its offset at 16. All ones refer to ZIP64.
    for bytes in [
      Self.archive, [], Array("PK".utf8), [UInt8](repeating: 1, count: 100), Self.archive(0xFF, at: 12),
      Self.archive(0xFF, at: 16),
    ] {
      try ZIPDirectory.check(head: Array(bytes.prefix(4)), tail: bytes, size: bytes.count)
    }
  }

  @Test("The parts of a split ZIP are rejected with their kind")
  func parts() throws {
    // APPNOTE 8.5.3: the first part starts with a signature. 4.3.16: the last one has its number at 4.
    let first = [0x50, 0x4B, 7, 8] + Self.archive.dropLast(22)
    var last = Self.archive
    last[last.count - 22 + 4] = 3
    for bytes in [first, last] {
      #expect(try InputWalkTests.steps("x.zip", bytes) == ["!x.zip unsupported"])
      #expect(
        try InputWalkTests.steps("y.zip", InputWalkTests.zip(("x.zip", bytes)))
          == [">y.zip zip", "!y.zip/x.zip unsupported"])
    }
    // A part that holds everything.
    #expect(
      try InputWalkTests.steps("x.zip", [0x50, 0x4B, 7, 8] + Self.archive).first == ">x.zip zip")
  }

  @Test("A directory beyond the end of the file is rejected", arguments: [12, 16])
  func beyondEnd(offset: Int) throws {
    let bytes = Self.archive(0x7F, at: offset)
    expectError(.malformed) {
      try ZIPDirectory.check(head: Array(bytes.prefix(4)), tail: bytes, size: bytes.count)
    }
    #expect(try InputWalkTests.steps("x.zip", bytes) == ["!x.zip malformed"])
    #expect(
      try InputWalkTests.steps("y.zip", InputWalkTests.zip(("x.zip", bytes)))
        == [">y.zip zip", "!y.zip/x.zip malformed"])
  }
}
