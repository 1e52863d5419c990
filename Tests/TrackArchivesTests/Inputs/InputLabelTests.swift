import Testing

@testable import TrackArchives
@testable import TrackFormats

@Suite("Input labels")
struct InputLabelTests {
  @Test(
    "Names for output files stay inside the output folder",
    arguments: [
      ("activities/10030000101.gpx.gz", "10030000101"), ("../../etc/passwd", "passwd"), ("..", "track"),
      ("a/../..", "track"), ("", "track"), ("/", "track"), ("C:\\Windows\\ride.gpx", "ride"),
      ("..\\..\\x.gpx", "x"),
      (".hidden.gpx", "hidden"), ("a:b*c?.gpx", "a_b_c_"), ("line\nfeed\u{0}.gpx", "line_feed_"),
      ("Über den Pass.kml", "Über den Pass"), ("朝のライド.gpx", "朝のライド"), ("ride.tgz", "ride"),
      ("ride.tar.gz", "ride"), ("two.drive.json", "two"), ("ride.gpx.", "ride.gpx"),
      ("\u{202E}xpg.gpx", "_xpg"),
      ("a\u{FFFD}.gpx", "a_"), ("con.", "con"), ("./ride.gpx.zst", "ride"),
    ])
  func stems(_ name: String, _ stem: String) {
    #expect(InputLabel("export.zip", entry: name).stem == stem)
  }

  @Test(
    "Folders for output files stay inside the output folder",
    arguments: [
      ("a.gpx", ""), ("activities/1.gpx", "activities/"), ("./a/./b/1.gpx", "a/b/"),
      ("../../etc/1.gpx", "etc/"), ("/etc/1.gpx", "etc/"), ("C:\\Users\\me\\1.gpx", "Users/me/"),
      ("a:b/ /c./1.gpx", "a_b/c/"),
    ])
  func folders(_ name: String, _ folder: String) {
    #expect(InputLabel("export.zip", entry: name, below: "").folder == folder)
    #expect(InputLabel("export.zip", entry: name, below: "x/y/").folder == "x/y/" + folder)
    #expect(InputLabel("folder", entry: name).folder.isEmpty)
  }

  @Test("Folders are no deeper than file systems allow")
  func deepFolders() {
    let label = InputLabel("a.zip", entry: String(repeating: "日/", count: 5000) + "a.gpx", below: "x/")
    #expect(label.folder == "x/" + String(repeating: "日/", count: 31))
  }

  @Test("Long names are shortened between characters")
  func long() {
    let label = InputLabel("a.zip", entry: String(repeating: "日", count: 60_000) + ".gpx")
    // Three bytes per character.
    #expect(label.stem == String(repeating: "日", count: 33))
    #expect(label.path.count < 310)
    #expect(label.path.hasPrefix("a.zip/日") && label.path.hasSuffix("日.gpx"))
  }
}
