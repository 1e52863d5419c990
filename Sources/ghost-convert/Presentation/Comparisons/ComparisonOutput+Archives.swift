import GhostExport
import TrackArchives
import TrackFormats
import TrackModel

extension ComparisonOutput {
  static let kmz = kmz { sink throws(TrackError) in try ArchiveWriter(sink) }

  /// All formats, in the order of the help.
  static let all: [ComparisonOutput] = [.html, .kmz] + standard.dropFirst()

  /// Returns the format for the extension of a file name.
  static func forFile(_ path: String) throws(TrackError) -> ComparisonOutput {
    try forFile(path, among: all)
  }

  /// Writes outputs in order, up to the first that fails.
  static func writeEach(
    _ paths: [String], _ write: (String) throws(TrackError) -> Void
  ) throws(TrackError) {
    for path in paths {
      do throws(TrackError) { try write(path) } catch { throw error.inFile(path) }
    }
  }
}

extension ComparisonDocument {
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
