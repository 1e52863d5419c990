import Foundation
import Testing
import TrackModel

@testable import DriveLibrary

/// The write-ahead log while drives are added, with a limit of 32 pages of 16 KiB.
@Suite struct LogCheckpointsTests {
  /// Enough coordinates for a drive to use a dozen pages, and others for each drive.
  private static func coordinates(_ number: Int) -> [Coordinate] {
    (0..<2000).map {
      Coordinate(latitude: 46 + Double($0) / 7000, longitude: 7 + Double(number + $0) / 7000)
    }
  }

  private static func input(_ number: Int) throws -> LibraryInput {
    let bytes = Array("\(number)".utf8)
    let drive = NewLibraryDrive.over(
      coordinates(number),
      start: Instant(microseconds: 1_714_543_929_000_000 + Int64(number) * 86_400_000_000))
    return LibraryInput(
      path: "\(number).gpx", identity: ContentIdentity(hash: ContentHash(bytes.span), size: bytes.count),
      format: "gpx", options: "", content: .drives([PreparedDrive(drive)], failure: nil))
  }

  private static func library(_ path: String) throws -> DriveLibrary {
    let library = try DriveLibrary(path: path, mode: .creating)
    library.checkpointPages = 4
    library.logLimit = 32
    return library
  }

  /// Adds drives, each in a separate transaction.
  private static func add(_ numbers: Range<Int>, to library: DriveLibrary) throws {
    let run = try library.beginRun(version: "1", command: "import")
    for number in numbers {
      #expect(
        try library.add([try input(number)], LibraryImportPolicy(), run: run).map(\.state) == [.imported])
    }
  }

  private static func logSize(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
    return (attributes[.size] as? NSNumber)?.intValue ?? -1
  }

  @Test("The log is checkpointed while drives are added, and its size does not depend on their number")
  func folded() throws {
    let folder = try TemporaryLibrary()
    let library = try Self.library(folder.path)
    try Self.add(0..<60, to: library)
    // Sixty drives need over 600 pages. At most one transaction of about twenty pages exceeds the limit.
    #expect(try Self.logSize(folder.path) < 64 * 16_500)
    try library.checkpoint()
    #expect(try Self.logSize(folder.path) == 0)
    #expect(try library.check().isEmpty)
    #expect(try library.count == 60)
    library.close()
    #expect(!FileManager.default.fileExists(atPath: folder.path + "-wal"))
  }

  @Test("An open reader prevents checkpoints, but no drive is lost")
  func reader() throws {
    let folder = try TemporaryLibrary()
    let library = try Self.library(folder.path)
    try Self.add(0..<2, to: library)
    let reader = try DriveLibrary(path: folder.path, mode: .reading)
    var seen = 0
    try reader.forEachDrive { _ in
      seen += 1
      if seen == 1 { #expect(throws: Never.self) { try Self.add(2..<20, to: library) } }
    }
    // The reader sees the library as of its start, so that the log has to be kept.
    #expect(seen == 2)
    #expect(try Self.logSize(folder.path) > 100 * 16_384)
    try Self.add(20..<22, to: library)
    try library.checkpoint()
    #expect(try Self.logSize(folder.path) == 0)
    #expect(try library.count == 22)
    #expect(try library.check().isEmpty)
  }

  @Test("Committed drives are kept if the program ends without closing the library")
  func unfinished() throws {
    let folder = try TemporaryLibrary()
    let library = try Self.library(folder.path)
    try Self.add(0..<10, to: library)
    // The file and its log in their current state, as after a crash.
    let copy = try TemporaryLibrary()
    for ending in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: folder.path + ending, toPath: copy.path + ending)
    }
    let reopened = try DriveLibrary(path: copy.path, mode: .writing)
    #expect(try reopened.count == 10)
    #expect(try reopened.check().isEmpty)
  }
}
