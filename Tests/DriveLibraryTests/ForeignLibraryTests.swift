import DriveMatching
import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveLibrary

/// Files from elsewhere whose schema runs code.
@Suite("Libraries of somebody else", .enabled(if: OtherProgram.sqlite3.isInstalled))
struct ForeignLibraryTests {
  private static let drive = NewLibraryDrive.over(DriveLibraryTests.places)

  /// Makes a library with one drive and changes it.
  private static func library(_ folder: borrowing TemporaryLibrary, changedBy sql: String) throws {
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    try library.add([drive])
    try library.finish()
    library.close()
    #expect(try OtherProgram.sqlite(folder.path, sql) == "")
  }

  /// An endless query.
  private static let endless = """
    SELECT count(*) FROM (
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0)
    """

  @Test("A computed column is rejected, however the library is opened")
  func computedColumn() throws {
    let folder = try TemporaryLibrary()
    try Self.library(
      folder,
      changedBy:
        "ALTER TABLE drives ADD COLUMN long TEXT GENERATED ALWAYS AS (printf('%.*c', 300000000, 'x')) VIRTUAL"
    )
    for mode in [DriveLibrary.Mode.reading, .writing, .creating] {
      expectError(.unsupported) { try DriveLibrary(path: folder.path, mode: mode) }
    }
  }

