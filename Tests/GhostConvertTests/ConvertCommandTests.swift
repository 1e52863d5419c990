import Foundation
import Testing

@testable import TestSupport

@Suite(.waiting) struct ConvertCommandTests {
  private func counts(_ folder: TemporaryFolder, _ name: String) throws -> [String: Int] {
    let info = try jsonObject(try folder.run("info", "--json", name).output)
    var counts: [String: Int] = [:]
    for key in ["tracks", "segments", "trackpoints", "waypoints", "routes", "routepoints", "timed_points"] {
      counts[key] = try #require(info[key] as? Int)
    }
    return counts
  }

  @Test(
    "A conversion keeps all counts of a file",
    arguments: [
      "commute.gpx", "sensors.gpx", "waypoints-and-routes.gpx", "two-tracks.gpx", "gpx10.gpx", "utf16.gpx",
      "markup.gpx",
    ])
  func sameCounts(name: String) throws {
    try withFixtures(name) { (folder) throws in
      let outcome = try folder.run("convert", name, "-o", "out.gpx")
      #expect(outcome.status == 0)
      #expect(outcome.output.isEmpty && outcome.errors.isEmpty)
      #expect(try counts(folder, "out.gpx") == (try counts(folder, name)))
    }
  }

  @Test("Converting a converted file gives the same bytes")
  func stable() throws {
    try withFixtures("sensors.gpx") { (folder) throws in
      #expect(try folder.run("convert", "sensors.gpx", "-o", "once.gpx").status == 0)
      #expect(try folder.run("convert", "once.gpx", "-o", "twice.gpx").status == 0)
      #expect(try folder.data("once.gpx") == (try folder.data("twice.gpx")))
    }
  }

  @Test("Sensor values and unknown extensions are kept")
  func extensions() throws {
    try withFixtures("sensors.gpx") { (folder) throws in
      #expect(try folder.run("convert", "sensors.gpx", "-o", "out.gpx").status == 0)
      let text = try folder.text("out.gpx")
      for value in [">18.5<", ">121<", ">78<", ">11.8<", ">61.5<", ">215<", ">36.2<", ">4.2<"] {
        #expect(text.contains(value), "\(value)")
      }
      #expect(text.contains(#"rpm="2150""#) && text.contains("https://example.org/car/1"))
    }
  }

  @Test("A file can be converted to itself with --force")
  func ontoItself() throws {
    try withFixtures("utf16.gpx") { (folder) throws in
      #expect(try folder.run("convert", "utf16.gpx", "-o", "clean.gpx").status == 0)
      #expect(try folder.run("convert", "utf16.gpx", "-o", "utf16.gpx", "--force").status == 0)
      #expect(try folder.data("utf16.gpx") == (try folder.data("clean.gpx")))
      #expect(try folder.names() == ["clean.gpx", "utf16.gpx"])
    }
  }

