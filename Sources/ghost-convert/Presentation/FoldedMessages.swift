import BulkImport
import TrackModel

extension FoldedWarnings {
  /// One line per kind of warning.
  var lines: [String] {
    let warnings = warnings.map { group in
      guard group.files > 1 else { return Console.text(of: group.first, file: group.file) }
      var first = group.first
      first.count = 1
      return
        "\(Counted.of(group.files, "file")): warning: \(group.first.message) (\(group.count) times), the first: "
        + Console.text(of: first, file: group.file).replacing(": warning: \(group.first.message)", with: "")
    }
    let lost = lost.map { losses in
      losses.files == 1
        ? "\(losses.file): \(losses.description): \(losses.report.text)"
        : "\(losses.files) files: \(losses.description): \(losses.report.text), the first: \(losses.file)"
    }
    return warnings + lost
  }
}

extension FoldedFailures {
  /// The number of files listed at the end. A report lists all files.
  private static let limit = 20

  /// One line per cause that occurred several times, and one per file.
  var lines: [String] {
    let folded = repeated.map { group in
      // The subject of a message is its file: `is a Polar HRM file, which cannot be read`.
      let message = group.first.messageOfFile.trimmingPrefix("is ")
      let times = group.count > group.files.count ? " (\(group.count) times)" : ""
      return "failed: \(Counted.of(group.files.count, "file")): \(message)\(times)"
        + ", the first: \(group.first.file ?? "")"
    }
    let listed = files.prefix(Self.limit).map { error, count in
      let short = TrackError(error.code, error.messageOfFile, file: error.file, place: error.place)
      return "failed: \(short.text)" + (count > 1 ? " (\(count) times)" : "")
    }
    guard files.count > listed.count else { return folded + listed }
    return folded + listed + ["failed: \(files.count - listed.count) more; --report lists all"]
  }
}
