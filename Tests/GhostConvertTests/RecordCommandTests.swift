import DriveLibrary
import Foundation
import GhostModel
import Testing
import TrackModel

@testable import TestSupport

@Suite(.waiting) struct RecordCommandTests {
  /// A drive to the north from 46.5° N at 10.5 m/s with a stop from 20 s to 50 s, with RMC and GGA every
  /// second.
  static let log: String = {
    var lines: [String] = []
    var latitude = 46.5
    for second in 0..<80 {
      if !(20..<50).contains(second) { latitude += 10.5 / 111_194.9 }
      let minutes = (latitude - 46) * 60
      let place = "46\(minutes < 10 ? "0" : "")\(String(format: "%.5f", minutes)),N,00730.00000,E"
      let time = String(format: "%02d%02d%02d", 12, second / 60, second % 60)
      let speed = (20..<50).contains(second) ? "0.0" : "20.4"
      lines.append(sentence("GPRMC,\(time),A,\(place),\(speed),0.0,010524,,,A"))
      lines.append(sentence("GPGGA,\(time),\(place),1,09,0.9,500.0,M,48.0,M,,"))
    }
    return lines.joined(separator: "\r\n") + "\r\n"
  }()

  /// Shell commands that open a pipe as descriptor 3; a program that reads it never reaches its end.
  private static let endlessInput = "mkfifo pipe; exec 3<>pipe; rm pipe"

  private static func sentence(_ text: String) -> String {
    "$\(text)*" + String(format: "%02X", text.utf8.reduce(0, ^))
  }

  private func withLog(_ body: (TemporaryFolder) throws -> Void) throws {
    try withFixtures { folder throws in
      try folder.write(Self.log, to: "log.nmea")
      try body(folder)
    }
  }

