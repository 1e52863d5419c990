import DriveMatching
import Foundation
import TestSupport
import Testing
import TrackModel

@testable import BulkImport
@testable import DriveLibrary

@Suite("Tables of passages")
struct PassageRankingTableTests {
  @Test("Names and kinds that a spreadsheet would run as formulas follow an apostrophe if that is wanted")
  func formulas() throws {
    let segment = try RoadSegment(
      name: "climb",
      line: [Coordinate(latitude: 47, longitude: 8), Coordinate(latitude: 47.01, longitude: 8)])
    let passage = LibraryPassage(
      drive: UUID(), name: "=SUM(A1)", startTime: nil, kind: "+run",
      passage: Passage(start: 10, end: 40, distance: 100, maximumSpeed: 20, uncertainty: 0.1))
    let ranking = PassageRanking([passage], of: segment)
    try withFolder { folder in
      for (quotesFormulas, cells) in [(false, "=SUM(A1),+run,"), (true, "'=SUM(A1),'+run,")] {
        try ranking.writeTable(to: folder.file("a.csv"), quotesFormulas: quotesFormulas)
        let row = try #require(try folder.text("a.csv").split(separator: "\n").last)
        #expect(row.contains("\(passage.drive.uuidString),\(cells)"))
      }
    }
  }
}
