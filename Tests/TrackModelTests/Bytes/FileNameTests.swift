import Testing

@testable import TrackModel

@Suite("File names")
struct FileNameTests {
  @Test("Paths are divided at slashes, also at those before a combining mark")
  func parts() {
    for (path, folder, last, components) in [
      ("a/b.gpx", "a/", "b.gpx", ["a", "b.gpx"]), ("b", "", "b", ["b"]), ("", "", "", []),
      ("/a//ü/", "/a//ü/", "ü", ["a", "ü"]), ("//", "//", "", []),
      ("a/\u{301}", "a/", "\u{301}", ["a", "\u{301}"]),
    ] as [(String, String, String, [String])] {
      #expect(FileName.folder(path) == folder)
      #expect(FileName.last(path) == last)
      #expect(FileName.components(path).map(String.init) == components)
    }
  }

  @Test("The extension is the text after the last full stop of the name")
  func extensions() {
    #expect(FileName.fileExtension("a.b/c.gpx.gz") == "gz")
    #expect(FileName.fileExtension("a.b/c") == nil)
    #expect(FileName.fileExtension("ü.ü") == "ü")
  }
}
