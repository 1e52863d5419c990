import Foundation
import TestSupport
import Testing

@Suite("Tracks that must not be lost silently", .waiting)
struct LostTracksTests {
  @Test(
    "A track in an unsupported format is named, counted and fails the command",
    arguments: [
      ["import", "in", "--output-directory", "out"], ["import", "in", "--library", "drives.gpkg"],
      ["convert", "in", "--to", "gpx", "--output-directory", "out"], ["convert", "in", "-o", "all.gpx"],
      ["info", "in"],
    ])
  func unsupported(arguments: [String]) throws {
    try withFixtures("commute.gpx") { folder in
      let manager = FileManager.default
      try manager.createDirectory(
        at: folder.url.appendingPathComponent("in"), withIntermediateDirectories: true)
      try manager.moveItem(
        at: folder.url.appendingPathComponent("commute.gpx"),
        to: folder.url.appendingPathComponent("in/commute.gpx"))
      try folder.write("read me\n", to: "in/README")
      #expect(try GhostConvertProgram.run(arguments, in: folder.url).status == 0)
      try folder.write("[Params]\nVersion=106\n", to: "in/ride.hrm")
      let outcome = try GhostConvertProgram.run(arguments, in: folder.url)
      #expect(outcome.status == 65)
      #expect(
        (outcome.errors + outcome.text).contains("in/ride.hrm: is a Polar HRM file"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("README"))
      if arguments[0] == "import" { #expect(outcome.text.contains("1 failed"), "\(outcome.text)") }
    }
  }

  @Test(
    "A broken or unreadable track in a folder is named and fails the command",
    arguments: [
      ("ride.fit.gz", "no gzip at all", "ride.fit.gz: unsupported format: text"),
      (
        "log.csv", "52.0,13.0,2024-05-14T06:30:00Z\n52.1,13.0,2024-05-14T06:30:10Z\n",
        "log.csv: is a table of positions without a heading, which cannot be read; "
          + "assign the columns, for example with --columns lat=1,lon=2,time=3"
      ),
    ])
  func unreadable(name: String, content: String, message: String) throws {
    try withFixtures { folder in
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("in"), withIntermediateDirectories: true)
      try folder.write(content, to: "in/\(name)")
      let outcome = try folder.run("import", "in", "--output-directory", "out")
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
  }

  @Test("--columns applies to tables only, also to those in a folder without a heading")
  func assignedColumns() throws {
    try withFixtures("commute.gpx") { folder in
      try folder.write("52.0,7,13.0,2024-05-14T06:30:00Z\n52.1,7,13.0,2024-05-14T06:40:00Z\n", to: "log.csv")
      try folder.write("read me\n", to: "README")
      let columns = ["--columns", "lat=1,lon=3,time=4"]
      let info = try GhostConvertProgram.run(["info", ".", "--json"] + columns, in: folder.url)
      #expect(info.status == 0, "\(info.errors)")
      #expect(try jsonObject(info.output)["tracks"] as? Int == 2)
      for command in [
        ["compare", "commute.gpx", "log.csv"], ["ghost", "commute.gpx", "--at", "1"],
        ["convert", "commute.gpx", "log.csv", "-o", "out.gpx"], ["import", ".", "--output-directory", "out"],
      ] {
        let outcome = try GhostConvertProgram.run(command + columns, in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      let other = try folder.run("compare", "commute.gpx", "log.csv", "--columns", "lat=north,lon=east")
      #expect(other.status == 65)
      #expect(
        other.errors.hasPrefix(
          "ghost-convert: log.csv:1: the table does not fit the columns lat=north,lon=east; "),
        "\(other.errors)")
    }
  }

  @Test(
    "Converting an input without points fails, names it and writes nothing",
    arguments: [["-o", "out.gpx"], ["--to", "gpx", "--output-directory", "out"]])
  func noPoints(output: [String]) throws {
    try withFixtures { folder in
      try folder.write("time,lat,lon\n2024-07-03T09:46:40Z,4712.0,11.0\n", to: "bad.csv")
      let outcome = try GhostConvertProgram.run(["convert", "bad.csv"] + output, in: folder.url)
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("bad.csv: no track with points"), "\(outcome.errors)")
      #expect(outcome.errors.contains("position out of range, row skipped"), "\(outcome.errors)")
      #expect(
        !FileManager.default.fileExists(
          atPath: folder.url.appendingPathComponent(output.last ?? "").path + "/bad.gpx"))
      #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("out.gpx").path))
    }
  }

