import DriveMatching
import GhostModel

extension ComparisonDocument {
  /// The compared points of a drive, empty if the trimmed start is after the trimmed end.
  func comparedRows(of drive: Int) -> Range<Int> {
    let compared = comparison.drives[drive]
    let count = traces[drive].count
    let start = min(max(compared.startIndex, 0), count)
    let end = min(compared.endIndex, count - 1)
    return start..<max(start, end + 1)
  }
}

extension TimedDrive {
  /// Splits a range of points where the recording was interrupted.
  func runs(in rows: Range<Int>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for (index, start) in segmentStarts.enumerated() {
      let end = index + 1 < segmentStarts.count ? segmentStarts[index + 1] : count
      let run = (start..<end).clamped(to: rows)
      if !run.isEmpty { runs.append(run) }
    }
    return runs
  }
}
