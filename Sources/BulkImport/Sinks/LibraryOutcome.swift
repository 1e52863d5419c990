import DriveLibrary
import DriveMatching
import GhostModel
public import TrackArchives
import TrackFormats
public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The outcome of an input that was read to its end and stored in the library.
public struct LibraryOutcome {
  /// The texts that depend on the program.
  public struct Wording: Sendable {
    /// The reason for drives that were removed from the library.
    public var removed = SkipReason("removed", "removed from the library earlier")
    /// The message of an input that an earlier run imported with other options.
    public var otherOptions = "already imported with other options"
    /// The message of an input that an earlier run imported under another name.
    public var otherName = "already imported under a different name than in the export"
    /// Returns the text of a suggestion.
    public var advice: @Sendable (Suggestion) -> String? = { _ in nil }

    /// Creates English texts without suggestions.
    public init() {}
  }

  private let wording: Wording
  private let input: LibraryInput
  private let result: LibraryResult
  private let skipReason: SkipReason
  private let fault: TrackError
  private let warnings: [TrackWarning]

  /// - Parameters:
  ///   - skipReason: the reason if the input has no drives and no failures.
  ///   - fault: the last failure of the input itself.
  init(
    _ input: LibraryInput, _ extracted: ExtractedInput, _ result: LibraryResult, skipReason: SkipReason,
    fault: TrackError?, _ wording: Wording = Wording()
  ) {
    self.wording = wording
    self.input = input
    self.result = result
    warnings = extracted.ending.warnings + extracted.drives.flatMap(\.report.warnings)
    self.skipReason = result.reason == LibraryResult.removedReason ? wording.removed : skipReason
    self.fault =
      fault ?? TrackError(.malformed, result.reason ?? "cannot be imported", file: input.path)
  }

  /// The outcome for the tally of all inputs.
  var outcome: InputOutcome {
    switch result.state {
    case .imported: .imported(drives: result.drives.count)
    case .alreadyThere: .alreadyThere
    case .duplicate: .duplicate(of: result.duplicateOf?.source ?? "")
    case .skipped: .skipped(skipReason)
    case .failed: .failed(fault)
    }
  }

  /// The record for reports.
  var record: InputRecord {
    var record: InputRecord
    switch result.state {
    case .imported: record = InputRecord(input.path, .imported)
    case .alreadyThere:
      record = InputRecord(input.path, .alreadyThere)
      record.message = result.reason.map { reason in
        [reason, result.suggestion.flatMap(wording.advice)].compactMap { $0.map(Diagnostic.singleLine) }
          .joined(separator: "; ")
      }
    case .duplicate: record = InputRecord(input.path, .duplicate)
    case .skipped: record = InputRecord(input.path, skipped: skipReason)
    case .failed: record = InputRecord(input.path, failed: fault)
    }
    if result.hasOtherOptions, record.message == nil {
      record.message = wording.otherOptions
    } else if result.hasOtherName, record.message == nil {
      record.message = wording.otherName
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
