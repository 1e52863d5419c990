import DriveLibrary
import Foundation
import GhostModel
import Testing
import TrackModel

@testable import TestSupport

@Suite(.waiting) struct LibraryExportTests {
  private static let places = [(46.5, 7.5), (46.501, 7.5), (46.502, 7.5)].map {
    (latitude: $0.0, longitude: $0.1)
  }

  private func withLibrary<Result>(_ body: (TemporaryFolder) throws -> Result) throws -> Result {
    try withFixtures { (folder) throws in
      var bare = try NewLibraryDrive.made(
        "B0", name: "Bare", start: "2025-02-01T08:00:00Z", over: Self.places)
      bare.recording = nil
      try folder.makeLibrary([
        .made("A0", name: "Commute <1> & \"2\"", kind: "driving", over: Self.places), bare,
        .made("C0", name: "../a/b: ?", start: nil),
      ])
      return try body(folder)
    }
  }

  @Test("Tracks have the recorded times if the library contains them, otherwise evenly spaced times")
  func times() throws {
    try withLibrary { (folder) throws in
      let outcome = try folder.run("library", "export", "A0", "B0", "-o", "week.gpx")
      #expect(outcome.status == 0)
      #expect(outcome.text == "2 drives → week.gpx\n")
      let gpx = try folder.text("week.gpx")
      #expect(gpx.contains("<name>Commute &lt;1&gt; &amp; \"2\"</name>"))
      #expect(gpx.contains("<type>driving</type>"))
      let times = gpx.matches(of: /<time>(.*?)<\/time>/).map { String($0.output.1) }
      #expect(
        times == [
          "2025-01-31T07:30:00Z", "2025-01-31T07:30:01.250Z", "2025-01-31T07:30:02Z", "2025-02-01T08:00:00Z",
          "2025-02-01T08:00:01Z", "2025-02-01T08:00:02Z",
        ])
    }
  }

  @Test("Elevations are exported as they were recorded, also from a library that got the drive from another")
  func elevations() throws {
    try withFixtures { (folder) throws in
      let points = [
        (46.5, "540.2"), (46.501, ""), (46.502, "-0.123"), (46.503, "541"),
      ].enumerated().map { row, point in
        let elevation = point.1.isEmpty ? "" : "<ele>\(point.1)</ele>"
        return """
          <trkpt lat="\(point.0)" lon="7.5">\(elevation)<time>2025-01-31T07:30:0\(row)Z</time></trkpt>
          """
      }
      try folder.write(
        "<gpx version='1.1'><trk><trkseg>\(points.joined())</trkseg></trk></gpx>", to: "hill.gpx")
      #expect(try folder.run("import", "hill.gpx", "--library", "first.gpkg").status == 0)
      #expect(try folder.run("import", "first.gpkg", "--library", "second.gpkg").status == 0)
      for library in ["first.gpkg", "second.gpkg"] {
        let outcome = try folder.run(
          "library", "export", "--all", "--library", library, "-o", "\(library).gpx")
        #expect(outcome.status == 0)
        let elevations = try folder.text("\(library).gpx").matches(of: /<ele>(.*?)<\/ele>/).map {
          String($0.output.1)
        }
        #expect(elevations == ["540.2", "-0.123", "541"])
      }
    }
  }

  @Test(
    "Damaged drives are reported, and the others are exported",
    .enabled(if: SQLiteTool.isThere, "needs sqlite3"),
    arguments: [
      ["-o", "week.kmz"], ["-o", "week.sql", "--to", "pgcopy"],
      ["--to", "gpx", "--output-directory", "week"],
    ])
  func damaged(options: [String]) throws {
    try withFixtures { (folder) throws in
      try folder.makeLibrary([
        .made("A0", name: "First", over: Self.places),
        .made("B0", name: "Second", start: "2025-02-01T08:00:00Z", over: Self.places),
        .made("C0", name: "Third", start: "2025-02-02T08:00:00Z", over: Self.places),
      ])
      try SQLiteTool.run("UPDATE recordings SET data = x'00' WHERE drive_id LIKE 'B0%'", folder)
      func export(_ selection: [String]) throws -> OtherProgram.Outcome {
        try GhostConvertProgram.run(["library", "export"] + selection + options, in: folder.url)
      }
      let alone = try export(["B0"])
      #expect(alone.status == 65)
      #expect(
        alone.errors.contains("drive B0000000-0000-8000-8000-000000000000 is damaged"), "\(alone.errors)")
      #expect(try folder.names().allSatisfy { !$0.hasPrefix("week.") })
      let outcome = try export(["--all"])
      #expect(outcome.status == 65)
      #expect(
        outcome.errors.matches(of: /drive B0000000-0000-8000-8000-000000000000 is damaged/).count == 1,
        "\(outcome.errors)")
      if options.contains("--output-directory") {
        #expect(outcome.text.matches(of: /→ week/).count == 2, "\(outcome.text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("week")).count == 2)
      } else {
        #expect(outcome.text == "2 drives → \(options[1])\n")
      }
    }
  }

  @Test("Placemarks have the name and the day, so that drives with the same name differ")
  func placemarks() throws {
    try withFixtures { (folder) throws in
      try folder.makeLibrary([
        .made("A0", name: "Morning Drive", over: Self.places),
        .made("B0", name: "Morning Drive", start: "2025-02-01T08:00:00Z", over: Self.places),
        .made("C0", name: "Morning Drive", start: "2025-02-01T09:00:00Z", over: Self.places),
        .made("D0", name: "Planned", start: nil, over: Self.places),
      ])
      #expect(try folder.run("library", "export", "--all", "-o", "all.kml").status == 0)
      let names = try folder.text("all.kml").matches(of: /<Placemark[^>]*>\s*<name>(.*?)<\/name>/)
      #expect(
        names.map { String($0.output.1) } == [
          "Morning Drive, 2025-01-31", "Morning Drive, 2025-02-01 08:00Z", "Morning Drive, 2025-02-01 09:00Z",
          "Planned",
        ])
      #expect(try folder.run("library", "export", "--all", "-o", "all.gpx").status == 0)
      let tracks = try folder.text("all.gpx").matches(of: /<trk>\s*<name>(.*?)<\/name>/)
      #expect(tracks.map(\.output.1) == names.map(\.output.1))
      #expect(try folder.run("library", "export", "A0", "-o", "one.gpx").status == 0)
      #expect(try folder.text("one.gpx").contains("<name>Morning Drive</name>"))
    }
  }

  @Test(
    "The extension of the output, or --to, names the format",
    arguments: [
      (["-o", "week.gpx"], "gpx"), (["-o", "week.kmz"], "kmz"), (["-o", "week.kml"], "kml"),
      (["-o", "week.geojson"], "geojson"), (["-o", "week.tcx"], "tcx"), (["-o", "week.csv"], "csv"),
      (["-o", "week", "--to", "kml"], "kml"), (["-o", "week.gpx", "--format", "tcx"], "tcx"),
    ])
  func formats(options: [String], format: String) throws {
    try withLibrary { (folder) throws in
      let outcome = try GhostConvertProgram.run(["library", "export", "A0", "B0"] + options, in: folder.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let info = try jsonObject(try folder.run("info", "--json", options[1]).output)
      #expect(info["format"] as? String == format)
      #expect(info["trackpoints"] as? Int == 6)
      #expect(info["first_time"] as? String == "2025-01-31T07:30:00.000Z")
      #expect(info["last_time"] as? String == "2025-02-01T08:00:02.000Z")
    }
  }

  @Test("Filters and --all select drives as in library list")
  func selection() throws {
    try withLibrary { (folder) throws in
      for (options, tracks) in [(["--all"], 3), (["--since", "2025-02"], 1), (["--name", "commute"], 1)] {
        let outcome = try GhostConvertProgram.run(
          ["library", "export", "--to", "gpx"] + options, in: folder.url)
        #expect(outcome.status == 0)
        #expect(outcome.text.matches(of: /<trk>/).count == tracks)
        #expect(outcome.errors == "")
      }
    }
  }

  @Test("Exported drive documents have the same bytes as those of import")
  func documents() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      #expect(try folder.run("import", "commute.gpx", "--quiet").status == 0)
      #expect(try folder.run("import", "commute.gpx", "--library", "drives.gpkg", "--quiet").status == 0)
      let outcome = try folder.run("library", "export", "--all", "-o", "out.drive.json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try folder.data("out.drive.json") == folder.data("commute.drive.json"))
      // Importing the exported recording gives the same drive with the same id.
      #expect(try folder.run("library", "export", "--all", "-o", "again.gpx", "--quiet").text == "")
      #expect(try folder.run("import", "again.gpx", "--quiet").status == 0)
      #expect(
        try folder.json("again.drive.json")["id"] as? String == folder.json("commute.drive.json")["id"]
          as? String)
    }
  }

  @Test("--privacy removes zones from all exported tracks, and drives that are inside of them")
  func privacy() throws {
    try withFixtures { folder throws in
      try folder.makeLibrary([
        .made("A0", name: "through", over: [(46.5, 7.5), (46.51, 7.5), (46.52, 7.5)]),
        .made("B0", name: "inside", start: "2025-02-01T07:30:00Z", over: [(46.51, 7.5), (46.5101, 7.5)]),
        .made("C0", name: "even", start: nil, over: [(46.51, 7.5), (46.52, 7.5), (46.53, 7.5)]),
      ])
      let options = ["library", "export", "--all", "--privacy", "46.51,7.5,100m"]
      let file = try GhostConvertProgram.run(options + ["-o", "all.geojson"], in: folder.url)
      #expect(file.status == 0, "\(file.errors)")
      #expect(file.errors.contains("privacy: 4 of 8 points removed"), "\(file.errors)")
      #expect(!(try folder.text("all.geojson")).contains("46.51"))
      #expect(try folder.text("all.geojson").contains("46.53"))
      let each = try GhostConvertProgram.run(
        options + ["--privacy", "10,10,1km", "--to", "gpx", "--output-directory", "out"], in: folder.url)
      #expect(each.status == 0, "\(each.errors)")
      #expect(each.errors.contains("privacy zone 2 contains no points"), "\(each.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out")).count == 2)
      let none = try GhostConvertProgram.run(
        ["library", "export", "B0", "--privacy", "46.51,7.5,100m", "-o", "none.gpx"], in: folder.url)
      #expect(none.status == 65 && none.errors.contains("no points left outside the privacy zones"))
      for format in ["drive", "pgcopy"] {
        let refused = try GhostConvertProgram.run(
          ["library", "export", "A0", "--privacy", "46.51,7.5,100m", "--to", format], in: folder.url)
        #expect(refused.status == 64 && refused.text == "")
      }
    }
  }

  @Test("--output-directory writes one file per drive, with names that every file system accepts")
  func folder() throws {
    try withLibrary { (folder) throws in
      let outcome = try folder.run(
        "library", "export", "--all", "--to", "drive", "--output-directory", "out", "--quiet")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.text == "")
      let names = try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appendingPathComponent("out").path
      ).sorted()
      #expect(
        names == [
          "2025-01-31-0730-Commute _1_ & _2_.drive.json", "2025-02-01-0800-Bare.drive.json",
          "_a_b_ _.drive.json",
        ])
      #expect(try folder.json("out/2025-02-01-0800-Bare.drive.json")["name"] as? String == "Bare")
      #expect(try folder.names() == ["drives.gpkg", "out"])
    }
  }

  @Test(
    "An invalid export is an error and writes nothing",
    arguments: [
      (["-o", "x.gpx"], 64, "no drives selected"),
      (["--all", "A0", "-o", "x.gpx"], 64, "cannot be used together"),
      (["--all"], 64, "no output"),
      (["--all", "-o", "x.nothing"], 64, "unknown extension"),
      (["--all", "-o", "-"], 64, "no format"),
      (["--all", "-o", "x", "--to", "nothing"], 64, "expected one of"),
      (["--all", "--output-directory", "x"], 64, "needs a format"),
      (["--all", "--output-directory", "x", "--to", "pgcopy"], 64, "one script"),
      (["--all", "-o", "x.drive.json"], 64, "3 drives, but a drive document contains one"),
      (["--all", "-o", "drives.gpkg", "--to", "gpx"], 64, "the output is a library"),
      (["--since", "2030", "-o", "x.gpx"], 65, "no drive of the library matches"),
      (["--all", "-o", "nowhere/x.gpx"], 73, "nowhere"),
      (["--all", "-o", "x.gpx", "--plain-lines"], 64, "--plain-lines"),
    ])
  func errors(options: [String], status: Int32, message: String) throws {
    try withLibrary { (folder) throws in
      let before = try folder.data("drives.gpkg")
      let outcome = try GhostConvertProgram.run(["library", "export"] + options, in: folder.url)
      #expect(outcome.status == status, "\(outcome.errors)")
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
      #expect(try folder.names() == ["drives.gpkg"])
      #expect(try folder.data("drives.gpkg") == before)
    }
  }

  @Test("A PostGIS script has a row for each drive between its header and its footer")
  func script() throws {
    try withLibrary { (folder) throws in
      let outcome = try folder.run("library", "export", "--all", "--format", "pgcopy")
      #expect(outcome.status == 0)
      let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
      let copy = try #require(lines.firstIndex { $0.hasPrefix("COPY ") })
      let end = try #require(lines.firstIndex(of: #"\."#))
      #expect(end - copy == 4)
      #expect(lines[(copy + 1)..<end].allSatisfy { $0.split(separator: "\t").count == 13 })
      #expect(lines.suffix(2) == ["COMMIT;", ""])
    }
  }
}
