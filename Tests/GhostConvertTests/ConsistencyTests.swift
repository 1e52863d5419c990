import Foundation
import TestSupport
import Testing

/// Options that have the same meaning in all commands.
@Suite(.waiting) struct ConsistencyTests {
  /// Each option for a quantity in every command that has it. Each command line needs the quantity to be
  /// read.
  @Test(
    "Every option accepts every spelling of its quantity",
    arguments: [
      ["import", "no-times.gpx", "--duration", "1h30"], ["import", "no-times.gpx", "--speed", "13,9 m/s"],
      ["import", "commute.gpx", "--cadence", "0,5"], ["import", "commute.gpx", "--cadence", "500 ms"],
      ["import", "commute.gpx", "--split-gap", "90min"],
      ["import", "commute.gpx", "--max-accuracy", "50 ft"],
      ["import", "commute.gpx", "--simplify", "0,01 km"], ["import", "commute.gpx", "--resample", "1,5 s"],
      ["convert", "commute.gpx", "--resample", "1:00", "--to", "gpx"],
      ["ghost", "commute.gpx", "--at", "1", "--max-accuracy", "50 ft"],
      ["info", "commute.gpx", "--max-accuracy", "none"],
      ["convert", "no-times.gpx", "--duration", "1:02:03", "--to", "gpx"],
      ["convert", "no-times.gpx", "--speed", "10kn", "--to", "gpx"],
      ["convert", "commute.gpx", "--split-gap", "1h30", "--to", "gpx"],
      ["convert", "commute.gpx", "--max-accuracy", "none", "--to", "gpx"],
      ["convert", "commute.gpx", "--crop", "6:12..6:20", "--utc", "--to", "gpx"],
      ["convert", "commute.gpx", "--shift", "+01:00", "--to", "gpx"],
      ["compare", "tuesday.gpx", "thursday.gpx", "--max-accuracy", "15,5"],
      ["compare", "tuesday.gpx", "thursday.gpx", "--engine", "app", "--idle-speed", "8 km/h"],
      ["ghost", "commute.gpx", "--at", "1min30"], ["ghost", "commute.gpx", "--every", "0:30"],
      ["ghost", "no-times.gpx", "--at", "5", "--duration", "90min"],
    ])
  func quantities(arguments: [String]) throws {
    try withFixtures("commute.gpx", "no-times.gpx", "tuesday.gpx", "thursday.gpx") { (folder) throws in
      let outcome = try GhostConvertProgram.run(arguments, in: folder.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test(
    "With --json, a failure is also a record in standard output",
    arguments: [
      ["compare", "a.gpx", "b.gpx"], ["laps", "a.gpx"], ["info", "a.gpx"], ["ghost", "a.gpx", "--at", "1"],
      ["library", "list"], ["library", "show", "7"], ["library", "routes"], ["library", "check"],
      ["library", "compare", "1"], ["library", "set", "7", "--name", "x"], ["library", "remove", "7"],
      ["library", "fuse", "7", "8"], ["segment", "list"], ["segment", "show", "x"],
      ["segment", "find", "a.gpx", "--from", "1,1", "--to", "1,2"],
    ])
  func failures(arguments: [String]) throws {
    try withFixtures { (folder) throws in
      let outcome = try GhostConvertProgram.run(arguments + ["--json"], in: folder.url)
      #expect(outcome.status == 66, "\(outcome.errors)")
      for line in outcome.text.split(separator: "\n") {
        let record = try jsonObject(Data(line.utf8))
        #expect(record["state"] as? String == "failed")
        #expect((record["error"] as? [String: Any])?["code"] as? String == "not-found", "\(line)")
      }
      #expect(!outcome.text.isEmpty)
    }
  }

  @Test("An offset with a sign is in hours and minutes, and the message contains the offset")
  func shift() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      for (offset, time, words) in [
        ("+01:00", "07:12:30", "shifted by 1 h"), ("1:00", "06:13:30", "shifted by 1 min"),
        ("-00:30", "05:42:30", "shifted by -30 min"),
      ] {
        let outcome = try folder.run("convert", "commute.gpx", "--shift", offset, "--to", "gpx")
        #expect(outcome.text.contains("<time>2024-05-17T\(time)Z</time>"))
        #expect(outcome.errors.contains(words))
      }
      for offset in ["999999999999h", "-3500001d"] {
        let outcome = try folder.run("convert", "commute.gpx", "--shift", offset, "--to", "gpx")
        #expect(outcome.status == 64 && outcome.text.isEmpty)
        #expect(outcome.errors.contains("below 9,500 years"))
      }
    }
  }

  @Test("The version can be requested in three ways", arguments: ["--version", "-V", "version"])
  func version(argument: String) throws {
    try withFixtures { (folder) throws in
      let outcome = try folder.run(argument)
      #expect(outcome.status == 0 && outcome.text.hasPrefix("ghost-convert "))
    }
  }

  @Test(
    "--quiet suppresses warnings and keeps errors",
    arguments: [
      ["info"], ["convert", "--to", "gpx"], ["ghost", "--at", "1"], ["import", "--blob", "-o", "-"],
    ])
  func quiet(command: [String]) throws {
    try withFixtures("cut-off.gpx") { (folder) throws in
      let arguments = [command[0], "cut-off.gpx"] + command.dropFirst()
      #expect(!(try GhostConvertProgram.run(arguments, in: folder.url)).errors.isEmpty)
      for option in ["-q", "--quiet"] {
        let outcome = try GhostConvertProgram.run(arguments + [option], in: folder.url)
        #expect(outcome.errors.isEmpty && !outcome.output.isEmpty)
      }
      let missing = [command[0], "missing.gpx", "-q"] + command.dropFirst()
      #expect(try GhostConvertProgram.run(missing, in: folder.url).errorLines.count == 1)
    }
  }

  @Test(
    "The options that an error suggests are options of the command",
    arguments: [
      ["laps", "b.json", "--gate", "46.001,7.5", "--finish", "46.004,7.5"],
      ["segment", "find", "--from", "46.001,7.5", "--to", "46.004,7.5", "b.json"],
      ["compare", "b.json", "b.json"], ["ghost", "b.json", "--at", "1"], ["import", "b.json"],
    ])
  func suggestedPace(command: [String]) throws {
    try withFixtures { folder in
      let points = (0...50).map { "{\"lat\":\(46 + Double($0) / 10_000),\"lon\":7.5}" }
      try folder.write("[" + points.joined(separator: ",") + "]", to: "b.json")
      let outcome = try GhostConvertProgram.run(command, in: folder.url)
      #expect(outcome.status == 65 && outcome.errors.contains("--duration 24:30 or --speed 50km/h"))
      for option in [["--duration", "24:30"], ["--speed", "50km/h"]] {
        let paced = try GhostConvertProgram.run(command + option, in: folder.url)
        #expect(paced.status == 0, "\(paced.errors)")
      }
    }
  }

  @Test("JSON names inputs in the key source, even missing inputs")
  func source() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let outcome = try folder.run("info", "--json", "commute.gpx", "missing.gpx")
      #expect(outcome.status == 66)
      let records = try outcome.text.split(separator: "\n").map { try jsonObject(Data($0.utf8)) }
      #expect(records.map { $0["source"] as? String } == ["commute.gpx", "missing.gpx"])
      #expect(records.map { $0["state"] as? String } == [nil, "failed"])
      _ = try folder.run("compare", "commute.gpx", "commute.gpx", "-o", "a.geojson")
      let features = try #require(try folder.json("a.geojson")["features"] as? [[String: Any]])
      let properties = features.compactMap { $0["properties"] as? [String: Any] }
      #expect(properties.contains { $0["source"] as? String == "commute.gpx" })
      #expect(!properties.contains { $0["file"] != nil })
    }
  }

  @Test("--to names the format of a comparison on standard output")
  func compareToStandardOutput() throws {
    try withFixtures("tuesday.gpx", "thursday.gpx") { (folder) throws in
      let outcome = try folder.run("compare", "tuesday.gpx", "thursday.gpx", "-o", "-", "--to", "kml")
      #expect(outcome.status == 0 && outcome.text.hasPrefix("<?xml") && outcome.text.hasSuffix("</kml>\n"))
      let nameless = try folder.run("compare", "tuesday.gpx", "thursday.gpx", "-o", "-")
      #expect(nameless.status == 64 && nameless.errors.contains("--to kml"))
    }
  }

  @Test(
    "Options for outputs need an output that they apply to",
    arguments: [
      ["--tour"], ["--tour", "-o", "a.html"], ["--basemap", "https://a/{z}/{x}/{y}.png", "-o", "a.kml"],
      ["--colors", "tol-bright"], ["--colors", "tol-bright", "-o", "a.csv"], ["--full", "-o", "a.gpx"],
      ["--to", "kml"], ["-o", "-", "--to", "kml", "--json"],
    ])
  func inapplicable(options: [String]) throws {
    try withFixtures("tuesday.gpx", "thursday.gpx") { (folder) throws in
      let outcome = try GhostConvertProgram.run(
        ["compare", "tuesday.gpx", "thursday.gpx"] + options, in: folder.url)
      #expect(outcome.status == 64 && outcome.output.isEmpty)
      #expect(try folder.names() == ["thursday.gpx", "tuesday.gpx"])
    }
  }

  @Test("A named pipe among several inputs is skipped with a message")
  func namedPipe() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      for command in [
        "info -q pipe commute.gpx", "convert pipe commute.gpx -o all.gpx", "compare pipe commute.gpx",
      ] {
        let outcome = try folder.shell(
          "mkfifo -m 600 pipe 2>/dev/null; timeout 20 \"$GHOST_CONVERT\" \(command)")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("pipe: a named pipe among several inputs, skipped"))
      }
      #expect(try folder.text("all.gpx").contains("Morning commute"))
      let records = try folder.shell(
        "printf 'pipe\\ncommute.gpx\\n' | timeout 20 \"$GHOST_CONVERT\" import --stdin-paths --json")
      #expect(records.status == 0)
      let lines = records.text.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.first?.contains("a named pipe among several inputs, skipped") == true)
      #expect(lines.last?.contains("Morning commute") == true)
    }
  }

  @Test("A named pipe that is the only input is read", arguments: ["laps", "info", "ghost --at 0:10"])
  func onlyNamedPipe(_ command: String) throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let outcome = try folder.shell(
        "mkfifo -m 600 pipe; cat commute.gpx >pipe & timeout 20 \"$GHOST_CONVERT\" \(command) pipe; status=$?; "
          + "kill $! 2>/dev/null; exit $status")
      #expect(outcome.status != 124 && !outcome.errors.contains("named pipe"))
    }
  }

  @Test("A missing file is a record in JSON, in every command")
  func missingFile() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let info = try folder.run("info", "nope.gpx", "--json")
      for arguments in [["compare", "nope.gpx", "commute.gpx"], ["ghost", "nope.gpx", "--at", "3"]] {
        let outcome = try GhostConvertProgram.run(arguments + ["--json"], in: folder.url)
        #expect(outcome.status == 66)
        #expect(outcome.text == info.text)
      }
    }
  }

  @Test("A pipe from the shell can be compared with a file")
  func shellPipe() throws {
    try withFixtures("tuesday.gpx", "thursday.gpx") { (folder) throws in
      let outcome = try folder.shell(
        "cat tuesday.gpx | timeout 20 \"$GHOST_CONVERT\" compare /dev/fd/0 thursday.gpx")
      #expect(outcome.status == 0)
    }
  }

  @Test("Text has local times with an offset, JSON has UTC")
  func localTime() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      func info(_ options: String) throws -> String {
        try folder.shell("TZ=Europe/Berlin \"$GHOST_CONVERT\" info commute.gpx \(options)").text
      }
      #expect(try info("").contains("2024-05-17T08:12:30+02:00 to 2024-05-17T08:14:10+02:00"))
      #expect(try info("--utc").contains("2024-05-17T06:12:30Z to 2024-05-17T06:14:10Z"))
      #expect(try info("--json").contains("2024-05-17T06:12:30.000Z"))
      // Times of day are read in the zone in which they are printed.
      for (stretch, options, count) in [
        ("08:12..08:13", "", "1 of"), ("06:12..06:13", "--utc", "1 of"), ("06:12..06:13", "", "42 of"),
      ] {
        let outcome = try folder.shell(
          "TZ=Europe/Berlin \"$GHOST_CONVERT\" convert commute.gpx --crop \(stretch) \(options) --to gpx")
        #expect(outcome.errors.contains("points removed"))
        #expect(outcome.errors.contains("crop: 42 of 42") == (count == "42 of"))
      }
    }
  }

  @Test(
    "Times without a zone are local, or in UTC with --utc",
    arguments: [
      ("convert commute.gpx --to gpx --crop 2024-05-17T08:12..2024-05-17T08:13", "crop: 21 of 42"),
      ("convert commute.gpx --to gpx --crop 2024-05-17T06:12..2024-05-17T06:13 --utc", "crop: 21 of 42"),
      ("convert commute.gpx --to gpx --crop 2024-05-17T06:12Z..2024-05-17T08:13", "crop: 21 of 42"),
      ("ghost commute.gpx --at 2024-05-17T08:12:30", "0.0 s  46.948"),
      ("ghost commute.gpx --at 2024-05-17T06:12:30 --utc", "0.0 s  46.948"),
      ("ghost commute.gpx --at 2024-05-17T06:12:30Z", "0.0 s  46.948"),
      ("convert no-times.gpx --to gpx --speed 50km/h --start 2024-05-17T08:12", "2024-05-17T06:12:00Z"),
      ("convert no-times.gpx --to gpx --speed 50km/h --start 2024-05-17T08:12 --utc", "2024-05-17T08:12:00Z"),
    ])
  func localMoments(command: String, text: String) throws {
    try withFixtures("commute.gpx", "no-times.gpx") { (folder) throws in
      let outcome = try folder.shell("TZ=Europe/Berlin \"$GHOST_CONVERT\" \(command)")
      #expect((outcome.text + outcome.errors).contains(text), "\(outcome.text)\(outcome.errors)")
    }
  }

  @Test("Exported files are named by the local day, as library list shows it")
  func localDaysOfFiles() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      #expect(try folder.run("import", "commute.gpx", "--library", "drives.gpkg").status == 0)
      let export = "library export --all --to gpx --output-directory"
      _ = try folder.shell("TZ=Pacific/Honolulu \"$GHOST_CONVERT\" \(export) a")
      _ = try folder.shell("TZ=Pacific/Honolulu \"$GHOST_CONVERT\" \(export) b --utc")
      func names(_ name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/" + name)
      }
      // 06:12 UTC is 20:12 of the previous day in Honolulu.
      #expect(try names("a") == ["2024-05-16-2012-Morning commute.gpx"])
      #expect(try names("b") == ["2024-05-17-0612-Morning commute.gpx"])
    }
  }

  @Test("The tooltips of a map use the units of --units")
  func tooltips() throws {
    try withFixtures("tuesday.gpx", "thursday.gpx") { (folder) throws in
      let run = ["compare", "tuesday.gpx", "thursday.gpx", "-o", "map.html", "--units"]
      #expect(try GhostConvertProgram.run(run + ["imperial"], in: folder.url).status == 0)
      let imperial = try folder.text("map.html")
      #expect(imperial.contains("<title>0.0–0.1 mi: ") && !imperial.contains(" km: thursday gained"))
      // The axis of the plot, the table of legs, the scale bar and the script.
      #expect(imperial.contains("0.5 mi<") && imperial.contains(" ft<") && !imperial.contains(" km<"))
      #expect(imperial.contains(#""units":"imperial""#))
      #expect(try GhostConvertProgram.run(run + ["metric", "--force"], in: folder.url).status == 0)
      #expect(try folder.text("map.html").contains("<title>0.0–0.1 km: "))
    }
  }

  @Test("A gap of 20 hours is reported by every command that creates a drive from the recording")
  func longGap() throws {
    try withFixtures { (folder) throws in
      let points = (0..<1000).map { index in
        let time = 1_714_521_600 + index + (index > 499 ? 72_000 : 0)
        return "\(50 + Double(index) / 10_000),8,\(time)"
      }
      try folder.write("lat,lon,time\n" + points.joined(separator: "\n") + "\n", to: "gap.csv")
      for command in [
        ["compare", "gap.csv", "gap.csv"], ["ghost", "gap.csv", "--at", "1:00"], ["info", "gap.csv"],
        ["import", "gap.csv"], ["convert", "gap.csv", "-o", "gap.gpx"],
      ] {
        let outcome = try GhostConvertProgram.run(command, in: folder.url)
        #expect(
          outcome.errors.contains("gap of more than 6 h between points of one drive: \"20 h\" (point 501)"),
          "\(command[0]): \(outcome.errors)")
      }
    }
  }

  @Test(
    "Import rejects arguments that it cannot apply",
    arguments: [
      (["commute.gpx", "--json", "-o", "-"], "--json or -o -, not both"),
      (["drives.gpkg#AB"], "drives of a library cannot"),
    ])
  func refusedByImport(arguments: [String], text: String) throws {
    try withFixtures("commute.gpx") { (folder) throws in
      #expect(try folder.run("import", "commute.gpx", "--library", "drives.gpkg").status == 0)
      let outcome = try GhostConvertProgram.run(["import"] + arguments, in: folder.url)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }
  }

  @Test(
    "Distances and speeds are metric unless --units imperial is given",
    arguments: [
      (["info", "tuesday.gpx"], "3.69 km", "2.29 mi"),
      (["ghost", "tuesday.gpx", "--at", "100"], " km/h", " mph"),
      (["compare", "tuesday.gpx", "thursday.gpx"], "over 4.4 km", "over 2.7 mi"),
      (["import", "tuesday.gpx"], "3.69 km,", "2.29 mi,"),
      (["import", "tuesday.gpx"], " m from the recording", " ft from the recording"),
    ])
  func units(arguments: [String], metric: String, imperial: String) throws {
    try withFixtures("tuesday.gpx", "thursday.gpx") { (folder) throws in
      let outcome = try GhostConvertProgram.run(arguments, in: folder.url).text
      #expect(outcome.contains(metric) && !outcome.contains(" mi"), "\(outcome)")
      let text = try GhostConvertProgram.run(arguments + ["--units", "imperial"], in: folder.url).text
      #expect(text.contains(imperial) && !text.contains("km"))
    }
  }

  @Test("An unknown time zone is reported once, if local times are shown or read")
  func unknownZone() throws {
    try withFixtures("tuesday.gpx", "thursday.gpx") { (folder) throws in
      func errors(_ zone: String, _ arguments: String) throws -> String {
        try folder.shell("TZ='\(zone)' \"$GHOST_CONVERT\" \(arguments)").errors
      }
      let warning = "ghost-convert: warning: TZ is not a known time zone, times are in UTC: \"Mars/Phobos\"\n"
      #expect(try errors("Mars/Phobos", "info tuesday.gpx thursday.gpx") == warning)
      #expect(try errors("Mars/Phobos", "convert tuesday.gpx --crop 6:00..20:00 -o a.gpx").hasPrefix(warning))
      for zone in ["../../../etc/passwd", "Europe"] {
        #expect(try errors(zone, "info tuesday.gpx").contains("TZ is not a known time zone"), "\(zone)")
      }
      #expect(try errors("Europe/Berlin", "info tuesday.gpx").isEmpty)
      #expect(try errors("Mars/Phobos", "info --utc tuesday.gpx").isEmpty)
      for zone in ["", "UTC", "CET-1CEST,M3.5.0,M10.5.0/3", "<+0530>-5:30", ":UTC0"] {
        #expect(try errors(zone, "info tuesday.gpx").isEmpty, "\(zone)")
      }
    }
  }

  @Test("A ghost is shown at a time of day with a T, and --crop accepts the same form")
  func timesOfDay() throws {
    try withFixtures { (folder) throws in
      // From 2024-05-14T06:00:00Z to 06:00:40Z, at 10 m/s.
      try folder.write(DrivenRoad().driving(toEast: 400, seconds: 40).gpx(), to: "a.gpx")
      let elapsed = try folder.run("ghost", "a.gpx", "--at", "30")
      let clock = try folder.run("ghost", "a.gpx", "--at", "T06:00:30")
      #expect(clock.status == 0 && clock.output == elapsed.output && clock.errors.isEmpty, "\(clock.errors)")
      let mistaken = try folder.run("ghost", "a.gpx", "--at", "6:00:30")
      #expect(mistaken.errors.contains("for the time of day, write T6:00:30"), "\(mistaken.errors)")
      for range in ["6:00:10..6:00:20", "T06:00:10..T06:00:20"] {
        let cropped = try folder.run("convert", "a.gpx", "--crop", range, "-o", "b.gpx", "--force")
        #expect(cropped.status == 0)
        #expect(try folder.text("b.gpx").ranges(of: "<trkpt").count == 11)
      }
    }
  }

  @Test(
    "The times of a drive without a start cannot be cropped or shifted", arguments: ["import", "convert"])
  func unknownStart(command: String) throws {
    try withFixtures { (folder) throws in
      let timed = DrivenRoad().driving(toEast: 400, seconds: 40).document(duration: 100)
      try folder.write(timed.replacing(/"(start|end)Time": *"[^"]*", */, with: ""), to: "a.drive.json")
      for (options, action) in [
        (["--shift", "1h"], "shifted"), (["--crop", "6:00..7:00"], "cropped"),
        (["--crop", "1999-09-09T09:09:30Z.."], "cropped"),
        (["--crop", "6:00..7:00", "--shift", "1h"], "shifted or cropped"),
      ] {
        let outcome = try GhostConvertProgram.run(
          [command, "a.drive.json", "-o", "b.drive.json"] + options, in: folder.url)
        #expect(outcome.status == 65)
        #expect(
          outcome.errors.contains("no start time, so the times cannot be \(action)"), "\(outcome.errors)")
      }
    }
  }

  @Test("The recorder's clock starts with the recording, not with the first fix")
  func recorderClock() throws {
    try withFixtures { (folder) throws in
      let outcome = try folder.shell(
        """
        (sleep 2; echo time,lat,lon; for i in 1 2 3; do echo "$(date -u +%Y-%m-%dT%H:%M:%SZ),46.5,7.5$i"; sleep 1; done) \
        | "$GHOST_CONVERT" record --input - -o a.gpx --json --quiet
        """)
      let drive = try jsonObject(outcome.output)
      let seconds = try #require(drive["duration_s"] as? Double)
      // Two seconds before the first fix and three seconds of fixes.
      #expect((4.5...8).contains(seconds))
    }
  }

  @Test("Dates without a zone are in the zone in which library list prints them")
  func localDates() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      #expect(try folder.run("import", "commute.gpx", "--library", "drives.gpkg").status == 0)
      func list(_ options: String) throws -> String {
        try folder.shell("TZ=Pacific/Auckland \"$GHOST_CONVERT\" library list \(options)").text
      }
      // 06:12 UTC is 18:12 in Auckland.
      #expect(try list("").contains("2024-05-17 18:12+12:00"))
      #expect(try list("--since 2024-05-17T18:00").contains("commute"))
      #expect(try list("--since 2024-05-17T18:30").contains("none of the library"))
      #expect(
        try list("--since 2024-05-17T06:00 --until 2024-05-17T07:00 --utc").contains("2024-05-17 06:12Z"))
      #expect(try list("--since 2024-05-17T06:00Z").contains("commute"))
    }
  }

  @Test("--quiet applies to the conversion of several files into a folder")
  func quietFolder() throws {
    try withFixtures("cut-off.gpx", "commute.gpx") { (folder) throws in
      let arguments = ["convert", "cut-off.gpx", "commute.gpx", "--to", "gpx", "--output-directory", "out"]
      #expect(try GhostConvertProgram.run(arguments, in: folder.url).errors.contains("warning"))
      #expect(try GhostConvertProgram.run(arguments + ["--quiet"], in: folder.url).errors.isEmpty)
    }
  }

  @Test("--quiet has the same description in every command that reads drives")
  func quietEverywhere() throws {
    try withFixtures { (folder) throws in
      var meanings: Set<String> = []
      for command in [
        "import", "convert", "info", "compare", "ghost", "record", "library list", "library show",
        "library routes", "library compare", "library export", "library set", "library fuse",
        "library remove",
        "library check",
      ] {
        let words = command.split(separator: " ").map(String.init) + ["--help"]
        let help = try GhostConvertProgram.run(words, in: folder.url).text
        let lines = help.split(separator: "\n").drop { !$0.contains("-q, --quiet") }
        let option = [lines.first ?? ""] + lines.dropFirst().prefix { !$0.contains(" -") }
        meanings.insert(option.joined(separator: " ").split(separator: " ").joined(separator: " "))
      }
      #expect(meanings.count == 1, "\(meanings)")
    }
  }

  @Test("--max-accuracy has the same effect in ghost and info")
  func accuracy() throws {
    try withFixtures { (folder) throws in
      // The accuracy of the second point is 20 m.
      try folder.write(
        """
        time,lat,lon,accuracy
        2024-05-17T06:00:00Z,46.5,7.5,5
        2024-05-17T06:00:10Z,46.5,7.51,20
        2024-05-17T06:00:20Z,46.5,7.5,5

        """, to: "a.csv")
      func place(_ options: String...) throws -> Double? {
        let outcome = try GhostConvertProgram.run(
          ["ghost", "a.csv", "--at", "10", "--json"] + options, in: folder.url)
        return try jsonObject(outcome.output)["lon"] as? Double
      }
      #expect(try place() == 7.5)
      #expect(try place("--max-accuracy", "25") == 7.51)
      #expect(try place("--max-accuracy", "none") == 7.51)
      func distance(_ options: String...) throws -> Double? {
        let outcome = try GhostConvertProgram.run(["info", "a.csv", "--json"] + options, in: folder.url)
        return try jsonObject(outcome.output)["distance_m"] as? Double
      }
      #expect(try distance() == 0)
      // Twice 0.01° of longitude at 46.5° N, with 111.32 km × cos 46.5° per degree, within 1 %.
      #expect(abs(try #require(try distance("--max-accuracy", "none")) - 1532.5) < 15)
    }
  }

  @Test("The days of routes and of exported KML are local, or in UTC with --utc")
  func localDays() throws {
    try withFixtures { (folder) throws in
      let road = DrivenRoad().driving(toEast: 3000, seconds: 110)
      try folder.write(road.gpx(name: "one"), to: "one.gpx")
      // 20:00 UTC on 14 May is 08:00 on 15 May in Auckland.
      let evening = road.gpx(name: "two").replacing("T06:", with: "T20:")
      try folder.write(evening, to: "two.gpx")
      #expect(try folder.run("import", "one.gpx", "two.gpx", "--library", "drives.gpkg").status == 0)
      func text(_ command: String) throws -> String {
        try folder.shell("TZ=Pacific/Auckland \"$GHOST_CONVERT\" library \(command)").text
      }
      #expect(try text("routes").contains("2024-05-15"))
      #expect(try !text("routes --utc").contains("2024-05-15"))
      let id = try #require(
        try folder.shell("\"$GHOST_CONVERT\" library list -q | tail -1").text.split(separator: " ").first)
      #expect(try text("compare \(id)").contains("2024-05-14 to 2024-05-15"))
      #expect(try text("compare \(id) --utc").contains("2024-05-14 20:00Z"))
      #expect(try text("export --all --to kml").contains("two, 2024-05-15"))
      #expect(try text("export --all --to kml --utc").contains("two, 2024-05-14 20:00Z"))
    }
  }
}
