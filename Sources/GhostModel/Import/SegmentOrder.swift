import TrackModel

extension Recording {
  /// Returns the recording with its segments sorted by time, because programs that join tracks write them in
  /// any order.
  ///
  /// The order is unchanged if a segment has no time or if segments overlap in time.
  ///
  /// - Complexity: O(*n* log *n*) in the number of segments.
  var inTimeOrder: Recording {
    guard segments.count > 1 else { return self }
    var spans: [(first: Int64, last: Int64, index: Int)] = []
    for (index, segment) in segments.enumerated() where segment.count > 0 {
      guard let first = segment.times.first(where: { $0 != Instant.absent }),
        let last = segment.times.last(where: { $0 != Instant.absent })
      else { return self }
      spans.append((first, last, index))
    }
    let isOrdered = { (spans: [(first: Int64, last: Int64, index: Int)]) in
      zip(spans, spans.dropFirst()).allSatisfy { $0.last <= $1.first }
    }
    guard !isOrdered(spans) else { return self }
    spans.sort { ($0.first, $0.index) < ($1.first, $1.index) }
    guard isOrdered(spans) else { return self }
    var recording = self
    recording.segments = spans.map { segments[$0.index] }
    return recording
  }
}
