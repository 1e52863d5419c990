import DriveMatching
import GhostExport
import GhostModel
import TrackModel

/// The passages of a segment in several recordings.
struct PassageReport {
  let segment: RoadSegment
  /// The passages in the order of the recordings, each in driving order.
  let passages: [(trace: TimedDrive, passage: Passage)]

  init(segment: RoadSegment, traces: [TimedDrive]) {
    self.segment = segment
    let search = SegmentSearch(segment)
    passages = traces.flatMap { trace in search.passages(in: trace).map { (trace, $0) } }
  }

  /// The object of `segment find --json`.
  var json: JSONValue {
    .object([
      ("length_m", .rounded(segment.length, 1e2)),
      (
        "passages",
        .array(
          passages.map { trace, passage in
            .object([
              ("source", .optional(trace.source)), ("enter_s", .rounded(passage.start, 1e3)),
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
    for (trace, passage) in ranked {
      table.add([
        trace.label, Text.clock(passage.start), Text.lapTime(passage.duration),
        passage.duration > best ? "+" + Text.lapTime(passage.duration - best) : "",
        UnitSystem.current.speed(metresPerSecond: passage.averageSpeed),
        passage.waiting > 0 ? Text.clock(passage.waiting) : "",
      ])
    }
    return [sum, ""] + table.lines
  }
}
