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
  /// One line per cause that occurred several times, and one for each of the first files. A report lists all
  /// files.
  var lines: [String] {
    let folded = repeated.map { group in
      // The subject of a message is its file: `is a Polar HRM file, which cannot be read`.
      let message = group.first.messageOfFile.trimmingPrefix("is ")
      let times = group.count > group.fileCount ? " (\(group.count) times)" : ""
      return "failed: \(Counted.of(group.fileCount, "file")): \(message)\(times)"
        + ", the first: \(group.first.file ?? "")"
    }
    let listed = files.map { error, count in
      let short = TrackError(error.code, error.messageOfFile, file: error.file, place: error.place)
      return "failed: \(short.text)" + (count > 1 ? " (\(count) times)" : "")
    }
    guard fileCount > listed.count else { return folded + listed }
    return folded + listed + ["failed: \(fileCount - listed.count) more; --report lists all"]
  }
}

/// Prints the first failures of a file with the same cause, and the number of the others, because every track
/// of a file can fail.
struct FailurePrinter {
  /// The number of failures that are printed for each cause.
  private static let limit = 3

  private var file: String?
  private var causes: [(message: String, count: Int)] = []

  /// Prints a failure, or counts it. The failures of a file follow each other.
  mutating func report(_ error: TrackError) {
    if error.file != file { printRest() }
    file = error.file
    let message = error.messageOfFile
    let index = causes.firstIndex { $0.message == message } ?? causes.count
    if index == causes.count { causes.append((message, 0)) }
    causes[index].count += 1
    if causes[index].count <= Self.limit { Console.report(error) }
  }

  /// Prints the number of failures that were not printed.
  mutating func printRest() {
    for cause in causes where cause.count > Self.limit {
      Console.complain(
        (file.map { "\($0): " } ?? "") + "\(cause.message); \(cause.count - Self.limit) more of these errors")
    }
    causes = []
  }
}
