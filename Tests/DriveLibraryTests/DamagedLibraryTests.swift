import DriveMatching
import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveLibrary

/// Libraries whose bytes or rows are damaged, and libraries that cannot be opened.
@Suite("Damaged libraries")
struct DamagedLibraryTests {
  private static func library(_ path: String, drives: Int = 1) throws {
    let library = try DriveLibrary(path: path, mode: .creating)
    for number in 0..<drives {
      let start = Instant(microseconds: 1_714_543_929_000_000 + Int64(number) * 86_400_000_000)
      try library.add([.over(DriveLibraryTests.places, start: start)], hash: "\(number)")
    }
    try library.finish()
    library.close()
  }

  /// Changes the file of a library.
  private static func change(_ path: String, _ body: (inout Data) throws -> Void) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    try body(&bytes)
    try bytes.write(to: URL(filePath: path))
  }

  @Test("A check finds an index that differs from its table")
  func index() throws {
    let folder = try TemporaryLibrary()
    try Self.library(folder.path)
    try Self.change(folder.path) { bytes in
      // The time is in the row and in the index of start times.
      let place = try #require(bytes.range(of: Data("2024-05-01T06:12:09".utf8)))
      bytes[place.lowerBound + 3] = UInt8(ascii: "5")
    }
    let problems = try DriveLibrary(path: folder.path, mode: .reading).check()
    #expect(problems.contains { $0.text.hasPrefix("database: ") && $0.text.contains("drives_by_start_time") })
  }

  @Test(
    "A check finds damage in the nodes of the spatial index",
    .enabled(if: OtherProgram.sqlite3.isInstalled, "needs sqlite3"))
  func spatialIndex() throws {
    let folder = try TemporaryLibrary()
    try Self.library(folder.path)
    try OtherProgram.sqlite(folder.path, "DELETE FROM rtree_drives_geom_rowid")
    let problems = try DriveLibrary(path: folder.path, mode: .reading).check()
    #expect(problems.contains { $0.text.hasPrefix("spatial index: ") }, "\(problems)")
  }

  @Test(
    "A library in UTF-16 works, and without its spatial index it is reported as damaged",
    .enabled(if: OtherProgram.sqlite3.isInstalled, "needs sqlite3"))
  func otherEncoding() throws {
    let folder = try TemporaryLibrary()
    try OtherProgram.sqlite(
      folder.path, "PRAGMA encoding = 'UTF-16le'; CREATE TABLE a (b); DROP TABLE a")
    try Self.library(folder.path)
    #expect(try OtherProgram.sqlite(folder.path, "PRAGMA encoding") == "UTF-16le")
    var filter = LibraryFilter()
    filter.near = .init(place: DriveLibraryTests.places[0], radius: 100)
    #expect(try DriveLibrary(path: folder.path, mode: .reading).drives(filter).count == 1)
    #expect(try DriveLibrary(path: folder.path, mode: .reading).check() == [])
    try OtherProgram.sqlite(folder.path, "DROP TABLE rtree_drives_geom")
    let error = try #require(throws: TrackError.self) {
      try DriveLibrary(path: folder.path, mode: .reading).drives(filter)
    }
    #expect(error.code == .malformed && error.suggestion == .checkLibrary)
    #expect(error.message == "the library is damaged: no such table: rtree_drives_geom")
    expectError(.malformed) {
      try DriveLibrary(path: folder.path, mode: .writing).add([.over(DriveLibraryTests.places)])
    }
  }

  @Test("A damaged drive does not prevent the comparison of the others at its time")
  func damagedDrive() throws {
    let folder = try TemporaryLibrary()
    let road = (0...60).map { Coordinate(latitude: 46.5 + 0.0002 * Double($0), longitude: 7.5) }
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let start = Instant(microseconds: 1_714_543_929_000_000)
    for (index, name) in ["first", "second", "damaged"].enumerated() {
      try library.add([.over(road, name: name, start: start.advanced(bySeconds: Double(index)))], hash: name)
    }
    try library.add(RoadSegment(name: "bend", line: Array(road[20...40])))
    let id = try #require(try library.drives().first { $0.name == "damaged" }).id
    try library.database.execute("UPDATE drives SET coordinates_data = x'7B' WHERE name = 'damaged'")
    try library.finish()
    library.close()
    let damaged = try DriveLibrary(path: folder.path, mode: .reading)
    expectError(.invalidValue) { try damaged.drive(id) }
    let whole = try #require(try damaged.drives().first { $0.name == "first" })
    #expect(try damaged.route(of: whole.id)?.contains(whole.id) == true)
    #expect(try damaged.passages(of: "bend").count == 3)
    #expect(try damaged.relatives(of: id).isEmpty)
    var rides = RecordedRides(damaged)
    for drive in try damaged.drives() { _ = try rides.add(drive) }
  }

  @Test("Damaged pages are reported as damage, with the command that checks the library")
  func pages() throws {
    let folder = try TemporaryLibrary()
    try Self.library(folder.path, drives: 40)
    // The first page after the header of the file is the root of the schema.
    try Self.change(folder.path) { bytes in for index in 100..<108 { bytes[index] = 0xFF } }
    for mode in [DriveLibrary.Mode.reading, .writing, .creating] {
      let error = try #require(throws: TrackError.self) { try DriveLibrary(path: folder.path, mode: mode) }
      #expect(error.code == .malformed && error.suggestion == .checkLibrary)
    }
  }

  @Test("A truncated library is reported as damaged when the missing pages are read")
  func truncated() throws {
    let folder = try TemporaryLibrary()
    try Self.library(folder.path, drives: 40)
    try Self.change(folder.path) { bytes in bytes.removeLast(bytes.count / 2) }
    let error = try #require(throws: TrackError.self) {
      try DriveLibrary(path: folder.path, mode: .reading).check()
    }
    #expect(error.code == .malformed)
  }

  @Test("A file that is not a database, and a folder, are not libraries")
  func otherFiles() throws {
    let folder = try TemporaryLibrary()
    try Data("This is a text of more than sixteen bytes.".utf8).write(to: URL(filePath: folder.path))
    for mode in [DriveLibrary.Mode.reading, .writing, .creating] {
      expectError(.unknownFormat) { try DriveLibrary(path: folder.path, mode: mode) }
      #expect(throws: TrackError.self) { try DriveLibrary(path: folder.folder.path, mode: mode) }
      expectError(.notCreatable) { try DriveLibrary(path: "", mode: mode) }
    }
    let inner = folder.folder.appending(path: "missing/drives.gpkg").path
    expectError(.notCreatable) { try DriveLibrary(path: inner, mode: .creating) }
    expectError(.notFound) { try DriveLibrary(path: inner, mode: .reading) }
  }

  @Test(
    "Rows with values of a wrong type are reported by a check and left out when reading",
    arguments: [
      ("UPDATE drives SET id = x'00'", "the id is not a UUID", 0),
      ("UPDATE drives SET coordinates_data = 'text'", "coordinates missing", 1),
      ("UPDATE drives SET geom = NULL", "coordinates missing", 1),
      ("UPDATE recordings SET data = 'text'", "recorded points missing", 1),
    ])
  func wrongTypes(sql: String, problem: String, count: Int) throws {
    let folder = try TemporaryLibrary()
    try Self.library(folder.path)
    let library = try DriveLibrary(path: folder.path, mode: .writing)
    try library.database.execute(sql)
    let problems = try library.check()
    #expect(problems.contains { $0.text.contains(problem) }, "\(problems)")
    #expect(try library.drives().count == count)
    #expect(try library.distinctIdentifierLength() == 6)
    #expect(try library.ids(beginningWith: "").count == count)
  }

  @Test(
    "Sources with invalid values are read again",
    arguments: ["content_hash = 'x'", "state = 'x'", "size = 'x'", "size = NULL"])
  func sources(change: String) throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let bytes = Array("content".utf8)
    let input = LibraryInput(
      path: "a.gpx", identity: ContentIdentity(hash: ContentHash(bytes.span), size: bytes.count),
      format: "gpx", options: "",
      content: .drives([PreparedDrive(.over(DriveLibraryTests.places))], failure: nil))
    let run = try library.beginRun(version: "1", command: "import")
    #expect(try library.add([], LibraryImportPolicy(), run: run).isEmpty)
    #expect(try library.add([input], LibraryImportPolicy(), run: run).map(\.state) == [.imported])
    #expect(try library.knownContents(LibraryImportPolicy()) == [input.identity])
    try library.database.execute("UPDATE sources SET \(change)")
    #expect(try library.knownContents(LibraryImportPolicy()).isEmpty)
    #expect(try library.count == 1)
  }

  @Test("Empty blobs are not null, and a value without a parameter is an error")
  func parameters() throws {
    let folder = try TemporaryLibrary()
    let database = try SQLiteDatabase(path: folder.path, mode: .creating)
    #expect(try database.rows("SELECT typeof(?), ?1", [.blob([])]) == [[.text("blob"), .blob([])]])
    expectError(.malformed) { try database.rows("SELECT 1", [.integer(1)]) }
    expectError(.malformed) { try database.rows("nonsense") }
  }

  @Test("Several drives with the same problem are counted")
  func severalDrives() throws {
    let folder = try TemporaryLibrary()
    try Self.library(folder.path, drives: 2)
    let library = try DriveLibrary(path: folder.path, mode: .writing)
    try library.database.execute("UPDATE gpkg_contents SET max_x = -180")
    #expect(try library.check().map(\.text) == ["2 drives outside the extent stored in the library"])
  }

  @Test("The spatial functions return null for values that are not geometries")
  func functions() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    for value in ["NULL", "'text'", "1.5", "x''", "x'00'"] {
      #expect(try library.database.rows("SELECT ST_MinX(\(value))") == [[.null]])
    }
    #expect(try library.database.integer("SELECT ST_IsEmpty(x'')") == 1)
    #expect(try library.database.rows("SELECT ST_IsEmpty('text')") == [[.null]])
  }

  @Test(
    "Recorded points with invalid counts throw an error",
    arguments: [
      // No bytes; an unknown version.
      [], [2, 0, 0],
      // More segments, or points in a segment or in all segments, than bytes.
      [1, 0, 100], [1, 0, 1, 100], [1, 0, 4, 8, 8, 8, 8],
      // A number of more than ten bytes.
      [1, 0] + Array(repeating: 0xFF, count: 20),
    ] as [[UInt8]])
  func recordedPoints(_ bytes: [UInt8]) {
    expectError(.malformed) { try RecordedPoints.decode(bytes) }
  }

  @Test("Without permission to write, a library is read unless it has a log, and never changed")
  func withoutPermission() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryLibrary()
      let interrupted = try TemporaryLibrary()
      for path in [folder.path, interrupted.path] { try Self.library(path) }
      try Data([1]).write(to: URL(filePath: interrupted.path + "-wal"))
      for url in [folder.folder, interrupted.folder] {
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: url.path)
      }
      // The superuser may write anywhere.
      let isRoot = geteuid() == 0
      if isRoot { #expect(seteuid(65534) == 0) }
      #expect(try DriveLibrary(path: folder.path, mode: .reading).drives().count == 1)
      for mode in [DriveLibrary.Mode.writing, .creating] {
        expectError(.notCreatable) { try DriveLibrary(path: folder.path, mode: mode) }
      }
      expectError(.unreadable) {
        try DriveLibrary(path: interrupted.path, mode: .reading)
      }
      if isRoot { #expect(seteuid(0) == 0) }
      for url in [folder.folder, interrupted.folder] {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
      }
    }
  }
}
