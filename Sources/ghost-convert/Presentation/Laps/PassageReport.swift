import DriveMatching
import GhostExport
import GhostModel
import TrackModel

/// The passages of a segment in several recordings.
struct PassageReport {
  let segment: RoadSegment
  /// The passages in the order of the recordings, each in driving order.
  let passages: [(source: Source, passage: Passage)]
  /// The number of passages in the other direction, if there are no others.
  let opposite: Int

  /// A recording in which passages are searched for.
  struct Source {
    let trace: TimedDrive
    /// The number of its track among the drives of its file, or nil if it is the only one.
    let track: Int?

    var label: String { track.map { "\(trace.label), track \($0)" } ?? trace.label }
  }

  init(segment: RoadSegment, sources: [Source]) throws(TrackError) {
    self.segment = segment
    let traces = sources.map(\.trace)
    let found = SegmentSearch(segment).passages(inEach: traces)
    passages = zip(sources, found).flatMap { source, passages in passages.map { (source, $0) } }
    guard passages.isEmpty else {
      opposite = 0
      return
    }
    let reversed = try RoadSegment(name: segment.name, line: segment.line.reversed())
    opposite = SegmentSearch(reversed).passages(inEach: traces).reduce(0) { $0 + $1.count }
  }

  /// The object of `segment find --json`.
  var json: JSONValue {
    .object([
      ("length_m", .rounded(segment.length, 1e2)),
      (
        "passages",
        .array(
          passages.map { source, passage in
            .object([
              ("source", .optional(source.trace.source)), ("track", .optional(source.track.map(Double.init))),
              ("enter_s", .rounded(passage.start, 1e3)),
              ("leave_s", .rounded(passage.end, 1e3)), ("duration_s", .rounded(passage.duration, 1e3)),
              ("uncertainty_s", .rounded(passage.uncertainty, 1e3)),
              ("distance_m", .rounded(passage.distance, 1e2)),
              ("average_speed_mps", .rounded(passage.averageSpeed, 1e3)),
              ("waiting_s", .rounded(passage.waiting, 1e3)),
            ])
          })
      ),
    ])
  }

  /// The passages as a table, the fastest first.
  var lines: [String] {
    let sum = "\(Text.distance(segment.length)), \(Counted.of(passages.count, "passage"))"
    let ranked = passages.sorted { $0.passage.duration < $1.passage.duration }
    guard let best = ranked.first?.passage.duration else { return [sum] }
    var table = TextTable([
      ("recording", .left), ("at", .right), ("time", .right), ("gap", .right), ("average", .right),
      ("stopped", .right),
    ])
    for (source, passage) in ranked {
      table.add([
        source.label, Text.clock(passage.start), Text.lapTime(passage.duration),
        passage.duration > best ? "+" + Text.lapTime(passage.duration - best) : "",
        UnitSystem.current.speed(metresPerSecond: passage.averageSpeed),
        passage.waiting > 0 ? Text.clock(passage.waiting) : "",
      ])
    }
    return [sum, ""] + table.lines
  }
}
