import TrackModel

extension DriveRecorder {
  /// What a recorder knows, as its journal keeps it: times in microseconds since 1970.
  struct Checkpoint: Codable {
    struct Stretch: Codable {
      var start: Int64
      var end: Int64?
      var firstRow: Int
    }

    /// The version of this layout.
    var checkpoint = 1
    var state: String
    /// Seconds.
    var duration: Double
    /// Miles.
    var distance: Double
    /// Miles per hour.
    var maximumSpeed: Double
    var filtered: Int
    var refused: [String: Int]
    var stretches: [Stretch]
    /// The row of the route that `points` begin with; the rows from there on are replaced.
    var from: Int
    var points: [RoutePoint]

    init(_ recorder: DriveRecorder, from row: Int) {
      state = recorder.state.rawValue
      duration = recorder.duration
      distance = recorder.distance
      maximumSpeed = recorder.maximumSpeed
      filtered = recorder.filteredCount
      refused = Dictionary(
        uniqueKeysWithValues: recorder.refusals.map { ($0.key.rawValue, $0.value) })
      stretches = recorder.stretches.map { stretch in
        Stretch(
          start: stretch.start.microseconds, end: stretch.end?.microseconds, firstRow: stretch.firstRow)
      }
      from = row
      points = Array(recorder.route.dropFirst(row))
    }

    /// Whether this is a sound checkpoint that can stand behind another.
    func follows(_ previous: Checkpoint?) -> Bool {
      let count = previous?.points.count ?? 0
      guard checkpoint == 1, State(rawValue: state) != nil, duration >= 0, duration.isFinite,
        0...count ~= from
      else { return false }
      let rows = stretches.map(\.firstRow)
      return rows.allSatisfy { 0...(from + points.count) ~= $0 } && zip(rows, rows.dropFirst()).allSatisfy(<=)
        && points.allSatisfy { $0.coordinate.isValid && $0.time != Instant.absent }
    }

    /// Takes over a checkpoint that follows this one; the points stay all, from the first on.
    mutating func take(_ next: Checkpoint) {
      var points = points
      self.points = []  // one owner while it grows
      points.removeLast(points.count - next.from)
      points.append(contentsOf: next.points)
      self = next
      self.points = points
      from = 0
    }
  }
}
