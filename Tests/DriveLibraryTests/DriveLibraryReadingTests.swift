import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveLibrary

struct DriveLibraryReadingTests {
  private static let places = [(46.5, 7.5), (46.51, 7.52), (46.53, 7.51)].map {
    Coordinate(latitude: $0.0, longitude: $0.1)
  }

  private func drive(_ id: String, name: String = "Drive", kind: String? = nil) throws -> NewLibraryDrive {
    var new = NewLibraryDrive.over(Self.places, name: name, kind: kind)
    new.drive.id = try #require(
      UUID(uuidString: id + "00000000-0000-8000-8000-000000000000".dropFirst(id.count)))
    return new
  }

  @Test(
    "A part of a name is found regardless of case and of the accents of Latin letters",
    arguments: [
      ("zürich", ["Nach Zürich"]), ("NACH", ["Nach Zürich", "nach Genève"]), ("GENÈVE", ["nach Genève"]),
      // The same letter as two code points.
      ("gene\u{300}ve", ["nach Genève"]), ("GENEVE", ["nach Genève"]), ("zurich", ["Nach Zürich"]),
      ("и\u{306}", ["Ой"]), ("ОЙ", ["Ой"]), ("и", []), ("%", []), ("_", []), ("🚗", ["🚗"]),
    ])
  func names(part: String, expected: [String]) throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    try writing.add([
      drive("A", name: "Nach Zürich"), drive("B", name: "nach Genève"), drive("C", name: "🚗"),
      drive("D", name: "Ой"),
    ])
    var filter = LibraryFilter()
    filter.name = part
    #expect(try writing.drives(filter).map(\.name) == expected)
  }

  @Test("The kinds “driving” and “cycling” include all names of them; any other kind matches only itself")
  func kinds() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    try writing.add([
      drive("A", kind: "IN_PASSENGER_VEHICLE"), drive("B", kind: "cycling"), drive("C"),
      drive("D", kind: "Drive"), drive("E", kind: "Ride"), drive("F", kind: "E-Bike Ride"),
    ])
    var filter = LibraryFilter()
    filter.kind = "Driving"
    #expect(try writing.drives(filter).map { $0.id.uuidString.prefix(1) } == ["A", "D"])
    filter.kind = "Cycling"
    #expect(try writing.drives(filter).map { $0.id.uuidString.prefix(1) } == ["B", "E", "F"])
    filter.kind = "ride"
    #expect(try writing.drives(filter).map { $0.id.uuidString.prefix(1) } == ["E"])
  }

  @Test("The points of a drive document have no recorded times, and those of a recording have")
  func evenTimes() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    var document = try drive("A")
    document.recording?.drive = RecordedDrive(DriveElement.make([.init(name: "duration", value: "2")]))
    try library.add([document, drive("B")])
    for (prefix, hasTimes) in [("A", false), ("B", true)] {
      let id = try #require(try library.ids(beginningWith: prefix).first)
      let summary = try #require(try library.summary(id))
      let trace = try #require(try library.trace(of: summary, label: ""))
      #expect(trace.hasTimestamps == hasTimes)
    }
  }

  @Test("Ids are found by their prefix, and shown with as many characters as needed to be unique")
  func identifiers() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    #expect(try writing.distinctIdentifierLength() == 6)
    let drives = try [drive("AB12CD34-5"), drive("AB12CD34-6"), drive("B")]
    try writing.add(drives)
    #expect(try writing.distinctIdentifierLength() == 10)
    #expect(try writing.ids(beginningWith: "ab12cd34-").count == 2)
    #expect(try writing.ids(beginningWith: "AB12CD34-6") == [drives[1].drive.id])
    #expect(try writing.ids(beginningWith: drives[1].drive.id.uuidString) == [drives[1].drive.id])
    #expect(try writing.ids(beginningWith: "").count == 3)
    for text in ["AB13", "%", "A%", "_B12", "G", "AB12CD34-60000000-0000-8000-8000-0000000000000", "\u{0}"] {
      #expect(try writing.ids(beginningWith: text) == [], "\(text)")
    }
    #expect(try writing.count == 3)
  }

  @Test("Several drives are removed together, and the extent shrinks to the remaining ones")
  func removal() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    let far = NewLibraryDrive.over([
      Coordinate(latitude: -10.125, longitude: -20), Coordinate(latitude: 50, longitude: 30.7),
    ])
    let near = try drive("A")
    try writing.add([far, near])
    func extent() throws -> [SQLiteValue] {
      try writing.database.rows(
        "SELECT min_x, min_y, max_x, max_y FROM gpkg_contents WHERE table_name = 'drives'")[0]
    }
    #expect(try extent() == [.real(-20), .real(-10.125), .real(30.7), .real(50)])
    #expect(try writing.remove([far.drive.id, UUID()]) == 1)
    #expect(try extent() == [.real(7.5), .real(46.5), .real(7.52), .real(46.53)])
    #expect(try writing.check() == [])
    #expect(try writing.remove([near.drive.id]) == 1)
    #expect(try extent() == [.null, .null, .null, .null])
    #expect(try writing.check() == [])
    #expect(try writing.sources().count == 1)
  }

  @Test(
    "The extent after a removal is exact if the bounds of drives differ by less than a Float can represent")
  func closeBounds() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    // The spatial index rounds the lower bound, whose nearest Float is too small, to a larger number.
    let tops = [47.0154690, 47.0154706]
    let drives = tops.map { top in
      NewLibraryDrive.over([
        Coordinate(latitude: 46.5, longitude: 7.5), Coordinate(latitude: top, longitude: 7.6),
      ])
    }
    let other = try drive("A")
    try writing.add(drives + [other])
    #expect(try writing.remove([other.drive.id]) == 1)
    let extent = try writing.database.rows("SELECT max_y FROM gpkg_contents WHERE table_name = 'drives'")
    #expect(extent == [[.real(47.0154706)]])
    #expect(try writing.check() == [])
  }

  @Test(
    "A check finds damaged rows",
    arguments: [
      ("DELETE FROM rtree_drives_geom", "missing in the spatial index"),
      ("INSERT INTO rtree_drives_geom VALUES (99, 1, 2, 1, 2)", "in the spatial index only"),
      ("UPDATE rtree_drives_geom SET minx = 7.51", "with a wrong position in the spatial index"),
      ("UPDATE drives SET points = 4", "3 coordinates instead of 4"),
      (
        """
        UPDATE drives SET coordinates_data =
          CAST(replace(CAST(coordinates_data AS TEXT), '46.51', '46.52') AS BLOB)
        """, "the line differs from the coordinates"
      ),
      ("UPDATE drives SET coordinates_data = x'7B'", "drive A0000000-0000-8000-8000-000000000000: "),
      ("UPDATE recordings SET data = substr(data, 1, 20)", "the recorded points are damaged"),
      ("UPDATE drives SET duration_s = 9e999", "the duration is not a positive number"),
      ("UPDATE drives SET distance_miles = -1", "the distance is not a positive number"),
      ("UPDATE drives SET start_us = 'noon'", "the start is not a time"),
      ("UPDATE drives SET start_us = start_us + 1000000", "the columns start_us and start_time differ"),
      ("UPDATE drives SET end_time = NULL", "the columns end_us and end_time differ"),
      ("UPDATE drives SET end_us = 0, end_time = '1970-01-01T00:00:00.000Z'", "the end is before the start"),
      ("UPDATE recordings SET points = 2", "wrong number of recorded points"),
      ("UPDATE recordings SET drive_id = 'x'", "drive x: only its recorded points are left"),
      (
        "DELETE FROM recordings",
        """
        drive A0000000-0000-8000-8000-000000000000: recorded points missing; comparisons are approximate; \
        import its source (hash.gpx) again to repair it
        """
      ),
      ("UPDATE gpkg_contents SET max_x = 7.51", "outside the extent stored in the library"),
      ("UPDATE gpkg_contents SET max_x = NULL", "outside the extent stored in the library"),
      ("UPDATE drives SET id = 'nonsense'", "the id is not a UUID"),
      ("DROP TABLE removed", "table removed: missing"),
      ("DROP TABLE rtree_drives_geom", "table rtree_drives_geom: missing"),
    ])
  func damage(sql: String, problem: String) throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    try writing.add([drive("A")])
    #expect(try writing.check() == [])
    try writing.database.execute(sql)
    let problems = try writing.check()
    #expect(problems.contains { $0.description.contains(problem) }, "\(problems)")
  }

  @Test(
    "A drive whose duration or distance was damaged is not read",
    arguments: ["duration_s = -5", "duration_s = 9e999", "distance_miles = -1"])
  func damagedMeasure(change: String) throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    let new = try drive("A")
    try writing.add([new])
    try writing.database.execute("UPDATE drives SET \(change)")
    expectError(.invalidValue) { try writing.drive(new.drive.id) }
  }

  @Test(
    "If another program deletes a drive, its recorded points are deleted too, and the library remains valid",
    .enabled(if: OtherProgram.sqlite3.isInstalled, "needs sqlite3"))
  func deletedElsewhere() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    try writing.add([drive("A"), drive("B")])
    try OtherProgram.sqlite(library.path, "DELETE FROM drives WHERE id LIKE 'A%'")
    #expect(try OtherProgram.sqlite(library.path, "SELECT substr(drive_id, 1, 1) FROM recordings") == "B")
    #expect(try writing.check().filter { !$0.text.contains("extent") } == [])
  }

  @Test("A reader sees the library as of when reading began, while another connection writes")
  func whileWriting() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    try writing.add([drive("A"), drive("B")])
    let reading = try DriveLibrary(path: library.path, mode: .reading)
    var seen = 0
    try reading.forEachDrive { _ throws(TrackError) in
      if seen == 0 {
        do { try writing.add([drive("C")], hash: "c") } catch { throw TrackError(.unwritable, "\(error)") }
      }
      seen += 1
    }
    #expect(seen == 2)
    #expect(try reading.count == 3)
    #expect(throws: TrackError.self) { try reading.remove([UUID()]) }
  }

  @Test("Reading a library leaves no other files in its folder")
  func tidy() throws {
    let library = try TemporaryLibrary()
    do { try DriveLibrary(path: library.path, mode: .creating).add([drive("A")]) }
    do { #expect(try DriveLibrary(path: library.path, mode: .reading).count == 1) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: library.folder.path) == ["drives.gpkg"])
  }

  @Test(
    "A library in a read-only folder is read, regardless of its name",
    .enabled(if: geteuid() != 0, "root may write anywhere"))
  func readOnlyFolder() throws {
    let library = try TemporaryLibrary()
    do { try DriveLibrary(path: library.path, mode: .creating).add([drive("A")]) }
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: library.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: library.folder.path)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: library.folder.path)
    }
    #expect(try DriveLibrary(path: library.path, mode: .reading).drives().count == 1)
    expectError(.notCreatable) { try DriveLibrary(path: library.path, mode: .writing) }
  }

  @Test("A read-only library is opened by URL, with any character in its name")
  func immutable() throws {
    let library = try TemporaryLibrary()
    let path = library.folder.appendingPathComponent("a b?c=d&#%41 ü'\"\t.gpkg").path
    do { try DriveLibrary(path: path, mode: .creating).add([drive("A")]) }
    let database = try SQLiteDatabase(path: path, mode: .immutable)
    #expect(try database.integer("SELECT count(*) FROM drives") == 1)
    #expect(throws: TrackError.self) { try database.execute("DELETE FROM drives") }
  }

  @Test("A lock of another program is reported as a lock")
  func locked() throws {
    let library = try TemporaryLibrary()
    let writing = try DriveLibrary(path: library.path, mode: .creating)
    try writing.database.execute("BEGIN IMMEDIATE")
    let other = try SQLiteDatabase(path: library.path, mode: .writing, busyTimeout: 0)
    let error = try #require(throws: TrackError.self) { try other.execute("BEGIN IMMEDIATE") }
    #expect(error.code == .unwritable)
    #expect(error.message.contains("another program is writing"))
  }

  @Test(
    "A database that is not a library remains unchanged, byte for byte",
    arguments: [DriveLibrary.Mode.reading, .writing, .creating])
  func foreign(mode: DriveLibrary.Mode) throws {
    let library = try TemporaryLibrary()
    do {
      let database = try SQLiteDatabase(path: library.path, mode: .creating)
      try database.execute("CREATE TABLE drives (a); CREATE TABLE library (key, value)")
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: library.path))
    expectError(.unknownFormat) { try DriveLibrary(path: library.path, mode: mode) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: library.path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: library.folder.path) == ["drives.gpkg"])
  }

  @Test("An empty file is not a library when reading; when creating, it becomes one")
  func emptyFile() throws {
    let library = try TemporaryLibrary()
    try Data().write(to: URL(fileURLWithPath: library.path))
    expectError(.unknownFormat) { try DriveLibrary(path: library.path, mode: .reading) }
    expectError(.unknownFormat) { try DriveLibrary(path: library.path, mode: .writing) }
    #expect(try DriveLibrary(path: library.path, mode: .creating).count == 0)
    #expect(try DriveLibrary(path: library.path, mode: .reading).count == 0)
  }

  @Test("An older library is migrated step by step, even if it is opened for reading")
  func migrations() throws {
    let library = try TemporaryLibrary()
    do { try DriveLibrary(path: library.path, mode: .creating).add([drive("A")]) }
    let known = GeoPackageSchema.libraryVersion
    let steps = [
      known: "ALTER TABLE drives ADD COLUMN weather TEXT; UPDATE drives SET weather = 'fine'",
      known + 1: "UPDATE drives SET weather = weather || ' and warm'",
    ]
    let reading = try DriveLibrary(path: library.path, mode: .reading, version: known + 2, steps)
    #expect(try reading.database.rows("SELECT weather FROM drives") == [[.text("fine and warm")]])
    #expect(
      try reading.database.rows("SELECT value FROM library WHERE key = 'version'") == [
        [.text("\(known + 2)")]
      ])
    expectError(.unsupported) { try DriveLibrary(path: library.path, mode: .writing) }
  }

  @Test("If a migration step fails, the library keeps its version")
  func failedMigration() throws {
    let library = try TemporaryLibrary()
    do { try DriveLibrary(path: library.path, mode: .creating).add([drive("A")]) }
    let known = GeoPackageSchema.libraryVersion
    let steps = [known: "UPDATE drives SET name = 'changed'", known + 1: "nonsense"]
    #expect(throws: TrackError.self) {
      try DriveLibrary(path: library.path, mode: .writing, version: known + 2, steps)
    }
    expectError(.unsupported) {
      try DriveLibrary(path: library.path, mode: .writing, version: known + 2, [:])
    }
    #expect(try DriveLibrary(path: library.path, mode: .reading).drives().map(\.name) == ["Drive"])
  }
}
