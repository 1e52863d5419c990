package import GhostModel
package import TrackModel

/// The passages of a segment in several recordings.
package struct FoundPassages: Sendable {
  /// The segment.
  package let segment: RoadSegment
  /// The passages in the order of the recordings, each in driving order.
  package let passages: [(source: Source, passage: Passage)]
  /// The number of passages in the other direction, if there are no others.
  package let opposite: Int

  /// A recording in which passages are searched for.
  package struct Source: Sendable {
    package let trace: TimedDrive
    /// The number of its track among the drives of its file, or nil if it is the only one.
    package let track: Int?

    package init(trace: TimedDrive, track: Int?) {
      self.trace = trace
      self.track = track
    }

    /// The label of the recording, with the number of the track.
    package var label: String { track.map { "\(trace.label), track \($0)" } ?? trace.label }
  }

  /// Finds the passages.
  ///
  /// - Throws: the errors of a segment in the other direction.
  package init(segment: RoadSegment, sources: [Source]) throws(TrackError) {
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

  /// The passages as a JSON object, with names that scripts rely on.
  package var json: JSONValue {
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
}
