import Testing
import TrackModel

@testable import TrackFormats

@Suite("Lines of text")
struct TextLinesTests {
  private static func options(lineSize: Int) -> ReadingOptions {
    var options = ReadingOptions()
    options.limits.lineSize = lineSize
    return options
  }

  @Test("A line of exactly the limit is read, and a longer one is empty", arguments: [1, 3, 5, 64])
  func limit(chunk: Int) throws {
    var lines = TextLines(
      ByteInput(bytes: Array("aaaa\r\nbbbbb\nc\n\ndddddddddddddd".utf8), chunk: chunk),
      Self.options(lineSize: 4))
    var texts: [String] = []
    while try lines.advance() {
      texts.append(lines.flaw?.message ?? String(decoding: lines.line.array, as: UTF8.self))
    }
    let tooLong = "line of more than 4 bytes, skipped"
    #expect(texts == ["aaaa", tooLong, "c", "", tooLong])
  }

  @Test("A byte order mark at the start of a line is left out", arguments: [1, 3, 5, 64])
  func marks(chunk: Int) throws {
    let text = "\u{FEFF}a\n\u{FEFF}bc\n\u{FEFF}\nd\u{FEFF}\n\u{FEFF}"
    var lines = TextLines(ByteInput(bytes: Array(text.utf8), chunk: chunk), ReadingOptions())
    var texts: [String] = []
    while try lines.advance() { texts.append(String(decoding: lines.line.array, as: UTF8.self)) }
    #expect(texts == ["a", "bc", "", "d\u{FEFF}", ""])
    let isEmpty = lines.line.isEmpty
    #expect(isEmpty)
  }

  @Test(
    "A long line of a log is skipped with a warning that names the limit",
    arguments: [
      (TrackFormat.igc, "AXXX\nHFDTE170524\nB1012004630000N00730000EA0050000500\nLONG\n"),
      (.vbo, "[header]\ntime\n[column names]\nsats time lat long\n[data]\n9 120000 +03000 -00600\nLONG\n"),
      (
        .plt,
        "OziExplorer Track Point File Version 2.1\nWGS 84\nAltitude is in Feet\n\n0,2,255,a,0\n0\n1,2,0,0,0\nLONG\n"
      ),
      (.wpt, "OziExplorer Waypoint File Version 1.1\nWGS 84\nReserved 2\nReserved 3\n1,a,1,2\nLONG\n"),
      (.dashcam70mai, "$V02\n1715940720,A,46.5,7.5,0,0,0,0,0,0,0,0,0\nLONG\n"),
    ])
  func warnings(format: TrackFormat, text: String) throws {
    let bytes = Array(text.replacing("LONG", with: String(repeating: "1,", count: 60)).utf8)
    var reader = try format.reader(ByteInput(bytes: bytes), options: Self.options(lineSize: 110))
    let transcript = Transcript(reading: &reader)
    #expect(transcript.points.count == 1)
    #expect(transcript.warnings.map(\.message).contains("line of more than 110 bytes, skipped"))
  }
}
