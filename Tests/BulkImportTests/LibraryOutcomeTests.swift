import Foundation
import Testing
import TrackArchives
import TrackFormats
import TrackModel

@testable import BulkImport
@testable import DriveLibrary

@Suite("Outcomes of library imports")
struct LibraryOutcomeTests {
  private let input = LibraryInput(
    path: "a.gpx", identity: nil, format: "gpx", options: "", content: .drives([], failure: nil))

  private func outcome(_ result: LibraryResult, fault: TrackError? = nil) -> LibraryOutcome {
    LibraryOutcome(input, ExtractedInput(), result, skipReason: .noTrack, fault: fault)
  }

  @Test("Imported drives are listed and counted")
  func imported() {
    var result = LibraryResult(state: .imported)
    result.drives = [UUID(), UUID()]
    let outcome = outcome(result)
    #expect(outcome.record.state == .imported && outcome.record.format == "gpx")
    #expect(outcome.record.drives == result.drives.map(\.uuidString))
    guard case .imported(drives: 2) = outcome.outcome else {
      Issue.record("\(outcome.outcome)")
      return
    }
  }

  @Test("The message about an existing input states the difference, unless the library gives a reason")
  func alreadyThere() {
    var result = LibraryResult(state: .alreadyThere)
    #expect(outcome(result).record.message == nil)
    result.hasOtherName = true
    #expect(outcome(result).record.message?.contains("different name") == true)
    result.hasOtherOptions = true
    #expect(outcome(result).record.message?.contains("other options") == true)
    result.reason = "some of its drives were removed"
    #expect(outcome(result).record.message == "some of its drives were removed")
  }

  @Test("A duplicate names the original drive and its file")
  func duplicate() {
    var result = LibraryResult(state: .duplicate)
    let other = LibraryDuplicate(id: UUID(), source: "b.gpx")
    result.duplicateOf = other
    let record = outcome(result).record
    #expect(record.state == .duplicate && record.duplicateSource == "b.gpx")
    #expect(record.duplicateOf == other.id.uuidString)
  }

  @Test("A removed drive is the reason for skipping it; other inputs are skipped because of their content")
  func skipped() {
    var result = LibraryResult(state: .skipped)
    #expect(outcome(result).record.reason == SkipReason.noTrack.code)
    result.reason = LibraryResult.removedReason
    #expect(outcome(result).record.reason == LibraryOutcome.Wording().removed.code)
  }

  @Test("The message of a failure is that of the input, otherwise that of the library")
  func failed() {
    var result = LibraryResult(state: .failed)
    result.reason = "was removed from the library during the import"
    #expect(outcome(result).record.message == result.reason)
    let fault = TrackError(.truncated, "the file ends inside an element")
    #expect(outcome(result, fault: fault).record.message == fault.message)
    #expect(outcome(result, fault: fault).record.error?.code == .truncated)
  }
}
