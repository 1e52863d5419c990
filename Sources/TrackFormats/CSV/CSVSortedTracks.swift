import TrackModel

/// The rows of a table with alternating tracks, sorted by track, in memory.
struct CSVSortedTracks {
  private struct Track {
    var rows: [UInt8] = []
    var lines: [Int] = []
  }

  /// The tracks by their first row.
  private var tracks: [Track] = []
  private var indices: [[UInt8]: Int] = [:]
  private var current = 0
  private var removed = 0
  /// The approximate memory in bytes.
  private var size = 0

  /// The approximate memory for a track without its rows, in bytes.
  private static let memoryPerTrack = 256

  var isEmpty: Bool { tracks.isEmpty }

  /// Appends the current row.
  ///
  /// - Parameter column: the column with the name of the track, or nil for the track of the previous row.
  /// - Returns: the approximate memory of all tracks in bytes.
  mutating func append(_ records: borrowing CSVRecords, track column: Int?) -> Int {
    if let column {
      let key = records.bytes(of: column).array
      current = indices[key] ?? tracks.count
      if current == tracks.count {
        indices[key] = current
        tracks.append(Track())
        size += Self.memoryPerTrack
      }
    }
    size += records.append(to: &tracks[current].rows) + MemoryLayout<Int>.size
    tracks[current].lines.append(records.line)
    return size
  }

  /// Removes the first track and returns its rows and their lines, or nil after the last track.
  mutating func removeFirst() -> (rows: [UInt8], lines: [Int])? {
    guard removed < tracks.count else { return nil }
    defer { removed += 1 }
    var track = Track()
    swap(&track, &tracks[removed])
    return (track.rows, track.lines)
  }
}