  @Test("A log becomes a drive with the log's duration, including the stop")
  func log() throws {
    try withLog { folder throws in
      let outcome = try folder.run("record", "--nmea", "log.nmea", "-o", "a.drive.json", "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let object = try jsonObject(outcome.output)
      #expect(object["duration_s"] as? Double == 79)
      #expect(object["start_time"] as? String == "2024-05-01T12:00:00.000Z")
      // 50 points: the first and 49 steps of 10.5 m, all longer than the minimum distance.
      #expect(object["coordinates"] as? Int == 50)
      #expect(abs((object["distance_m"] as? Double ?? 0) - 49 * 10.5) < 1)
      #expect(object["filtered"] as? Int == 30)
      // The drive with the identifier: 79 s in steps of 1 s.
      let drive = try folder.json("a.drive.json")
      #expect(object["id"] as? String == drive["id"] as? String)
      #expect(object["points"] as? Int == 80)
      let miles = try #require(drive["distance"] as? Double)
      #expect(abs((object["distance_m"] as? Double ?? 0) - miles * 1609.344) <= 0.0005)
      let ghost = try folder.run("ghost", "a.drive.json", "--at", "48", "--json")
      // At the stop since 19 s, after twenty steps.
      let place = try jsonObject(ghost.output)
      #expect(abs((place["lat"] as? Double ?? 0) - (46.5 + 20 * 10.5 / 111_194.9)) < 2e-6)
      #expect(try folder.names() == ["a.drive.json", "log.nmea"])
    }
  }

  @Test("The distance in JSON is that of the written drive")
  func distance() throws {
    try withFixtures { folder throws in
      // Five fixes 20 m apart to the north, ten seconds there, in which the receiver drifts by 5 m to the
      // east, and another 20 m.
      let rows: [(second: Int, north: Double, east: Double)] = [
        (0, 0, 0), (1, 20, 0), (2, 40, 0), (3, 60, 0), (4, 80, 0), (14, 80, 5), (15, 100, 0),
      ]
      let table = rows.map { second, north, east in
        let latitude = 46 + north / 111_140
        let longitude = 7.5 + east / (111_140 * 0.6968)
        return "\(1_715_668_200 + second),\(latitude),\(longitude)\n"
      }
      try folder.write("time,lat,lon\n" + table.joined(), to: "log.csv")
      let object = try jsonObject(
        try folder.run("record", "--input", "log.csv", "-o", "a.drive.json", "--json").output)
      // The drift is filtered, and kept as the place of the departure.
      #expect(object["coordinates"] as? Int == 6)
      // 80 m, 5 m, and √(20² + 5²) m = 20.62 m.
      #expect(abs((object["distance_m"] as? Double ?? 0) - 105.62) < 0.3)
    }
  }

  @Test(
    "A car that is parked for hours during the recording is recorded, and can be recovered",
    arguments: [["-o", "a.drive.json"], ["-o", "a.gpx"], ["--library", "a.gpkg"]])
  func parkedForHours(output: [String]) throws {
    try withFixtures { folder throws in
      // 60 fixes 11.1 m apart, with twelve hours between the 30th and the 31st.
      let rows = (0..<60).map { index in
        "\(1_715_668_200 + index + (index < 30 ? 0 : 43_200)),\(46 + Double(index) / 10_000),7.5\n"
      }
      try folder.write("time,lat,lon\n" + rows.joined(), to: "log.csv")
      let outcome = try GhostConvertProgram.run(
        ["record", "--input", "log.csv", "--json"] + output, in: folder.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try jsonObject(outcome.output)["duration_s"] as? Double == 43_259)
      #expect(try folder.names().contains("log.csv") && folder.names().count == 2)
      guard output[1] == "a.drive.json" else { return }
      let drive = try folder.json("a.drive.json")
      #expect(drive["duration"] as? Double == 43_259)
      let text = try #require(drive["coordinatesData"] as? String)
      let blob = try #require(Data(base64Encoded: text))
      let points = try #require(try JSONSerialization.jsonObject(with: blob) as? [[String: Double]])
      // Not more points than an import accepts, evenly spaced: the middle is in the pause.
      #expect(points.count == 10_000)
      let middle = try #require(points[5000]["lat"])
      #expect(abs(middle - 46.0029) < 1e-4, "\(middle)")
    }
  }

  /// 60 fixes 11.1 m apart, of which the first 30 are 20 years too early.
  private static let years = (0..<60).map { index in
    "\(1_715_668_200 + index - (index < 30 ? 631_152_000 : 0)),\(46 + Double(index) / 10_000),7.5\n"
  }.joined()

  @Test("A gap of years is reported, and a drive document that needs too many points is refused")
  func gapOfYears() throws {
    try withFixtures { folder throws in
      try folder.write("time,lat,lon\n" + Self.years, to: "log.csv")
      let track = try folder.run("record", "--input", "log.csv", "-o", "a.gpx")
      #expect(track.status == 0)
      #expect(track.errors.contains("a.gpx: warning: gap of more than 6 h between points of one drive"))
      let drive = try folder.run("record", "--input", "log.csv", "-o", "a.drive.json")
      #expect(drive.status == 65, "\(drive.errors)")
      #expect(drive.errors.contains("more than 10 million points"))
      let command = "record --recover a.drive.json.checkpoint -o "
      #expect(drive.errors.contains("ghost-convert \(command)FILE.gpx"))
      let recovered = try folder.shell("$GHOST_CONVERT \(command)b.gpx")
      #expect(recovered.status == 0, "\(recovered.errors)")
      #expect(try folder.names() == ["a.gpx", "b.gpx", "log.csv"])
    }
  }

  @Test("The library of a recording is that of the environment if the option has no value")
  func usualLibrary() throws {
    try withLog { folder throws in
      let outcome = try folder.shell(
        "GHOST_LIBRARY=mine.gpkg \"$GHOST_CONVERT\" record --nmea log.nmea --library")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try folder.names() == ["log.nmea", "mine.gpkg"])
    }
  }

  @Test("A GPX output has the times of the fixes")
  func gpx() throws {
    try withLog { folder throws in
      let outcome = try folder.run("record", "--nmea", "log.nmea", "-o", "a.gpx")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let info = try jsonObject(try folder.run("info", "--json", "a.gpx").output)
      #expect(info["first_time"] as? String == "2024-05-01T12:00:00.000Z")
      #expect(info["last_time"] as? String == "2024-05-01T12:01:19.000Z")
      #expect(info["trackpoints"] as? Int == 51)
    }
  }

