import TrackModel

/// The state that all readers of XML tracks share: queued events, information about the file, open foreign
/// elements and the phase of the reading.
struct XMLReaderState {
  /// The progress through the document.
  enum Phase {
    case reading
    /// The file is truncated: open containers are closed next.
    case closing
    /// The error is thrown after everything before it has been delivered.
    case failing(TrackError)
    case ended
  }

  var phase = Phase.reading
  var queue = EventQueue()
  /// Information about the file that no event has contained yet.
  var file = FileInfo()
  private(set) var hasSentHeader = false
  /// Whether a trackpoint or a waypoint has been delivered.
  private(set) var hasSentPoint = false
  var foreign: ForeignElements
  /// The content of the open sensor container other than sensor values; nil if there is no such content yet.
  var container: ExtensionElement?
  /// The start tag of that container.
  var containerToken = XMLToken(
    kind: .start, code: 0, name: 0, textOffset: 0, textCount: 0, line: 0, column: 0)

  init(_ limits: ReadingLimits) { foreign = ForeignElements(limits) }

  var isReading: Bool { if case .reading = phase { true } else { false } }

  /// Returns the header with everything known so far, or nil if it has already been returned.
  mutating func takeHeader() -> TrackEvent? {
    guard !hasSentHeader else { return nil }
    hasSentHeader = true
    defer { file = FileInfo() }
    return .header(file)
  }

  /// Queues the remaining information about the file, and ends reading.
  mutating func end() {
    phase = .ended
    if let header = takeHeader() { queue.append(header) }
    if file != FileInfo() { queue.append(.annotation(.file(file))) }
    file = FileInfo()
  }

  /// Records an event that is delivered.
  mutating func deliver(_ event: TrackEvent) -> TrackEvent {
    switch event {
    case .points, .waypoint: hasSentPoint = true
    default: break
    }
    return event
  }
}
