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