  @Test("A killed recording can be recovered, and is not overwritten until then")
  func recovery() throws {
    try withLog { folder throws in
      // The pipe stays open, so the recording continues until it is killed.
      let line = """
        \(Self.endlessInput)
        cat log.nmea >&3; $GHOST_CONVERT record --nmea - --clock fixes -o a.gpx <&3 2>/dev/null & \
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do \
        sleep 0.2; test "$(wc -l < a.gpx.checkpoint 2>/dev/null || echo 0)" -ge 5 && break; done; \
        kill -9 $!; wait $! 2>/dev/null; true
        """
      _ = try folder.shell(line)
      let again = try folder.run("record", "--nmea", "log.nmea", "-o", "a.gpx")
      #expect(again.status == 73)
      #expect(again.errors.contains("--recover"))
      let outcome = try folder.run("record", "--recover", "a.gpx.checkpoint", "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let object = try jsonObject(outcome.output)
      #expect((object["coordinates"] as? Int ?? 0) >= 40)
      #expect((object["duration_s"] as? Double ?? 0) >= 64)
      // The checkpoint is removed.
      #expect(try folder.names() == ["a.gpx", "log.nmea"])
      #expect(try folder.run("record", "--recover", "a.gpx.checkpoint").status == 66)
      let third = try folder.run("record", "--nmea", "log.nmea", "-o", "a.gpx")
      #expect(third.status == 73 && third.errors.contains("--force"))
    }
  }

  @Test(
    "An invalid recording is an error, and no file is created",
    arguments: [
      ([], 64), (["--nmea", "log.nmea"], 64), (["--nmea", "log.nmea", "-o", "a.what"], 64),
      (["--nmea", "log.nmea", "-o", "-"], 64), (["--gpsd", "localhost:x", "-o", "a.gpx"], 64),
      (["--nmea", "log.nmea", "--gpsd", "localhost", "-o", "a.gpx"], 64),
      (["--nmea", "missing.nmea", "-o", "a.gpx"], 66), (["--gpsd", "localhost:1", "-o", "a.gpx"], 66),
      (["--nmea", "log.nmea", "-o", "no/such/a.gpx"], 73), (["--recover", "missing.checkpoint"], 66),
      (["--recover", "missing.gpx.checkpoint"], 66), (["--gpsd", "", "-o", "a.gpx"], 64),
      (["--nmea", "log.nmea", "-o", "a.polyline"], 64), (["--recover", "log.nmea"], 64),
      (["--nmea", "log.nmea", "-o", "a.gpx", "--app-exact"], 64),
      (["--nmea", "log.nmea", "-o", "/dev/null"], 64), (["--nmea", "log.nmea", "-o", "log.nmea"], 64),
      (["--nmea", "log.nmea", "-o", "a.gpx", "--baud", "9600"], 64),
      (["--nmea", "log.nmea", "-o", "a.gpx", "--baud", "9601"], 64),
      (["--gpsd", "localhost", "-o", "a.gpx", "--baud", "9600"], 64),
      (["--nmea", "log.nmea", "--library", "log.nmea"], 65),
      (["--nmea", "log.nmea", "--library", "no/such.gpkg"], 73),
    ] as [([String], Int32)])
  func refused(arguments: [String], status: Int32) throws {
    try withLog { folder throws in
      let before = try folder.names()
      let outcome = try GhostConvertProgram.run(["record"] + arguments, in: folder.url)
      #expect(outcome.status == status, "\(outcome.errors)")
      #expect(outcome.errorLines.count >= 1)
      #expect(try folder.names() == before)
    }
  }

  @Test("An empty file is a new library for a recording and for its recovery")
  func emptyLibrary() throws {
    try withLog { folder throws in
      for command in ["library list", "library check", "library remove ab12cd20"] {
        try folder.write("", to: "a.gpkg")
        let outcome = try folder.shell("$GHOST_CONVERT \(command) --library a.gpkg")
        #expect(outcome.status == 65)
        #expect(
          outcome.errors.contains("a.gpkg: empty file, not a library of drives"), "\(outcome.errors)")
      }
      let outcome = try folder.run("record", "--nmea", "log.nmea", "--library", "a.gpkg")
      #expect(outcome.status == 0, "\(outcome.errors)")
      // A recording that is killed leaves a checkpoint, and its library is emptied.
      try folder.write("", to: "b.gpkg")
      _ = try folder.shell(
        """
        \(Self.endlessInput)
        cat log.nmea >&3; $GHOST_CONVERT record --nmea - --clock fixes --library b.gpkg -q <&3 & \
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 0.2; \
        test "$(wc -l < b.gpkg.checkpoint 2>/dev/null || echo 0)" -ge 5 && break; done; \
        kill -9 $!; wait $! 2>/dev/null; rm -f b.gpkg*-wal b.gpkg*-shm; : > b.gpkg
        """)
      let recovered = try folder.run("record", "--recover", "b.gpkg.checkpoint")
      #expect(recovered.status == 0, "\(recovered.errors)")
      for name in ["a.gpkg", "b.gpkg"] {
        let check = try folder.run("library", "check", "--library", name)
        #expect(check.text == "1 drive, no problems\n", "\(check.errors)")
      }
    }
  }

