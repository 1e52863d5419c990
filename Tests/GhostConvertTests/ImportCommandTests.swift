import Foundation
import TestSupport
import Testing

@Suite(.waiting) struct ImportCommandTests {
  /// Metres along the recorded segments: `Geodesic.WGS84.Inverse` of GeographicLib 2.1 (Python), applied to
  /// the fixture's coordinates.
  static let commuteMetres = 485.448065
  static let unevenMetres = 973.226193
  static let metresPerMile = 1609.344

  private func coordinates(_ document: [String: Any]) throws -> [(latitude: Double, longitude: Double)] {
    let base64 = try #require(document["coordinatesData"] as? String)
    let blob = try #require(Data(base64Encoded: base64))
    let array = try #require(try JSONSerialization.jsonObject(with: blob) as? [[String: Double]])
    return try array.map { (try #require($0["lat"]), try #require($0["lon"])) }
  }

  private func number(_ document: [String: Any], _ key: String) throws -> Double {
    try #require(document[key] as? Double)
  }

  @Test("The output of an input with a path of more than 400 bytes is beside it")
  func longPath() throws {
    try withFixtures("commute.gpx") { folder in
      let names = (0..<3).map { String(repeating: "\($0)", count: 150) }
      let deep = names.reduce(folder.url) { $0.appendingPathComponent($1) }
      try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
      try FileManager.default.moveItem(
        at: folder.url.appendingPathComponent("commute.gpx"), to: deep.appendingPathComponent("a.gpx"))
      let path = names.joined(separator: "/") + "/a.gpx"
      let outcome = try folder.run("import", path)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(FileManager.default.fileExists(atPath: deep.appendingPathComponent("a.drive.json").path))
      #expect(try folder.run("import", path, "--library", "drives.gpkg").status == 0)
      let list = try folder.run("library", "list", "--json", "--library", "drives.gpkg")
      #expect(list.text.contains(path))
    }
  }

  @Test("A recording with a pause becomes a drive with evenly spaced points")
  func commute() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let outcome = try folder.run("import", "commute.gpx")
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      #expect(try folder.names() == ["commute.drive.json", "commute.gpx"])
      let drive = try folder.json("commute.drive.json")
      #expect(
        Set(drive.keys) == ["id", "name", "startTime", "endTime", "duration", "distance", "coordinatesData"])
      #expect(drive["name"] as? String == "Morning commute")
      #expect(UUID(uuidString: try #require(drive["id"] as? String)) != nil)
      #expect(drive["startTime"] as? String == "2024-05-17T06:12:30Z")
      #expect(drive["endTime"] as? String == "2024-05-17T06:14:10Z")
      // From 06:12:30 to 06:14:10.
      #expect(try number(drive, "duration") == 100)
      let metres = try number(drive, "distance") * Self.metresPerMile
      #expect(abs(metres - Self.commuteMetres) < 1e-3)
      // One point per second, including both ends. During the pause, from second 20 to 80, the position
      // does not change.
      let points = try coordinates(drive)
      #expect(points.count == 101)
      for second in 20...80 {
        #expect(points[second].latitude == 46.9482144)
        #expect(points[second].longitude == 7.4509982)
      }
      #expect(points[1].latitude == 46.9480540)
      #expect(points[81].longitude == 7.4511648)
      #expect(outcome.text.contains("101 points every 1.000 s (from 42), largest time error 0.000 s"))
    }
  }

  @Test(
    "A drive is not written to a file with the extension of another format",
    arguments: [
      ["out.geojson"], ["out.html"], ["out.txt"], ["out.GPX"], ["out.svg"], ["out.zip"], ["b.gpx", "--blob"],
      ["b.geojson", "--blob"],
    ])
  func otherNames(arguments: [String]) throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let outcome = try GhostConvertProgram.run(
        ["import", "commute.gpx", "-o"] + arguments, in: folder.url)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("ghost-convert convert"), "\(outcome.errors)")
      #expect(try folder.names() == ["commute.gpx"])
    }
  }

  @Test(
    "Drives and coordinates can be written to files with a suitable extension or none",
    arguments: [
      ["out.json"], ["OUT.DRIVE.JSON"], ["out"], ["b.bin", "--blob"], ["b", "--blob"], ["b.json", "--blob"],
    ])
  func ownNames(arguments: [String]) throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let outcome = try GhostConvertProgram.run(
        ["import", "commute.gpx", "-o"] + arguments, in: folder.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test("Times relative to an unknown start give a drive without a start time", arguments: [0, 7])
  func relativeTimes(first: Int) throws {
    try withFixtures { (folder) throws in
      try folder.write("seconds,lat,lon\n\(first),47.5,8.25\n\(first + 9),47.501,8.25\n", to: "a.csv")
      #expect(try folder.run("import", "a.csv", "-o", "a.json").status == 0)
      let drive = try folder.json("a.json")
      #expect(drive["startTime"] == nil || drive["startTime"] is NSNull)
      #expect(drive["endTime"] == nil || drive["endTime"] is NSNull)
      #expect(try number(drive, "duration") == 9)
    }
  }

  @Test("With --timing moving, a pause does not count")
  func moving() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      #expect(try folder.run("import", "commute.gpx", "--timing", "moving").status == 0)
      let drive = try folder.json("commute.drive.json")
      // 100 s minus the pause of 60 s.
      #expect(try number(drive, "duration") == 40)
      #expect(try coordinates(drive).count == 41)
    }
  }

  @Test("Unevenly spaced points are resampled along the recorded line")
  func uneven() throws {
    try withFixtures("uneven.gpx") { (folder) throws in
      #expect(try folder.run("import", "uneven.gpx").status == 0)
      let drive = try folder.json("uneven.drive.json")
      #expect(try number(drive, "duration") == 80)
      let metres = try number(drive, "distance") * Self.metresPerMile
      #expect(abs(metres - Self.unevenMetres) < 1e-3)
      let points = try coordinates(drive)
      #expect(points.count == 81)
      // Recorded after 0, 1, 4 and 12 s.
      #expect(points[0].latitude == 46.948 && points[0].longitude == 7.4474)
      #expect(points[1].latitude == 46.9480540 && points[1].longitude == 7.4475369)
      #expect(points[4].latitude == 46.9481930 && points[4].longitude == 7.4480011)
      #expect(points[12].latitude == 46.9483364 && points[12].longitude == 7.4495061)
      // A third of the way and halfway between the neighbours. Over so short a distance the line is
      // straight in degrees.
      #expect(abs(points[2].latitude - (46.9480540 * 2 + 46.9481930) / 3) < 2e-9)
      #expect(abs(points[2].longitude - (7.4475369 * 2 + 7.4480011) / 3) < 2e-9)
      #expect(abs(points[8].latitude - (46.9481930 + 46.9483364) / 2) < 2e-9)
      #expect(abs(points[8].longitude - (7.4480011 + 7.4495061) / 2) < 2e-9)
    }
  }

  @Test("--keep-points reports the largest time error as a warning")
  func keepPoints() throws {
    try withFixtures("uneven.gpx") { (folder) throws in
      let outcome = try folder.run("import", "uneven.gpx", "--keep-points", "--json")
      #expect(outcome.status == 0)
      let report = try jsonObject(outcome.output)
      #expect(report["points"] as? Int == 21)
      // 20 intervals in 80 s.
      #expect(report["step_s"] as? Double == 4)
      // Recorded at 0 1 4 12 14 19 20 27 31 37 39 47 48 51 56 60 62 70 76 77 80 s; the largest deviations
      // from 4 × index are at the indices 2 (4 instead of 8) and 6 (20 instead of 24).
      #expect(report["largest_time_error_s"] as? Double == 4)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.contains("warning") && outcome.errors.contains("4 s"))
    }
  }

  @Test("--cadence sets the interval between points")
  func cadence() throws {
    try withFixtures("even.gpx") { (folder) throws in
      #expect(try folder.run("import", "even.gpx", "--cadence", "0.5").status == 0)
      #expect(try coordinates(try folder.json("even.drive.json")).count == 61)
    }
  }

  @Test(
    "The options change the import, and the report contains the result",
    arguments: [
      // 603.54 m according to GeographicLib, at 50 km/h = 125/9 m/s.
      (["no-times.gpx", "--speed", "50km/h"], "duration_s", 43.454910),
      (["no-times.gpx", "--duration", "24:30"], "duration_s", 1470),
      (["inaccurate.gpx"], "points_used", 9),
      (["inaccurate.gpx", "--max-accuracy", "none"], "points_used", 12),
      (["inaccurate.gpx", "--max-accuracy", "50"], "points_used", 11),
      (["out-of-order.gpx"], "points_used", 20),
      (["fractions.gpx"], "step_s", 0.2),
      (["waypoints-and-routes.gpx", "--duration", "2m"], "duration_s", 120),
    ] as [([String], String, Double)])
  func options(arguments: [String], key: String, value: Double) throws {
    try withFixtures(
      "no-times.gpx", "inaccurate.gpx", "out-of-order.gpx", "fractions.gpx", "waypoints-and-routes.gpx"
    ) {
      (folder) throws in
      let outcome = try GhostConvertProgram.run(["import", "--json"] + arguments, in: folder.url)
      #expect(outcome.status == 0)
      let found = try #require(try jsonObject(outcome.output)[key] as? Double)
      #expect(abs(found - value) < 1e-4)
    }
  }

  @Test("Several tracks become several numbered drives")
  func severalTracks() throws {
    try withFixtures("two-tracks.gpx") { (folder) throws in
      #expect(try folder.run("import", "two-tracks.gpx").status == 0)
      #expect(try folder.names() == ["two-tracks-1.drive.json", "two-tracks-2.drive.json", "two-tracks.gpx"])
      #expect(try folder.json("two-tracks-1.drive.json")["name"] as? String == "Out")
      #expect(try folder.json("two-tracks-2.drive.json")["name"] as? String == "Back")
      #expect(try number(try folder.json("two-tracks-2.drive.json"), "duration") == 11)
    }
  }

  @Test("Several tracks without a name are labelled with their kinds, a single track is not")
  func kindsInNames() throws {
    try withFixtures() { (folder) throws in
      func track(_ kind: String, _ hour: String, points: Int) -> String {
        "<trk><type>\(kind)</type><trkseg>"
          + (0..<points).map {
            "<trkpt lat=\"47\" lon=\"8.00\($0)\"><time>2024-05-17T\(hour):00:0\($0)Z</time></trkpt>"
          }.joined() + "</trkseg></trk>"
      }
      func write(_ tracks: String, _ name: String) throws {
        let gpx = "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\">\(tracks)</gpx>"
        try folder.write(gpx, to: name)
      }
      let swim = track("swimming", "06", points: 3)
      try write(swim + track("cycling", "07", points: 3) + track("running", "08", points: 3), "tri.gpx")
      try write(track("none", "05", points: 0) + swim + track("none", "07", points: 0), "swim.gpx")
      // The track before the error is complete; the error occurs before a second track is known.
      try write(swim + "<trk><trkseg></gpx>", "broken.gpx")
      #expect(try folder.run("import", "-q", "tri.gpx", "swim.gpx", "broken.gpx").status != 64)
      func name(_ file: String) throws -> String? { try folder.json("\(file).drive.json")["name"] as? String }
      #expect(try name("tri-1") == "tri (swimming)")
      #expect(try name("tri-2") == "tri 2 (cycling)")
      #expect(try name("tri-3") == "tri 3 (running)")
      #expect(try name("swim") == "swim")
      #expect(try name("broken") == "broken")
    }
  }

  @Test("--split-gap splits a recording at a pause into drives")
  func splitGap() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      #expect(try folder.run("import", "commute.gpx", "--split-gap", "30s").status == 0)
      for name in ["commute-1.drive.json", "commute-2.drive.json"] {
        #expect(try number(try folder.json(name), "duration") == 20)
      }
    }
  }

  @Test("--blob writes the bytes that coordinatesData encodes")
  func blob() throws {
    try withFixtures("uneven.gpx") { (folder) throws in
      #expect(try folder.run("import", "uneven.gpx").status == 0)
      let blob = try folder.run("import", "uneven.gpx", "--blob", "-o", "-")
      #expect(blob.status == 0)
      let base64 = try #require(try folder.json("uneven.drive.json")["coordinatesData"] as? String)
      #expect(blob.output == Data(base64Encoded: base64))
      #expect(blob.text.hasPrefix(#"[{"lat":46.948,"lon":7.4474},{"lat":46.948054,"lon":7.4475369},"#))
      #expect(try folder.run("import", "uneven.gpx", "--blob", "-o", "blob.json").status == 0)
      #expect(try folder.data("blob.json") == blob.output)
    }
  }

  @Test("Importing twice gives the same bytes, under any output name")
  func sameBytes() throws {
    try withFixtures("uneven.gpx") { (folder) throws in
      #expect(try folder.run("import", "uneven.gpx").status == 0)
      let first = try folder.data("uneven.drive.json")
      #expect(try folder.run("import", "uneven.gpx").status == 0)
      #expect(try folder.data("uneven.drive.json") == first)
      #expect(try folder.run("import", "uneven.gpx", "-o", "again.json").status == 0)
      #expect(try folder.data("again.json") == first)
      // Also through pipes, which deliver pieces of other sizes.
      let piped = try folder.shell("cat uneven.gpx | \"$GHOST_CONVERT\" import - -o - 2>/dev/null | cat")
      #expect(piped.output == first)
    }
  }

  @Test("--merge creates one drive from several inputs, in the order of their times")
  func mergedInputs() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let commute = try folder.text("commute.gpx")
      try folder.write(commute.replacingOccurrences(of: "T06:", with: "T07:"), to: "a.gpx")
      #expect(try folder.run("import", "a.gpx", "commute.gpx", "--merge", "-o", "all.json").status == 0)
      let drive = try folder.json("all.json")
      // From 06:12:30 to 07:14:10.
      #expect(drive["duration"] as? Double == 3700)
      #expect(drive["startTime"] as? String == "2024-05-17T06:12:30Z")
      // Without -o the drive is written to the folder of the earliest input, with its name.
      #expect(try folder.run("import", "a.gpx", "commute.gpx", "--merge").status == 0)
      #expect(try folder.names() == ["a.gpx", "all.json", "commute.drive.json", "commute.gpx"])
      let separate = try folder.run("import", "a.gpx", "commute.gpx", "-o", "all.json")
      #expect(separate.status == 64 && separate.errors.contains("--merge"))
      // An invalid input is reported and does not stop the others.
      let outcome = try folder.run("import", "missing.gpx", "commute.gpx", "--merge", "-o", "rest.json")
      #expect(outcome.status == 66)
      #expect(try folder.json("rest.json")["duration"] as? Double == 100)
    }
  }

  @Test(
    "Importing a drive document gives the same drive, with and without a start time",
    arguments: [true, false])
  func driveAgain(hasStart: Bool) throws {
    try withFixtures("uneven.gpx") { (folder) throws in
      #expect(try folder.run("import", "uneven.gpx", "-o", "first.drive.json").status == 0)
      var drive = try folder.json("first.drive.json")
      // Like a document of the app: with a different identifier and a measured distance.
      drive["id"] = "11111111-2222-4333-8444-555555555555"
      drive["distance"] = 7.25
      if !hasStart {
        drive["startTime"] = nil
        drive["endTime"] = nil
        drive["duration"] = 80.125
      }
      let data = try JSONSerialization.data(withJSONObject: drive)
      try folder.write(String(decoding: data, as: UTF8.self), to: "app.drive.json")
      #expect(try folder.run("import", "app.drive.json", "-o", "again.json").status == 0)
      let again = try folder.json("again.json")
      #expect(NSDictionary(dictionary: again) == NSDictionary(dictionary: drive))
      // A conversion to another format keeps the duration and the coordinates.
      #expect(try folder.run("convert", "app.drive.json", "-o", "app.gpx").status == 0)
      #expect(try folder.run("import", "app.gpx", "-o", "through.json").status == 0)
      let through = try folder.json("through.json")
      #expect(through["duration"] as? Double == drive["duration"] as? Double)
      #expect(through["coordinatesData"] as? String == drive["coordinatesData"] as? String)
    }
  }

  @Test("A failed import keeps the existing drive and leaves no partial file")
  func oldOutputSurvives() throws {
    try withFixtures("disordered.gpx", "commute.gpx") { (folder) throws in
      try folder.write("an older drive", to: "disordered.drive.json")
      #expect(try folder.run("import", "disordered.gpx").status == 65)
      #expect(try folder.text("disordered.drive.json") == "an older drive")
      #expect(try folder.names() == ["commute.gpx", "disordered.drive.json", "disordered.gpx"])
    }
  }

  @Test("--output-directory creates the folder and writes the drive there")
  func outputDirectory() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      #expect(try folder.run("import", "commute.gpx", "--output-directory", "a/b").status == 0)
      #expect(try folder.json("a/b/commute.drive.json")["name"] as? String == "Morning commute")
    }
  }

  @Test(
    "All encodings and unusual forms of XML give the same coordinates",
    arguments: [
      "bom.gpx", "utf16.gpx", "latin1.gpx", "leading-blanks.gpx", "no-namespace.gpx", "gpx10.gpx",
    ])
  func encodings(name: String) throws {
    try withFixtures(name) { (folder) throws in
      let blob = try folder.run("import", name, "--blob", "-o", "-", "-q")
      #expect(blob.status == 0)
      // The five points that all of these files contain.
      #expect(
        blob.text
          == #"[{"lat":46.948,"lon":7.4474},{"lat":46.948054,"lon":7.4475369},{"lat":46.9481045,"lon":7.447683},"#
          + #"{"lat":46.948151,"lon":7.4478379},{"lat":46.948193,"lon":7.4480011}]"#)
    }
  }

  @Test(
    "A name with non-ASCII characters is read correctly",
    arguments: [
      ("bom.gpx", "Zürich – Genève"), ("utf16.gpx", "Zürich – Genève"), ("latin1.gpx", "Zürich, Genève"),
      ("markup.gpx", "Entities & references: <Zürich>"),
    ])
  func names(file: String, name: String) throws {
    try withFixtures(file) { (folder) throws in
      #expect(try folder.run("import", file, "-o", "drive.json").status == 0)
      #expect(try folder.json("drive.json")["name"] as? String == name)
    }
  }

  @Test("A track that occurs twice in a file becomes one drive")
  func twins() throws {
    try withFixtures { (folder) throws in
      let track = DrivenRoad().driving(toEast: 1500, seconds: 120).track(name: "twin")
      try folder.write(DrivenRoad.gpx([track, track]), to: "twins.gpx")
      let outcome = try folder.run("import", "twins.gpx", "--output-directory", "out", "--report", "r.ndjson")
      #expect(outcome.status == 0)
      #expect(
        outcome.text.contains("duplicate of an earlier drive of the file, skipped"), "\(outcome.text)")
      let record = try jsonObject(try folder.data("r.ndjson"))
      #expect((record["drives"] as? [String])?.count == 1)
      let filtered = try folder.shell("echo twins.gpx | \"$GHOST_CONVERT\" import --stdin-paths --json")
      let filter = try jsonObject(filtered.output)
      #expect((filter["drives"] as? [Any])?.count == 1 && filter["duplicates"] as? Int == 1)
      let kept = try folder.run(
        "import", "twins.gpx", "--output-directory", "kept", "--keep-duplicates", "--json")
      #expect(kept.text.split(separator: "\n").count == 2)
    }
  }
}
