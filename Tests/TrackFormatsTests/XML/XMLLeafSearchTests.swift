import Testing

@testable import TrackFormats

@Suite("XML: search for the end of an element of leaves")
struct XMLLeafSearchTests {
  /// Searches texts in pieces, without the first bytes of which the search has moved past.
  private func search(_ pieces: String...) -> XMLLeafSearch.Outcome? {
    var bytes = Array(pieces[0].utf8)
    guard let search = XMLLeafSearch(bytes.span, isLeaf: { $0.count == 1 && $0[0] == UInt8(ascii: "a") })
    else {
      return nil
    }
    var index = 0
    var outcome = search.next(bytes.span, at: &index)
    for piece in pieces.dropFirst() where outcome == .cut {
      bytes = Array(bytes[index...]) + Array(piece.utf8)
      index = 0
      outcome = search.next(bytes.span, at: &index)
    }
    return outcome
  }

  private static let end = "</b></document>         "

  @Test("The end tag of another element is the end")
  func end() {
    #expect(search("<a>1</a>\n <a>2 3</a>" + Self.end) == .end)
    #expect(search("  <a>1</a>" + Self.end) == .end)
  }

  @Test("Other elements, comments, sections and attributes are found")
  func others() {
    for other in ["<b>", "<aa>", "<a b='1'>", "<!-- -->", "<![CDATA[", "<?a?>", "<a/>"] {
      #expect(search("<a>1</a>\n\(other)<a>2</a>" + Self.end) == .other, "\(other)")
    }
  }

  @Test("Tags may be cut between any two bytes")
  func cut() {
    let text = "<a>1</a>\n <a>2 3</a><a>12345</a>" + Self.end
    #expect(search("<a>1</a>\n <a>2 3</a>") == .cut)
    for count in 18..<text.utf8.count {
      #expect(search(String(text.prefix(count)), String(text.dropFirst(count))) == .end, "\(count)")
    }
  }

  @Test("Long names, attributes and other names are not searched")
  func unsuitable() {
    #expect(search("<b>1</b>" + Self.end) == nil)
    #expect(search("<a b='1'>1</a>" + Self.end) == nil)
    #expect(search("text <a>1</a>" + Self.end) == nil)
    #expect(search("<a>") == nil)
    let long = Array(("<" + String(repeating: "a", count: 16) + ">" + Self.end).utf8)
    #expect(XMLLeafSearch(long.span, isLeaf: { _ in true }) == nil)
    let short = Array(("<" + String(repeating: "a", count: 15) + ">" + Self.end).utf8)
    #expect(XMLLeafSearch(short.span, isLeaf: { _ in true }) != nil)
  }
}