  @Test(
    "If the drive cannot be saved, the message names the command that saves it later, and no data is lost",
    arguments: [
      (["-o", "a.gpx"], "record --recover a.gpx.checkpoint"),
      (
        ["-o", "a.gpx", "--library", "l.gpkg"],
        "record --recover a.gpx.checkpoint -o a.gpx --force --library l.gpkg"
      ),
    ])
  func recoverable(destination: [String], command: String) throws {
    try withLog { folder throws in
      // A folder with the output's name is created during the recording.
      let outcome = try folder.shell(
        """
        (cat log.nmea; sleep 1; mkdir a.gpx) | $GHOST_CONVERT record --nmea - --clock fixes -q \
        \(destination.joined(separator: " "))
        """)
      #expect(outcome.status == 73, "\(outcome.errors)")
      #expect(outcome.errors.contains("ghost-convert \(command) saves the drive"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("same command again"))
      let again = try folder.shell("rmdir a.gpx; $GHOST_CONVERT \(command) --json")
      #expect(again.status == 0, "\(again.errors)")
      let object = try jsonObject(again.output)
      // The complete drive, up to the end of the input.
      #expect(object["coordinates"] as? Int == 50)
      #expect(object["duration_s"] as? Double == 79)
      #expect(
        try folder.names()
          == (["a.gpx"] + destination.filter { $0.hasSuffix(".gpkg") } + ["log.nmea"]).sorted())
    }
  }

  @Test("A log without a fix is an error")
  func noFix() throws {
    try withLog { folder throws in
      let text = Self.sentence("GPRMC,120000,V,,,,,,,010524,,,N") + "\r\n"
      try folder.write(text, to: "none.nmea")
      let outcome = try folder.run("record", "--nmea", "none.nmea", "-o", "a.gpx")
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("no fix received"))
    }
  }

  // MARK: Existing files

  @Test("An existing file is replaced only with --force; a folder or a pipe is never replaced")
  func existing() throws {
    try withLog { folder throws in
      try folder.write("precious", to: "a.gpx")
      let refused = try folder.run("record", "--nmea", "log.nmea", "-o", "a.gpx")
      #expect(refused.status == 73)
      #expect(refused.errors.contains("already exists") && refused.errors.contains("--force"))
      #expect(try folder.text("a.gpx") == "precious")
      #expect(try folder.run("record", "--nmea", "log.nmea", "-o", "a.gpx", "--force").status == 0)
      #expect(try folder.text("a.gpx").contains("<trkpt"))
      let other = try folder.shell(
        """
        mkdir d.gpx; mkfifo p.gpx
        for name in d.gpx p.gpx; do $GHOST_CONVERT record --nmea log.nmea -o $name --force; echo $?; done
        """)
      #expect(other.text == "73\n73\n", "\(other.errors)")
      #expect(other.errors.contains("folder") && other.errors.contains("pipe"))
      #expect(try folder.names() == ["a.gpx", "d.gpx", "log.nmea", "p.gpx"])
    }
  }

  @Test(
    "A link to a file in a missing folder is an error before the recording",
    arguments: [["-o", "link.gpx"], ["--library", "link.gpkg"]])
  func danglingLink(destination: [String]) throws {
    try withLog { folder throws in
      let link = destination[1], target = "missing/" + link
      try FileManager.default.createSymbolicLink(atPath: folder.file(link), withDestinationPath: target)
      // The input does not end.
      let outcome = try folder.shell(
        """
        \(Self.endlessInput)
        timeout 10 $GHOST_CONVERT record --nmea - \(destination.joined(separator: " ")) <&3
        """)
      #expect(outcome.status == 73)
      #expect(
        outcome.errors
          == "ghost-convert: \(target): no such file or directory; create the folder missing/, or write elsewhere\n"
      )
      #expect(
        try folder.shell(
          "mkdir missing; $GHOST_CONVERT record -q --nmea log.nmea \(destination.joined(separator: " "))"
        ).status == 0)
      #expect(try folder.shell("ls missing").text == link + "\n")
      #expect(try !folder.names().contains { $0.hasSuffix(".checkpoint") })
    }
  }

  @Test("Two outputs are a usage error, and nothing is recorded")
  func severalOutputs() throws {
    try withLog { folder throws in
      let outcome = try folder.run("record", "--nmea", "log.nmea", "-o", "a.gpx", "-o", "b.drive.json")
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("--output is given twice"))
      #expect(try folder.names() == ["log.nmea"])
    }
  }

  @Test("A recording whose folder has disappeared is kept in the folder for temporary files")
  func disappearedFolder() throws {
    try withLog { folder throws in
      let outcome = try folder.shell(
        """
        mkdir d temporary
        { until [ -e d/o.gpx.checkpoint ]; do sleep 0.05; done; cat log.nmea; rm -r d; sleep 0.2; } |
          TMPDIR=temporary timeout 30 $GHOST_CONVERT record --nmea - -o d/o.gpx
        """)
      #expect(outcome.status == 73)
      #expect(
        outcome.errors.contains(
          "ghost-convert record --recover temporary/o.gpx.checkpoint -o d/o.gpx saves the drive"),
        "\(outcome.errors)")
      let recovered = try folder.shell(
        "mkdir d; $GHOST_CONVERT record --recover temporary/o.gpx.checkpoint -o d/o.gpx --json")
      #expect(recovered.status == 0, "\(recovered.errors)")
      #expect(try jsonObject(recovered.output)["coordinates"] as? Int == 50)
      #expect(try folder.shell("ls d temporary").text == "d:\no.gpx\n\ntemporary:\n")
    }
  }

  @Test("A running recording is not disturbed")
  func another() throws {
    try withLog { folder throws in
      let outcome = try folder.shell(
        """
        \(Self.endlessInput)
        cat log.nmea >&3; $GHOST_CONVERT record --nmea - --clock fixes -o a.gpx -q <&3 & \
        for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2; test -s a.gpx.checkpoint && break; done
        $GHOST_CONVERT record --nmea log.nmea -o a.gpx --force; echo $?
        $GHOST_CONVERT record --recover a.gpx.checkpoint; echo $?
        test -s a.gpx.checkpoint && echo there; kill -INT $!; wait $!; echo $?
        """)
      #expect(outcome.text == "73\n73\nthere\n0\n", "\(outcome.errors)")
      #expect(outcome.errors.contains("another recording") && outcome.errors.contains("running recording"))
      #expect(try folder.names() == ["a.gpx", "log.nmea"])
    }
  }

  @Test("An empty checkpoint does not prevent a recording; another file with its name does")
  func leftovers() throws {
    try withLog { folder throws in
      for text in ["", "{\"checkpoint\":1,\"state\":\"rea"] {
        try folder.write(text, to: "a.gpx.checkpoint")
        #expect(try folder.run("record", "--recover", "a.gpx.checkpoint").status == 65)
        let outcome = try folder.run("record", "--nmea", "log.nmea", "-o", "a.gpx", "--force")
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      // Killed before the first fix.
      let killed = try folder.shell(
        """
        \(Self.endlessInput)
        $GHOST_CONVERT record --nmea - -o b.gpx -q <&3 & sleep 1.5; kill -9 $!; wait $! 2>/dev/null
        test -e b.gpx.checkpoint && $GHOST_CONVERT record --nmea log.nmea -o b.gpx
        """)
      #expect(killed.status == 0, "\(killed.errors)")
      try folder.write("a letter\n", to: "c.gpx.checkpoint")
      let foreign = try folder.run("record", "--nmea", "log.nmea", "-o", "c.gpx")
      #expect(foreign.status == 73 && foreign.errors.contains("not a checkpoint"))
      #expect(try folder.text("c.gpx.checkpoint") == "a letter\n")
    }
  }

  // MARK: Clocks

  @Test(
    "A log from a pipe is recorded with its own times, even after a greeting of gpspipe",
    arguments: [
      "cat log.nmea", "(cat greeting; cat log.nmea)",
      "(head -c 900 log.nmea; sleep 1; tail -c +901 log.nmea)",
    ])
  func pipedLog(way: String) throws {
    try withLog { folder throws in
      try folder.write(NMEAText.greeting, to: "greeting")
      let outcome = try folder.shell("\(way) | $GHOST_CONVERT record --input - -o a.gpx --json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let object = try jsonObject(outcome.output)
      #expect(object["duration_s"] as? Double == 79)
      #expect(object["coordinates"] as? Int == 50)
      #expect(object["start_time"] as? String == "2024-05-01T12:00:00.000Z")
      #expect((object["refused"] as? [String: Int])?.values.reduce(0, +) == 0)
      #expect(outcome.errors.contains("--clock system"))
      let whole = try folder.run("record", "--nmea", "log.nmea", "-o", "b.gpx", "--name", "a")
      #expect(whole.status == 0)
      #expect(try folder.text("a.gpx") == (try folder.text("b.gpx")))
    }
  }

  @Test(
    "A log starts with its first dated sentence before the first fix, unless the clock is set later",
    arguments: [
      ("010524", "1159", "2024-05-01T11:59:50.000Z", 89.0),
      ("010100", "1159", "2024-05-01T12:00:00.000Z", 79),
      ("010524", "0400", "2024-05-01T12:00:00.000Z", 79),
    ])
  func coldStart(date: String, minute: String, start: String, duration: Double) throws {
    try withLog { folder throws in
      let search = (50..<60).map { Self.sentence("GPRMC,\(minute)\($0),V,,,,,,,\(date),,,N") + "\r\n" }
      try folder.write(search.joined() + Self.log, to: "cold.nmea")
      for command in ["record --nmea cold.nmea", "cat cold.nmea | record --input -"] {
        let line = command.replacingOccurrences(of: "record", with: "$GHOST_CONVERT record")
        let outcome = try folder.shell("\(line) -o a.gpx --force --json")
        let object = try jsonObject(outcome.output)
        #expect(object["start_time"] as? String == start, "\(command)")
        #expect(object["duration_s"] as? Double == duration, "\(command)")
        #expect(object["coordinates"] as? Int == 50)
      }
    }
  }

  @Test("The first skipped fix at 0°, 0° is reported immediately, and the total at the end")
  func nullIsland() throws {
    try withFixtures { folder throws in
      let rows = (0..<12).map { second in
        let place = second % 5 == 0 ? "0,0" : "46.90\(second),7.4"
        return "\(place),2024-05-17T08:00:\(second < 10 ? "0" : "")\(second)Z\n"
      }
      try folder.write("lat,lon,time\n" + rows.joined(), to: "a.csv")
      let outcome = try folder.run("record", "--input", "a.csv", "-o", "a.gpx")
      #expect(outcome.errors.ranges(of: "far from the route, fix skipped").count == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains("3 at 0°, 0°"), "\(outcome.errors)")
    }
  }

  @Test("A file written by gpspipe -r is read as NMEA")
  func gpspipe() throws {
    try withLog { folder throws in
      try folder.write(NMEAText.greeting + Self.log, to: "log.txt")
      let outcome = try folder.run("record", "--input", "log.txt", "-o", "a.gpx", "--json")
      #expect(outcome.errors == "")
      #expect(try jsonObject(outcome.output)["coordinates"] as? Int == 50)
    }
  }

  @Test("The file has the duration of the drive, even after an idle end")
  func idleEnd() throws {
    try withLog { folder throws in
      let outcome = try folder.shell(
        "(head -n 12 log.nmea; sleep 3) | $GHOST_CONVERT record --nmea - --clock system -o a.gpx --json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let duration = try #require(try jsonObject(outcome.output)["duration_s"] as? Double)
      #expect((2.5...6).contains(duration))
      #expect(try folder.run("import", "a.gpx", "-o", "a.drive.json").status == 0)
      let imported = try #require(try folder.json("a.drive.json")["duration"] as? Double)
      #expect(abs(imported - duration) < 1e-5)
    }
  }

  @Test("--stop-after is measured in the time of the recording", arguments: ["30", "25", "0:30.5"])
  func stopAfter(limit: String) throws {
    try withLog { folder throws in
      let outcome = try folder.run(
        "record", "--nmea", "log.nmea", "--stop-after", limit, "-o", "a.gpx", "--json")
      let object = try jsonObject(outcome.output)
      #expect(object["duration_s"] as? Double == (limit == "25" ? 25 : limit == "30" ? 30 : 30.5))
      // Stationary from 20 s on, after 20 points.
      #expect(object["coordinates"] as? Int == 20)
    }
  }

  @Test("--stop-after ends a live recording at the exact second")
  func stopLive() throws {
    try withLog { folder throws in
      let outcome = try folder.shell(
        """
        \(Self.endlessInput)
        head -n 8 log.nmea >&3
        $GHOST_CONVERT record --nmea - --clock system --stop-after 2 -o a.gpx --json <&3
        """
      )
      #expect(try jsonObject(outcome.output)["duration_s"] as? Double == 2)
    }
  }

  // MARK: Accuracy

  @Test("The accuracy of a fix is that of GST, otherwise 5 m times HDOP")
  func accuracy() throws {
    try withFixtures { folder throws in
      let log = [
        NMEAText.fix(0, metres: 0), NMEAText.fix(1, metres: 20, hdop: 3),
        NMEAText.fix(2, metres: 40, hdop: 3.1),
        // √(9² + 12²) = 15, for any HDOP.
        NMEAText.fix(3, metres: 60, hdop: 9, deviations: "9.0,12.0"),
        NMEAText.fix(4, metres: 80, hdop: 1, deviations: "9.0,12.1"),
        NMEAText.fix(5, metres: 100, hdop: 99.9),
        NMEAText.fix(6, metres: 120),
      ]
      try folder.write(log.joined(), to: "log.nmea")
      let object = try jsonObject(
        try folder.run("record", "--nmea", "log.nmea", "-o", "a.gpx", "--json").output)
      #expect(object["coordinates"] as? Int == 4)
      #expect((object["refused"] as? [String: Int])?["inaccurate"] == 3)
      let all = try folder.run(
        "record", "--nmea", "log.nmea", "-o", "b.gpx", "--json", "--max-accuracy", "500")
      #expect(try jsonObject(all.output)["coordinates"] as? Int == 7)
      // 0.617 · 24.3 = 14.993 and 0.617 · 24.4 = 15.05.
      let reports = [("10", 0), ("24.3", 1), ("24.4", 2), ("-1", 3), ("10", 4)].map { eph, second in
        NMEAText.report(second, metres: 20 * Double(second)).replacing("\"eph\":10.0", with: "\"eph\":\(eph)")
      }
      try folder.write(reports.joined(), to: "log.json")
      let gpsd = try jsonObject(
        try folder.run("record", "--input", "log.json", "-o", "c.gpx", "--json").output)
      #expect(gpsd["coordinates"] as? Int == 3)
      #expect((gpsd["refused"] as? [String: Int])?["inaccurate"] == 1)
      #expect((gpsd["refused"] as? [String: Int])?["invalid_position"] == 1)
    }
  }

  @Test("The reason for an empty recording is reported once")
  func nothing() throws {
    try withLog { folder throws in
      let missing = try folder.run("record", "--nmea", "none.nmea", "-o", "a.gpx")
      #expect(missing.errorLines.count == 1 && missing.errors.contains("no such file"))
      try folder.write("<gpx/>", to: "a.xml")
      let foreign = try folder.run("record", "--nmea", "a.xml", "-o", "a.gpx")
      #expect(foreign.errorLines.count == 1 && foreign.errors.contains("no NMEA 0183 sentence"))
      let undated = Self.log.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("$GPGGA") }
      try folder.write(undated.joined(separator: "\n") + "\n", to: "gga.nmea")
      let date = try folder.run("record", "--nmea", "gga.nmea", "-o", "a.gpx")
      #expect(date.status == 65)
      #expect(date.errors.contains("80 positions") && date.errors.contains("date"))
    }
  }

  // MARK: Libraries

  @Test("A drive is saved to a library with the times of its fixes, and to a file")
  func library() throws {
    try withLog { folder throws in
      let outcome = try folder.shell(
        "cat log.nmea | $GHOST_CONVERT record --nmea - --library d.gpkg -o a.gpx --name Morning --json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let object = try jsonObject(outcome.output)
      #expect(object["library"] as? String == "d.gpkg")
      let library = try DriveLibrary(path: folder.url.appendingPathComponent("d.gpkg").path, mode: .reading)
      let drives = try library.drives()
      #expect(drives.map(\.name) == ["Morning"])
      let drive = try #require(drives.first)
      #expect(drive.duration == 79)
      #expect(drive.id.uuidString == object["id"] as? String)
      let recording = try #require(try library.recording(drive.id))
      // Fifty points, and the end of the stop.
      #expect(recording.count == 51)
      let times = recording.segments.flatMap(\.times)
      // 2024-05-01T12:00:00Z, and 79 s later.
      #expect(times.first == 1_714_564_800_000_000)
      #expect(times.last == 1_714_564_879_000_000)
      // The file is recognized by its content.
      let again = try folder.run("import", "a.gpx", "--library", "d.gpkg")
      #expect(again.status == 0)
      #expect(again.text.contains("1 already imported"), "\(again.text)")
    }
  }

  @Test("A library is sufficient as the output of a recording and of a recovery")
  func libraryAlone() throws {
    try withLog { folder throws in
      #expect(try folder.run("record", "--nmea", "log.nmea", "--library", "d.gpkg").status == 0)
      _ = try folder.shell(
        """
        \(Self.endlessInput)
        tail -n 100 log.nmea >&3; $GHOST_CONVERT record --nmea - --clock fixes --library d.gpkg -q <&3 & \
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do sleep 0.2; \
        test "$(wc -l < d.gpkg.checkpoint || echo 0)" -ge 4 && break; done; kill -9 $!; wait $! 2>/dev/null; true
        """)
      let refused = try folder.run("record", "--nmea", "log.nmea", "--library", "d.gpkg")
      #expect(refused.status == 73 && refused.errors.contains("--recover d.gpkg.checkpoint"))
      let outcome = try folder.run("record", "--recover", "d.gpkg.checkpoint")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let library = try DriveLibrary(path: folder.url.appendingPathComponent("d.gpkg").path, mode: .reading)
      // The last hundred lines start at 30 s.
      #expect(try library.drives().map(\.name) == ["Drive 2024-05-01 12:00", "Drive 2024-05-01 12:00"])
      #expect(
        try library.drives().map(\.startTime?.description) == [
          "2024-05-01T12:00:00Z", "2024-05-01T12:00:30Z",
        ])
      #expect(try folder.names().filter { !$0.hasPrefix("d.gpkg-") } == ["d.gpkg", "log.nmea"])
    }
  }
}
