import Testing
import TrackModel

@testable import TrackFormats

/// Tests with texts of any length, in elements whose grammar splits them into pieces.
@Suite("XML texts in pieces")
struct XMLPiecesTests {
  private struct Reading {
    var text = ""
    var pieces: [Int] = []
    var kinds: [XMLToken.Kind] = []
    var error: TrackError?
    var lines: [UInt32] = []
  }

  /// A limit on texts of 512 KiB. Pieces have at least 256 KiB.
  private static let limits: ReadingLimits = {
    var limits = ReadingLimits()
    limits.textSize = 1 << 19
    return limits
  }()

  /// Reads a document in which the element `list` is split into pieces.
  private func read(_ text: String, chunk: Int = ByteInput.defaultChunk, usesLibrary: Bool = false) -> Reading
  {
    var stream = XMLTokenStream(
      ByteInput(bytes: Array(text.utf8), chunk: chunk), options: ReadingOptions(limits: Self.limits),
      pieces: 7,
      usesLibrary: usesLibrary
    ) { name, _ in name.local == "list" ? 7 : 0 }
    var reading = Reading()
    do throws(TrackError) {
      while let token = try stream.next() {
        reading.kinds.append(token.kind)
        guard token.kind == .text || token.kind == .leaf else { continue }
        reading.text += stream.text(of: token)
        reading.pieces.append(Int(token.textCount))
        reading.lines.append(token.line)
      }
    } catch {
      reading.error = error
    }
    return reading
  }

  /// Repeated numbers from 0 on, one per line: longer than other texts may be.
  private static let numbers = String(repeating: (0..<100_000).map { "\($0)\n" }.joined(), count: 2)

  @Test(
    "A list of any length is read completely, split at white space into pieces of less than a megabyte",
    arguments: [false, true])
  func longList(usesLibrary: Bool) {
    let reading = read("<r><list>\(Self.numbers)</list><a>b</a></r>", usesLibrary: usesLibrary)
    #expect(reading.error == nil)
    #expect(reading.text == Self.numbers + "b")
    #expect((reading.pieces.max() ?? 0) < 1 << 20)
    #expect(reading.pieces.count > 3 && reading.text.utf8.count > 2 * Self.limits.textSize)
    #expect(reading.kinds.first == .start && reading.kinds.suffix(3) == [.end, .leaf, .end])
    // The places of the pieces increase.
    #expect(reading.lines == reading.lines.sorted() && reading.lines.last == 200_001)
  }

  @Test(
    "References, sections and apparent end tags are unchanged, whatever the chunk size",
    arguments: [4093, 1 << 16])
  func markup(_ chunk: Int) {
    let unit = "1,2 &amp; ]] <![CDATA[<3> ]]]]>\n<!-- 4 -->5 "
    let expected = "1,2 & ]] <3> ]]\n5 "
    let reading = read("<r><list>\(String(repeating: unit, count: 20_000))</list></r>", chunk: chunk)
    #expect(reading.error == nil)
    #expect(reading.text == String(repeating: expected, count: 20_000))
    #expect(reading.pieces.count > 1)
    let wrong = read("<r><list>\(String(repeating: unit, count: 20_000)) ]]></list></r>", chunk: chunk)
    #expect(wrong.error?.code == .malformed)
  }

  @Test("A short list is still a leaf")
  func shortList() {
    #expect(read("<r><list>1,2 3,4</list></r>").kinds == [.start, .leaf, .end])
  }

  @Test("The limit applies to other elements, and to a list without white space")
  func limits() {
    // The limit and 8 bytes.
    let count = Self.limits.textSize / 8 + 1
    let long = String(repeating: "1234567 ", count: count)
    #expect(read("<r><other>\(long)</other></r>").error?.code == .limitExceeded)
    #expect(read("<r><list><other>\(long)</other></list></r>").error?.code == .limitExceeded)
    #expect(
      read("<r><list>\(String(repeating: "12345678", count: count))</list></r>").error?.code == .limitExceeded
    )
    // Text after an element inside the list is not part of the list.
    #expect(read("<r><list>\(long)<x/>\(long)</list></r>").error?.code == .limitExceeded)
  }
}
