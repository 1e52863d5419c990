import TrackModel

extension Recording {
  /// Returns the recording in order of time (``firstPointFirst``, ``inTimeOrder``) without the fixes of
  /// ``ClockErrors``, and the indices of these across all segments.
  func inOrder(keepsEnds: Bool) -> (recording: Recording, clockErrors: [Int]) {
    let (sound, clockErrors) = firstPointFirst.withoutClockErrors(keepsEnds: keepsEnds)
    return (sound.inTimeOrder, clockErrors)
  }

  /// The recording with its first point first, if it lists the newest point first (``DescendingTimes``).
  ///
  /// - Complexity: O(*n*) in the number of points.
  var firstPointFirst: Recording {
    var times = DescendingTimes()
    for segment in segments { times.add(segment.times) }
    guard times.isDescending else { return self }
    var recording = self
    recording.segments = segments.reversed().map(\.reversed)
    return recording
  }

  /// Returns the recording with its segments sorted by time, because programs that join tracks write them in
  /// any order.
  ///
  /// The order is unchanged if a segment has no time or if segments overlap in time.
  ///
  /// - Complexity: O(*n* log *n*) in the number of segments.
  var inTimeOrder: Recording {
    guard segments.count > 1 else { return self }
    var spans: [SegmentSpan] = []
    for (index, segment) in segments.enumerated() where segment.count > 0 {
      guard let first = segment.times.first(where: { $0 != Instant.absent }),
        let last = segment.times.last(where: { $0 != Instant.absent })
      else { return self }
      spans.append(SegmentSpan(first: first, last: last, index: index))
    }
    guard !SegmentSpan.areInOrder(spans) else { return self }
    spans.sort { ($0.first, $0.index) < ($1.first, $1.index) }
    guard SegmentSpan.areInOrder(spans) else { return self }
    var recording = self
    recording.segments = spans.map { segments[$0.index] }
    return recording
  }

  /// Whether segments overlap in time, and the points of each are in order: recordings of one drive by
  /// several devices, written as one track.
  ///
  /// - Complexity: O(*n*) in the number of points.
  var hasConcurrentSegments: Bool {
    var spans: [SegmentSpan] = []
    for (index, segment) in segments.enumerated() {
      var span: SegmentSpan?
      for time in segment.times where time != Instant.absent {
        guard time >= span?.last ?? time else { return false }
        span = SegmentSpan(first: span?.first ?? time, last: time, index: index)
      }
      if let span { spans.append(span) }
    }
    spans.sort { ($0.first, $0.index) < ($1.first, $1.index) }
    return !SegmentSpan.areInOrder(spans)
  }
}

/// The first and the last time of a segment.
private struct SegmentSpan {
  var first: Int64
  var last: Int64
  var index: Int

  /// Whether each segment begins when or after the previous one ends.
  static func areInOrder(_ spans: [SegmentSpan]) -> Bool {
    zip(spans, spans.dropFirst()).allSatisfy { $0.last <= $1.first }
  }
}