  @Test("Converting an archive without tracks fails")
  func emptyArchive() throws {
    try withFixtures { folder in
      try folder.write("read me\n", to: "a.txt")
      #expect(try folder.shell("tar -cf none.tar a.txt").status == 0)
      let outcome = try folder.run("convert", "none.tar", "-o", "out.gpx")
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("none.tar: contains no readable tracks"), "\(outcome.errors)")
    }
  }

  @Test("A library in a folder is reported as a library")
  func libraryInFolder() throws {
    try withFixtures("commute.gpx") { folder in
      #expect(try folder.run("import", "commute.gpx", "--library", "drives.gpkg").status == 0)
      for command in [["info"], ["import"], ["ghost", "--at", "1"], ["compare", "commute.gpx"]] {
        let named = try GhostConvertProgram.run(command + ["drives.gpkg"], in: folder.url)
        #expect(named.status == 65 && named.errors.contains("drives.gpkg: is a library of drives"))
      }
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("in"), withIntermediateDirectories: true)
      #expect(try folder.run("import", "commute.gpx", "--library", "in/drives.gpkg").status == 0)
      let outcome = try folder.run("import", "in", "--output-directory", "out")
      #expect(outcome.errors.contains("in/drives.gpkg: is a library of drives; "), "\(outcome.errors)")
      #expect(outcome.errors.contains("library export"))
    }
  }

  @Test("A privacy zone splits the track and its points are counted; a zone without points is a warning")
  func privacy() throws {
    try withFixtures("tuesday.gpx") { folder in
      let whole = try jsonObject(folder.run("info", "--json", "tuesday.gpx").output)
      let csv = try folder.run("convert", "tuesday.gpx", "--to", "csv").text.split(separator: "\n")
      let header = csv[0].split(separator: ",").map(String.init)
      let middle = csv[csv.count / 2].split(separator: ",", omittingEmptySubsequences: false)
      let latitude = try #require(header.firstIndex { $0.hasPrefix("lat") })
      let longitude = try #require(header.firstIndex { $0.hasPrefix("lon") })
      let zone = "\(middle[latitude]),\(middle[longitude]),100m"
      let outcome = try folder.run(
        "convert", "tuesday.gpx", "--privacy", zone, "--privacy", "0,0,10", "-o", "cut.gpx")
      #expect(outcome.errors.contains("zone 2: 0"), "\(outcome.errors)")
      #expect(outcome.errors.contains("warning: privacy zone 2 contains no point"), "\(outcome.errors)")
      let cut = try jsonObject(folder.run("info", "--json", "cut.gpx").output)
      let points = { (object: [String: Any]) in object["trackpoints"] as? Int ?? 0 }
      #expect(points(cut) < points(whole))
      #expect(cut["segments"] as? Int ?? 0 > whole["segments"] as? Int ?? 0)
      #expect(
        try folder.run("import", "tuesday.gpx", "--privacy", zone, "--output-directory", "out").status == 0)
      let strict = try folder.run("convert", "tuesday.gpx", "--privacy", "0,0,10", "--strict", "-o", "no.gpx")
      #expect(strict.status == 65)
      #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("no.gpx").path))
    }
  }

  /// No bytes as gzip (RFC 1952), xz, bzip2 and Zstandard (RFC 8878) store them, the last without a checksum.
  private static let compressedNothing = [
    "H4sIAAAAAAAAAwMAAAAAAAAAAAA=", "/Td6WFoAAATm1rRGAAAAABzfRCEftvN9AQAAAAAEWVo=", "QlpoORdyRThQkAAAAAA=",
    "KLUv/SAAAQAA",
  ]

  @Test("A compressed empty file is reported as empty", arguments: compressedNothing)
  func compressedEmpty(base64: String) throws {
    try withFixtures { (folder) throws in
      try #require(Data(base64Encoded: base64)).write(to: folder.url.appending(path: "a.gpx.z"))
      let outcome = try folder.run("info", "a.gpx.z")
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("a.gpx.z: the file is empty"), "\(outcome.errors)")
    }
  }

  @Test("Import writes no drive to a file with the extension of another format")
  func foreignName() throws {
    try withFixtures("even.gpx") { (folder) throws in
      let outcome = try folder.run("import", "even.gpx", "-o", "out.gpx")
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("use ghost-convert convert to write gpx"), "\(outcome.errors)")
      #expect(try folder.names() == ["even.gpx"])
      #expect(try folder.run("import", "even.gpx", "-o", "out.drive.json").status == 0)
      #expect(try folder.run("import", "even.gpx", "-o", "out").status == 0)
    }
  }

  @Test("A doubtful recording is reported with the option that helps")
  func advice() throws {
    try withFixtures { folder in
      func write(_ times: [Int], _ name: String) throws {
        let rows = times.enumerated().map { index, time in
          "\(50 + Double(index) / 10_000),8,\(1_714_521_600 + time)"
        }
        try folder.write("lat,lon,time\n" + rows.joined(separator: "\n") + "\n", to: name)
      }
      // Ten points in ten seconds, and ten more seven hours later.
      try write(Array(0..<10) + Array(25_209..<25_219), "gap.csv")
      let refused = try folder.run("import", "gap.csv")
      #expect(refused.status == 65)
      #expect(refused.errors.contains("more than 100 times the 20 recorded"), "\(refused.errors)")
      #expect(refused.errors.contains("--split-gap") && refused.errors.contains("--cadence"))
      let warned = try folder.run("import", "gap.csv", "--keep-points")
      #expect(warned.status == 0)
      #expect(
        warned.errors.contains(
          "gap of more than 6 h between points of one drive: \"7 h\" (point 11); --split-gap"),
        "\(warned.errors)")
      #expect(try folder.run("import", "gap.csv", "--split-gap", "6h").errors.isEmpty)
    }
  }

  @Test("The sparse positions of a phone between the drives of its history make no drive, and are reported")
  func sparseHistory() throws {
    func time(_ minute: Int) -> String {
      "2024-09-01T\(10 + minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60):00.000Z"
    }
    let drive =
      #"{"startTime":"\#(time(0))","endTime":"\#(time(20))","activity":{"start":{"latLng":"48.1°, 11.5°"},"#
      + #""end":{"latLng":"48.2°, 11.5°"},"distanceMeters":11100,"topCandidate":{"type":"CYCLING"}}}"#
    // A position about every 9 min for 6 h: 40 of them, for which 100 times as many points are too few.
    let signals = (0..<40).map { number in
      let seconds = number * 541 + number % 3 * 7
      let clock = [10 + seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return #"{"position":{"LatLng":"48.\#(100 + number)°, 11.5°","timestamp":"2024-09-02T"#
        + clock.joined(separator: ":") + #"Z"}}"#
    }
    try withFixtures { folder in
      let rest = "\"rawSignals\":[\(signals.joined(separator: ","))]}"
      try folder.write("{\"semanticSegments\":[\(drive)],\(rest)", to: "Timeline.json")
      let outcome = try folder.run("import", "Timeline.json", "--library", "l.gpkg")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("the track is skipped") && outcome.errors.contains("--split-stops"))
      #expect(try folder.run("library", "list", "--library", "l.gpkg").text.contains("1 drive"))
      // Without another drive, there is nothing to import.
      try folder.write("{\"semanticSegments\":[],\(rest)", to: "raw.json")
      let raw = try folder.run("import", "raw.json", "--library", "l.gpkg")
      #expect(raw.status == 65 && raw.errors.contains("more than 100 times"), "\(raw.errors)")
    }
  }

  @Test(
    "Of many tracks of a file that fail with the same error, three are printed, and the number of the others",
    arguments: [["--output-directory", "out"], ["--library", "drives.gpkg", "-q"], ["-q"]])
  func manyTracks(arguments: [String]) throws {
    try withFixtures { folder in
      let track = "<trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk>"
      try folder.write("<gpx>\(String(repeating: track, count: 100))</gpx>", to: "a.gpx")
      let outcome = try GhostConvertProgram.run(["import", "a.gpx"] + arguments, in: folder.url)
      #expect(outcome.status == 65)
      #expect(outcome.errorLines.count == 4)
      #expect(
        outcome.errorLines.last?.contains("no times; 97 more of these errors") == true, "\(outcome.errors)")
    }
  }
}
