import BulkImport
import GhostExport
import TrackArchives
import TrackFormats
import TrackModel

extension ContainerSummary {
  /// Prints the summary line by line, because hundreds of thousands of inputs can have failed.
  func printText(_ print: (String) -> Void) {
    func line(_ title: String, _ text: String) {
      print("  " + title.padded(to: 10) + Diagnostic.singleLine(text))
    }
    print(sums.text)
    if !services.isEmpty { line("export", services.joined(separator: ", ")) }
    line("inputs", inputs == 0 ? "none" : inputsText)
    if let earliest, let latest { line("dates", "\(LocalTime.text(earliest)) to \(LocalTime.text(latest))") }
    if duplicateCount > 0 {
      line("twice", "\(Counted.of(duplicateCount, "drive")) that an import would skip")
    }
    if simultaneousCount > 0 {
      line(
        "together",
        "\(Counted.of(simultaneousCount, "drive")) of rides that were also recorded by another device")
    }
    if withoutDrive > 0 {
      line("no drive", "\(Counted.of(withoutDrive, "input")) without a track to import")
    }
    for (reason, count) in skipped { line("skipped", "\(count): \(reason.text)") }
    for (path, error) in failures { line("failed", error.inFile(path).text) }
  }

  /// The number of inputs, and how many of each format, without tracks, skipped and failed.
  private var inputsText: String {
    var parts = formats.map { "\($0.count) \($0.name)" }
    let skippedCount = skipped.reduce(0) { $0 + $1.count }
    if withTracks < inputs { parts.append("\(inputs - withTracks) without tracks") }
    if skippedCount > 0 { parts.append("\(skippedCount) skipped") }
    if !failures.isEmpty { parts.append("\(failures.count) failed") }
    return "\(count): \(parts.joined(separator: ", "))"
  }
}
