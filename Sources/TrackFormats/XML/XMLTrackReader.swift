import TrackModel

/// A reader of a format that is XML whose points go from the tokens straight into the caller's batch: how it
/// goes from one event to the next, and how the document ends. What the tokens mean is the format's own.
protocol XMLTrackReader: TrackReader, ~Copyable {
  /// Where in the grammar an open element stands.
  associatedtype Node

  var tokens: XMLTokenStream { get set }
  var options: ReadingOptions { get }
  /// Where the open elements stand, the outermost first.
  var nodes: [Node] { get }
  /// Events that are known before they are asked for, the next one last.
  var queue: [TrackEvent] { get set }
  var isAtEnd: Bool { get set }
  /// The fault that is thrown once what was whole before it is delivered.
  var pendingError: TrackError? { get set }
  /// What is known of the file and was not yet told.
  var file: FileInfo { get set }
  var hasSentHeader: Bool { get set }
  /// Whether a point is among what was delivered, or waits.
  var hasSentPoint: Bool { get set }

  /// The event that the next tokens lead to, nil where the document ends before; points go into the batch.
  /// The loop is the reader's own, so that its tokens are at hand and not lent anew for each.
  mutating func handleTokens(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent?

  /// Takes an open point out of the batch, which nothing more comes of.
  mutating func dropOpenPoint(_ batch: inout PointBatch)

  /// The events that end an open container, with what it said and nobody was told yet.
  mutating func closing(_ node: Node) -> [TrackEvent]
}

extension XMLTrackReader where Self: ~Copyable {
  /// The next event, as ``TrackReader/next(into:)`` delivers it.
  mutating func nextEvent(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    if let event = queue.popLast() { return event }
    if let error = pendingError {
      pendingError = nil
      isAtEnd = true
      throw error
    }
    guard !isAtEnd else { return nil }
    do {
      guard let event = try handleTokens(&batch) else { return end() }
      if case .points = event { hasSentPoint = true }
      return event
    } catch {
      return try recover(from: error, &batch)
    }
  }

  /// The event that is left when the document is over.
  private mutating func end() -> TrackEvent? {
    isAtEnd = true
    if !hasSentHeader {
      hasSentHeader = true
      return .header(file)
    }
    return file == FileInfo() ? nil : .annotation(.file(file))
  }

  /// Delivers what was whole before a fault; a file that was cut off is closed, other faults are thrown next.
  private mutating func recover(
    from error: TrackError, _ batch: inout PointBatch
  ) throws(TrackError) -> TrackEvent? {
    dropOpenPoint(&batch)
    var events: [TrackEvent] = batch.count > 0 ? [.points] : []
    hasSentPoint = hasSentPoint || batch.count > 0
    guard error.code == .truncated, !options.isStrict, hasSentPoint else {
      pendingError = error
      if let event = events.first { return event }
      return try nextEvent(into: &batch)
    }
    try tokens.warn(.truncated, "the file ends inside an element, what was whole is kept", at: error.place)
    isAtEnd = true
    for node in nodes.reversed() { events += closing(node) }
    if file != FileInfo() { events.append(.annotation(.file(file))) }
    queue = events.reversed()
    return queue.popLast()
  }
}
