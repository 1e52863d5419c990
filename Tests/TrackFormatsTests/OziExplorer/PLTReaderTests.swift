import Testing
import TrackModel

@testable import TrackFormats

@Suite("PLT reader")
struct PLTReaderTests {
  private static let head = """
    OziExplorer Track Point File Version 2.1
    WGS 84
    Altitude is in Feet
    Reserved 3
    0,2,255,Evening drive,0,0,2,8421376
    15

    """

  @Test("Rows have degrees, elevations in feet and days since 1899, and 1 starts a segment")
  func rows() throws {
    // 45500.25 days after 1899-12-30 is 2024-07-27 06:00; 1000 ft are 304.8 m.
    let transcript = try Transcript(
      .plt,
      Self.head + """
          61.5, 23.7,0, 1000.0,45500.2500000, 27-Jul-24, 06:00:00
        -61.5,-23.75,0,-777,45500.2501157,27-Juillet-24,06:00:10
        61.5,23.8,1,0,0,,
        61.5,23.9,0,-777.0,25569.0000000,1970-01-01 01:00:00
        """)
    #expect(
      transcript.lines == [
        "header", "track", "  name \"Evening drive\"", "  style color ff0000 alpha 255 width 2", "segment",
        "point 61.5 23.7 2024-07-27T06:00:00Z elevation 304.8",
        "point -61.5 -23.75 2024-07-27T06:00:09.996Z", "end of segment", "segment",
        "point 61.5 23.8 elevation 0", "point 61.5 23.9", "end of segment", "end of track",
      ])
    #expect(transcript.violations == [])
    #expect(transcript.warnings == [])
  }

  @Test("Damaged rows are counted and do not affect the others")
  func damaged() throws {
    let transcript = try Transcript(
      .plt, Self.head + "1,2,0,-777,0\r\nx,2,0\r\n91,2,0,-777,0\r\n\r\n3\r\n2,2,0,-777,0,,\r\n")
    #expect(transcript.points == ["point 1 2", "point 2 2"])
    #expect(transcript.warnings.map(\.count) == [2, 1])
    #expect(transcript.error == nil)
  }

  @Test(
    "An incomplete last row is dropped with a warning",
    arguments: ["61.6,2", "61.6,23.8,0,17", "61.6,23.8,0,100,455"])
  func truncated(_ end: String) throws {
    let row = "61.5,23.7,0,-777,45500.25,27-Jul-24,06:00:00\r\n"
    let transcript = try Transcript(.plt, Self.head + row + end)
    #expect(transcript.points == ["point 61.5 23.7 2024-07-27T06:00:00Z"])
    #expect(transcript.warnings.map(\.code) == [.truncated])
    #expect(try Transcript(.plt, Self.head + row + end, isStrict: true).error?.code == .truncated)
    #expect(try Transcript(.plt, Self.head + row + "61.6,23.8,0,-777,45500.25,2").points.count == 2)
  }

  @Test("Another datum is reported, and metres are read as metres")
  func head() throws {
    let text = Self.head.replacing("WGS 84", with: "Pulkovo 1942 (1)").replacing("Feet", with: "Metres")
    let transcript = try Transcript(.plt, text + "1,2,0,100,0\n")
    #expect(transcript.points == ["point 1 2 elevation 100"])
    #expect(
      transcript.warnings.map(\.message) == ["positions in the datum Pulkovo 1942 (1), not converted"])
    #expect(try Transcript(.plt, text + "1,2,0,100,0\n", isStrict: true).error?.code == .warning)
  }

  @Test("Names in Latin-1 and with character 209 for commas are read")
  func names() throws {
    let bytes = Array(Self.head.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var lines = bytes.map(Array.init)
    lines[4] = Array("0,2,255,".utf8) + [0x43, 0xF4, 0x74, 0xE9, 0xD1, 0x20, 0x42] + Array(",0".utf8)
    let transcript = try Transcript(.plt, Array(lines.joined(separator: [0x0A])) + Array("1,2,0,-777,0".utf8))
    #expect(transcript.lines.contains("  name \"Côté, B\""))
  }

  @Test("A file without points is read, a file without a head is truncated")
  func empty() throws {
    #expect(try Transcript(.plt, Self.head).lines == ["header"])
    #expect(try Transcript(.plt, Self.head).error == nil)
    #expect(try Transcript(.plt, "OziExplorer Track Point File\n").error?.code == .truncated)
    #expect(try Transcript(.plt, "").error?.code == .truncated)
  }

  @Test("Files of OziExplorer and GeoLife are recognized")
  func recognition() {
    #expect(detected(Array(Self.head.utf8)) == "plt")
    #expect(detected(Array("Geolife trajectory\r\nWGS 84\r\nAltitude is in Feet\r\n".utf8)) == "plt")
    #expect(detected(Array("OziExplorer Waypoint File Version 1.1\r\nWGS 84\r\n".utf8)) == "wpt")
  }

  @Test(
    "Real files agree with independent readers",
    .enabled(if: Fixture.hasShared, "the shared corpus is missing"),
    arguments: CorpusFigures.all(in: "plt") + CorpusFigures.all(in: "rec") + CorpusFigures.all(in: "sml")
      + CorpusFigures.all(in: "csv").filter { $0.file.contains("70mai") })
  func corpus(_ figures: CorpusFigures) throws {
    let bytes = try figures.bytes()
    var input = ByteInput(bytes: bytes)
    let format = try FormatRegistry.standard.detect(&input)
    var reader = try format.reader(input)
    let document = try TrackDocument(reading: &reader)
    #expect(figures.differences(from: document) == [])
  }
}