  @Test("A foreign trigger is rejected for writing, and has no effect on reading")
  func unknownTrigger() throws {
    let folder = try TemporaryLibrary()
    try Self.library(
      folder, changedBy: "CREATE TRIGGER evil BEFORE INSERT ON sources BEGIN \(Self.endless); END")
    #expect(try DriveLibrary(path: folder.path, mode: .reading).drives().count == 1)
    let error = try #require(throws: TrackError.self) {
      try DriveLibrary(path: folder.path, mode: .writing)
    }
    #expect(error.code == .unsupported && error.message.contains("evil"))
  }

  @Test(
    "A foreign trigger is rejected in any case of its table's name, and if it runs another trigger",
    arguments: [
      "CREATE TRIGGER evil AFTER UPDATE ON Gpkg_Contents BEGIN DELETE FROM drives; END",
      "CREATE TRIGGER evil AFTER INSERT ON DRIVES BEGIN DELETE FROM recordings; END",
      "CREATE TABLE \"of\" (id); CREATE TRIGGER other AFTER UPDATE ON \"of\" BEGIN UPDATE drives SET name = 'x'; END; "
        + "CREATE TRIGGER rtree_x AFTER INSERT ON drives BEGIN UPDATE of SET id = NEW.fid; END",
      "ALTER TABLE removed RENAME TO old; "
        + "CREATE TABLE Removed (a, CHECK (length(printf('%.*c', 300000000, 'x')) > 0))",
    ])
  func otherNames(sql: String) throws {
    let folder = try TemporaryLibrary()
    try Self.library(folder, changedBy: sql)
    expectError(.unsupported) { try DriveLibrary(path: folder.path, mode: .writing) }
    #expect(try DriveLibrary(path: folder.path, mode: .reading).drives().count == 1)
  }

  @Test(
    "A named pipe or a folder in place of a file of SQLite is an error",
    arguments: ["-journal", "-wal", "-shm"])
  func sideFiles(ending: String) throws {
    let folder = try TemporaryLibrary()
    try Self.library(folder, changedBy: "DROP TABLE IF EXISTS none")
    for makesPipe in [true, false] {
      let path = folder.path + ending
      if makesPipe {
        let status = unsafe mkfifo(path, 0o600)
        #expect(status == 0)
      } else {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      }
      for mode in [DriveLibrary.Mode.reading, .writing] {
        let error = #expect(throws: TrackError.self) { try DriveLibrary(path: folder.path, mode: mode) }
        #expect(error?.message == "is not a regular file" && error?.file == path)
      }
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(try DriveLibrary(path: folder.path, mode: .reading).drives().count == 1)
  }

  @Test("Texts in place of numbers, which SQLite allows, are read as 0, and blobs in place of names as empty")
  func otherTypes() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    try library.add([Self.drive])
    try library.database.execute(
      "UPDATE drives SET name = x'00', duration_s = 'long', distance_miles = 'far', points = 'few'")
    let drive = try #require(try library.drives().first)
    #expect(drive.name == "" && drive.duration == 0 && drive.distance == 0 && drive.points == 0)
    #expect(try library.check().map(\.text).contains { $0.contains("coordinates instead of 0") })
  }

  @Test("The triggers of GDAL are accepted")
  func triggersOfGDAL() throws {
    let folder = try TemporaryLibrary()
    try Self.library(
      folder,
      changedBy: """
        CREATE TABLE gpkg_ogr_contents (table_name TEXT NOT NULL PRIMARY KEY, feature_count INTEGER);
        CREATE TRIGGER trigger_insert_feature_count_drives AFTER INSERT ON drives BEGIN
          UPDATE gpkg_ogr_contents SET feature_count = feature_count + 1 WHERE lower(table_name) = 'drives'; END;
        CREATE TABLE notes (text TEXT); CREATE TRIGGER own AFTER INSERT ON notes BEGIN SELECT 1; END
        """)
    let library = try DriveLibrary(path: folder.path, mode: .writing)
    try library.add([NewLibraryDrive.over(DriveLibraryTests.places.reversed())], hash: "other")
    #expect(try library.drives().count == 2)
  }

  @Test("The triggers of GDAL's spatial index are accepted")
  func indexOfGDAL() throws {
    let folder = try TemporaryLibrary()
    // The SQL of version 3.6.
    try Self.library(
      folder,
      changedBy: """
        DROP TRIGGER rtree_drives_geom_update1;
        CREATE TRIGGER "rtree_drives_geom_update6" AFTER UPDATE OF "geom" ON "drives" WHEN OLD."fid" = NEW."fid"
          AND (NEW."geom" NOTNULL AND NOT ST_IsEmpty(NEW."geom"))
          AND (OLD."geom" NOTNULL AND NOT ST_IsEmpty(OLD."geom"))
          BEGIN UPDATE "rtree_drives_geom" SET minx = ST_MinX(NEW."geom"), maxx = ST_MaxX(NEW."geom"),
          miny = ST_MinY(NEW."geom"), maxy = ST_MaxY(NEW."geom") WHERE id = NEW."fid"; END;
        CREATE TRIGGER "rtree_drives_geom_update7" AFTER UPDATE OF "geom" ON "drives" WHEN OLD."fid" = NEW."fid"
          AND (NEW."geom" NOTNULL AND NOT ST_IsEmpty(NEW."geom")) AND (OLD."geom" ISNULL OR ST_IsEmpty(OLD."geom"))
          BEGIN INSERT INTO "rtree_drives_geom" VALUES (NEW."fid", ST_MinX(NEW."geom"), ST_MaxX(NEW."geom"),
          ST_MinY(NEW."geom"), ST_MaxY(NEW."geom")); END;
        CREATE TABLE gpkg_ogr_contents (table_name TEXT NOT NULL PRIMARY KEY, feature_count INTEGER DEFAULT NULL);
        CREATE TRIGGER "trigger_delete_feature_count_drives" AFTER DELETE ON "drives" BEGIN UPDATE
          gpkg_ogr_contents SET feature_count = feature_count - 1 WHERE lower(table_name) = lower('drives'); END
        """)
    #expect(try DriveLibrary(path: folder.path, mode: .writing).drives().count == 1)
  }

  @Test(
    "A trigger with a name that GDAL uses is rejected if it does more than maintain an index",
    arguments: [
      endless, "SELECT 1", "SELECT printf('%.*c', 300000000, 'x')", "DELETE FROM drives",
      "INSERT INTO removed SELECT * FROM removed", "INSERT INTO drives VALUES (NEW.fid)",
      "UPDATE drives SET name = replace(name, 'a', 'aa')", "UPDATE rtree_other SET id = 1",
      "INSERT INTO rtree_drives_geom VALUES (NEW.fid, replace(NEW.path, 'a', 'b'), 1, 1, 1)",
      "INSERT INTO rtree_drives_geom VALUES (NEW.fid, replace(NEW.id, 1, 2), 1, 1, 1)",
      "INSERT INTO rtree_drives_geom VALUES (NEW.fid, NEW.fid || NEW.fid, 1, 1, 1)",
      "INSERT INTO rtree_drives_geom VALUES (NEW.fid, zeroblob(9), 1, 1, 1)",
    ])
  func disguisedTrigger(statement: String) throws {
    for name in ["rtree_sources_insert", "trigger_insert_feature_count_sources"] {
      let folder = try TemporaryLibrary()
      try Self.library(
        folder, changedBy: "CREATE TRIGGER \(name) AFTER INSERT ON sources BEGIN \(statement); END")
      expectError(.unsupported) { try DriveLibrary(path: folder.path, mode: .writing) }
      #expect(try DriveLibrary(path: folder.path, mode: .reading).drives().count == 1)
    }
  }

  @Test(
    "Tables that evaluate expressions of somebody else when they are written to are rejected",
    arguments: [
      "ALTER TABLE runs RENAME TO old; CREATE TABLE runs (fid INTEGER PRIMARY KEY, started, ended, version, "
        + "folder, command, outcome, long DEFAULT (printf('%.*c', 300000000, 'x')))",
      "ALTER TABLE runs RENAME TO old; CREATE TABLE runs (fid INTEGER PRIMARY KEY, started, ended, version, "
        + "folder, command, outcome, CHECK (length(printf('%.*c', 300000000, 'x')) > 0))",
      "CREATE INDEX long ON runs (printf('%.*c', 300000000, started))",
      "CREATE INDEX long ON runs (started) WHERE length(printf('%.*c', 300000000, started)) > 0",
    ])
  func expressions(sql: String) throws {
    let folder = try TemporaryLibrary()
    try Self.library(folder, changedBy: sql)
    expectError(.unsupported) { try DriveLibrary(path: folder.path, mode: .writing) }
    let library = try DriveLibrary(path: folder.path, mode: .reading)
    #expect(try library.drives().count == 1)
    // SQLite's integrity check would evaluate the expression.
    let problems = try library.check()
    #expect(problems.count == 1 && problems[0].text.contains("the table runs has an expression"))
  }

  @Test("A check does not evaluate the expressions of other programs' tables, and still finds damage")
  func expressionsOfOtherTables() throws {
    let folder = try TemporaryLibrary()
    try Self.library(
      folder,
      changedBy: """
        CREATE TABLE notes (text TEXT NOT NULL);
        INSERT INTO notes VALUES ('a');
        CREATE INDEX slow ON notes (substr(text, 1, 1));
        PRAGMA writable_schema = 1;
        UPDATE sqlite_master SET sql = replace(sql, 'substr(text, 1, 1)',
          'printf(''%.*c'', 300000000, text)') WHERE name = 'slow'
        """)
    #expect(try DriveLibrary(path: folder.path, mode: .reading).check() == [])
    try DriveLibrary(path: folder.path, mode: .writing).database.execute("UPDATE drives SET points = 7")
    #expect(try DriveLibrary(path: folder.path, mode: .reading).check().count == 1)
  }

  @Test("An endless statement ends with an error, and a long value is an error")
  func endlessStatement() throws {
    let folder = try TemporaryLibrary()
    for mode in [DriveLibrary.Mode.creating, .reading] {
      let library = try DriveLibrary(path: folder.path, mode: mode)
      expectError(.limitExceeded) { try library.database.rows(Self.endless) }
      expectError(.limitExceeded) {
        try library.database.rows("SELECT length(zeroblob(300000000))")
      }
    }
  }

  @Test("A value longer than the limit for values of the file can be written")
  func longValue() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let value = SQLiteValue.blob(Array(repeating: 1, count: 70_000_000))
    #expect(try library.database.integer("SELECT length(?)", [value]) == 70_000_000)
  }

  @Test("The tables of segments are accepted, and their triggers only if they are those of the library")
  func segments() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    try library.add([Self.drive])
    _ = try library.add(try RoadSegment(name: "s", line: DriveLibraryTests.places))
    library.close()
    for mode in [DriveLibrary.Mode.reading, .writing, .creating] {
      #expect(try DriveLibrary(path: folder.path, mode: mode).segments().map(\.segment.name) == ["s"])
    }
    try OtherProgram.sqlite(
      folder.path, "CREATE TRIGGER evil AFTER INSERT ON passages BEGIN \(Self.endless); END")
    expectError(.unsupported) { try DriveLibrary(path: folder.path, mode: .writing) }
  }

  @Test("A database with a view in place of a table is rejected")
  func view() throws {
    let folder = try TemporaryLibrary()
    try Self.library(
      folder,
      changedBy:
        "ALTER TABLE recordings RENAME TO stored; CREATE VIEW recordings AS SELECT * FROM stored")
    let library = try DriveLibrary(path: folder.path, mode: .reading)
    #expect(throws: TrackError.self) { try library.recording(Self.drive.drive.id) }
  }

  @Test("Text with U+0000 is read back unchanged")
  func zeros() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let name = "before\u{0}after"
    let drive = NewLibraryDrive.over(DriveLibraryTests.places, name: name, kind: "\u{0}")
    try library.add([drive])
    #expect(try library.drives().map(\.name) == [name])
    #expect(try library.drives().map(\.kind) == ["\u{0}"])
    #expect(try library.drive(drive.drive.id)?.name == name)
    #expect(try library.check() == [])
  }
}
