import Foundation
import Testing

@testable import TrackFormats

/// Archives and folders as inputs of the commands.
@Suite("Archives and folders on the command line")
struct ArchiveCommandTests {
  /// A recording along a line: a point each second, so many metres apart, beginning so many seconds into a day.
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

  /// A Strava export of three rides, a row without a file, a damaged file, and a picture.
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

  @Test("An export becomes drives with its names, and every entry is accounted for")
  func strava() throws {
    try withFixtures { (folder) throws in
      try Self.export(folder)
      let outcome = try folder.run("import", "export.zip", "--output-directory", "drives")
      #expect(outcome.status == 65)
      #expect(try folder.names() == ["drives", "export.zip"])
      let drives = TemporaryFolder(url: folder.url.appendingPathComponent("drives"))
      #expect(try drives.names() == ["1.drive.json", "2.drive.json"])
      let drive = try drives.json("1.drive.json")
      #expect(drive["name"] as? String == "Morgens")
      #expect(drive["kind"] as? String == "Radfahrt")
      #expect(drive["notes"] as? String == "Zwei\nZeilen")
      #expect(drive["gear"] as? String == "Stadtrad")
      // The file's own times, not the table's.
      #expect(drive["startTime"] as? String == "2024-05-17T06:00:00Z")
      #expect(drive["duration"] as? Double == 59)
      #expect(try drives.json("2.drive.json")["name"] as? String == "../böse/Fahrt")
      #expect(
        outcome.text.contains(
          "export.zip/activities.csv:5 (Kraft, 17.05.2024, 09:00:00): skipped: entered by hand"))
      #expect(
        outcome.text.contains("6 entries: 2 imported as 2 drives, 0 duplicates, 3 skipped, 1 failed"),
        "\(outcome.text)")
      #expect(outcome.errors.contains("export.zip/activities/4.gpx"))
    }
  }

  @Test("For scripts each entry is one line, in the same order whatever the number of jobs")
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

  @Test("A drive that two services have is imported once, and said; asked to, twice")
  func duplicates() throws {
    try withFixtures { (folder) throws in
      try Self.export(folder)
      // The same ride by another device: two seconds later, with steps of its own.
      let garmin = Self.gpx(second: 6 * 3600 + 2, points: 60, metres: 10.3)
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
        "import", "export.zip", "garmin.zip", "--output-directory", "e", "--keep-duplicates", "--quiet")
      #expect(both.status == 65)
      #expect(
        try TemporaryFolder(url: folder.url.appendingPathComponent("e")).names()
          == ["1.drive.json", "2.drive.json", "part.drive.json"])
    }
  }

  @Test("Info says what is in an archive and what would be left out")
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
        "export    Strava", "inputs    2: 2 gpx", "dates     2024-05-17T06:00:00Z to 2024-05-17T08:00:59Z",
      ] {
        #expect(text.contains(part), "\(text)")
      }
    }
  }

  @Test(
    "Convert writes each entry to a file of its own, under a safe name, or all into one",
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
      let out = TemporaryFolder(url: folder.url.appendingPathComponent("out"))
      #expect(try out.names() == ["climbs.gpx", "ride-2.gpx", "ride.gpx"])
      #expect(try out.text("ride.gpx").contains("00:00:00Z"))
      #expect(try out.text("ride-2.gpx").contains("00:01:40Z"))
      #expect(try folder.run("convert", "x.zip", "commute.gpx", "-o", "all.gpx").status == 0)
      let tracks = try folder.text("all.gpx").components(separatedBy: "<trkseg>").count - 1
      // One of each entry, and two of the commute.
      #expect(tracks == 5)
    }
  }

  @Test("An archive from standard input, in a tar, and as an unpacked folder gives the same drives")
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

  @Test("Without a folder for its drives an archive is refused before anything is done")
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
}
