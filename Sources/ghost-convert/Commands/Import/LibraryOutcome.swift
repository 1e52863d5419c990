import BulkImport
import DriveMatching
import GhostModel
import TrackArchives
import DriveLibrary
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What became of an input that was read to its end, and of which the library says what it has taken.
struct LibraryOutcome {
  private let input: LibraryInput
  private let result: LibraryResult
  private let skipReason: SkipReason
  private let fault: TrackError
  private let warnings: [TrackWarning]

  /// - Parameter fault: the last thing that was wrong with the input itself.
  init(_ input: LibraryInput, _ extracted: ExtractedInput, _ result: LibraryResult, fault: TrackError?) {
    self.input = input
    self.result = result
    warnings = extracted.ending.warnings + extracted.drives.flatMap(\.report.warnings)
    skipReason = result.reason == LibraryResult.removedReason ? .removed : extracted.skipReason
    self.fault =
      fault ?? TrackError(.malformed, result.reason ?? "cannot be imported", file: input.path)
  }

  /// For the count of all inputs.
  var outcome: InputOutcome {
    switch result.state {
    case .imported: .imported(drives: result.drives.count)
    case .alreadyThere: .alreadyThere
    case .duplicate: .duplicate(of: result.duplicateOf?.source ?? "")
    case .skipped: .skipped(skipReason)
    case .failed: .failed(fault)
    }
  }

  /// For reports.
  var record: InputRecord {
    var record: InputRecord
    switch result.state {
    case .imported: record = InputRecord(input.path, .imported)
    case .alreadyThere:
      record = InputRecord(input.path, .alreadyThere)
      record.message = result.reason.map { [$0, result.suggestion?.advice].joinedLine }
    case .duplicate: record = InputRecord(input.path, .duplicate)
    case .skipped: record = InputRecord(input.path, skipped: skipReason)
    case .failed: record = InputRecord(input.path, failed: fault)
    }
    if result.hasOtherOptions, record.message == nil {
      record.message = "there as read with other options; --again imports it anew"
    } else if result.hasOtherName, record.message == nil {
      record.message = "there under another name than its export gives it; --again takes that"
    }
    record.drives = result.drives.map(\.uuidString)
    record.duplicateOf = result.duplicateOf?.id.uuidString
    record.duplicateSource = result.duplicateOf?.source
    for related in result.related {
      let id = related.to.id.uuidString
      switch related.relation {
      case .duplicate: record.extensionsOf.append(id)
      case .simultaneous: record.simultaneousWith.append(id)
      case .companion: record.companionsOf.append(id)
      }
    }
    record.identity = input.identity
    record.format = input.format
    record.warnings = warnings
    return record
  }
}
