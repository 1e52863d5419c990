import TrackModel

/// A search for the end of an element whose children are leaves with the same plain start tag.
///
/// It looks only at tags, which takes a fraction of the time of reading the leaves.
struct XMLLeafSearch {
  enum Outcome {
    /// An end tag of another element.
    case end
    /// The bytes end before that.
    case cut
    /// Another element, a comment or a section.
    case other
  }

  /// The name and the closing bracket of a tag as two words, the first byte in the lowest bits, and the bits
  /// that count.
  private let tag: (first: UInt64, last: UInt64)
  private let mask: (first: UInt64, last: UInt64)
  private let tagSize: Int

  /// - Parameters:
  ///   - text: bytes that begin with white space and a start tag.
  ///   - isLeaf: returns whether a name is that of the leaves.
  /// - Returns: nil if the tag is another one, has attributes or is long.
  init?(_ text: Span<UInt8>, isLeaf: (Span<UInt8>) -> Bool) {
    var start = 0
    while start < text.count, text[start] <= 0x20 { start += 1 }
    guard start &+ 17 <= text.count, text[start] == UInt8(ascii: "<") else { return nil }
    start += 1
    guard let end = (start..<start + 16).first(where: { text[$0] == UInt8(ascii: ">") }),
      isLeaf(text.extracting(start..<end))
    else { return nil }
    tagSize = end + 1 - start
    let first = UInt64.max &>> UInt64(64 - 8 * min(tagSize, 8))
    mask = (first, tagSize > 8 ? UInt64.max &>> UInt64(128 - 8 * tagSize) : 0)
    tag = (XMLByte.word(text, at: start) & mask.first, XMLByte.word(text, at: start + 8) & mask.last)
  }

  /// Continues the search at `index`, and moves it past the tags of leaves.
  func next(_ text: Span<UInt8>, at index: inout Int) -> Outcome {
    while true {
      index = XMLLeafSearch.indexOfTag(text, from: index)
      guard index &+ 18 <= text.count else { return .cut }
      let isEnd = text[index &+ 1] == UInt8(ascii: "/")
      let name = index &+ (isEnd ? 2 : 1)
      guard XMLByte.word(text, at: name) & mask.first == tag.first,
        XMLByte.word(text, at: name &+ 8) & mask.last == tag.last
      else { return isEnd ? .end : .other }
      index = name &+ tagSize
    }
  }

  /// Returns the index of the first `<`, or the end of the bytes.
  @inline(__always)
  private static func indexOfTag(_ text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index &+ 8 <= text.count {
      let others = XMLByte.word(text, at: index) ^ 0x3C3C_3C3C_3C3C_3C3C
      // The lowest bit that is set belongs to the first bracket.
      let found = (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
      if found != 0 { return index &+ found.trailingZeroBitCount >> 3 }
      index &+= 8
    }
    while index < text.count, text[index] != UInt8(ascii: "<") { index &+= 1 }
    return index
  }
}
