import Foundation
import TestSupport
import Testing

@Suite("The demo command", .waiting)
struct DemoCommandTests {
  @Test("The demo writes two recordings and their comparison, and repeats what compare prints")
  func demo() throws {
    try withFixtures { (folder) throws in
      let outcome = try folder.run("demo")
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      let demo = folder.url.appendingPathComponent("ghost-demo")
      let names = try FileManager.default.contentsOfDirectory(atPath: demo.path).sorted()
      #expect(names == ["race.html", "race.kmz", "thursday.gpx", "tuesday.gpx"])
      let compared = try folder.run("compare", "ghost-demo/tuesday.gpx", "ghost-demo/thursday.gpx").text
      #expect(outcome.text.contains(compared))
      #expect(outcome.text.contains("Open ghost-demo/race.html"))
    }
  }

  @Test(
    "The recordings of the demo have the points and times of the fixtures",
    arguments: ["tuesday", "thursday"])
  func drives(name: String) throws {
    try withFixtures("\(name).gpx") { (folder) throws in
      _ = try folder.run("demo", "x/y", "--quiet")
      let columns = ["convert", "--to", "csv", "-q", "-o", "-"]
      let written = try GhostConvertProgram.run(columns + ["x/y/\(name).gpx"], in: folder.url)
      #expect(written.status == 0)
      #expect(try GhostConvertProgram.run(columns + ["\(name).gpx"], in: folder.url).text == written.text)
    }
  }

  @Test("Existing files are kept, and the one in the way is named")
  func existing() throws {
    try withFixtures { (folder) throws in
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("a"), withIntermediateDirectories: true)
      try Data("mine".utf8).write(to: folder.url.appendingPathComponent("a/race.html"))
      let outcome = try GhostConvertProgram.run(["demo", "a"], in: folder.url)
      #expect(outcome.status == 73)
      #expect(
        outcome.errors
          == "ghost-convert: a/race.html: the file exists; choose another folder: ghost-convert demo FOLDER\n"
      )
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent("a").path) == [
          "race.html"
        ])
    }
  }
}
