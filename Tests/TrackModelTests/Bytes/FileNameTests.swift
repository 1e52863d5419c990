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

  @Test(
    "The stem of a path has no folder, no extension and none of a compression or a drive document",
    arguments: [
      ("tours/ride.gpx", "ride"), ("Up.GPX.gz", "Up"), ("Up.gpx.GZ", "Up"), ("X.DRIVE.JSON", "X"),
      ("a/2024.05.01 ride.gpx", "2024.05.01 ride"), ("archive.tgz", "archive"), (".gpx", ".gpx"),
      ("ride", "ride"), ("a/b/", "b"), ("/", ""),
    ])
  func stems(_ path: String, _ stem: String) {
    #expect(FileName.stem(path) == stem)
  }
}
