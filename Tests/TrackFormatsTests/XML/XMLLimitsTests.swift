import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

/// Tests with documents designed to be expensive.
@Suite("Limits of the XML scanner")
struct XMLLimitsTests {
  /// Limits that are reached within a few chunks.
  private static let small: ReadingLimits = {
    var limits = ReadingLimits()
    limits.textSize = 1 << 18
    limits.tagSize = 1 << 17
    limits.nameCount = 1000
    return limits
  }()

  private func read(
    _ text: String, usesLibrary: Bool = false, _ limits: ReadingLimits = ReadingLimits()
  ) -> XMLReading {
    XMLReading(Array(text.utf8), usesLibrary: usesLibrary, limits: limits)
  }

  @Test("The default limits are those of the documentation")
  func documented() {
    let limits = ReadingLimits()
    #expect(limits.textSize == 16 << 20 && limits.tagSize == 1 << 20)
    #expect(limits.nameCount == 10_000 && limits.attributeCount == 10_000 && limits.depth == 256)
  }

  /// Returns a text of about `count` bytes, made of pieces that resemble an end delimiter.
  private static func filling(_ piece: String, _ count: Int) -> String {
    String(repeating: piece, count: count / piece.utf8.count)
  }

  @Test("The size of a start tag is limited")
  func longTag() {
    let size = Self.small.tagSize
    let value = String(repeating: "x", count: size - 100)
    #expect(read("<r><a b='\(value)'/></r>", Self.small).verdict == .whole(hasMore: false))
    #expect(read("<r><a b='\(value)' c='\(value)'/></r>", Self.small).verdict == .fault)
    #expect(
      read("<r></r\(String(repeating: " ", count: 4 * size))>", Self.small).verdict
        == .whole(hasMore: false))
    #expect(read("<r><\(String(repeating: "n", count: 2 * size))/></r>", Self.small).verdict == .fault)
  }

  @Test(
    "libxml2 rejects a tag of more than 256 KiB, in the first chunk and in later ones",
    arguments: [0, 70_000])
  func longTagInLibrary(offset: Int) {
    // The tag is measured at the end of each chunk.
    let value = String(repeating: "x", count: ReadingLimits().tagSize / 4 + ByteInput.defaultChunk)
    let text = "<r>\(String(repeating: " ", count: offset))<a b='\(value)'/></r>"
    let reading = read(text, usesLibrary: true)
    #expect(reading.error?.code == .limitExceeded, "\(reading.verdict)")
    #expect(read(text).verdict == .whole(hasMore: false))
  }

  @Test("An element may have at most 10,000 attributes")
  func manyAttributes() {
    let attributes = { (count: Int) in (0..<count).map { " a\($0)=''" }.joined() }
    // The element's own name is one of the 10,000 names of a document.
    #expect(read("<r\(attributes(ReadingLimits().attributeCount - 1))/>").verdict == .whole(hasMore: false))
    #expect(read("<r\(attributes(ReadingLimits().attributeCount + 1))/>").verdict == .fault)
  }

  @Test("The numbers of distinct names and of namespace scopes are limited")
  func manyNames() {
    let names = (0...Self.small.nameCount).map { "<n\($0)/>" }.joined()
    #expect(read("<r>\(names)</r>", Self.small).verdict == .fault)
    let namespaces = (0..<5000).map { "<r xmlns:p='urn:\($0)'/>" }.joined()
    #expect(read("<r>\(namespaces)</r>", Self.small).verdict == .fault)
    let same = String(repeating: "<p:r xmlns:p='urn:p'/>", count: 5000)
    #expect(read("<r>\(same)</r>", Self.small).tokens.count == 5002)
  }

  @Test("Elements nest at most 256 levels deep")
  func depth() {
    let nested = { (depth: Int) in
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(read(nested(ReadingLimits().depth)).verdict == .whole(hasMore: false))
    #expect(read(nested(ReadingLimits().depth + 1)).verdict == .fault)
    #expect(read(nested(100_000)).verdict == .fault)
  }

  @Test("The size of a text is limited, in one run or in sections")
  func longText() {
    // More than half of the limit.
    let size = Self.small.textSize / 16 * 9
    let half = XMLLimitsTests.filling("x]y&amp;", size)
    #expect(read("<r>\(half)</r>", Self.small).verdict == .whole(hasMore: false))
    let section = "<![CDATA[\(XMLLimitsTests.filling("x]y", size))]]>"
    #expect(read("<r>\(section)</r>", Self.small).verdict == .whole(hasMore: false))
    #expect(read("<r>\(section)<!-- -->\(section)</r>", Self.small).verdict == .fault)
  }

  @Test(
    "A comment or an instruction may have any length",
    arguments: [("<!--", "x - ]]> é\n", "-->"), ("<?p ", "x ? > \r\n", "?>")])
  func longComment(_ opening: String, _ piece: String, _ closing: String) {
    let long = opening + XMLLimitsTests.filling(piece, 2 * Self.small.textSize) + closing
    #expect(read("<r>\(long)<a>1</a></r>", Self.small).verdict == .whole(hasMore: false))
  }

  @Test("libxml2 rejects a comment of more than 10 MB")
  func libraryLimit() {
    let text = "<r><!--\(XMLLimitsTests.filling("xyz", 11_000_000))--></r>"
    #expect(read(text).verdict == .whole(hasMore: false))
    #expect(read(text, usesLibrary: true).verdict == .fault)
  }

  /// A scanner that restarted with each chunk would take about 200 times as long for 16 times the bytes.
  @Test(
    "Sixteen times the bytes take about sixteen times as long",
    arguments: [
      ("<!--", "x -", " -->"), ("<![CDATA[", "x]y", "]]>"), ("<?p ", "x?y", "?>"), ("", "x y", ""),
      ("", " \n ", ""),
    ])
  func linearity(_ opening: String, _ piece: String, _ closing: String) {
    func shortest(_ count: Int) -> Duration {
      let bytes = Array("<r>\(opening)\(XMLLimitsTests.filling(piece, count))\(closing)<a/></r>".utf8)
      let times = (0..<3).map { _ in
        processorTime {
          #expect(XMLReading(bytes, chunk: 4096, usesLibrary: false).verdict == .whole(hasMore: false))
        }
      }
      return times.min() ?? .zero
    }
    // Four chunks and 64 chunks.
    let short = shortest(4 * 4096)
    #expect(shortest(64 * 4096) < short * 100)
  }
}
