import BulkImport
import GhostExport
import GhostModel
import TrackArchives
import TrackFormats
import TrackModel

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
    case .imported(let drive, let output, let source):
      if !isJSON, !Console.isQuiet { self.output.print(line(drive, output: output, source)) }
    case .duplicate(let drive, let known, let source):
      let first = known == source ? "an earlier drive of the file" : known
      output.say("\(source): \(Text.name(drive.drive.name)): duplicate of \(first), skipped")
    case .extending(let drive, let known, let source):
      output.say(
        "\(source): \(Text.name(drive.drive.name)): the same recording as \(known), which has only part of it; "
          + "both are kept"
      )
    case .simultaneous(let drive, let known, let source):
      output.say("\(source): \(Text.name(drive.drive.name)): \(FuseAdvice.text(known))")
    case .nameTaken(let name, let output):
      Console.note("\(name) already exists with different contents; drive written to \(output)")
    case .summaries(let texts, let source):
      for text in texts { Console.note("\(InputPath.name(source)): \(text)") }
    case .warnings(let warnings, let source):
      self.warnings.add(warnings, file: InputPath.name(source))
      if !isLong { printWarnings() }
    case .failure(let error, _, let isInContainer, let isFirst):
      // In a long run, failures with the same cause are counted.
      if isFirst || !isLong || Console.isQuiet {
        printer.report(isInContainer ? error.withoutFormats : error)
      }
    case .skipped(let reason, let source):
      if Self.reportedReasons.contains(reason) { output.say("\(source): skipped: \(reason.text)") }
    case .opened(let container): output.opened(container)
    }
    if isJSON, let record = message.record(hint: \.advice) {
      // Failures are messages on standard error as well.
      if case .failure = message, output.isStandardOutputTaken {} else { output.print(record.text) }
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

  /// The reasons for skipping that are printed. The others are only counted in the summary.
  static let reportedReasons: Set<SkipReason> = [
    .enteredByHand, .uploadError, .noTrack, .tooFewPoints,
  ]

  /// Prints the number of inputs in each state if there were more inputs than arguments.
  func summarize(_ tally: OutcomeTally, hasContainers: Bool) {
    guard !Console.isQuiet, hasContainers else { return }
    var lines = [
      "\(Counted.of(tally.inputs, "input")): \(tally.importedText), "
        + "\(Counted.of(tally.duplicates, "duplicate")), \(tally.skipped) skipped, "
        + "\(tally.failed) failed\(tally.rescued)"
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
        "\(InputPath.name(path)) → \(output == "-" ? "standard output" : output): \(Text.name(drive.name))")
      + ", "
      + "\(Text.clock(drive.duration)), \(Text.distance(drive.distanceInMeters)), \(points)"
      + (report.resampled ? " (from \(report.pointsUsed))" : "")
      + ", largest time error \(Formatted.fixed(report.largestTimeError, 3)) s, "
      + "at most \(UnitSystem.current.short(metres: report.largestPlaceError, decimals: 1)) "
      + "from the recording\(isResampled ? " as resampled" : "")"
  }
}
