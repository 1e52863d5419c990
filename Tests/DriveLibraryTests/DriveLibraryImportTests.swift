import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveLibrary

/// Imports several inputs into one library, one after the other.
@Suite struct DriveLibraryImportTests {
  private static let places = DriveLibraryTests.places
  private static let start = Instant(microseconds: 1_714_543_929_000_000)

  /// Returns an input with the given drives, whose identity is the hash of `text`.
  private static func input(
    _ text: String, _ drives: [NewLibraryDrive], failure: String? = nil, options: String = ""
  ) throws -> LibraryInput {
    LibraryInput(
      path: "\(text).gpx", identity: identity(text), format: "gpx", options: options,
      content: .drives(
        drives.map { PreparedDrive($0) }, failure: failure))
  }

  private static func identity(_ text: String) -> ContentIdentity {
    let bytes = Array(text.utf8)
    return ContentIdentity(hash: ContentHash(bytes.span), size: bytes.count)
  }

  private static func drive(_ day: Int, name: String = "Drive", seconds: Double = 0) -> NewLibraryDrive {
    .over(
      places, name: name,
      start: Instant(microseconds: start.microseconds + Int64(day) * 86_400_000_000 + Int64(seconds * 1e6)))
  }

  /// Adds the inputs to the library as one run; `change` modifies the policy.
  private static func states(
    _ library: DriveLibrary, _ inputs: [LibraryInput],
    _ change: (inout LibraryImportPolicy) -> Void = { _ in }
  ) throws -> [LibraryResult] {
    var policy = LibraryImportPolicy()
    change(&policy)
    return try library.add(inputs, policy, run: try library.beginRun(version: "1", command: "import"))
  }

