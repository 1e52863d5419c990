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
    // Another track of the same file.
    folded.add([TrackWarning(.truncated, "ends early")], file: "b")
    #expect(folded.warnings.map(\.count) == [6, 1])
    #expect(folded.warnings.map(\.files) == [2, 1])
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
    #expect(folded.repeated.map(\.fileCount) == [2])
    #expect(folded.files.map(\.count) == [1, 2, 1])
    #expect(folded.fileCount == 3)
  }

  @Test("Of many files with failures, the first 20 are kept and all are counted")
  func manyFailures() {
    var folded = FoldedFailures()
    for file in 0..<1000 {
      for _ in 0..<(file % 3 + 1) { _ = folded.add(TrackError(.notFound, "missing", file: "\(file)")) }
    }
    #expect(folded.fileCount == 1000)
    #expect(folded.files.map(\.first.file) == (0..<20).map { "\($0)" })
    #expect(folded.files.map(\.count) == (0..<20).map { $0 % 3 + 1 })
    #expect(folded.repeated.map(\.fileCount) == [1000])
    // 334 files with one failure, and 333 each with two and three.
    #expect(folded.repeated.map(\.count) == [334 + 2 * 333 + 3 * 333])
  }
}
