import BulkImport
import DriveLibrary
import DriveMatching
import GhostExport
import GhostModel
import TrackArchives
import TrackFormats
import TrackModel

/// Prints the messages of an import into a library.
final class LibraryReporting {
  private let output: ImportOutput
  private let library: String
  private var warnings = FoldedWarnings()
  private var printer = FailurePrinter()

  init(_ output: ImportOutput, library: String) {
    self.output = output
    self.library = library
  }

  func present(_ message: LibraryImport.Message) {
    switch message {
    case .opened(let container): output.opened(container)
    case .stored(let input, let result, let path): messages(of: input, result, path: path)
    case .failure(let error, let isInContainer, let isFirst):
      if isFirst || Console.isQuiet { printer.report(isInContainer ? error.withoutFormats : error) }
    case .skipped(let reason, let source): skipped(source, reason)
    case .records(let records):
      guard output.isJSON else { return }
      for record in records {
        output.print(String(record.line(hint: record.error?.suggestion?.advice).dropLast()))
      }
    }
  }

  /// Prints the pending warnings and failures at the end.
  func printWarnings() {
    printer.printRest()
    for line in warnings.lines { Console.note(line) }
  }

  /// Prints the messages about an input and its drives.
  private func messages(of input: ExtractedInput, _ result: LibraryResult, path: String) {
    guard !Console.isQuiet else { return }
    if result.state == .imported {
      warnings.add(input.ending.warnings, file: path)
      for summary in input.ending.summaries { Console.complain("\(path): \(summary)") }
    }
    for (index, drive) in input.drives.enumerated() {
      if let duplicate = result.duplicates.first(where: { $0.index == index }) {
        let first = duplicate.of.source == path ? "an earlier drive of the file" : duplicate.of.source
        output.say("\(path): \(Text.name(drive.drive.name)): duplicate of \(first), skipped")
      } else if result.removed.contains(index), result.state != .skipped {
        output.say("\(path): \(Text.name(drive.drive.name)): \(SkipReason.removed.text), skipped")
      } else if result.added.contains(index) {
        warnings.add(drive.report.warnings, file: path)
        output.say(line(drive, path))
        if let related = result.related.first(where: { $0.index == index }) {
          output.say(words(related, drive, path))
        }
      }
    }
    // Duplicates that an earlier import reported are only counted.
    if result.state == .duplicate, !input.isKnown, result.duplicates.isEmpty,
      let duplicate = result.duplicateOf
    {
      output.say("\(path): duplicate of \(duplicate.source), skipped")
    }
  }

  private func words(
    _ related: (index: Int, relation: RideRelation, to: LibraryDuplicate),
    _ drive: ExtractedInput.ExtractedDrive, _ path: String
  ) -> String {
    let other = related.to.source
    let words =
      switch related.relation {
      case .duplicate: "the same recording as \(other), which contains only part of it; both are kept"
      case .simultaneous:
        FuseAdvice.text(
          other, "ghost-convert library fuse \(related.to.id.text.prefix(8)) \(drive.drive.id.text.prefix(8))"
        )
      case .companion: "another person on the same ride as \(other)"
      }
    return "\(path): \(Text.name(drive.drive.name)): \(words)"
  }

  private func line(_ drive: ExtractedInput.ExtractedDrive, _ path: String) -> String {
    let report = drive.report
    let distance = Text.distance(drive.drive.distance * Geodesy.metresPerMile)
    // A drive of another library was converted by the import that added it there.
    guard report.pointsInDrive > 0 else {
      return "\(path) → \(library): \(Text.name(drive.drive.name)), \(Text.clock(drive.drive.duration)), "
        + distance
    }
    return "\(path) → \(library): \(Text.name(drive.drive.name)), \(Text.clock(drive.drive.duration)), "
      + "\(distance), \(report.pointsInDrive) points every \(Formatted.fixed(report.step, 3)) s, "
      + "largest time error \(Formatted.fixed(report.largestTimeError, 3)) s"
  }

  private func skipped(_ path: String, _ reason: SkipReason) {
    if reason == .removed || ImportReporting.reportedReasons.contains(reason) {
      output.say("\(path): skipped: \(reason.text)")
    }
  }

  /// Prints the number of inputs in each state.
  func summarize(_ tally: OutcomeTally, withOtherOptions: Int, withOtherNames: Int) {
    guard !Console.isQuiet else { return }
    var lines = ["\(Counted.of(tally.inputs, "input")): \(tally.summary)"]
    for (reason, count) in tally.reasons { lines.append("  skipped \(count): \(reason.text)") }
    if withOtherOptions > 0 {
      lines.append(
        "  \(withOtherOptions) already imported with other options; use --again to import them again")
    }
    if withOtherNames > 0 {
      lines.append(
        "  \(withOtherNames) already imported under different names; "
          + "use --again to rename them, which also restores removed drives"
      )
    }
    output.summarize(lines)
  }
}

extension SkipReason {
  static let removed = SkipReason(
    "removed", "removed from the library earlier; use --again to restore it")
}
