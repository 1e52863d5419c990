import Foundation
import Testing

@testable import TestSupport
@testable import TrackArchives
@testable import TrackFormats

/// Archives and folders as inputs of the commands.
@Suite("Archives and folders on the command line", .waiting)
struct ArchiveCommandTests {
  /// Returns a GPX recording due north with one point per second, `metres` apart, starting at `second` of
  /// the day.
  private static func gpx(second: Int, points: Int = 60, latitude: Double = 46.9, metres: Double = 10)
    -> [UInt8]
  {
    let rows = (0..<points).map { index in
      let time = second + index
      let clock = [time / 3600, time / 60 % 60, time % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(
        separator: ":")
      return "<trkpt lat=\"\(latitude + Double(index) * metres / 111_195)\" lon=\"7.4\">"
        + "<time>2024-05-17T\(clock)Z</time></trkpt>"
    }
    return Array(
      ("<?xml version=\"1.0\"?><gpx version=\"1.1\" creator=\"t\" xmlns=\"http://www.topografix.com/GPX/1/1\">"
        + "<trk><name>own</name><trkseg>" + rows.joined() + "</trkseg></trk></gpx>").utf8)
  }

  private static func zip(_ entries: [(String, [UInt8])], at url: URL) throws {
    let writer = try ArchiveWriter(ByteSink(path: url.path))
    for (name, content) in entries {
      try writer.beginEntry(name)
      try writer.write(content.span)
    }
    try writer.finish()
  }

  /// A Strava export: three rides, an activity without a file, a damaged file, and a picture.
  private static let table = """
    ID,Datum,Name,Art,Beschreibung,Sekunden,km,Rad,Datei
    1,"17.05.2024, 06:00:00",Morgens,Radfahrt,"Zwei
    Zeilen",59,1,Stadtrad,activities/1.gpx
    2,"17.05.2024, 08:00:00","../böse/Fahrt",Radfahrt,,59,1,,activities/2.gpx
    3,"17.05.2024, 09:00:00",Kraft,Training,,59,0,,
    4,"17.05.2024, 10:00:00",Kaputt,Radfahrt,,59,1,,activities/4.gpx
    """

  private static func export(_ folder: TemporaryFolder) throws {
    try zip(
      [
        ("activities.csv", Array(table.utf8)), ("activities/1.gpx", gpx(second: 6 * 3600)),
        ("activities/2.gpx", gpx(second: 8 * 3600, latitude: 47)),
        ("activities/4.gpx", Array("<gpx><trk>".utf8)),
        ("media/a.jpg", [0xFF, 0xD8, 0xFF]),
      ], at: folder.url.appendingPathComponent("export.zip"))
  }

  @Test(
    "A session of RaceChrono is named in the error",
    arguments: [
      ("a.rcz", ["session.json", "sessionfragment.json", "channel_1_100_0_1_1"]),
      ("a.zip", ["1/session.json", "1/channel_1"]), ("a.rcz", ["sessions/1.json"]),
    ])
  func raceChrono(_ name: String, _ entries: [String]) throws {
    try withFixtures { (folder) throws in
      try Self.zip(entries.map { ($0, Array("{}".utf8)) }, at: folder.url.appendingPathComponent(name))
      for arguments in [["info"], ["convert", "-o", "out.gpx"], ["import", "--output-directory", "out"]] {
        let outcome = try GhostConvertProgram.run(arguments + [name], in: folder.url)
        #expect(outcome.status == 65)
        let message =
          "\(name): is a RaceChrono session, which cannot be read; export it as CSV v3 from RaceChrono"
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
      }
    }
  }

  @Test("Outputs keep the folders of an archive and of a nested archive, unless --flat is given")
  func folders() throws {
    try withFixtures { (folder) throws in
      let inner = folder.url.appendingPathComponent("inner.zip")
      try Self.zip([("c/3.gpx", Self.gpx(second: 9 * 3600, latitude: 48))], at: inner)
      try Self.zip(
        [
          ("a/1.gpx", Self.gpx(second: 6 * 3600)), ("a/b/2.gpx", Self.gpx(second: 8 * 3600, latitude: 47)),
          ("d/inner.zip", Array(try Data(contentsOf: inner))),
        ], at: folder.url.appendingPathComponent("t.zip"))
      for (command, ending) in [(["convert", "--to", "csv"], "csv"), (["import"], "drive.json")] {
        for (options, expected) in [([], ["a/1", "a/b/2", "d/c/3"]), (["--flat"], ["1", "2", "3"])] {
          let arguments = command + options + ["t.zip", "--output-directory", "out"]
          #expect(try GhostConvertProgram.run(arguments, in: folder.url).status == 0)
          let out = folder.url.appendingPathComponent("out")
          let found = FileManager.default.enumerator(atPath: out.path)?.compactMap { $0 as? String }
            .filter { $0.hasSuffix(ending) }
          #expect(found?.sorted() == expected.map { "\($0).\(ending)" })
          try FileManager.default.removeItem(at: out)
        }
      }
    }
  }

  @Test("A Strava export becomes drives with the table's names, and the summary accounts for every entry")
  func strava() throws {
    try withFixtures { (folder) throws in
      try Self.export(folder)
      let outcome = try folder.run("import", "export.zip", "--output-directory", "drives")
      #expect(outcome.status == 65)
      #expect(try folder.names() == ["drives", "export.zip"])
      let drives = TemporaryFolder(existing: folder.url.appendingPathComponent("drives/activities"))
      #expect(try drives.names() == ["1.drive.json", "2.drive.json"])
      let drive = try drives.json("1.drive.json")
      #expect(drive["name"] as? String == "Morgens")
      #expect(drive["kind"] as? String == "Radfahrt")
      #expect(drive["notes"] as? String == "Zwei\nZeilen")
      #expect(drive["gear"] as? String == "Stadtrad")
      // The times of the file, not those of the table.
      #expect(drive["startTime"] as? String == "2024-05-17T06:00:00Z")
      #expect(drive["duration"] as? Double == 59)
      #expect(try drives.json("2.drive.json")["name"] as? String == "../böse/Fahrt")
      #expect(
        outcome.text.contains(
          "export.zip/activities.csv:5 (Kraft, 17.05.2024, 09:00:00): skipped: entered by hand"))
      #expect(
        outcome.text.contains("6 inputs: 2 imported (2 drives), 0 duplicates, 3 skipped, 1 failed"),
        "\(outcome.text)")
      #expect(outcome.errors.contains("export.zip/activities/4.gpx"))
    }
  }

  @Test("--json writes one line per entry, in the same order for every number of jobs")
  func lines() throws {
    try withFixtures { (folder) throws in
      try Self.export(folder)
      let texts = try ["1", "2", "7"].map { jobs in
        try folder.run("import", "export.zip", "--output-directory", "d", "--json", "--jobs", jobs).text
      }
      #expect(Set(texts).count == 1)
      let objects = try texts[0].split(separator: "\n").map { try jsonObject(Data($0.utf8)) }
      #expect(
        objects.map { $0["state"] as? String } == [
          "skipped", "imported", "imported", "failed", "skipped", "skipped",
        ])
      #expect(objects[1]["source"] as? String == "export.zip/activities/1.gpx")
      #expect(objects[5]["reason"] as? String == "entered-by-hand")
    }
  }

  @Test("A drive from two services is imported once and reported; --keep-duplicates imports it twice")
  func duplicates() throws {
    try withFixtures { (folder) throws in
      try Self.export(folder)
      // The same recording, without its last two points.
      let garmin = Self.gpx(second: 6 * 3600, points: 58)
      try Self.zip([("part.gpx", garmin)], at: folder.url.appendingPathComponent("inner.zip"))
      try Self.zip(
        [
          (
            "DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1.zip",
            Array(try folder.data("inner.zip"))
          ),
          ("DI_CONNECT/DI-Connect-User/user.json", Array("{}".utf8)),
        ], at: folder.url.appendingPathComponent("garmin.zip"))
      let outcome = try folder.run("import", "export.zip", "garmin.zip", "--output-directory", "d", "--json")
      let last = try #require(
        try outcome.text.split(separator: "\n").map { try jsonObject(Data($0.utf8)) }.first {
          $0["state"] as? String == "duplicate"
        })
      #expect(last["duplicate_of"] as? String == "export.zip/activities/1.gpx")
      #expect(outcome.errors.contains("1 duplicate,"))
      let both = try folder.run(
        "import", "export.zip", "garmin.zip", "--output-directory", "e", "--flat", "--keep-duplicates",
        "--quiet")
      #expect(both.status == 65)
      #expect(
        try TemporaryFolder(existing: folder.url.appendingPathComponent("e")).names()
          == ["1.drive.json", "2.drive.json", "part.drive.json"])
    }
  }

  @Test("Info shows an archive's contents and what an import would skip")
  func info() throws {
    try withFixtures { (folder) throws in
      try Self.export(folder)
      let outcome = try folder.run("info", "--json", "export.zip")
      #expect(outcome.status == 65)
      #expect(outcome.errorLines.count == 1)
      let object = try jsonObject(outcome.output)
      #expect(object["trackpoints"] as? Int == 120)
      #expect(object["tracks"] as? Int == 2)
      #expect(object["export"] as? String == "Strava")
      #expect(object["formats"] as? [String: Int] == ["gpx": 2])
      #expect(object["earliest_time"] as? String == "2024-05-17T06:00:00.000Z")
      #expect(object["latest_time"] as? String == "2024-05-17T08:00:59.000Z")
      #expect((object["failed"] as? [Any])?.count == 1)
      let skipped = try #require(object["skipped"] as? [[String: Any]])
      #expect(skipped.map { $0["reason"] as? String } == ["no-activity", "entered-by-hand"])
      #expect(skipped.map { $0["count"] as? Int } == [2, 1])
      let text = try folder.run("info", "export.zip").text
      for part in [
        "export    Strava", "inputs    6: 2 gpx, 3 skipped, 1 failed",
        "dates     2024-05-17T06:00:00Z to 2024-05-17T08:00:59Z",
      ] {
        #expect(text.contains(part), "\(text)")
      }
    }
  }

  @Test(
    "Convert writes each entry to a separate file with a safe name, or all entries to one file",
    arguments: ["1", "3"])
  func convert(jobs: String) throws {
    try withFixtures("commute.gpx") { (folder) throws in
      try Self.zip(
        [
          ("a/ride.gpx", Self.gpx(second: 0)), ("b/ride.gpx", Self.gpx(second: 100)),
          ("../../../climbs.gpx", Self.gpx(second: 200)),
        ], at: folder.url.appendingPathComponent("x.zip"))
      let outcome = try folder.run(
        "convert", "x.zip", "--to", "gpx", "--output-directory", "out", "--jobs", jobs)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let out = TemporaryFolder(existing: folder.url.appendingPathComponent("out"))
      #expect(try out.names() == ["a", "b", "climbs.gpx"])
      #expect(try out.text("a/ride.gpx").contains("00:00:00Z"))
      #expect(try out.text("b/ride.gpx").contains("00:01:40Z"))
      #expect(try folder.run("convert", "x.zip", "commute.gpx", "-o", "all.gpx").status == 0)
      let tracks = try folder.text("all.gpx").components(separatedBy: "<trkseg>").count - 1
      // One per entry, and two for commute.gpx.
      #expect(tracks == 5)
    }
  }

  @Test("Standard input, a tar archive and an unpacked folder give the same drives as the archive")
  func sources() throws {
    try withFixtures { (folder) throws in
      try Self.zip(
        [("one.gpx", Self.gpx(second: 0)), ("two.gpx", Self.gpx(second: 100))],
        at: folder.url.appendingPathComponent("x.zip"))
      let unpacked = folder.url.appendingPathComponent("in")
      try FileManager.default.createDirectory(at: unpacked, withIntermediateDirectories: false)
      try Data(Self.gpx(second: 0)).write(to: unpacked.appendingPathComponent("one.gpx"))
      try Data(Self.gpx(second: 100)).write(to: unpacked.appendingPathComponent("two.gpx"))
      let outcome = try folder.shell(
        """
        tar czf x.tar.gz -C in . && gzip -k in/one.gpx && mv in/one.gpx.gz . &&
        $GHOST_CONVERT import x.zip --output-directory a -q &&
        cat x.zip | $GHOST_CONVERT import - --output-directory b -q &&
        $GHOST_CONVERT import x.tar.gz --output-directory c -q &&
        $GHOST_CONVERT import in --output-directory d -q &&
        cat x.tar.gz | $GHOST_CONVERT import - --output-directory e -q &&
        $GHOST_CONVERT import one.gpx.gz -q &&
        diff -r a b && diff -r a c && diff -r a d && diff -r a e && cmp a/one.drive.json one.drive.json
        """)
      #expect(outcome.status == 0, "\(outcome.errors) \(outcome.text)")
    }
  }

  @Test("Temporary files are created in TMPDIR and removed afterwards")
  func temporaryFolder() throws {
    try withFixtures { (folder) throws in
      try Self.zip([("one.gpx", Self.gpx(second: 0))], at: folder.url.appendingPathComponent("x.zip"))
      let outcome = try folder.shell(
        """
        mkdir spools && cat x.zip | TMPDIR=$PWD/spools $GHOST_CONVERT import - --output-directory a -q &&
        ls spools && cat x.zip | TMPDIR= $GHOST_CONVERT import - --output-directory b -q && diff -r a b &&
        cat x.zip | TMPDIR=$PWD/missing $GHOST_CONVERT import - --output-directory c -q
        """)
      #expect(outcome.status == 73 && outcome.text.isEmpty, "\(outcome.text)")
      #expect(outcome.errors.contains("missing/"), "\(outcome.errors)")
    }
  }

  @Test("An archive without --output-directory is a usage error, and nothing is written")
  func noFolder() throws {
    try withFixtures { (folder) throws in
      try Self.export(folder)
      let outcome = try folder.run("import", "export.zip")
      #expect(outcome.status == 64)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.contains("--output-directory"))
      #expect(try folder.names() == ["export.zip"])
      #expect(try folder.run("import", ".").status == 64)
    }
  }

  // MARK: Takeout

  /// Returns ten points of a phone's recording on `day`, a minute apart from 08:00.
  private static func records(_ day: String) -> String {
    (0..<10).map {
      "{\"latitudeE7\":\(469_000_000 + $0 * 10_000),\"longitudeE7\":74000000,\"timestamp\":\"\(day)T08:0\($0):00Z\"}"
    }.joined(separator: ",")
  }

  private static func takeout(_ records: [String], _ folder: TemporaryFolder) throws {
    let month = """
      {"timelineObjects":[{"activitySegment":{"startLocation":{"latitudeE7":469000000,"longitudeE7":74000000},
      "endLocation":{"latitudeE7":469100000,"longitudeE7":74000000},"activityType":"IN_PASSENGER_VEHICLE",
      "duration":{"startTimestamp":"2021-01-05T08:00:00Z","endTimestamp":"2021-01-05T08:10:00Z"}}}]}
      """
    let history = "Takeout/Location History/"
    try zip(
      [
        (
          history + "Records.json",
          Array("{\"locations\":[\(records.map(Self.records).joined(separator: ","))]}".utf8)
        ),
        (history + "Semantic Location History/2021/2021_JANUARY.json", Array(month.utf8)),
      ], at: folder.url.appendingPathComponent("takeout.zip"))
  }

  @Test("Points of a Takeout recording are skipped only in months that have activities")
  func partlyCovered() throws {
    try withFixtures { (folder) throws in
      try Self.takeout(["2021-01-05", "2023-11-21"], folder)
      let outcome = try folder.run("import", "takeout.zip", "--output-directory", "d")
      #expect(outcome.status == 0)
      #expect(outcome.text.contains("2 inputs: 2 imported (2 drives)"), "\(outcome.text)")
      #expect(outcome.errors.contains("10 of 20 points skipped in months"), "\(outcome.errors)")
      let drives = TemporaryFolder(existing: folder.url.appendingPathComponent("d/Takeout/Location History"))
      #expect(try drives.json("Records.drive.json")["startTime"] as? String == "2023-11-21T08:00:00Z")
      let converted = try folder.run("convert", "takeout.zip", "-o", "all.gpx")
      #expect(converted.status == 0)
      #expect(converted.errors.contains("10 of 20 points skipped in months"))
      // Ten points of the recording, and the start and end of the activity.
      #expect(try folder.text("all.gpx").components(separatedBy: "<trkpt").count - 1 == 12)
    }
  }

  @Test("Import and info skip a recording whose months all have activities")
  func wholeCovered() throws {
    try withFixtures { (folder) throws in
      try Self.takeout(["2021-01-05", "2021-01-31"], folder)
      let outcome = try folder.run("import", "takeout.zip", "--output-directory", "d")
      #expect(outcome.text.contains("skipped 1: the same movements"), "\(outcome.text)")
      #expect(try folder.run("info", "takeout.zip").text.contains("1: the same movements"))
    }
  }

  @Test(
    "A truncated copy is a duplicate of a complete copy, but not vice versa"
  )
  func damagedCopies() throws {
    try withFixtures { folder in
      try folder.write(String(decoding: Self.gpx(second: 0, points: 600), as: UTF8.self), to: "a.gpx")
      let converted = try folder.run("convert", "a.gpx", "-o", "a.fit", "--fit-kind", "activity")
      #expect(converted.status == 0, "\(converted.errors)")
      let whole = Array(try folder.data("a.fit"))
      let cut = Array(whole.prefix(whole.count * 99 / 100))
      for (name, entries) in [
        ("first.zip", [("1.fit", cut), ("2.fit", whole), ("3.fit", cut)]),
        ("last.zip", [("1.fit", whole), ("2.fit", cut)]),
      ] {
        try Self.zip(entries, at: folder.url.appendingPathComponent(name))
      }
      let first = try folder.run("import", "first.zip", "--output-directory", "first")
      #expect(
        first.text.contains("3 inputs: 2 imported (2 drives), 1 duplicate, 0 skipped, 0 failed"),
        "\(first.text)")
      let last = try folder.run("import", "last.zip", "--output-directory", "last")
      #expect(last.text.contains("2 inputs: 1 imported (1 drive), 1 duplicate"), "\(last.text)")
    }
  }

  @Test("Duplicate drives within imported files are counted separately")
  func leftOut() throws {
    try withFixtures { folder in
      func track(_ second: Int) throws -> String {
        let text = String(decoding: Self.gpx(second: second), as: UTF8.self)
        let start = try #require(text.range(of: "<trk>")).lowerBound
        return String(text[start..<(try #require(text.range(of: "</gpx>")).lowerBound)])
      }
      let head = #"<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">"#
      try Self.zip(
        [
          ("1.gpx", Array((head + track(0) + track(600) + "</gpx>").utf8)),
          ("2.gpx", Array((head + track(0) + track(600) + track(1200) + "</gpx>").utf8)),
        ], at: folder.url.appendingPathComponent("in.zip"))
      let outcome = try folder.run("import", "in.zip", "--output-directory", "d")
      #expect(outcome.text.contains("2 inputs: 2 imported (3 drives), 0 duplicates"), "\(outcome.text)")
      #expect(outcome.text.contains("2 drives of those imported skipped as duplicates"), "\(outcome.text)")
    }
  }

  @Test("The report of a conversion to one output lists skipped inputs and the inputs in the output")
  func convertReport() throws {
    try withFixtures { folder in
      try Self.export(folder)
      let outcome = try folder.run("convert", "export.zip", "-o", "all.gpx", "--report", "-")
      let records = try outcome.text.split(separator: "\n").map { try jsonObject(Data($0.utf8)) }
      let states = records.map { "\($0["source"] ?? "") \($0["state"] ?? "") \($0["outputs"] ?? "none")" }
      #expect(
        states.filter { $0.contains("converted") }.sorted() == [
          "export.zip/activities/1.gpx converted [\"all.gpx\"]",
          "export.zip/activities/2.gpx converted [\"all.gpx\"]",
        ], "\(states)")
      #expect(states.contains("export.zip/activities/4.gpx failed none"), "\(states)")
      #expect(states.contains("export.zip/media/a.jpg skipped none"), "\(states)")
    }
  }

  @Test("Outputs that replace existing files are counted")
  func replaced() throws {
    try withFixtures { folder in
      try Self.export(folder)
      let first = try folder.run("convert", "export.zip", "--to", "csv", "--output-directory", "d")
      #expect(!first.errors.contains("took the place"), "\(first.errors)")
      let second = try folder.run("convert", "export.zip", "--to", "csv", "--output-directory", "d")
      #expect(
        second.errors.contains("d/: 2 outputs replaced existing files"), "\(second.errors)")
    }
  }

  @Test("A report can be written to the folder that the import creates")
  func reportInFolder() throws {
    try withFixtures { folder in
      try folder.write(String(decoding: Self.gpx(second: 0), as: UTF8.self), to: "a.gpx")
      #expect(
        try folder.run("import", "a.gpx", "--output-directory", "d", "--report", "d/r.ndjson").status == 0)
      #expect(
        try TemporaryFolder(existing: folder.url.appendingPathComponent("d")).names() == [
          "a.drive.json", "r.ndjson",
        ])
    }
  }

  // MARK: Interrupted imports

  @Test(
    "An interrupted import keeps the complete drives and reports them",
    arguments: [("INT", 130), ("TERM", 143)])
  func interrupted(signal: String, status: Int) throws {
    try withFixtures { folder in
      try folder.write(String(decoding: Self.gpx(second: 0), as: UTF8.self), to: "a.gpx")
      try folder.write(String(decoding: Self.gpx(second: 3600), as: UTF8.self), to: "c.gpx")
      let line = """
        mkfifo endless.gpx
        (head -c 100 a.gpx; sleep 20) > endless.gpx 2>/dev/null & feeder=$!
        $GHOST_CONVERT import a.gpx /dev/fd/3 c.gpx --output-directory d --report r.ndjson 3<endless.gpx >out 2>err &
        pid=$!
        sleep 1; kill -\(signal) $pid; wait $pid; echo $?
        kill $feeder 2>/dev/null; true
        """
      let outcome = try folder.shell(line)
      #expect(outcome.text.split(separator: "\n").last == "\(status)", "\(outcome.text) \(outcome.errors)")
      #expect(try folder.text("err").contains("stopped: 1 drive completed"))
      #expect(try folder.text("out").contains("d/a.drive.json"))
      #expect(try folder.text("r.ndjson").split(separator: "\n").count == 1)
      #expect(
        try TemporaryFolder(existing: folder.url.appendingPathComponent("d")).names() == ["a.drive.json"])
    }
  }

  // MARK: Existing outputs

  @Test("A drive does not replace another drive, and importing again changes nothing")
  func takenNames() throws {
    try withFixtures { (folder) throws in
      for (name, second) in [("a", 0), ("b", 3600)] {
        try Self.zip(
          [("1.gpx", Self.gpx(second: second))], at: folder.url.appendingPathComponent("\(name).zip"))
      }
      #expect(try folder.run("import", "a.zip", "--output-directory", "d").status == 0)
      let drives = TemporaryFolder(existing: folder.url.appendingPathComponent("d"))
      let first = try drives.data("1.drive.json")
      let other = try folder.run("import", "b.zip", "--output-directory", "d")
      #expect(other.status == 0)
      #expect(
        other.errors.contains("d/1.drive.json already exists with different contents"), "\(other.errors)")
      #expect(try drives.names() == ["1-2.drive.json", "1.drive.json"])
      #expect(try drives.data("1.drive.json") == first)
      let second = try drives.data("1-2.drive.json")
      for names in [["b.zip"], ["a.zip"], ["b.zip", "a.zip"], ["a.zip", "b.zip"]] {
        let again = try GhostConvertProgram.run(
          ["import"] + names + ["--output-directory", "d"], in: folder.url)
        #expect(again.status == 0)
      }
      #expect(try drives.names() == ["1-2.drive.json", "1.drive.json"])
      #expect(try drives.data("1.drive.json") == first)
      #expect(try drives.data("1-2.drive.json") == second)
    }
  }

  @Test(
    "A file that is not a drive is kept, and names that differ only in case get numbers"
  )
  func otherFiles() throws {
    try withFixtures { (folder) throws in
      try Self.zip(
        [("ride.gpx", Self.gpx(second: 0)), ("Ride.gpx", Self.gpx(second: 7200))],
        at: folder.url.appendingPathComponent("a.zip"))
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("d"), withIntermediateDirectories: true)
      try Data("mine".utf8).write(to: folder.url.appendingPathComponent("d/ride.drive.json"))
      #expect(try folder.run("import", "a.zip", "--output-directory", "d").status == 0)
      let drives = TemporaryFolder(existing: folder.url.appendingPathComponent("d"))
      #expect(try drives.names() == ["Ride-3.drive.json", "ride-2.drive.json", "ride.drive.json"])
      #expect(try drives.data("ride.drive.json") == Data("mine".utf8))
    }
  }

  // MARK: Kinds

  @Test(
    "--kind also matches the kinds of an export, and drives of other kinds are skipped with that reason")
  func kinds() throws {
    try withFixtures { (folder) throws in
      try Self.export(folder)
      let rides = try folder.run("import", "export.zip", "--output-directory", "d", "--kind", "Radfahrt")
      #expect(rides.text.contains("2 imported (2 drives)"), "\(rides.text)")
      let runs = try folder.run("import", "export.zip", "--output-directory", "e", "--kind", "Lauf")
      #expect(runs.text.contains("skipped 2: of other kinds than requested"), "\(runs.text)")
      #expect(!runs.text.contains("no track"))
      try Data(Self.gpx(second: 0)).write(to: folder.url.appendingPathComponent("o.gpx"))
      let single = try folder.run("import", "o.gpx", "--kind", "Lauf")
      #expect(single.status == 65)
      #expect(single.errors.contains("no track of the requested kinds"))
    }
  }

  // MARK: Damaged files

  @Test("A truncated gzip file is imported up to the damage with a warning, and rejected with --strict")
  func cutGzip() throws {
    try withFixtures { (folder) throws in
      try Data(Self.gpx(second: 0, points: 600)).write(to: folder.url.appendingPathComponent("a.gpx"))
      let packed = try folder.shell(
        "gzip -9n < a.gpx > a.gz; head -c $(($(wc -c < a.gz) - 900)) a.gz > cut.gpx.gz")
      #expect(packed.status == 0)
      let whole = try folder.shell("gzip -dc cut.gpx.gz 2> /dev/null | grep -o '</trkpt>' | wc -l")
      let count = try #require(Int(whole.text.filter(\.isNumber)))
      #expect(count > 10 && count < 600)
      let outcome = try folder.run("import", "cut.gpx.gz", "--json", "-o", "a.json")
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("warning: the compressed file is truncated"), "\(outcome.errors)")
      #expect(try jsonObject(outcome.output)["points_read"] as? Int == count)
      let strict = try folder.run("import", "cut.gpx.gz", "--strict", "-o", "b.json")
      #expect(strict.status == 65)
      #expect(strict.errors.contains("the compressed file is truncated"))
      #expect(try !folder.names().contains("b.json"))
    }
  }

  @Test("An altered byte in a compressed file is a warning, and an error with --strict")
  func alteredGzip() throws {
    try withFixtures { (folder) throws in
      var gzip = Gzip.stored(Self.gpx(second: 0, points: 600))
      let name = try #require(gzip.indices.first { gzip[$0...].starts(with: "own".utf8) })
      gzip[name] = UInt8(ascii: "O")
      try Data(gzip).write(to: folder.url.appending(path: "a.gpx.gz"))
      for input in ["a.gpx.gz", "-"] {
        let options = "import \(input) --json -o a.json < a.gpx.gz"
        let outcome = try folder.shell("$GHOST_CONVERT \(options)")
        #expect(outcome.status == 0)
        #expect(
          outcome.errors.contains("warning: wrong checksum of the compressed data"), "\(outcome.errors)")
        let strict = try folder.shell("$GHOST_CONVERT \(options) --strict")
        #expect(strict.status == 65 && strict.errors.contains("wrong checksum"), "\(strict.errors)")
      }
    }
  }

  // MARK: One input

  @Test("An archive or a folder with a single input behaves like that file")
  func oneInput() throws {
    try withFixtures { (folder) throws in
      let gpx = Self.gpx(second: 0)
      try Self.zip(
        [("ride.gpx", gpx), ("notes.txt", Array("dear diary".utf8))],
        at: folder.url.appendingPathComponent("one.zip"))
      #expect(try folder.run("import", "one.zip", "-o", "one.json").status == 0)
      #expect(try folder.json("one.json")["duration"] as? Double == 59)
      #expect(try folder.run("import", "one.zip").status == 0)
      #expect(try folder.names() == ["one.json", "one.zip", "ride.drive.json"])
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("f"), withIntermediateDirectories: true)
      try Data(gpx).write(to: folder.url.appendingPathComponent("f/race.gpx"))
      #expect(try folder.run("import", "f").status == 0)
      #expect(
        FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("f/race.drive.json").path))
      let compared = try folder.run("compare", "one.zip", "f/race.gpx")
      #expect(compared.status == 0, "\(compared.errors)")
    }
  }

  @Test("--merge creates one drive from all files of an archive")
  func merged() throws {
    try withFixtures { (folder) throws in
      try Self.zip(
        [("a.gpx", Self.gpx(second: 0)), ("b.gpx", Self.gpx(second: 100))],
        at: folder.url.appendingPathComponent("two.zip"))
      let refused = try folder.run("import", "two.zip", "-o", "one.json")
      #expect(refused.status == 64)
      #expect(refused.errors.contains("contains several files"))
      #expect(try folder.run("import", "two.zip", "--merge", "-o", "one.json").status == 0)
      // From the first second of the first file to the last second of the second.
      #expect(try folder.json("one.json")["duration"] as? Double == 159)
      #expect(try folder.run("import", "two.zip", "--merge").status == 0)
      #expect(try folder.names() == ["one.json", "two.drive.json", "two.zip"])
    }
  }

  @Test("An empty folder is reported as empty")
  func emptyFolder() throws {
    try withFixtures { (folder) throws in
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("e"), withIntermediateDirectories: true)
      for arguments in [
        ["import", "e", "--output-directory", "d"], ["import", "e", "-o", "x.json"], ["info", "e"],
      ] {
        let outcome = try GhostConvertProgram.run(arguments, in: folder.url)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("e: the folder is empty"), "\(outcome.errors)")
      }
    }
  }

  @Test("Info predicts what an import skips: duplicates, and inputs without a track")
  func foretold() throws {
    try withFixtures { (folder) throws in
      try Self.zip(
        [
          ("a.gpx", Self.gpx(second: 0)), ("b.gpx", Self.gpx(second: 2)), ("c.gpx", Self.gpx(second: 9000)),
          ("d.gpx", Self.gpx(second: 0, points: 0)),
        ], at: folder.url.appendingPathComponent("x.zip"))
      let object = try jsonObject(try folder.run("info", "--json", "x.zip").output)
      #expect(object["duplicates"] as? Int == 1)
      #expect(object["inputs_without_drive"] as? Int == 1)
      let outcome = try folder.run("import", "x.zip", "--output-directory", "d")
      #expect(
        outcome.text.contains("4 inputs: 2 imported (2 drives), 1 duplicate, 1 skipped, 0 failed"),
        "\(outcome.text)")
    }
  }
}
