import GhostExport
import TrackModel

extension ComparisonDocument {
  /// Prints the comparison as JSON, or as text unless it would mix with an output or only the outputs were
  /// requested.
  func print(asJSON isJSON: Bool, besides outputs: [String]) {
    if isJSON {
      Console.print(comparison.json)
    } else if Console.printsText(besides: outputs) {
      let text = ComparisonText(
        self, width: Terminal.width(orElse: 60), style: Terminal.isUTF8 ? .blocks : .ascii,
        fuseAdvice: "To combine the two recordings of a ride, use convert --fuse.")
      Console.print(text.lines.joined(separator: "\n"))
    }
  }

  /// Writes the comparison to files. If one cannot be written, the others are written anyway.
  ///
  /// - Parameters:
  ///   - isJSON: whether failures are also printed as JSON records.
  ///   - output: returns the format of a file.
  /// - Returns: the exit status.
  func write(
    to paths: [String], isJSON: Bool = false, options: ExportOptions = ExportOptions(),
    _ output: (String) throws(TrackError) -> ComparisonOutput
  ) -> Int32 {
    var failures = FailureReport(isJSON: isJSON)
    for path in paths {
      do throws(TrackError) { try output(path).write(self, to: path, options: options) } catch {
        failures.add(error.inFile(path), path)
      }
    }
    return failures.status
  }
}
