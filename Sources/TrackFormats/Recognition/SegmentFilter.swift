import TrackModel

/// Bounds the number of segments: drops the empty ones of a file beyond a limit, joins the segments of a
/// track beyond another one to the last, and counts both.
///
/// Consumers keep a track with all its segments. Without a limit, a small compressed file could exhaust the
/// memory, because a segment takes a few bytes of it.
struct SegmentFilter: TrackReader, ~Copyable {
  /// Never nil. Swift cannot borrow a value of a protocol from a property of another type.
  private var reader: (any TrackReader & ~Copyable)?
  private let options: ReadingOptions
  private var log = WarningLog()
  /// The number of empty segments that were delivered.
  private var emptyCount = 0
  /// The number of segments of the current track that were delivered.
  private var count = 0
  /// Whether the previous event began a segment.
  private var isAtStart = false
  /// The event after the start of a segment that was delivered late, with its rows.
  private var held: TrackEvent?
  private var heldRows: PointBatch?

  init(_ reader: consuming any TrackReader & ~Copyable, _ options: ReadingOptions) {
    self.reader = consume reader
    self.options = options
  }

  var warnings: [TrackWarning] {
    switch reader {
    case .some(let reader): reader.warnings + log.warnings
    case .none: []
    }
  }

  var unsupportedContent: LossReport {
    switch reader {
    case .some(let reader): reader.unsupportedContent
    case .none: LossReport()
    }
  }

  var sharedPoints: Int {
    switch reader {
    case .some(let reader): reader.sharedPoints
    case .none: 0
    }
  }

  mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    if let event = held.take() {
      exchangeRows(&batch)
      return event
    }
    while true {
      let event = try reader?.next(into: &batch)
      switch event {
      case .beginTrack: count = 0
      case .beginSegment:
        count += 1
        if emptyCount < options.limits.emptySegmentCount {
          isAtStart = true
          return event
        }
        guard case .endSegment = try hold(&batch) else { return event }
        count -= 1
        try drop("more than \(options.limits.emptySegmentCount) empty segments, the rest left out")
        continue
      case .endSegment:
        if isAtStart { emptyCount += 1 }
        guard count >= options.limits.segmentCount else { break }
        isAtStart = false
        guard case .beginSegment = try hold(&batch) else { return event }
        try drop(
          "more than \(options.limits.segmentCount) segments in one track, the rest joined to the last one")
        continue
      default: break
      }
      isAtStart = false
      return event
    }
  }

  /// Reads the next event, and holds it with its rows.
  private mutating func hold(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    held = try reader?.next(into: &batch)
    exchangeRows(&batch)
    batch.removeAll()
    return held
  }

  /// Drops the held event.
  private mutating func drop(_ reason: String) throws(TrackError) {
    held = nil
    try log.report(.limitExceeded, reason, isStrict: options.isStrict)
  }

  /// Exchanges the rows of a batch and the held ones.
  private mutating func exchangeRows(_ batch: inout PointBatch) {
    var rows = heldRows.take() ?? PointBatch(capacity: batch.capacity)
    swap(&batch, &rows)
    heldRows = consume rows
  }
}
