import GhostExport
import TrackArchives
import TrackFormats
import TrackModel

extension ComparisonOutput {
  static let kmz = kmz { sink throws(TrackError) in try ArchiveWriter(sink) }

  static let all = standard + [.kmz]
}
