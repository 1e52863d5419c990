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
      #expect(throws: TrackError(.unsupported, "")) { try DriveLibrary(path: folder.path, mode: mode) }
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

  @Test("An endless trigger with a name that GDAL uses ends with an error, and nothing is changed")
  func endlessTrigger() throws {
    let folder = try TemporaryLibrary()
    try Self.library(
      folder,
      changedBy: "CREATE TRIGGER rtree_sources_insert BEFORE INSERT ON sources BEGIN \(Self.endless); END")
    let library = try DriveLibrary(path: folder.path, mode: .writing)
    #expect(throws: TrackError(.limitExceeded, "")) {
      try library.add([NewLibraryDrive.over(DriveLibraryTests.places.reversed())], hash: "other")
    }
    #expect(try library.drives().count == 1)
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
    #expect(throws: TrackError(.unsupported, "")) { try DriveLibrary(path: folder.path, mode: .writing) }
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