  @Test("A dash is standard input or output, for files and pipes")
  func pipes() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      #expect(try folder.run("convert", "commute.gpx", "-o", "out.gpx").status == 0)
      let whole = try folder.data("out.gpx")
      #expect(try folder.run("convert", "commute.gpx", "-o", "-").output == whole)
      let input = try folder.data("commute.gpx")
      #expect(try folder.run("convert", "-", "--to", "gpx", input: input).output == whole)
      let piped = try folder.shell(
        "cat commute.gpx | \"$GHOST_CONVERT\" convert --from gpx --to gpx - -o - | cat")
      #expect(piped.status == 0)
      #expect(piped.output == whole)
    }
  }

  @Test("Several inputs are converted to one output")
  func severalInputs() throws {
    try withFixtures("commute.gpx", "two-tracks.gpx", "waypoints-and-routes.gpx") { (folder) throws in
      let outcome = try folder.run(
        "convert", "commute.gpx", "two-tracks.gpx", "waypoints-and-routes.gpx", "-o", "all.gpx")
      #expect(outcome.status == 0)
      #expect(
        try counts(folder, "all.gpx") == [
          "tracks": 3, "segments": 4, "trackpoints": 64, "waypoints": 3, "routes": 1, "routepoints": 5,
          "timed_points": 64,
        ])
    }
  }

  @Test("GPX 1.0 is written with --to gpx1.0")
  func olderGPX() throws {
    try withFixtures("gpx10.gpx", "sensors.gpx") { (folder) throws in
      #expect(try folder.run("convert", "gpx10.gpx", "--to", "gpx1.0", "-o", "out.gpx").status == 0)
      #expect(try folder.text("out.gpx").contains("<gpx version=\"1.0\""))
      #expect(try counts(folder, "out.gpx") == (try counts(folder, "gpx10.gpx")))
      let outcome = try folder.run(
        "convert", "sensors.gpx", "--to", "gpx1.0", "--output-directory", "old", "--strict")
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("not representable in GPX1.0: "))
      #expect(
        try folder.run("convert", "gpx10.gpx", "--to", "gpx1.0", "--output-directory", "old").status == 0)
      #expect(try folder.text("old/gpx10.gpx").contains("<gpx version=\"1.0\""))
    }
  }

  @Test("--plain-lines adds lines to KML tracks, and is an error for other formats")
  func plainLines() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      #expect(try folder.run("convert", "commute.gpx", "-o", "without.kml").status == 0)
      #expect(try folder.run("convert", "commute.gpx", "-o", "with.kml", "--plain-lines").status == 0)
      let without = try folder.text("without.kml")
      let with = try folder.text("with.kml")
      #expect(without.contains("<gx:Track>") && !without.contains("<LineString>"))
      #expect(with.contains("<gx:Track>") && with.contains("<LineString>"))
      // The lines are marked as copies, so the counts do not change.
      #expect(try counts(folder, "with.kml") == (try counts(folder, "commute.gpx")))
      #expect(try folder.run("convert", "commute.gpx", "-o", "with.kmz", "--plain-lines").status == 0)
      #expect(try counts(folder, "with.kmz") == (try counts(folder, "commute.gpx")))
      let outcome = try folder.run("convert", "commute.gpx", "-o", "out.gpx", "--plain-lines")
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("--plain-lines applies to KML and KMZ"))
    }
  }

  @Test(
    "--merge joins several inputs to one track, in the order of their times", arguments: [false, true])
  func mergedInputs(isReversed: Bool) throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let commute = try folder.text("commute.gpx")
      try folder.write(commute.replacingOccurrences(of: "2024-05-17", with: "2024-05-18"), to: "a.gpx")
      let inputs = isReversed ? ["a.gpx", "commute.gpx"] : ["commute.gpx", "a.gpx"]
      let outcome = try GhostConvertProgram.run(
        ["convert"] + inputs + ["--merge", "-o", "all.gpx"], in: folder.url)
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("merge: 2 tracks merged into one"))
      let all = try counts(folder, "all.gpx")
      #expect(all["tracks"] == 1 && all["segments"] == 4 && all["trackpoints"] == 84)
      let times = try folder.text("all.gpx").matches(of: /<time>([^<]*)</).map { String($0.1) }
      #expect(times.count == 84 && times == times.sorted())
    }
  }

  @Test("An output that is a device remains a device")
  func device() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      #expect(try folder.run("convert", "commute.gpx", "--to", "gpx", "-o", "/dev/null").status == 0)
      let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
      #expect(type == .typeCharacterSpecial)
    }
  }

  @Test("An output that is a symbolic link remains a link, and its target is written")
  func link() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      try folder.write("old", to: "target.gpx")
      try FileManager.default.createSymbolicLink(
        atPath: folder.url.appendingPathComponent("link.gpx").path, withDestinationPath: "target.gpx")
      #expect(try folder.run("convert", "commute.gpx", "-o", "link.gpx").status == 0)
      let type =
        try FileManager.default.attributesOfItem(atPath: folder.url.appendingPathComponent("link.gpx").path)[
          .type]
        as? FileAttributeType
      #expect(type == .typeSymbolicLink)
      #expect(try counts(folder, "target.gpx")["trackpoints"] == 42)
    }
  }

  @Test(
    "A failed run keeps an existing output and leaves no partial file",
    arguments: [
      ["convert", "missing.gpx", "-o", "out.gpx"],
      ["convert", "broken.gpx", "-o", "out.gpx"],
      ["convert", "cut-off.gpx", "--strict", "-o", "out.gpx"],
    ])
  func outputSurvives(arguments: [String]) throws {
    try withFixtures("commute.gpx", "cut-off.gpx") { (folder) throws in
      let commute = try folder.text("commute.gpx")
      try folder.write(commute.replacingOccurrences(of: "</trkseg>", with: "</trkpt>"), to: "broken.gpx")
      try folder.write("precious", to: "out.gpx")
      let before = try folder.names()
      let outcome = try GhostConvertProgram.run(arguments, in: folder.url)
      #expect(outcome.status == 65 || outcome.status == 66)
      #expect(outcome.errorLines.count == 1)
      #expect(try folder.text("out.gpx") == "precious")
      #expect(try folder.names() == before)
    }
  }

  @Test("An invalid input does not stop the other inputs, and sets the exit status")
  func badAmongGood() throws {
    try withFixtures("commute.gpx", "two-tracks.gpx") { (folder) throws in
      let commute = try folder.text("commute.gpx")
      try folder.write(commute.replacingOccurrences(of: "</trkseg>", with: "</trkpt>"), to: "broken.gpx")
      let outcome = try GhostConvertProgram.run(
        ["convert", "broken.gpx", "missing.gpx", "two-tracks.gpx", "-o", "out.gpx"], in: folder.url)
      #expect(outcome.status == 65)
      #expect(outcome.errorLines.count == 3)
      #expect(outcome.errorLines.last?.contains("1 of 3 inputs whole") == true)
      // The complete first segment of the broken file, and the two tracks of the other file.
      #expect(try counts(folder, "out.gpx")["tracks"] == 3)
      let strict = try GhostConvertProgram.run(
        ["convert", "missing.gpx", "two-tracks.gpx", "--strict", "-o", "strict.gpx"], in: folder.url)
      #expect(strict.status == 66)
      #expect(try !folder.names().contains("strict.gpx"))
    }
  }

  @Test("A signal removes the partial output", arguments: ["TERM", "INT", "HUP"])
  func signals(name: String) throws {
    try withFixtures("commute.gpx") { (folder) throws in
      // A pipe that never ends keeps the program running; the partial file exists once it writes.
      let line = """
        mkfifo endless; sleep 60 > endless & keeper=$!
        "$GHOST_CONVERT" convert endless --from gpx --to gpx -o out.gpx & program=$!
        tries=0; while ! ls out.gpx.*.part >/dev/null 2>&1 && [ $tries -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
        ls out.gpx.*.part | wc -l
        kill -\(name) $program; wait $program 2>/dev/null; kill $keeper
        ls out.gpx* 2>/dev/null | wc -l
        """
      let outcome = try folder.shell(line)
      let counts = outcome.text.split(whereSeparator: \.isWhitespace)
      #expect(counts == ["1", "0"])
    }
  }

  @Test("With --strict, a loss found at the end writes no file and keeps an existing one")
  func strictLoss() throws {
    try withFixtures { (folder) throws in
      try folder.write(
        "<gpx version=\"1.1\" creator=\"x\" xmlns=\"http://www.topografix.com/GPX/1/1\"><metadata><name>N</name>"
          + "</metadata><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/><trkpt lat=\"2\" lon=\"2\"/></trkseg></trk></gpx>",
        to: "named.gpx")
      try folder.write("old", to: "out.geojsons")
      let outcome = try folder.run("convert", "named.gpx", "--strict", "-o", "out.geojsons")
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("not representable"))
      #expect(try folder.text("out.geojsons") == "old")
      #expect(try folder.names() == ["named.gpx", "out.geojsons"])
    }
  }

  @Test("A conversion into the folder of an input does not overwrite the input")
  func ownFolder() throws {
    try withFixtures("two-tracks.gpx") { (folder) throws in
      let before = try folder.data("two-tracks.gpx")
      let outcome = try folder.run("convert", "two-tracks.gpx", "--to", "gpx", "--output-directory", ".")
      #expect(outcome.status == 64)
      #expect(try folder.data("two-tracks.gpx") == before)
    }
  }

  @Test(
    "A crop that removes all points reports the time span in the zone of the crop and writes nothing")
  func nothingLeft() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      for command in ["convert commute.gpx -o x.gpx", "import commute.gpx -o x.drive.json"] {
        let outcome = try folder.shell(
          "TZ=Europe/Berlin \"$GHOST_CONVERT\" \(command) --crop 1:00..1:05")
        #expect(outcome.status == 65)
        let span =
          "no points left; the recording lasts from 2024-05-17T08:12:30+02:00 to 2024-05-17T08:14:10+02:00"
        #expect(outcome.errors.contains(span), "\(outcome.errors)")
        let utc = try folder.shell(
          "TZ=Europe/Berlin \"$GHOST_CONVERT\" \(command) --utc --crop 1:00..1:05")
        #expect(utc.errors.contains("from 2024-05-17T06:12:30Z to 2024-05-17T06:14:10Z"), "\(utc.errors)")
        #expect(try folder.names() == ["commute.gpx"])
      }
      let output = try folder.run("convert", "commute.gpx", "--kind", "boat", "--to", "gpx")
      #expect(output.status == 65 && output.output.isEmpty)
      // With several inputs, one may become empty.
      try folder.write(DrivenRoad().driving(toEast: 1500, seconds: 120).gpx(), to: "road.gpx")
      let both = try folder.run(
        "convert", "commute.gpx", "road.gpx", "--crop", "6:12..6:13", "--utc", "-o", "both.gpx")
      #expect(both.status == 0)
      #expect(both.errors.contains("road.gpx: warning: no points left"), "\(both.errors)")
    }
  }

  @Test("A drive without a start time cannot be merged with dated tracks, unless --start is given")
  func mergingStartless() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      try folder.write(
        DrivenRoad().driving(toEast: 1500, seconds: 120).document(), to: "startless.drive.json")
      for inputs in [["startless.drive.json", "commute.gpx"], ["commute.gpx", "startless.drive.json"]] {
        for arguments in [["convert", "-o", "x.gpx"], ["import", "-o", "x.drive.json"]] {
          let outcome = try GhostConvertProgram.run(arguments + ["--merge"] + inputs, in: folder.url)
          #expect(outcome.status == 65)
          #expect(
            outcome.errors.contains("a drive without a start time cannot be merged"), "\(outcome.errors)")
          #expect(!outcome.errors.contains("million"), "\(outcome.errors)")
          #expect(try folder.names() == ["commute.gpx", "startless.drive.json"])
        }
      }
      let started = try folder.run(
        "convert", "--merge", "startless.drive.json", "commute.gpx", "--start", "2024-05-17T06:00:00Z", "-o",
        "x.gpx")
      #expect(started.status == 0, "\(started.errors)")
      let info = try jsonObject(try folder.run("info", "--json", "x.gpx").output)
      #expect(info["first_time"] as? String == "2024-05-17T06:00:00.000Z")
    }
  }

  @Test(
    "With --start, an unknown start is no warning, even with --strict",
    arguments: [
      ("log.csv", "time,lat,lon\n10:11:12,46.5,7.25\n10:11:17,46.501,7.25\n"),
      ("log.igc", "AXXX000\nB1011124630000N00715000EA0000000001\nB1011174630060N00715000EA0000000001\n"),
      (
        "log.vbo",
        "[header]\ntime\nlatitude\nlongitude\n\n[column names]\ntime lat long\n\n[data]\n"
          + "101112 +2790.00000 -0435.00000\n101117 +2790.06000 -0435.00000\n"
      ),
    ])
  func unknownStart(_ name: String, _ text: String) throws {
    try withFixtures { (folder) throws in
      try folder.write(text, to: name)
      let unknown = try folder.run("convert", name, "-o", "unknown.gpx")
      #expect(unknown.errors.contains("unknown start"), "\(unknown.errors)")
      let known = try folder.run(
        "convert", name, "--strict", "--start", "2024-05-17T06:00:00Z", "-o", "known.gpx")
      #expect(known.status == 0 && known.errors.isEmpty, "\(known.errors)")
      let info = try jsonObject(try folder.run("info", "--json", "known.gpx").output)
      #expect(info["first_time"] as? String == "2024-05-17T06:00:00.000Z")
      #expect(info["last_time"] as? String == "2024-05-17T06:00:05.000Z")
    }
  }

  @Test("A folder as output is answered with the option for folders", arguments: ["out", "out/", "new/"])
  func folderAsOutput(output: String) throws {
    try withFixtures("commute.gpx") { (folder) throws in
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: "out"), withIntermediateDirectories: false)
      let outcome = try folder.run("convert", "commute.gpx", "-o", output)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("is a folder, not a file: \(output); use --output-directory"))
    }
  }

  @Test("Timed waypoints beside lines without times become the drive with the option that the error names")
  func timedWaypoints() throws {
    try withFixtures { (folder) throws in
      func placemark(_ minute: Int) -> String {
        "<Placemark><TimeStamp><when>2024-05-17T06:0\(minute):00Z</when></TimeStamp>"
          + "<Point><coordinates>7.\(minute),46</coordinates></Point></Placemark>"
      }
      let line = "<Placemark><LineString><coordinates>7,46 7.1,46</coordinates></LineString></Placemark>"
      try folder.write(
        "<kml xmlns='http://www.opengis.net/kml/2.2'><Document>\(line)\(placemark(0))\(placemark(1))"
          + "\(placemark(2))\(line)</Document></kml>", to: "a.kml")
      let refused = try folder.run("import", "a.kml", "-o", "a.drive.json")
      #expect(refused.status == 65)
      #expect(refused.errors.contains("--track-from-points joins the waypoints, which have times"))
      let joined = try folder.run("import", "a.kml", "--track-from-points", "-o", "a.drive.json")
      #expect(joined.status == 0)
      #expect(joined.errors.contains("track without times beside the timed waypoints, skipped (first of 2)"))
      #expect(try folder.json("a.drive.json")["duration"] as? Double == 120)
    }
  }
}
