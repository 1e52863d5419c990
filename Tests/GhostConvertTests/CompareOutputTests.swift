import Foundation
import Testing

@testable import TestSupport

@Suite(.waiting) struct CompareOutputTests {
  private static let tuesday = DrivenRoad().standing(20).driving(toEast: 3000, seconds: 300)
  private static let thursday = DrivenRoad().driving(toEast: 3000, seconds: 240)

  private func inFolder<Result>(_ body: (TemporaryFolder) throws -> Result) throws -> Result {
    try withFixtures { (folder) throws in
      try folder.write(Self.tuesday.gpx(), to: "tuesday.gpx")
      try folder.write(Self.thursday.gpx(), to: "thursday.gpx")
      return try body(folder)
    }
  }

  @Test("Every requested file is written, and the result is printed too")
  func all() throws {
    try inFolder { (folder) throws in
      let names = ["r.kml", "r.kmz", "r.gpx", "r.geojson", "r.csv", "r.html", "gap.svg", "map.svg"]
      let outcome = try GhostConvertProgram.run(
        ["compare", "tuesday.gpx", "thursday.gpx", "--tour", "--full"] + names.flatMap { ["-o", $0] },
        in: folder.url)
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(outcome.text.hasPrefix("Thursday was faster by "))
      for name in names { #expect(try folder.data(name).count > 500, "\(name)") }
      #expect(try folder.text("r.kml").contains("<gx:Tour>"))
      #expect(try folder.text("gap.svg") != folder.text("map.svg"))
    }
  }

  @Test("No file of a comparison has a position in a privacy zone, and unused zones are reported")
  func privacy() throws {
    /// Returns the smallest longitude in a text as metres to the east of the start of the drives.
    func start(of text: String, _ pattern: Regex<(Substring, Substring)>) -> Double? {
      text.matches(of: pattern).compactMap { Double($0.1) }.min().map { $0 * 111_319.49 }
    }
    try inFolder { (folder) throws in
      let patterns: [(name: String, longitude: Regex<(Substring, Substring)>)] = [
        ("r.kml", /gx:coord>([0-9.]+)[ ]/), ("r.gpx", /lon="([^"]+)"/),
        ("r.geojson", /\[([0-9.]+),[0-9.]+/),
        ("r.json", /"lon": ?([0-9.]+)/),
      ]
      for isHidden in [false, true] {
        let zones = isHidden ? ["--privacy", "0,0,500m", "--privacy", "1,2,10m"] : []
        let outcome = try GhostConvertProgram.run(
          ["compare", "tuesday.gpx", "thursday.gpx", "--tour", "--full", "--json"] + zones
            + patterns.dropLast().flatMap { ["-o", $0.name] }, in: folder.url)
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("privacy zone 2 contains no points") == isHidden)
        try folder.write(outcome.text, to: "r.json")
        for (name, pattern) in patterns {
          let start = try #require(start(of: folder.text(name), pattern), "\(name)")
          #expect(isHidden ? (500...560).contains(start) : start < 60, "\(name): \(start)")
        }
      }
    }
  }

  @Test("A zone without points is an error with --strict, and a segment must not run through a zone")
  func privacyErrors() throws {
    try inFolder { (folder) throws in
      let strict = try folder.run(
        "compare", "tuesday.gpx", "thursday.gpx", "--strict", "--privacy", "1,2,10m", "-o", "r.kml")
      #expect(strict.status == 65)
      #expect((try? folder.data("r.kml")) == nil)
      #expect(try folder.run("import", "tuesday.gpx", "--library", "drives.gpkg").status == 0)
      #expect(
        try folder.run(
          "segment", "add", "climb", "--from", "0,0.005", "--to", "0,0.02", "--line", "tuesday.gpx"
        )
        .status == 0)
      for (zone, status) in [("0,0,300m", 0), ("0,0.01,300m", 64)] {
        let outcome = try folder.run(
          "compare", "tuesday.gpx", "thursday.gpx", "--segment", "climb", "--privacy", zone)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains("the segment runs through a privacy zone") == (status != 0))
      }
      let radius = try folder.run("compare", "tuesday.gpx", "thursday.gpx", "--privacy", "0,0,0m")
      #expect(radius.status == 64 && radius.errors.contains("a radius above zero"))
    }
  }

  @Test("A comparison by the app's engine can also be written")
  func app() throws {
    try inFolder { (folder) throws in
      let outcome = try folder.run("compare", "tuesday.gpx", "thursday.gpx", "--engine", "app", "-o", "r.gpx")
      #expect(outcome.status == 0)
      let text = try folder.text("r.gpx")
      // Both drives leave the start at noon.
      #expect(text.ranges(of: "<time>2000-01-01T12:00:00Z</time>").count == 2)
    }
  }

  @Test("Reports show the channels of loggers")
  func channels() throws {
    try withFixtures { (folder) throws in
      func log(step: Double) -> String {
        (0..<200).reduce("time,lat,lon,Throttle (%)\n") { text, row in
          text + "\(1_700_000_000 + row),47.0,\(8 + Double(row) * step),\(row % 100)\n"
        }
      }
      try folder.write(log(step: 1e-4), to: "a.csv")
      try folder.write(log(step: 2e-4), to: "b.csv")
      let outcome = try folder.run("compare", "a.csv", "b.csv", "-o", "r.html", "--quiet")
      #expect(outcome.text.isEmpty)
      #expect(outcome.status == 0)
      let page = try folder.text("r.html")
      #expect(page.contains("Speed and sensors along the road"))
      #expect(page.contains("<bdi>Throttle</bdi>") && page.contains("<bdi>%</bdi>"))
      #expect(page.ranges(of: "class=\"channelline ").count == 4)
    }
  }

  @Test("Files use the colours of --colors")
  func colors() throws {
    try inFolder { (folder) throws in
      let outcome = try folder.run(
        "compare", "tuesday.gpx", "thursday.gpx", "--colors", "112233,#445566", "-o", "r.geojson")
      #expect(outcome.status == 0)
      let text = try folder.text("r.geojson")
      #expect(text.contains("\"stroke\":\"#112233\"") && text.contains("\"stroke\":\"#445566\""))
    }
  }

  @Test(
    "Invalid combinations of options are usage errors, before any input is read",
    arguments: [
      ["-o", "race.doc"], ["-o", "race"], ["-o", "-"], ["-o", "tuesday.gpx"], ["-o", "a.kml", "-o", "a.kml"],
      ["--colors", "red"], ["--list-modes", "-o", "a.kml"], ["--basemap", "https://server/"],
    ])
  func refused(arguments: [String]) throws {
    try inFolder { (folder) throws in
      let outcome = try GhostConvertProgram.run(
        ["compare", "tuesday.gpx", "thursday.gpx"] + arguments, in: folder.url)
      #expect(outcome.status == 64)
      #expect(outcome.text.isEmpty)
    }
  }

  @Test("A file that cannot be written does not stop the others")
  func unwritable() throws {
    try inFolder { (folder) throws in
      let outcome = try folder.run(
        "compare", "tuesday.gpx", "thursday.gpx", "-o", "missing/r.kml", "-o", "r.csv")
      #expect(outcome.status == 73)
      #expect(outcome.errors.contains("missing/r.kml"))
      #expect(try folder.data("r.csv").count > 100)
    }
  }
}
