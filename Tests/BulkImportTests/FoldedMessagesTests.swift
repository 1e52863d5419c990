import Testing
import TrackModel
import TrackTransforms

@testable import BulkImport

@Suite("Warnings and failures of many inputs")
struct FoldedMessagesTests {
  @Test("Warnings of one kind are a group with the numbers of files and warnings")
  func warnings() {
    var folded = FoldedWarnings()
    folded.add([TrackWarning(.truncated, "ends early", count: 2)], file: "a")
    folded.add(
      [TrackWarning(.nullIsland, "at 0°, 0°"), TrackWarning(.truncated, "ends early", count: 3)], file: "b")
    #expect(folded.warnings.map(\.count) == [5, 1])
    #expect(folded.warnings.map(\.files) == [2, 1])
    #expect(folded.warnings.map(\.file) == ["a", "b"])
  }

  @Test("Failures have the same cause if they differ only in numbers")
  func failures() {
    var folded = FoldedFailures()
    var areFirst: [Bool] = []
    for (message, file) in [
      ("track 2: bad value 7", "a"), ("bad value 12", "b"), ("bad value 1", "b"), ("no tracks", "c"),
    ] {
      areFirst.append(folded.add(TrackError(.malformed, message, file: file)))
    }
    #expect(areFirst == [true, false, false, true])
    #expect(folded.hasRepetitions)
    #expect(folded.repeated.map(\.count) == [3])
    #expect(folded.repeated.map(\.files.count) == [2])
    #expect(folded.files.map(\.count) == [1, 2, 1])
  }
}
