import TrackArchives
import TrackModel

/// Prints the messages of an import.
struct ImportOutput {
  /// Whether the results are JSON records, which replace the messages.
  let isJSON: Bool
  /// Whether standard output is a drive or a report, so that messages are written to standard error.
  let isStandardOutputTaken: Bool

  /// Prints a record or a line of a message.
  func print(_ line: String) {
    RunProgress.clear()
    if isStandardOutputTaken { Console.write(line + "\n", to: 2) } else { Console.print(line) }
  }

  /// Prints a message on a single line, unless there are records instead or the run is quiet.
  func say(_ message: String) {
    if !Console.isQuiet, !isJSON { print(Diagnostic.singleLine(message)) }
  }

  /// Prints that an archive or a folder is an export of services.
  func opened(_ container: DiscoveredContainer) {
    guard !container.services.isEmpty else { return }
    say("\(container.label.path): export of \(container.services.joined(separator: ", "))")
  }

  /// Prints the summary of the run. Scripts can count the records.
  func summarize(_ lines: [String]) {
    for line in lines { if isJSON { Console.write(line + "\n", to: 2) } else { print(line) } }
  }
}
