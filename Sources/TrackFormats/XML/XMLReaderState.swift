import TrackModel

/// The state that all readers of XML tracks have in common: the events that are ready, the information about
/// the file, the open foreign elements, and how the document ends.
struct XMLReaderState {
  /// The progress through the document.
  enum Phase {
    case reading
    /// The file is truncated: open containers are closed next.
    case closing
    /// The error is thrown after everything before it was delivered.
    case failing(TrackError)
    case ended
  }

  var phase = Phase.reading
  var queue = EventQueue()
  /// Information about the file that no event has carried yet.
  var file = FileInfo()
  private(set) var hasSentHeader = false
  /// Whether a trackpoint or a waypoint was delivered.
  private(set) var hasSentPoint = false
  var foreign: ForeignElements
  /// The content of the open container of sensors that is no sensor; nil until there is some.
  var container: ExtensionElement?
  /// The start tag of that container.
  var containerToken = XMLToken(
    kind: .start, code: 0, name: 0, textOffset: 0, textCount: 0, line: 0, column: 0)

  init(_ limits: ReadingLimits) { foreign = ForeignElements(limits) }

  var isReading: Bool { if case .reading = phase { true } else { false } }

  /// Takes the header with all that is known, unless it was taken before.
  mutating func takeHeader() -> TrackEvent? {
    guard !hasSentHeader else { return nil }
    hasSentHeader = true
    defer { file = FileInfo() }
    return .header(file)
  }

  /// Queues the information about the file that is left, and ends the reading.
  mutating func end() {
    phase = .ended
    if let header = takeHeader() { queue.append(header) }
    if file != FileInfo() { queue.append(.annotation(.file(file))) }
    file = FileInfo()
  }

  /// Takes note of an event that is delivered.
  mutating func deliver(_ event: TrackEvent) -> TrackEvent {
    switch event {
    case .points, .waypoint: hasSentPoint = true
    default: break
    }
    return event
  }
}