  @Test("Each input has one outcome, which is stored in its row")
  func fiveStates() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    _ = try Self.states(library, [try Self.input("before", [Self.drive(0)])])
    let skipped = LibraryInput(
      path: "c.txt", identity: Self.identity("c"), format: nil, options: "",
      content: .skipped(reason: "no-track"))
    let results = try Self.states(
      library,
      [
        try Self.input("before", [Self.drive(0)]), try Self.input("new", [Self.drive(1), Self.drive(2)]),
        // Starts three seconds later by the clock of another device, on the same road.
        try Self.input("other", [Self.drive(1, name: "Other", seconds: 3)]), skipped,
        try Self.input("bad", [Self.drive(3)], failure: "half of it is damaged"),
      ])
    #expect(results.map(\.state) == [.alreadyThere, .imported, .duplicate, .skipped, .failed])
    #expect(results[0].drives == [Self.drive(0).drive.id])
    #expect(results[1].drives == [Self.drive(1).drive.id, Self.drive(2).drive.id])
    #expect(results[2].duplicateOf == LibraryDuplicate(id: Self.drive(1).drive.id, source: "new.gpx"))
    #expect(results[4].drives == [Self.drive(3).drive.id])
    #expect(try library.drives().count == 4)
    #expect(try library.sources().map(\.state) == [.failed, .imported, .skipped, .imported, .duplicate])
    #expect(try library.check() == [])
  }

  @Test("A damaged drive is named in errors, and does not stop imports of drives of its time")
  func damagedDrive() throws {
    let folder = try TemporaryLibrary()
    let writing = try DriveLibrary(path: folder.path, mode: .creating)
    _ = try Self.states(writing, [try Self.input("a", [Self.drive(0)])])
    try writing.database.execute("UPDATE drives SET coordinates_data = x'7B'")
    writing.close()
    let library = try DriveLibrary(path: folder.path, mode: .writing)
    let results = try Self.states(library, [try Self.input("b", [Self.drive(0, seconds: 3)])])
    #expect(results.map(\.state) == [.imported])
    let id = Self.drive(0).drive.id
    do throws(TrackError) {
      _ = try library.drive(id)
      Issue.record("no error")
    } catch {
      #expect(error.code == .invalidValue)
      #expect(error.message.hasPrefix("drive \(id) is damaged: "))
      #expect(error.suggestion == .reimportSourceToRepair(source: "a.gpx"))
    }
  }

  @Test("A drive that starts more than five seconds later or uses another road is not a duplicate")
  func noDuplicates() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let elsewhere = NewLibraryDrive.over(
      Self.places.map { Coordinate(latitude: $0.latitude + 1, longitude: $0.longitude) }, start: Self.start)
    let results = try Self.states(
      library,
      [
        try Self.input("a", [Self.drive(0)]), try Self.input("b", [Self.drive(0, seconds: 6)]),
        try Self.input("c", [elsewhere]),
      ])
    #expect(results.map(\.state) == [.imported, .imported, .imported])
  }

  @Test("A drive without a start time is a duplicate only of the same content")
  func untimed() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let untimed = NewLibraryDrive.over(Self.places, start: nil)
    let results = try Self.states(
      library,
      [
        try Self.input("a", [untimed]), try Self.input("b", [untimed]),
        try Self.input("c", [.over(Array(Self.places.reversed()), start: nil)]),
      ])
    #expect(results.map(\.state) == [.imported, .duplicate, .imported])
  }

  @Test("The second of two files with the same content is a duplicate in their run, and known in a later one")
  func copies() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    var copy = try Self.input("a", [Self.drive(0)])
    copy.path = "copy.gpx"
    let results = try Self.states(library, [try Self.input("a", [Self.drive(0)]), copy])
    #expect(results.map(\.state) == [.imported, .duplicate])
    #expect(results[1].duplicateOf == LibraryDuplicate(id: Self.drive(0).drive.id, source: "a.gpx"))
    let later = try Self.states(library, [try Self.input("a", [Self.drive(0)]), copy])
    #expect(later.map(\.state) == [.alreadyThere, .alreadyThere])
    #expect(later.map(\.drives) == [[Self.drive(0).drive.id], [Self.drive(0).drive.id]])
    var third = copy
    third.path = "third.gpx"
    third.content = .known
    third.format = nil
    #expect(try Self.states(library, [third]).map(\.state) == [.alreadyThere])
    let sources = try library.sources()
    #expect(sources.map(\.path) == ["a.gpx", "copy.gpx", "third.gpx"])
    #expect(sources.map(\.state) == [.imported, .duplicate, .duplicate])
    #expect(sources.map(\.format) == ["gpx", "gpx", "gpx"])
  }

  @Test("Known contents do not have to be read, unless they failed or were skipped")
  func known() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let skipped = LibraryInput(
      path: "c.txt", identity: Self.identity("c"), format: nil, options: "",
      content: .skipped(reason: "no-track"))
    _ = try Self.states(
      library,
      [
        try Self.input("a", [Self.drive(0)]), try Self.input("b", [Self.drive(0, seconds: 1)]), skipped,
        try Self.input("d", [], failure: "damaged"),
      ])
    var policy = LibraryImportPolicy()
    #expect(try library.knownContents(policy) == [Self.identity("a"), Self.identity("b")])
    policy.keepsDuplicates = true
    // To keep duplicates, their drives have to be read.
    #expect(try library.knownContents(policy).isEmpty)
    policy.isAgain = true
    #expect(try library.knownContents(policy).isEmpty)
    let known = LibraryInput(
      path: "a.gpx", identity: Self.identity("a"), format: nil, options: "timing=moving",
      content: .known)
    let result = try #require(try Self.states(library, [known]).first)
    #expect(result.state == .alreadyThere)
    #expect(result.drives == [Self.drive(0).drive.id])
    #expect(result.hasOtherOptions)
  }

  @Test("A duplicate that is kept becomes a separate drive")
  func keptDuplicates() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let other = try Self.input("b", [Self.drive(0, seconds: 1)])
    _ = try Self.states(library, [try Self.input("a", [Self.drive(0)]), other])
    let result = try #require(try Self.states(library, [other]) { $0.keepsDuplicates = true }.first)
    #expect(result.state == .imported)
    #expect(try library.drives().count == 2)
    // A third import adds nothing.
    #expect(try Self.states(library, [other]).first?.state == .alreadyThere)
  }

  @Test("Each copy in one input becomes a separate drive, and a repeated import keeps them")
  func manyCopies() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let input = try Self.input(
      "a", [Self.drive(0), Self.drive(0), Self.drive(1), Self.drive(0), Self.drive(1)])
    let result = try #require(try Self.states(library, [input]) { $0.keepsDuplicates = true }.first)
    #expect(Set(result.drives).count == 5)
    let again = try Self.states(library, [input]) {
      $0.keepsDuplicates = true
      $0.isAgain = true
    }
    #expect(try #require(again.first).drives == result.drives)
    #expect(try library.drives().count == 5)
  }

  @Test("A drive that was removed is no longer the original of a copy in the same library")
  func removedOriginal() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    _ = try Self.states(library, [try Self.input("a", [Self.drive(0)])])
    let copy = try Self.input("b", [Self.drive(0, seconds: 3)])
    #expect(try Self.states(library, [copy]).first?.state == .duplicate)
    try library.remove(Self.drive(0).drive.id)
    #expect(try Self.states(library, [copy]) { $0.isAgain = true }.first?.state == .imported)
  }

  @Test("A removed drive stays removed until it is explicitly imported again")
  func removed() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let input = try Self.input("a", [Self.drive(0), Self.drive(1)])
    _ = try Self.states(library, [input])
    try library.remove(Self.drive(0).drive.id)
    let some = try #require(try Self.states(library, [input]).first)
    #expect(some.state == .alreadyThere)
    #expect(some.drives == [Self.drive(1).drive.id])
    #expect(some.reason?.contains("removed") == true)
    try library.remove(Self.drive(1).drive.id)
    let none = try #require(try Self.states(library, [input]).first)
    #expect(none.state == .skipped)
    #expect(none.reason == "removed")
    #expect(try library.drives().isEmpty)
    let again = try #require(try Self.states(library, [input]) { $0.isAgain = true }.first)
    #expect(again.state == .imported)
    #expect(try library.drives().count == 2)
  }

  @Test(
    "A removed drive stays removed, regardless of the file that contains it and the program that removed it",
    arguments: [true, false])
  func removedEverywhere(byAnotherProgram: Bool) throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let first = try Self.input("a", [Self.drive(0)])
    // The same drive three seconds later by another clock, in a file with other bytes, and as a copy; and
    // another drive.
    let near = try Self.input("near", [Self.drive(0, seconds: 3)])
    let repacked = try Self.input("repacked", [Self.drive(0, name: "Other name")])
    var copy = first
    copy.path = "copy.gpx"
    let other = try Self.input("other", [Self.drive(0, seconds: 60)])
    _ = try Self.states(library, [first, near])
    if byAnotherProgram {
      try library.database.execute("DELETE FROM drives")
    } else {
      try library.remove(Self.drive(0).drive.id)
    }
    #expect(try library.recording(Self.drive(0).drive.id) == nil)
    #expect(try library.check() == [])
    for _ in 0..<2 {
      let results = try Self.states(library, [first, near, repacked, copy])
      #expect(results.map(\.state) == [.skipped, .skipped, .skipped, .skipped])
      #expect(results.map(\.reason) == ["removed", "removed", "removed", "removed"])
    }
    #expect(try Self.states(library, [other]).map(\.state) == [.imported])
    #expect(try library.drives().map(\.id) == [Self.drive(0, seconds: 60).drive.id])
    let again = try Self.states(library, [repacked]) { $0.isAgain = true }
    #expect(again.map(\.state) == [.imported])
    // The drive exists again, from another file.
    let back = try Self.states(library, [first, near, copy])
    #expect(back.map(\.state) == [.duplicate, .duplicate, .duplicate])
    #expect(back.map(\.duplicateOf?.source) == ["repacked.gpx", "repacked.gpx", "repacked.gpx"])
    #expect(try library.drives().count == 2)
  }

  @Test("Another drive that starts at the time of a removed one is imported", arguments: [1.05, 2])
  func otherDriveAtSameTime(factor: Double) throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    _ = try Self.states(library, [try Self.input("a", [Self.drive(0)])])
    try library.remove(Self.drive(0).drive.id)
    var other = Self.drive(0).drive
    other.id = UUID()
    other.distance *= factor
    let results = try Self.states(library, [try Self.input("other", [NewLibraryDrive(other)])])
    #expect(results.map(\.state) == [.imported])
  }

  @Test("The drives of a file that were not removed are imported")
  func partlyRemoved() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    _ = try Self.states(library, [try Self.input("a", [Self.drive(0)])])
    try library.remove(Self.drive(0).drive.id)
    let result = try #require(
      try Self.states(library, [try Self.input("b", [Self.drive(0), Self.drive(1)])]).first)
    #expect(result.state == .imported)
    #expect(result.drives == [Self.drive(1).drive.id])
    #expect(result.removed == [0])
    #expect(result.added == [1])
  }

  @Test("Importing a moved file again replaces the drives of its earlier import")
  func movedAgain() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let input = try Self.input("a", [Self.drive(0)])
    _ = try Self.states(library, [input])
    let shorter = NewLibraryDrive.over(Array(Self.places.dropLast()), name: "New", start: Self.start)
    var moved = try Self.input("a", [shorter], options: "cadence=2")
    moved.path = "elsewhere/a.gpx"
    var there = moved
    there.path = "a.gpx"
    let results = try Self.states(library, [moved, there]) { $0.isAgain = true }
    #expect(results.map(\.state) == [.imported, .duplicate])
    #expect(try library.drives().map(\.name) == ["New"])
    #expect(try library.sources().map(\.path) == ["a.gpx", "elsewhere/a.gpx"])
    #expect(try library.sources().map(\.state) == [.duplicate, .imported])
    // A drive that was replaced is not recorded as removed.
    #expect(try Self.states(library, [there, moved]).map(\.state) == [.alreadyThere, .alreadyThere])
    #expect(try library.check() == [])
  }

  @Test("A copy that is kept gets a different id and is stored once")
  func keptCopies() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let first = try Self.input("a", [Self.drive(0), Self.drive(0)])
    var copy = first
    copy.path = "copy.gpx"
    var ids: [[UUID]] = []
    for state in [SourceOutcome.State.imported, .alreadyThere] {
      let results = try Self.states(library, [first, copy]) { $0.keepsDuplicates = true }
      #expect(results.map(\.state) == [state, state])
      ids.append(results.flatMap(\.drives))
    }
    #expect(ids[0] == ids[1])
    #expect(Set(ids[0]).count == 4)
    #expect(ids[0].first == Self.drive(0).drive.id)
    #expect(try library.drives().count == 4)
    #expect(try library.check() == [])
  }

  @Test("An unreadable input has a row, which is replaced when the input can be read")
  func unreadable() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    var input = try Self.input("a", [Self.drive(0)])
    let content = input.content
    let identity = input.identity
    input.identity = nil
    input.content = .failed(reason: "cut off")
    for _ in 0..<2 {
      #expect(try Self.states(library, [input]).map(\.state) == [.failed])
      #expect(try library.sources().map(\.reason) == ["cut off"])
    }
    input.identity = identity
    input.content = content
    #expect(try Self.states(library, [input]).map(\.state) == [.imported])
    #expect(try library.sources().map(\.state) == [.imported])
  }

  @Test("A different name in a later export is reported")
  func otherName() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    var input = try Self.input("a", [Self.drive(0, name: "Morning")])
    _ = try Self.states(library, [input])
    input.name = "Morning"
    #expect(try Self.states(library, [input]).first?.hasOtherName == false)
    input.name = "To work"
    #expect(try Self.states(library, [input]).first?.hasOtherName == true)
    input.path = "export.zip/a.gpx"
    #expect(try Self.states(library, [input]).first?.hasOtherName == true)
  }

  @Test("A name that was set is not that of the export, and is kept when the drive is imported again")
  func setName() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    var input = try Self.input("a", [Self.drive(0, name: "Morning")])
    input.name = "Morning"
    _ = try Self.states(library, [input])
    var change = DriveChange()
    change.name = "It's mine"
    try library.set(change, of: [Self.drive(0).drive.id])
    #expect(try Self.states(library, [input]).first?.hasOtherName == false)
    #expect(try Self.states(library, [input]) { $0.isAgain = true }.first?.state == .imported)
    #expect(try library.drives().map(\.name) == ["It's mine"])
    #expect(try library.drives().map(\.kind) == [nil])
    #expect(try library.check() == [])
  }

  @Test("Importing again with other options replaces the earlier drives")
  func again() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    _ = try Self.states(library, [try Self.input("a", [Self.drive(0), Self.drive(1)])])
    // The same input now results in one drive with other points and another name.
    let other = NewLibraryDrive.over(Array(Self.places.dropLast()), name: "New", start: Self.start)
    let input = try Self.input("a", [other], options: "cadence=2")
    #expect(try Self.states(library, [input]).first?.hasOtherOptions == true)
    let result = try #require(try Self.states(library, [input]) { $0.isAgain = true }.first)
    #expect(result.drives == [other.drive.id])
    #expect(try library.drives().map(\.name) == ["New"])
    #expect(try library.recording(Self.drive(1).drive.id) == nil)
    #expect(try library.check() == [])
  }

  @Test("An input that fails again changes nothing, and a repaired input is imported")
  func failedAgain() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let bad = try Self.input("bad", [Self.drive(0)], failure: "the second track is damaged")
    _ = try Self.states(library, [bad, try Self.input("b", [Self.drive(5)])])
    let before = try library.drives()
    let results = try Self.states(library, [bad])
    #expect(results.map(\.state) == [.failed])
    #expect(results.first?.drives == [Self.drive(0).drive.id])
    #expect(try library.drives() == before)
    // Row numbers are the same as without the second import.
    if OtherProgram.sqlite3.isInstalled {
      #expect(try OtherProgram.sqlite(folder.path, "SELECT max(fid) FROM sources") == "2")
    }
    let good = try Self.input("bad", [Self.drive(0), Self.drive(1)])
    #expect(try Self.states(library, [good]).first?.state == .imported)
    #expect(try library.drives().count == 3)
  }

  @Test("Inputs are added all or none")
  func atomic() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let known = LibraryInput(
      path: "x", identity: Self.identity("x"), format: nil, options: "", content: .known)
    // The content is not in the library, as if another program had deleted it in the meantime.
    #expect(try Self.states(library, [known]).first?.state == .failed)
    try OtherProgram.sqlite(
      folder.path,
      "CREATE TRIGGER refuse BEFORE INSERT ON drives WHEN new.name = 'No' BEGIN SELECT raise(ABORT, 'no'); END"
    )
    #expect(throws: TrackError.self) {
      try Self.states(
        library, [try Self.input("a", [Self.drive(0)]), try Self.input("b", [Self.drive(1, name: "No")])])
    }
    #expect(try library.drives().isEmpty)
    #expect(try library.sources().isEmpty)
  }

  @Test(
    "The extent in the table of contents is extended when drives are added",
    .enabled(if: OtherProgram.sqlite3.isInstalled))
  func extent() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let east = NewLibraryDrive.over(
      [Coordinate(latitude: 50, longitude: 10), Coordinate(latitude: 51, longitude: 12)],
      start: Instant(microseconds: 0))
    _ = try Self.states(library, [try Self.input("a", [Self.drive(0)])])
    _ = try Self.states(library, [try Self.input("b", [east])])
    try library.checkpoint()
    #expect(
      try OtherProgram.sqlite(
        folder.path, "SELECT min_x, min_y, max_x, max_y FROM gpkg_contents WHERE table_name = 'drives'")
        == "7.5|46.5|12.0|51.0")
  }

  @Test(
    "A library that another program is writing to throws an error",
    .enabled(if: OtherProgram.sqlite3.isInstalled)
  )
  func locked() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating, busyTimeout: 200)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: OtherProgram.sqlite3.path ?? "")
    process.arguments = [folder.path]
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("BEGIN IMMEDIATE; SELECT 'begun';\n".utf8))
    _ = output.fileHandleForReading.availableData
    expectError(.unwritable) {
      try Self.states(library, [try Self.input("a", [Self.drive(0)])])
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(try Self.states(library, [try Self.input("a", [Self.drive(0)])]).first?.state == .imported)
  }
}
