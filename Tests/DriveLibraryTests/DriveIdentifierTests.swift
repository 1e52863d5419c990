import DriveLibrary
import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

@Suite("Drives of a library by the beginnings of their ids")
struct DriveIdentifierTests {
  /// Returns the drives and the errors for beginnings of ids, in a library of six drives.
  private func drives(_ prefixes: [String]) throws -> (names: [String], problems: [TrackError]) {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    try library.add(
      ["AA11", "AA12", "AA13", "AA14", "AA15", "BB00"].map { id in
        var new = NewLibraryDrive.over(DriveLibraryTests.places, name: id)
        new.drive.id = try #require(UUID(uuidString: "\(id)0000-0000-4000-8000-000000000000"))
        return new
      })
    var problems: [TrackError] = []
    let drives = try library.drives(withPrefixes: prefixes) { problems.append($0) }
    return (drives.map(\.name), problems)
  }

  @Test("Drives are returned in the given order, each once")
  func order() throws {
    let (names, problems) = try drives(["bb", "AA12", "BB00"])
    #expect(names == ["BB00", "AA12"])
    #expect(problems.isEmpty)
  }

  @Test("Beginnings of no id and of several ids are reported, and the other drives are returned")
  func problems() throws {
    let (names, problems) = try drives(["CC", "AA1", "BB", ""])
    #expect(names == ["BB00"])
    #expect(problems.map(\.code) == [.notFound, .usage, .notFound])
    #expect(problems[0].suggestion == .listIdentifiers)
    #expect(problems[1].message.hasSuffix("AA1400 (AA14), and 1 more"), "\(problems[1].message)")
  }
}
