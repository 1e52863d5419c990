import Foundation
import Testing

@testable import TestSupport

@Suite(.waiting) struct InfoCommandTests {
  @Test("The JSON has the keys that scripts use, with the values of the file")
  func keys() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let outcome = try folder.run("info", "--json", "commute.gpx")
      #expect(outcome.status == 0)
      #expect(outcome.text.split(separator: "\n").count == 1)
      let info = try jsonObject(outcome.output)
      #expect(info["format"] as? String == "gpx")
      let counts = [
        "tracks": 1, "segments": 2, "trackpoints": 42, "waypoints": 0, "routes": 0, "routepoints": 0,
        "timed_points": 42,
      ]
      for (key, count) in counts { #expect(info[key] as? Int == count, "\(key)") }
      let first = try #require(info["first"] as? [String: Double])
      #expect(first == ["lat": 46.948, "lon": 7.4474])
      let last = try #require(info["last"] as? [String: Double])
      #expect(last == ["lat": 46.9482948, "lon": 7.4536178])
      #expect(info["first_time"] as? String == "2024-05-17T06:12:30.000Z")
      #expect(info["last_time"] as? String == "2024-05-17T06:14:10.000Z")
      #expect(info["duration_s"] as? Double == 100)
      let metres = try #require(info["distance_m"] as? Double)
      #expect(abs(metres - ImportCommandTests.commuteMetres) < 1e-3)
    }
  }

  @Test("Channels of loggers that have values are named with their units")
  func extraChannels() throws {
    try withFixtures { (folder) throws in
      try folder.write(
        """
        time,lat,lon,RPM (1/min),Boost (bar),Gear
        2026-05-01T08:00:00Z,47.0,8.0,,,2
        2026-05-01T08:00:01Z,47.0,8.0001,3100,,3

        """, to: "log.csv")
      let info = try jsonObject(try folder.run("info", "--json", "log.csv").output)
      let channels = try #require(info["extra_channels"] as? [[String: Any]])
      #expect(channels.map { $0["name"] as? String } == ["Gear", "RPM"])
      #expect(channels.map { $0["unit"] as? String } == [nil, "1/min"])
      #expect(try folder.run("info", "log.csv").text.contains("  channels  Gear, RPM (1/min)\n"))
    }
  }

  @Test(
    "A compressed FIT file has as many trackpoints", arguments: [("chained.fit", 9), ("multisport.fit", 6)])
  func compressedSharedPoints(name: String, trackpoints: Int) throws {
    try withFixtures { folder throws in
      let fixture = TemporaryFolder.fixtures.deletingLastPathComponent().appending(path: "fit/\(name)")
      try FileManager.default.copyItem(at: fixture, to: folder.url.appending(path: name))
      let compression = try folder.shell("gzip -k \(name)")
      try #require(compression.status == 0)
      for path in [name, name + ".gz"] {
        let info = try jsonObject(try folder.run("info", "--json", path).output)
        #expect(info["trackpoints"] as? Int == trackpoints, "\(path)")
      }
    }
  }

  @Test("Missing values are null")
  func nothing() throws {
    try withFixtures("waypoints-and-routes.gpx", "no-times.gpx") { (folder) throws in
      let planned = try jsonObject(try folder.run("info", "--json", "waypoints-and-routes.gpx").output)
      for key in ["first", "last", "first_time", "last_time", "duration_s", "distance_m"] {
        #expect(planned[key] is NSNull, "\(key)")
      }
      #expect(planned["waypoints"] as? Int == 3)
      #expect(planned["routes"] as? Int == 1)
      #expect(planned["routepoints"] as? Int == 5)
      let untimed = try jsonObject(try folder.run("info", "--json", "no-times.gpx").output)
      #expect(untimed["first"] is [String: Double])
      #expect(untimed["first_time"] is NSNull)
      #expect(untimed["timed_points"] as? Int == 0)
      #expect(untimed["duration_s"] is NSNull)
    }
  }

  @Test(
    "Info and import agree about duration and distance",
    arguments: ["commute.gpx", "uneven.gpx", "inaccurate.gpx"])
  func agreesWithImport(name: String) throws {
    try withFixtures(name) { (folder) throws in
      let info = try jsonObject(try folder.run("info", "--json", name).output)
      let report = try jsonObject(try folder.run("import", "--json", "--quiet", name).output)
      #expect(info["duration_s"] as? Double == report["duration_s"] as? Double)
      let said = try #require(info["distance_m"] as? Double)
      let made = try #require(report["distance_m"] as? Double)
      #expect(abs(said - made) <= 0.0005)
    }
  }

  @Test("The times shown for tracks in any order are the earliest and the latest")
  func trackOrder() throws {
    try withFixtures() { (folder) throws in
      let tracks = [3, 1, 2].map { day in
        let points = (0..<3).map {
          "<trkpt lat='4\(day)' lon='8'><time>2024-05-0\(day)T06:00:0\($0)Z</time></trkpt>"
        }
        return "<trk><trkseg>\(points.joined())</trkseg></trk>"
      }
      try folder.write(
        "<gpx version='1.1' xmlns='http://www.topografix.com/GPX/1/1'>\(tracks.joined())</gpx>", to: "d.gpx")
      let info = try jsonObject(try folder.run("info", "--json", "d.gpx").output)
      // In file order.
      #expect(info["first_time"] as? String == "2024-05-03T06:00:00.000Z")
      #expect(info["last_time"] as? String == "2024-05-02T06:00:02.000Z")
      #expect(
        try folder.run("info", "d.gpx").text.contains("2024-05-01T06:00:00Z to 2024-05-03T06:00:02Z"))
    }
  }

  @Test("Timed points without a track have the duration of the drive that import creates from them")
  func points() throws {
    try withFixtures() { (folder) throws in
      let features = [("07:00:00", 11.0), ("07:00:28", 11.001)].map {
        """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[\($0.1),48]},
         "properties":{"timestamp":"2024-05-01T\($0.0)Z"}}
        """
      }
      try folder.write("{\"locations\":[\(features.joined(separator: ","))]}", to: "overland.json")
      let info = try jsonObject(try folder.run("info", "--json", "overland.json").output)
      #expect(info["format"] as? String == "geojson")
      #expect(info["tracks"] as? Int == 0)
      #expect(info["waypoints"] as? Int == 2)
      #expect(info["duration_s"] as? Double == 28)
    }
  }

  @Test("A truncated file is reported, with the counts of the complete part")
  func cutOff() throws {
    try withFixtures("cut-off.gpx") { (folder) throws in
      let outcome = try folder.run("info", "--json", "cut-off.gpx")
      #expect(outcome.status == 0)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.hasPrefix("ghost-convert: cut-off.gpx:14: warning: "))
      let info = try jsonObject(outcome.output)
      // The complete points before the cut.
      #expect(info["trackpoints"] as? Int == 7)
      #expect((info["warnings"] as? [Any])?.count == 1)
    }
  }

  @Test("The warnings about files of a folder are printed, one line per kind")
  func folderWarnings() throws {
    try withFixtures("cut-off.gpx", "commute.gpx") { folder in
      try folder.write(folder.text("cut-off.gpx"), to: "cut-off-too.gpx")
      for option in [[], ["--json"]] {
        let outcome = try GhostConvertProgram.run(["info", "."] + option, in: folder.url)
        #expect(outcome.status == 0)
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("2 files: warning: the file ends inside an element"))
      }
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("in"), withIntermediateDirectories: true)
      for name in ["a.gpx", "b.gpx"] { try folder.write("", to: "in/" + name) }
      #expect(try folder.run("info", "in").text.contains("  inputs    none\n"))
    }
  }

  @Test("Steps faster than 500 km/h cause the same warning as in an import")
  func impossibleSpeed() throws {
    try withFixtures { (folder) throws in
      // 5 km in one second, and back.
      let road = DrivenRoad().driving(toEast: 400, seconds: 40).driving(toEast: 5400, seconds: 1)
        .driving(toEast: 410, seconds: 1).driving(toEast: 800, seconds: 39)
      try folder.write(road.gpx(), to: "spike.gpx")
      try folder.write(road.document(), to: "spike.drive.json")
      for command in ["info", "import"] {
        let outcome = try folder.run(command, "spike.gpx", "--json")
        #expect(outcome.errors.contains("a step faster than 500 km/h"), "\(outcome.errors)")
        let warnings = try #require(jsonObject(outcome.output)["warnings"] as? [[String: Any]])
        #expect(warnings.map { $0["code"] as? String } == ["impossible-speed"])
      }
      for command in [
        ["convert", "spike.gpx", "-o", "x.csv"],
        ["ghost", "spike.gpx", "--at", "1"], ["ghost", "spike.drive.json", "--at", "1"],
        ["compare", "spike.drive.json", "spike.drive.json"],
        ["compare", "spike.drive.json", "spike.drive.json", "--engine", "app"],
        ["compare", "spike.gpx", "spike.gpx", "--engine", "app"],
      ] {
        let outcome = try GhostConvertProgram.run(command, in: folder.url)
        #expect(outcome.errors.contains("a step faster than 500 km/h"), "\(command): \(outcome.errors)")
        // compare and ghost have no such option.
        #expect(outcome.errors.contains("--drop-spikes") == (command[0] == "convert"), "\(outcome.errors)")
      }
      // A comparison leaves the fix out.
      let compared = try folder.run("compare", "spike.gpx", "spike.gpx")
      #expect(compared.errors.contains("fix far from those before and after it, skipped (point 42)"))
    }
  }

  @Test("The tracks of a file with several are listed with the numbers that select them")
  func severalTracks() throws {
    try withFixtures("two-tracks.gpx", "commute.gpx") { (folder) throws in
      let info = try jsonObject(try folder.run("info", "--json", "two-tracks.gpx").output)
      let tracks = try #require(info["track_list"] as? [[String: Any]])
      #expect(tracks.map { $0["number"] as? Int } == [1, 2])
      #expect(tracks.map { $0["name"] as? String } == ["Out", "Back"])
      #expect(tracks.map { $0["points"] as? Int } == [10, 12])
      #expect(tracks.map { $0["duration_s"] as? Double } == [9, 11])
      let distances = tracks.compactMap { $0["distance_m"] as? Double }
      #expect(abs(distances.reduce(0, +) - (try #require(info["distance_m"] as? Double))) < 0.002)
      let text = try folder.run("info", "two-tracks.gpx").text
      #expect(text.contains("\n            1  9.0 s, 122 m  Out\n            2  11.0 s, 102 m  Back\n"))
      #expect(!(try folder.run("info", "commute.gpx").text.contains("  1  ")))
    }
  }

  @Test("Kinds, laps and the timer's time are shown if the file contains them")
  func activities() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      // Two sessions, 3 s of motorcycling and 2 s of walking, with a common record at the boundary.
      let multisport = TemporaryFolder.fixtures.deletingLastPathComponent().appending(
        path: "fit/multisport.fit")
      try FileManager.default.copyItem(at: multisport, to: folder.url.appending(path: "multisport.fit"))
      let sessions = try jsonObject(try folder.run("info", "--json", "multisport.fit").output)
      #expect(sessions["kinds"] as? [String] == ["motorcycling", "walking"])
      #expect(sessions["trackpoints"] as? Int == 6 && sessions["timed_points"] as? Int == 6)
      #expect(sessions["laps"] as? Int == 2 && sessions["timer_s"] as? Double == 5)
      #expect(sessions["duration_s"] as? Double == 5 && sessions["moving_s"] as? Double == 5)

      func trackpoint(_ second: String, _ longitude: String) -> String {
        "<Trackpoint><Time>2024-05-17T06:\(second)Z</Time><Position><LatitudeDegrees>0</LatitudeDegrees>"
          + "<LongitudeDegrees>\(longitude)</LongitudeDegrees></Position></Trackpoint>"
      }
      func lap(_ seconds: String?, _ tracks: String) -> String {
        "<Lap StartTime=\"2024-05-17T06:00:00Z\">"
          + (seconds.map { "<TotalTimeSeconds>\($0)</TotalTimeSeconds>" } ?? "") + tracks + "</Lap>"
      }
      let tracks =
        "<Track>\(trackpoint("00:00", "0"))\(trackpoint("02:00", "0.01"))</Track>"
        + "<Track>\(trackpoint("05:00", "0.01"))\(trackpoint("06:30", "0.02"))</Track>"
      for (name, laps) in [
        ("ride.tcx", lap("150.5", tracks) + lap("60", "")), ("part.tcx", lap("150.5", tracks) + lap(nil, "")),
      ] {
        try folder.write(
          "<TrainingCenterDatabase xmlns=\"http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2\">"
            + "<Activities><Activity Sport=\"Biking\"><Id>2024-05-17T06:00:00Z</Id>\(laps)"
            + "</Activity></Activities></TrainingCenterDatabase>", to: name)
      }
      let ride = try jsonObject(try folder.run("info", "--json", "ride.tcx").output)
      #expect(ride["kinds"] as? [String] == ["Biking"])
      #expect(ride["laps"] as? Int == 2 && ride["timer_s"] as? Double == 210.5)
      #expect(ride["duration_s"] as? Double == 390 && ride["moving_s"] as? Double == 210)
      let words = try folder.run("info", "ride.tcx").text
      #expect(words.contains("\n  kind      Biking\n  laps      2, timer running for 3:31\n"))
      #expect(words.contains("  as drive  6:30, 2.23 km; 3:30 excluding pauses"))
      // One of the laps has no duration.
      let part = try jsonObject(try folder.run("info", "--json", "part.tcx").output)
      #expect(part["laps"] as? Int == 2 && part["timer_s"] is NSNull)

      let plain = try jsonObject(try folder.run("info", "--json", "commute.gpx").output)
      #expect(plain["laps"] as? Int == 0 && plain["timer_s"] is NSNull)
      // All files of the folder together.
      let all = try jsonObject(try folder.run("info", "--json", ".").output)
      #expect(all["laps"] as? Int == 6 && all["timer_s"] is NSNull)
      #expect((all["kinds"] as? [String])?.sorted() == ["Biking", "motorcycling", "walking"])
    }
  }

  @Test("The text output contains the same values as the JSON")
  func words() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let text = try folder.run("info", "commute.gpx").text
      #expect(text.contains("1 with 2 segments and 42 trackpoints"))
      #expect(text.contains("2024-05-17T06:12:30Z to 2024-05-17T06:14:10Z"))
      #expect(text.contains("1:40, 485 m"))
    }
  }

  @Test("An id in place of a library's name is a usage error that shows both spellings")
  func idForLibrary() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let id = try folder.run("info", "--library", "ABCD")
      #expect(id.status == 64)
      #expect(id.errors.contains("--library FILE ABCD, or ABCD --library"), "\(id.errors)")
      #expect(try folder.run("import", "commute.gpx", "--library", "a.gpkg").status == 0)
      let library = try folder.run("info", "--library", "a.gpkg")
      #expect(library.status == 64)
      #expect(library.errors.contains("no drive of a.gpkg selected"), "\(library.errors)")
    }
  }
}
