import BulkImport
import TrackArchives
import GhostExport
import GhostModel
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the import command says about each input, as it ends, and about all of them at the end.
struct ImportReporting {
  let isJSON: Bool
  let isQuiet: Bool
  /// Whether the recordings were resampled before they became drives.
  var isResampled = false
  /// Whether drives go to standard output, so that words go to standard error.
  let isStandardOutputTaken: Bool

  /// - Parameter isRepeated: whether a failure of the same cause was printed.
  func failure(_ error: TrackError, path: String, isInContainer: Bool = false, isRepeated: Bool = false) {
    if !isRepeated { Console.report(isInContainer ? error.withoutFormats : error) }
    if isJSON, !isStandardOutputTaken {
      Console.print(
        JSONValue.object([("source", .string(path)), ("state", .string("failed")), ("error", .error(error))])
          .text)
    }
  }

  func imported(_ imported: ImportedDrive, output: String, path: String) {
    guard !isQuiet || isJSON else { return }
    say(isJSON ? json(imported, output: output, path) : line(imported, output: output, path))
  }

  func duplicate(_ imported: ImportedDrive, of known: String, path: String) {
    let drive = imported.drive
    if isJSON {
      say(
        JSONValue.object([
          ("source", .string(path)), ("state", .string("duplicate")), ("duplicate_of", .string(known)),
          ("name", .string(drive.name)), ("start_time", .time(drive.startTime)),
          ("duration_s", .number(drive.duration)),
        ]).text)
    } else if !isQuiet {
      let first = known == path ? "an earlier one of the file" : known
      say(Diagnostic.singleLine("\(path): \(drive.name): the same drive as \(first), left out"))
    }
  }

  func extends(_ imported: ImportedDrive, _ known: String, path: String) {
    guard !isJSON, !isQuiet else { return }
    say(
      Diagnostic.singleLine(
        "\(path): \(imported.drive.name): the same recording as \(known), which has only part of it; "
          + "both are kept"))
  }

  func simultaneous(_ imported: ImportedDrive, with known: String, path: String) {
    guard !isJSON, !isQuiet else { return }
    say(
      Diagnostic.singleLine(
        "\(path): \(imported.drive.name): the same ride as \(known), recorded by another device; "
          + FuseAdvice.text))
  }

  /// What a person would want to know of; the rest is counted in the summary.
  static let tellingReasons: Set<SkipReason> = [
    .enteredByHand, .uploadError, .noTrack, .tooFewPoints,
  ]

  func skipped(_ path: String, _ reason: SkipReason) {
    if isJSON {
      say(
        JSONValue.object([
          ("source", .string(path)), ("state", .string("skipped")), ("reason", .string(reason.code)),
          ("message", .string(reason.text)),
        ]).text)
    } else if !isQuiet, ImportReporting.tellingReasons.contains(reason) {
      say(Diagnostic.singleLine("\(path): skipped: \(reason.text)"))
    }
  }

  func opened(_ container: WalkedContainer) {
    guard !isQuiet, !isJSON, !container.services.isEmpty else { return }
    say(
      Diagnostic.singleLine(
        "\(container.label.path): export of \(container.services.joined(separator: ", ")), "
          + Counted.of(container.fileCount, "file")))
  }

  /// Says what became of all inputs, where there were more than those that the user named.
  func summarize(_ tally: OutcomeTally, hasContainers: Bool) {
    guard !isQuiet, hasContainers else { return }
    var lines = [
      "\(tally.inputs == 1 ? "1 entry" : "\(tally.inputs) entries"): \(tally.imported) imported as \(Counted.of(tally.drives, "drive")), "
        + "\(Counted.of(tally.duplicates, "duplicate")), \(tally.skipped) skipped, \(tally.failed) failed\(tally.rescued)"
    ]
    if tally.drivesLeftOut > 0 {
      lines.append("  \(Counted.of(tally.drivesLeftOut, "drive")) of those imported left out as duplicates")
    }
    for (reason, count) in tally.reasons { lines.append("  skipped \(count): \(reason.text)") }
    // Scripts count the lines themselves.
    if isJSON {
      for line in lines { Console.write(line + "\n", to: 2) }
    } else {
      for line in lines { say(line) }
    }
  }

  private func say(_ text: String) {
    RunProgress.clear()
    if isStandardOutputTaken { Console.write(text + "\n", to: 2) } else { Console.print(text) }
  }

  private func line(_ imported: ImportedDrive, output: String, _ path: String) -> String {
    let drive = imported.drive
    let report = imported.report
    let points = "\(report.pointsInDrive) points every \(Text.fixed(report.step, 3)) s"
    return
      Diagnostic.singleLine(
        "\(Input.name(path)) → \(output == "-" ? "standard output" : output): \(drive.name)") + ", "
      + "\(Text.clock(drive.duration)), \(Text.driveDistance(miles: drive.distance)), \(points)"
      + (report.resampled ? " (from \(report.pointsUsed))" : "")
      + ", largest time error \(Text.fixed(report.largestTimeError, 3)) s"
      + ", at most \(UnitSystem.current.short(metres: report.largestPlaceError, decimals: 1)) from the recording\(isResampled ? " as resampled" : "")"
  }

  private func json(_ imported: ImportedDrive, output: String, _ path: String) -> String {
    JSONValue.object(
      [("source", .string(path)), ("output", .string(output))] + imported.members
        + [("state", .string("imported"))]
    ).text
  }
}

extension ImportedDrive {
  /// What is told to scripts about a drive, but for its line.
  var members: [(String, JSONValue)] {
    [
      ("id", .string(drive.id.uuidString)), ("name", .string(drive.name)),
      ("start_time", .time(drive.startTime)), ("end_time", .time(drive.endTime)),
      ("duration_s", .number(drive.duration)), ("distance_mi", .number(drive.distance)),
      ("distance_m", .number(report.recordedDistance)), ("elapsed_s", .number(report.elapsed)),
      ("moving_s", .number(report.moving)), ("points_read", .integer(report.pointsRead)),
      ("points_used", .integer(report.pointsUsed)), ("points", .integer(report.pointsInDrive)),
      ("step_s", .number(report.step)), ("resampled", .bool(report.resampled)),
      ("largest_time_error_s", .number(report.largestTimeError)),
      ("largest_place_error_m", .number((report.largestPlaceError * 1000).rounded() / 1000)),
      ("warnings", .warnings(report.warnings)), ("kind", .optional(drive.kind)),
      ("notes", .optional(drive.notes)), ("gear", .optional(drive.gear)),
    ]
  }
}
