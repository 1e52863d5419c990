import DriveLibrary
import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

struct DriveLibraryTests {
  static let places = [(46.5, 7.5), (46.51, 7.52), (46.53, 7.51)].map {
    Coordinate(latitude: $0.0, longitude: $0.1)
  }

  @Test("A drive and its recording are read as they were added")
  func roundTrip() throws {
    let library = try TemporaryLibrary()
    let new = NewLibraryDrive.over(Self.places, name: "Zur Arbeit 🚗 'quoted'", kind: "driving")
    do {
      let writing = try DriveLibrary(path: library.path, mode: .creating)
      try writing.add([new])
      try writing.finish()
    }
    let reading = try DriveLibrary(path: library.path, mode: .reading)
    #expect(try reading.drive(new.drive.id) == new.drive)
    #expect(try reading.recording(new.drive.id) == new.recording)
    let summary = try #require(try reading.drives().first)
    #expect(summary.name == new.drive.name)
    #expect(summary.points == 3)
    #expect(summary.start == Self.places.first)
    #expect(summary.end == Self.places.last)
    #expect(summary.kind == "driving")
    #expect(summary.startTime == new.drive.startTime)
    #expect(try reading.check() == [])
    #expect(
      try reading.ids(beginningWith: String(new.drive.id.uuidString.prefix(6)).lowercased()) == [new.drive.id]
    )
  }

  @Test("Times have a precision of microseconds, and are also stored in the standard's format")
  func exactTimes() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    let drives = [-1_000_001, 1_714_543_929_123_456, 1_714_543_929_123_457].map { (time: Int64) in
      NewLibraryDrive.over(Self.places, start: Instant(microseconds: time))
    }
    try writing.add(drives.reversed())
    #expect(try writing.drives().map(\.startTime) == drives.map(\.drive.startTime))
    #expect(try drives.map { try writing.drive($0.drive.id) } == drives.map(\.drive))
    var filter = LibraryFilter()
    filter.since = drives[2].drive.startTime
    #expect(try writing.drives(filter).map(\.id) == [drives[2].drive.id])
    try writing.finish()
    #expect(
      try OtherProgram.sqlite(
        library.path, "SELECT group_concat(start_time) FROM (SELECT * FROM drives ORDER BY start_us)")
        == "1969-12-31T23:59:58.999Z,2024-05-01T06:12:09.123Z,2024-05-01T06:12:09.123Z")
  }

  @Test("Filters are equal only if all their conditions are")
  func filterEquality() {
    let place = Coordinate(latitude: 46.9, longitude: 7.4)
    let changes: [(inout LibraryFilter) -> Void] = [
      { $0.since = Instant(microseconds: 1) }, { $0.until = Instant(microseconds: 1) },
      { $0.near = .init(place: place, radius: 100) }, { $0.near = .init(place: place, radius: 200) },
      { $0.name = "commute" }, { $0.kind = "ride" },
    ]
    let filters = changes.map { change in
      var filter = LibraryFilter()
      change(&filter)
      return filter
    }
    for (index, filter) in filters.enumerated() {
      #expect(filter != LibraryFilter())
      #expect(filters.indices.filter { filters[$0] == filter } == [index])
    }
  }

  @Test("The same drive is stored once, even with another name")
  func idempotent() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    let first = NewLibraryDrive.over(Self.places, name: "First")
    try writing.add([first], hash: "a")
    try writing.add([NewLibraryDrive.over(Self.places, name: "Second")], hash: "b")
    #expect(try writing.drives().map(\.name) == ["First"])
    #expect(try writing.sources().map(\.path) == ["a.gpx", "b.gpx"])
  }

  @Test("The outcomes of inputs are kept, and the next attempt replaces a failure")
  func sources() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    let outcomes = [
      SourceOutcome(path: "a.gpx", contentHash: "a", size: 7, format: "gpx", state: .imported),
      SourceOutcome(path: "b.gpx", contentHash: "b", state: .failed, reason: "damaged"),
      SourceOutcome(path: "c.txt", contentHash: "c", state: .skipped, reason: "no track"),
    ]
    try writing.record(outcomes.map { ($0, []) }, run: try writing.beginRun(version: "1", command: "import"))
    #expect(try writing.sources() == outcomes)
    // The next attempt succeeds.
    let mended = SourceOutcome(path: "b.gpx", contentHash: "b", state: .imported)
    try writing.record([(mended, [])], run: nil)
    #expect(try writing.sources()[1] == mended)
  }

  @Test(
    "A search near a place finds the same drives as checking every line", arguments: 1...5,
    [
      Coordinate(latitude: 46.5, longitude: 7.5), Coordinate(latitude: -16.8, longitude: 180),
      Coordinate(latitude: 84, longitude: -179.9),
    ])
  func near(seed: UInt64, center: Coordinate) throws {
    var generator = SeededGenerator(seed: seed)
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    let drives = (0..<60).map { _ in NewLibraryDrive.random(around: center, using: &generator) }
    try writing.add(drives)
    for _ in 0..<8 {
      var filter = LibraryFilter()
      let place = Coordinate.random(around: center, using: &generator)
      let radius = Double.random(in: 100...20_000, using: &generator)
      filter.near = .init(place: place, radius: radius)
      let found = Set(try writing.drives(filter).map(\.id))
      let expected = Set(
        drives.filter {
          Geodesy.distance(from: place, toLine: $0.drive.coordinates) <= radius
        }.map(\.drive.id))
      #expect(found == expected, "seed \(seed), \(place), \(radius) m")
    }
  }

  @Test("A position at the antimeridian finds drives on both sides")
  func antimeridian() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    let west = [Coordinate(latitude: 0, longitude: -179.99), Coordinate(latitude: 0, longitude: -179.98)]
    let east = [Coordinate(latitude: 0, longitude: 179.98), Coordinate(latitude: 0, longitude: 179.99)]
    try writing.add([.over(west, name: "West"), .over(east, name: "East")])
    var filter = LibraryFilter()
    filter.near = .init(place: Coordinate(latitude: 0, longitude: 180), radius: 1500)
    #expect(Set(try writing.drives(filter).map(\.name)) == ["West", "East"])
    filter.near = .init(place: Coordinate(latitude: 0, longitude: 180), radius: 1000)
    #expect(try writing.drives(filter).isEmpty)
  }

  @Test("A drive with distant points on both sides of the antimeridian is found between them")
  func acrossAntimeridian() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    let places = [179.8, 179.9, -179.9, -179.8].map { Coordinate(latitude: 0, longitude: $0) }
    try writing.add([.over(places)])
    for longitude in [179.85, 179.95, 180, -179.95] {
      var filter = LibraryFilter()
      filter.near = .init(place: Coordinate(latitude: 0.001, longitude: longitude), radius: 500)
      #expect(try writing.drives(filter).count == 1, "\(longitude)")
    }
    #expect(try writing.check() == [])
  }

  @Test("Filters by time and name are combined")
  func filters() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    for (index, day) in ["2024-12-31T23:59:59Z", "2025-01-01T00:00:00Z", "2025-02-01T08:00:00Z"].enumerated()
    {
      let start = try #require(ISO8601.read(Array(day.utf8).span)?.instant)
      try writing.add([.over(Self.places, name: "Drive \(index)", start: start)], hash: day)
    }
    var filter = LibraryFilter()
    filter.since = ISO8601.read(Array("2025-01-01T00:00:00Z".utf8).span)?.instant
    #expect(try writing.drives(filter).map(\.name) == ["Drive 1", "Drive 2"])
    filter.until = ISO8601.read(Array("2025-02-01T00:00:00Z".utf8).span)?.instant
    #expect(try writing.drives(filter).map(\.name) == ["Drive 1"])
    filter = LibraryFilter()
    filter.name = "dRIVE 2"
    #expect(try writing.drives(filter).count == 1)
  }

  @Test("Removing a drive also removes it from the spatial index")
  func removal() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    let drives = [NewLibraryDrive.over(Self.places), .over(Array(Self.places.reversed()))]
    try writing.add(drives)
    #expect(try writing.remove(drives[0].drive.id))
    #expect(try !writing.remove(drives[0].drive.id))
    #expect(try writing.drives().map(\.id) == [drives[1].drive.id])
    #expect(try writing.check() == [])
    #expect(try writing.recording(drives[0].drive.id) == nil)
  }

  @Test("A change that fails is rolled back")
  func atomic() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    var broken = NewLibraryDrive.over(Self.places)
    // SQLite stores NaN as NULL, which the column refuses.
    broken.drive.duration = .nan
    #expect(throws: TrackError.self) {
      try writing.add([.over(Array(Self.places.reversed())), broken])
    }
    #expect(try writing.drives().isEmpty)
    #expect(try writing.sources().isEmpty)
    #expect(try writing.check() == [])
  }

  @Test("A file that is not a library is reported as such and not changed")
  func foreign() throws {
    let library = try TemporaryLibrary()
    try Data("no database at all, but long enough to look like one".utf8).write(
      to: URL(fileURLWithPath: library.path))
    expectError(.unknownFormat) { try DriveLibrary(path: library.path, mode: .creating) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: library.path)).count == 52)
  }

  @Test("A missing library is an error that suggests how to create one", arguments: [false, true])
  func missing(isWritten: Bool) throws {
    let library = try TemporaryLibrary()
    let error = #expect(throws: TrackError.self) {
      try DriveLibrary(path: library.path, mode: isWritten ? .writing : .reading)
    }
    #expect(error?.code == .notFound && error?.message == "no such file")
    #expect(error?.suggestion == .checkPathOrCreateLibrary)
    #expect(!FileManager.default.fileExists(atPath: library.path))
  }

  @Test("A library of a newer version is not changed")
  func newer() throws {
    let library = try TemporaryLibrary()
    _ = try DriveLibrary(path: library.path, mode: .creating)
    try OtherProgram.sqlite(library.path, "UPDATE library SET value = '99' WHERE key = 'version'")
    expectError(.unsupported) { try DriveLibrary(path: library.path, mode: .writing) }
  }

  @Test(
    "Header, tables and extension are those of a GeoPackage", .enabled(if: OtherProgram.sqlite3.isInstalled))
  func header() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    try writing.add([.over(Self.places)])
    try writing.finish()
    // 0x47504B47, "GPKG".
    #expect(try OtherProgram.sqlite(library.path, "PRAGMA application_id") == "1196444487")
    #expect(try OtherProgram.sqlite(library.path, "PRAGMA user_version") == "10300")
    #expect(
      try OtherProgram.sqlite(
        library.path,
        "SELECT min_x, min_y, max_x, max_y, srs_id FROM gpkg_contents WHERE table_name = 'drives'")
        == "7.5|46.5|7.52|46.53|4326")
    #expect(try OtherProgram.sqlite(library.path, "PRAGMA foreign_key_check") == "")
  }

  @Test("ogrinfo lists the drives with their extent", .enabled(if: OtherProgram.ogrinfo.isInstalled))
  func ogrinfo() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    try writing.add([.over(Self.places, name: "Commute"), .over(Array(Self.places.reversed()))])
    try writing.finish()
    let text = try OtherProgram.ogrinfo.printed(["-al", "-so", library.path])
    #expect(text.contains("Layer name: drives"))
    #expect(text.contains("Geometry: Line String"))
    #expect(text.contains("Feature Count: 2"))
    #expect(text.contains("Extent: (7.500000, 46.500000) - (7.520000, 46.530000)"))
    #expect(!text.contains("Warning"), "\(text)")
    let near = try OtherProgram.ogrinfo.printed([
      "-q", library.path, "drives", "-spat", "7.519", "46.509", "7.521", "46.511", "-where",
      "name = 'Commute'",
    ])
    #expect(near.contains("LINESTRING (7.5 46.5,7.52 46.51,7.51 46.53)"), "\(near)")
  }

  @Test("A drive keeps its own kind, notes and gear unless others are given")
  func descriptions() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    var drive = NewLibraryDrive.over(Self.places).drive
    (drive.kind, drive.notes, drive.gear) = ("car", "wet", "the red one")
    try writing.add([NewLibraryDrive(drive, gear: "the blue one")])
    let stored = try #require(try writing.drive(drive.id))
    #expect((stored.kind, stored.notes, stored.gear) == ("car", "wet", "the blue one"))
  }

  @Test("A drive with an invalid duration is refused", arguments: [-1, Double.nan])
  func invalidDuration(seconds: Double) throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    var drive = NewLibraryDrive.over(Self.places).drive
    drive.duration = seconds
    let input = LibraryInput(
      path: "a.gpx", identity: nil, format: "gpx", options: "",
      content: .drives([PreparedDrive(NewLibraryDrive(drive))], failure: nil))
    let error = #expect(throws: TrackError.self) {
      try writing.add(
        [input], LibraryImportPolicy(), run: try writing.beginRun(version: "1", command: "test"))
    }
    #expect(error?.code == .invalidValue)
    #expect(try writing.count == 0)
  }

  @Test("The exact times of a drive are stored if no recording is given")
  func recordedTimes() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    var drive = NewLibraryDrive.over(Self.places).drive
    drive.recorded = try TimedDrive(
      label: "", coordinates: Self.places, elapsed: [0, 40.5, 60], segmentStarts: [0, 2])
    try writing.add([NewLibraryDrive(drive)])
    let recording = try #require(try writing.recording(drive.id))
    #expect(recording.segments.map(\.count) == [2, 1])
    let summary = try #require(try writing.summary(drive.id))
    let trace = try #require(try writing.trace(of: summary, label: "trace"))
    #expect(trace.hasTimestamps && trace.elapsed == [0, 40.5, 60])
    #expect(try writing.check() == [])
  }
}
