import BulkImport
import GhostExport
import GhostModel
import TrackArchives
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Prints the messages of an import into files.
final class ImportReporting {
  private let output: ImportOutput
  private var isJSON: Bool { output.isJSON }
  /// Whether there can be many inputs, so that warnings are printed at the end.
  private let isLong: Bool
  /// Whether recordings were resampled before they became drives.
  private let isResampled: Bool
  private var warnings = FoldedWarnings()
  private var printer = FailurePrinter()

  init(_ output: ImportOutput, isLong: Bool, isResampled: Bool = false) {
    self.output = output
    self.isLong = isLong
    self.isResampled = isResampled
  }

  func present(_ message: FileImport.Message) {
    switch message {
    case .imported(let drive, let output, let source): imported(drive, output: output, path: source)
    case .duplicate(let drive, let known, let source): duplicate(drive, of: known, path: source)
    case .extending(let drive, let known, let source):
      output.say(
        "\(source): \(drive.drive.name): the same recording as \(known), which has only part of it; both are kept"
      )
    case .simultaneous(let drive, let known, let source):
      output.say("\(source): \(drive.drive.name): \(FuseAdvice.text(known))")
    case .nameTaken(let name, let output):
      Console.note("\(name) already exists with different contents; drive written to \(output)")
    case .summaries(let texts, let source):
      for text in texts { Console.note("\(InputPath.name(source)): \(text)") }
    case .warnings(let warnings, let source):
      self.warnings.add(warnings, file: InputPath.name(source))
      if !isLong { printWarnings() }
    case .failure(let error, let source, let isInContainer, let isFirst):
      failure(
        error, path: source, isInContainer: isInContainer, isRepeated: isLong && !Console.isQuiet && !isFirst)
    case .skipped(let reason, let source): skipped(source, reason)
    case .opened(let container): output.opened(container)
    }
  }

  /// Prints the pending warnings.
  func printWarnings() {
    for line in warnings.lines { Console.note(line) }
    warnings = FoldedWarnings()
  }

  /// Prints the rest of the failures, and lists those of a long run. With `--quiet`, each has already been
  /// printed when it occurred.
  func printFailures(_ failures: FoldedFailures) {
    printer.printRest()
    if isLong, !Console.isQuiet { for line in failures.lines { Console.complain(line) } }
  }

  /// Prints a failure.
  ///
  /// - Parameter isRepeated: whether a failure with the same cause has been printed.
  private func failure(_ error: TrackError, path: String, isInContainer: Bool, isRepeated: Bool) {
    if !isRepeated { printer.report(isInContainer ? error.withoutFormats : error) }
    if isJSON, !output.isStandardOutputTaken {
      Console.print(
        JSONValue.object([("source", .string(path)), ("state", .string("failed")), ("error", .error(error))])
          .text)
    }
  }

  private func imported(_ imported: ImportedDrive, output: String, path: String) {
    guard !Console.isQuiet || isJSON else { return }
    self.output.print(isJSON ? json(imported, output: output, path) : line(imported, output: output, path))
  }

  private func duplicate(_ imported: ImportedDrive, of known: String, path: String) {
    let drive = imported.drive
    if isJSON {
      output.print(
        JSONValue.object([
          ("source", .string(path)), ("state", .string("duplicate")), ("duplicate_of", .string(known)),
          ("name", .string(drive.name)), ("start_time", .time(drive.startTime)),
          ("duration_s", .number(drive.duration)),
        ]).text)
    } else {
      let first = known == path ? "an earlier drive of the file" : known
      output.say("\(path): \(drive.name): duplicate of \(first), skipped")
    }
  }

  /// The reasons for skipping that are printed. The others are only counted in the summary.
  static let reportedReasons: Set<SkipReason> = [
    .enteredByHand, .uploadError, .noTrack, .tooFewPoints,
  ]

  private func skipped(_ path: String, _ reason: SkipReason) {
    if isJSON {
      output.print(
        JSONValue.object([
          ("source", .string(path)), ("state", .string("skipped")), ("reason", .string(reason.code)),
          ("message", .string(reason.text)),
        ]).text)
    } else if ImportReporting.reportedReasons.contains(reason) {
      output.say("\(path): skipped: \(reason.text)")
    }
  }

  /// Prints the number of inputs in each state if there were more inputs than arguments.
  func summarize(_ tally: OutcomeTally, hasContainers: Bool) {
    guard !Console.isQuiet, hasContainers else { return }
    var lines = [
      "\(Counted.of(tally.inputs, "input")): \(tally.importedText), "
        + "\(Counted.of(tally.duplicates, "duplicate")), \(tally.skipped) skipped, \(tally.failed) failed\(tally.rescued)"
    ]
    if tally.drivesLeftOut > 0 {
      lines.append("  \(Counted.of(tally.drivesLeftOut, "drive")) of those imported skipped as duplicates")
    }
    for (reason, count) in tally.reasons { lines.append("  skipped \(count): \(reason.text)") }
    output.summarize(lines)
  }

  private func line(_ imported: ImportedDrive, output: String, _ path: String) -> String {
    let drive = imported.drive
    let report = imported.report
    let points = "\(report.pointsInDrive) points every \(Formatted.fixed(report.step, 3)) s"
    return
      Diagnostic.singleLine(
        "\(InputPath.name(path)) → \(output == "-" ? "standard output" : output): \(drive.name)") + ", "
      + "\(Text.clock(drive.duration)), \(Text.driveDistance(miles: drive.distance)), \(points)"
      + (report.resampled ? " (from \(report.pointsUsed))" : "")
      + ", largest time error \(Formatted.fixed(report.largestTimeError, 3)) s"
      + ", at most \(UnitSystem.current.short(metres: report.largestPlaceError, decimals: 1)) from the recording\(isResampled ? " as resampled" : "")"
  }

  private func json(_ imported: ImportedDrive, output: String, _ path: String) -> String {
    JSONValue.object(
      [("source", .string(path)), ("output", .string(output))] + imported.members
        + [("state", .string("imported"))]
    ).text
  }
}
