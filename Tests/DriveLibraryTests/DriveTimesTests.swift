import DriveMatching
import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveLibrary

@Suite("Drives of a library that overlap another drive in time")
struct DriveTimesTests {
  /// A time in seconds since an hour before the end of a day.
  private static func time(_ seconds: Double) -> Instant {
    Instant(microseconds: 19_875 * 86_400_000_000 - 3_600_000_000 + Int64(seconds * 1e6))
  }

  private static func drive(_ start: Double, _ duration: Double) -> NewLibraryDrive {
    let start = time(start)
    return NewLibraryDrive(
      Drive(
        name: "a", startTime: start, endTime: start.advanced(bySeconds: duration), duration: duration,
        distance: 1, coordinates: DriveLibraryTests.places))
  }

  /// Returns the drives that a search of all finds: those that start at most a day before another drive and
  /// end at most 5 s before it, or start at most 5 s after its end.
  private static func plainSearch(
    _ library: DriveLibrary, _ start: Double, _ duration: Double
  ) throws -> [UUID] {
    try library.database.rows("SELECT id, start_us, duration_s FROM drives ORDER BY fid").compactMap { row in
      let delay = try #require(row[1].microseconds).seconds(since: time(start))
      let length = try #require(row[2].number)
      return delay >= -86_400 && delay <= duration + 5 && delay + length > -5
        ? row[0].string.flatMap(UUID.init(uuidString:)) : nil
    }
  }

  private static func check(_ library: DriveLibrary, _ start: Double, _ duration: Double) throws {
    let fingerprint = try #require(
      RideFingerprint(evenly: DriveLibraryTests.places, over: duration, from: time(start)))
    #expect(
      try library.drives(near: fingerprint).map(\.id) == plainSearch(library, start, duration),
      "\(start) s, \(duration) s")
  }

  @Test(
    "Drives are found in the order of imports, those that were added, removed or undone in the meantime too")
  func search() throws {
    var random = SeededGenerator(seed: 11)
    func drives(_ count: Int) -> [NewLibraryDrive] {
      (0..<count).map { _ in
        Self.drive(
          .random(in: -200_000...200_000, using: &random).rounded(),
          pow(10, .random(in: 0...5, using: &random)).rounded())
      }
    }
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    defer { library.close() }
    func check() throws {
      for _ in 0..<10 {
        let start = Double.random(in: -200_000...200_000, using: &random).rounded()
        try Self.check(library, start, pow(10, .random(in: 0...5, using: &random)).rounded())
      }
    }
    try check()
    for round in 0..<10 {
      let new = drives(20)
      try library.add(new, hash: "\(round)")
      try check()
      try library.remove(new.prefix(5).map(\.drive.id))
      try check()
      // Undone: the drives of the transaction are neither added nor removed.
      _ = try? library.change { () throws(TrackError) in
        _ = try library.insert(drives(5), source: 1, path: "a", hash: "a")
        try library.statement("DELETE FROM drives WHERE id = ?").run([.text(new[10].drive.id.uuidString)])
        library.times.remove(new[10].drive.id)
        throw TrackError(.invalidValue, "undone")
      }
      try check()
      let other = try DriveLibrary(path: folder.path, mode: .writing)
      try other.add(drives(5), hash: "other \(round)")
      try other.remove([new[7].drive.id])
      other.close()
      try check()
    }
    // The whole time, and none of it.
    try Self.check(library, -300_000, 700_000)
    try Self.check(library, 1e9, 60)
  }
}
