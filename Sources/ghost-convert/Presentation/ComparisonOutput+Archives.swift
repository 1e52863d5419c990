import GhostExport
import TrackArchives
import TrackFormats
import TrackModel

extension ComparisonOutput {
  static let kmz = kmz { sink throws(TrackError) in try ArchiveWriter(sink) }

  /// All kinds, in the order of the help.
  static let all: [ComparisonOutput] = [.html, .kmz] + standard.dropFirst()

  /// The kind that the ending of a file name stands for.
  static func forFile(_ path: String) throws(TrackError) -> ComparisonOutput {
    try forFile(path, among: all)
  }
}
