import TrackModel

extension DriveRecorder {
  /// The state of a recorder in its journal, with times in microseconds since 1970.
  struct Checkpoint: Codable {
    struct Stretch: Codable {
      var start: Int64
      var end: Int64?
      var firstRow: Int
    }

    /// The version of this layout.
    var checkpoint = 1
    var state: String
    /// The duration in seconds.
    var duration: Double
    /// The distance in miles.
    var distance: Double
    /// The largest speed in miles per hour.
    var maximumSpeed: Double
    var filtered: Int
    var refused: [String: Int]
    var stretches: [Stretch]
    /// The first row of the route that `points` replaces.
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

    /// The largest count, and the times in microseconds, which protect sums from overflow.
    private static let counts = 0...(1 << 40)
    private static let times: ClosedRange<Int64> = (-1 << 60)...(1 << 60)

    /// Whether the values are possible.
    var isValid: Bool {
      guard checkpoint == 1, State(rawValue: state) != nil,
        [duration, distance, maximumSpeed].allSatisfy({ (0..<1e9).contains($0) }),
        ([from, filtered] + refused.values).allSatisfy(Self.counts.contains),
        stretches.allSatisfy({ Self.times.contains($0.start) && Self.times.contains($0.end ?? $0.start) })
      else { return false }
      let rows = stretches.map(\.firstRow)
      return rows.allSatisfy { 0...(from + points.count) ~= $0 } && zip(rows, rows.dropFirst()).allSatisfy(<=)
        && points.allSatisfy { $0.coordinate.isValid && Self.times.contains($0.time) }
    }

    /// Merges the following checkpoint. All points are kept.
    mutating func take(_ next: Checkpoint) {
      var points = points
      self.points = []  // keeps the array uniquely referenced
      points.removeLast(points.count - next.from)
      points.append(contentsOf: next.points)
      self = next
      self.points = points
      from = 0
    }
  }
}
