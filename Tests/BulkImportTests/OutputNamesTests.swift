import Testing
import TrackModel

@testable import BulkImport

@Suite("Names of outputs")
struct OutputNamesTests {
  @Test("Each name is used once, regardless of case")
  func unused() {
    var names = OutputNames()
    #expect(names.unused("out/a", ending: "gpx") == "out/a.gpx")
    #expect(names.unused("out/A", ending: "gpx") == "out/A-2.gpx")
    #expect(names.unused("out/./a-2", ending: "gpx") == "out/./a-2-2.gpx")
    #expect(names.unused("out/a", ending: "kml") == "out/a.kml")
    #expect(names.unused("out/a", ending: "gpx") == "out/a-3.gpx")
    names.reserve("out/a-4.gpx")
    #expect(names.unused("out/x/../a", ending: "gpx") == "out/x/../a-5.gpx")
  }

  @Test("A name that is too long for file systems is shortened, and its number and extension are kept")
  func long() {
    var names = OutputNames()
    let stem = "a folder/" + String(repeating: "ä", count: 125)
    #expect(names.unused(stem, ending: "csv") == stem + ".csv")
    let shortened = String(stem.dropLast(3))
    #expect(names.unused(stem, ending: "drive.json") == shortened + ".drive.json")
    #expect(names.unused(stem + "x", ending: "drive.json") == shortened.dropLast() + "-2.drive.json")
    // Bytes that are not UTF-8 are one byte each.
    let bytes = FileName.text(Array(repeating: 0xFF, count: 251))
    #expect(names.unused(bytes, ending: "csv") == bytes + ".csv")
  }

  @Test("The caller is asked at most once about each name")
  func isFree() {
    var names = OutputNames()
    var asked: [String] = []
    for expected in ["a-3.gpx", "a-4.gpx"] {
      let name = names.unused("a", ending: "gpx") { name in
        asked.append(name)
        return name != "a.gpx" && name != "a-2.gpx"
      }
      #expect(name == expected)
    }
    #expect(asked == ["a.gpx", "a-2.gpx", "a-3.gpx", "a-4.gpx"])
  }

  @Test("Fifty thousand equal names take no longer than different ones")
  func many() {
    var names = OutputNames()
    var last = ""
    for _ in 0..<50_000 { last = names.unused("track", ending: "gpx") }
    #expect(last == "track-50000.gpx")
  }
}
