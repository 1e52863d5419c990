import Testing
import TrackModel

@Suite("Descriptions")
struct DescriptionsTests {
  private func element(_ name: String) -> ExtensionElement { ExtensionElement(name: name) }

  private func fullFile(_ mark: String) -> FileInfo {
    var info = FileInfo()
    info.creator = "creator \(mark)"
    info.name = "name \(mark)"
    info.description = "description \(mark)"
    info.author = Person(name: "author \(mark)")
    info.copyright = Copyright(author: "holder \(mark)", year: "2024")
    info.links = [TrackLink(address: "https://example.org/\(mark)")]
    info.time = Instant(microseconds: Int64(mark.utf8.count))
    info.keywords = "keywords \(mark)"
    info.namespaces = [NamespaceDeclaration(prefix: mark, uri: "urn:\(mark)")]
    info.extensions = [element(mark)]
    return info
  }

  private func fullTrack(_ mark: String) -> TrackInfo {
    var info = TrackInfo(name: "name \(mark)")
    info.comment = "comment \(mark)"
    info.description = "description \(mark)"
    info.source = "source \(mark)"
    info.links = [TrackLink(address: "https://example.org/\(mark)")]
    info.number = mark.utf8.count
    info.type = "type \(mark)"
    info.extensions = [element(mark)]
    return info
  }

  @Test("Merging into empty file information takes all values")
  func intoEmptyFile() {
    var info = FileInfo()
    info.merge(fullFile("b"))
    #expect(info == fullFile("b"))
    info.merge(FileInfo())
    #expect(info == fullFile("b"))
  }

  @Test("Merging keeps existing file information and joins lists in order")
  func intoFullFile() {
    var info = fullFile("a")
    info.merge(fullFile("bb"))
    var expected = fullFile("a")
    expected.links = [
      TrackLink(address: "https://example.org/a"), TrackLink(address: "https://example.org/bb"),
    ]
    expected.namespaces = [
      NamespaceDeclaration(prefix: "a", uri: "urn:a"), NamespaceDeclaration(prefix: "bb", uri: "urn:bb"),
    ]
    expected.extensions = [element("a"), element("bb")]
    #expect(info == expected)
  }

  @Test("Merging fills only the missing fields")
  func partsOfFile() {
    var info = FileInfo()
    info.name = "mine"
    info.merge(fullFile("b"))
    var expected = fullFile("b")
    expected.name = "mine"
    #expect(info == expected)
  }

  @Test("A namespace declared in both is declared once")
  func namespaces() {
    var info = FileInfo()
    info.namespaces = [NamespaceDeclaration(prefix: "x", uri: "urn:x")]
    var other = FileInfo()
    other.namespaces = [
      NamespaceDeclaration(prefix: "y", uri: "urn:y"), NamespaceDeclaration(prefix: "x", uri: "urn:x"),
      NamespaceDeclaration(prefix: "x", uri: "urn:other"),
    ]
    info.merge(other)
    #expect(
      info.namespaces == [
        NamespaceDeclaration(prefix: "x", uri: "urn:x"), NamespaceDeclaration(prefix: "y", uri: "urn:y"),
        NamespaceDeclaration(prefix: "x", uri: "urn:other"),
      ])
  }

  @Test("Merging into empty track information takes all values")
  func intoEmptyTrack() {
    var info = TrackInfo()
    #expect(info.isEmpty)
    info.merge(fullTrack("b"))
    #expect(info == fullTrack("b"))
    #expect(!info.isEmpty)
    info.merge(TrackInfo())
    #expect(info == fullTrack("b"))
  }

  @Test("Merging keeps existing track information and joins lists in order")
  func intoFullTrack() {
    var info = fullTrack("a")
    info.merge(fullTrack("bb"))
    var expected = fullTrack("a")
    expected.links = [
      TrackLink(address: "https://example.org/a"), TrackLink(address: "https://example.org/bb"),
    ]
    expected.extensions = [element("a"), element("bb")]
    #expect(info == expected)
  }

  @Test("An empty text counts as a value")
  func emptyText() {
    var info = TrackInfo(name: "")
    #expect(!info.isEmpty)
    info.merge(TrackInfo(name: "other"))
    #expect(info.name == "")
  }

  @Test("Point details are empty until any value is set")
  func details() {
    #expect(PointDetails().isEmpty)
    #expect(!PointDetails(name: "x").isEmpty)
    var details = PointDetails()
    details.differentialStation = 0
    #expect(!details.isEmpty)
    details = PointDetails()
    details.extensions = [element("x")]
    #expect(!details.isEmpty)
  }
}
