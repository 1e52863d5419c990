import TrackModel

/// Drops the empty segments of a file beyond a limit, and counts them.
///
/// Consumers keep a track with all its segments. Without a limit, a small compressed file could exhaust the
/// memory, because an empty segment takes a few bytes.
struct EmptySegmentFilter: TrackReader, ~Copyable {
  /// Never nil. Swift cannot borrow a value of a protocol from a property of another type.
  private var reader: (any TrackReader & ~Copyable)?
  private let options: ReadingOptions
  private var log = WarningLog()
  /// The number of empty segments that were delivered.
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
      guard case .beginSegment = event else {
        if isAtStart, case .endSegment = event { count += 1 }
        isAtStart = false
        return event
      }
      guard count >= options.limits.emptySegmentCount else {
        isAtStart = true
        return event
      }
      held = try reader?.next(into: &batch)
      guard case .endSegment = held else {
        exchangeRows(&batch)
        batch.removeAll()
        return event
      }
      held = nil
      try log.report(
        .limitExceeded, "more than \(options.limits.emptySegmentCount) empty segments, the rest left out",
        isStrict: options.isStrict)
    }
  }

  /// Exchanges the rows of a batch and the held ones.
  private mutating func exchangeRows(_ batch: inout PointBatch) {
    var rows = heldRows.take() ?? PointBatch(capacity: batch.capacity)
    swap(&batch, &rows)
    heldRows = consume rows
  }
}
