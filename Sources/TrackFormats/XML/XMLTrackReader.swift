import TrackModel

/// A reader of an XML format: the loop over events, the recovery from faults, and the elements unknown to
/// the format. Each format implements its grammar.
protocol XMLTrackReader: TrackReader, ~Copyable {
  var tokens: XMLTokenStream { get set }
  var state: XMLReaderState { get set }
  associatedtype Node: XMLNode
  /// The open elements, outermost first.
  var nodes: [Node] { get set }
  /// The container of the content at the current position.
  var level: KeptBudget.Level { get }

  /// Returns whether a namespace belongs to the format, so that extensions omit it.
  static func isOwn(_ namespace: String) -> Bool

  /// Reads tokens up to the next event, which it returns or queues, and adds points to the batch. Returns
  /// nil if events were queued and at the end of the document.
  ///
  /// Each format implements the loop over the tokens because calling a protocol requirement for each token
  /// is slow.
  mutating func handleTokens(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent?

  /// Delivers held points, or returns nil.
  mutating func deliverHeld(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent?

  /// Prepares for the end after a fault: removes an incomplete point from the batch and releases the complete
  /// points that were held.
  ///
  /// - Returns: whether points were held.
  mutating func dropOpenPoint(_ batch: inout PointBatch) -> Bool

  /// Queues the events that close all open containers.
  mutating func closeAll()
}

/// An open element of an XML format.
protocol XMLNode {
  /// An element that is kept unchanged, or is inside one.
  static var foreign: Self { get }
  /// The container of the content of the element, or nil if it is that of the enclosing element.
  var level: KeptBudget.Level? { get }
}

extension XMLNode {
  var level: KeptBudget.Level? { nil }
}

/// A reader of a format with an element per trackpoint. Trackpoints with values only are read without tokens.
protocol XMLPointReader: XMLTrackReader, ~Copyable {
  /// Whether the innermost open element contains trackpoints.
  var isAmongPoints: Bool { get }

  /// Appends the row of the tokens to a batch that is not full.
  mutating func appendRow(to batch: inout PointBatch)

  /// Processes a token. Returns the event that it completes, or nil.
  mutating func handle(_ token: XMLToken, _ batch: inout PointBatch) throws(TrackError) -> TrackEvent?
}

extension XMLPointReader where Self: ~Copyable {
  /// Implements ``XMLTrackReader/handleTokens(_:)``. It is inlined so that the calls for each token are
  /// direct.
  @inline(__always)
  mutating func handlePointTokens(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    while true {
      if tokens.isBetweenRows, isAmongPoints {
        while tokens.nextRow() {
          appendRow(to: &batch)
          if batch.isFull { return .points }
        }
      }
      guard let token = try tokens.next() else { return nil }
      if let event = try handle(token, &batch) { return event }
    }
  }
}

extension XMLTrackReader where Self: ~Copyable {
  var level: KeptBudget.Level {
    for node in nodes.reversed() { if let level = node.level { return level } }
    return .file
  }

  mutating func deliverHeld(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? { nil }

  /// Delivers the next event, like ``TrackReader/next(into:)``.
  mutating func nextEvent(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    state.foreign.budget.beginBatch()
    while true {
      if let event = state.queue.popFirst() { return state.deliver(event) }
      do throws(TrackError) {
        if let event = try deliverHeld(&batch) { return state.deliver(event) }
        guard state.queue.isEmpty else { continue }
        switch state.phase {
        case .ended: return nil
        case .failing(let error): throw error
        case .closing:
          closeAll()
          state.end()
        case .reading:
          if let event = try handleTokens(&batch) { return state.deliver(event) }
          if tokens.isAtEnd { state.end() }
        }
      } catch {
        guard state.isReading else {
          state.queue.removeAll()
          state.phase = .ended
          throw error
        }
        try recover(from: error, &batch)
        if batch.count > 0 { return state.deliver(.points) }
      }
    }
  }

  /// Delivers the complete content before a fault. Containers of truncated files are closed; other faults
  /// are thrown later.
  private mutating func recover(from error: TrackError, _ batch: inout PointBatch) throws(TrackError) {
    let hasHeldPoints = dropOpenPoint(&batch)
    state.phase = .failing(error)
    guard error.code == .truncated, !tokens.isStrict,
      state.hasSentPoint || hasHeldPoints || batch.count > 0
    else { return }
    try tokens.warn(.truncated, "the file ends inside an element; complete data is kept", at: error.place)
    state.phase = .closing
  }

  // MARK: Events

  /// Returns an event now, and makes the next call process the last token again.
  mutating func again(_ event: TrackEvent) -> TrackEvent {
    tokens.unsupportedContent()
    return event
  }

  /// Returns the header before the current token, or nil if it has already been sent.
  mutating func header() -> TrackEvent? {
    guard let header = state.takeHeader() else { return nil }
    return again(header)
  }

  /// Keeps a namespace that the root element declares.
  mutating func addNamespace(_ token: XMLToken) {
    state.file.namespaces.append(
      NamespaceDeclaration(prefix: tokens.name(of: token).local, uri: tokens.text(of: token)))
  }

  // MARK: Foreign elements

  /// Reserves memory for an extension, a link or a lap with texts of `size` bytes.
  ///
  /// - Returns: false if the budget is exceeded, with a warning unless the container keeps nothing.
  mutating func hasRoom(_ size: Int = 0, at level: KeptBudget.Level? = nil) throws(TrackError) -> Bool {
    let level = level ?? self.level
    guard level != .dropped else { return false }
    if state.foreign.budget.reserve(size + KeptBudget.entrySize, at: level) { return true }
    let message =
      level == .waiting ? state.foreign.budget.waitingMessage : state.foreign.budget.message
    try tokens.warn(.limitExceeded, message)
    return false
  }

  /// Returns the element of a leaf, or nil, with a warning, if its container's budget is exceeded.
  mutating func keptLeaf(_ token: XMLToken) throws(TrackError) -> ExtensionElement? {
    guard try hasRoom(Int(token.textCount)) else { return nil }
    return tokens.element(of: token, isOwn: Self.isOwn)
  }

  mutating func beginForeign(_ token: XMLToken) {
    let level = state.foreign.isOpen ? .file : level
    state.foreign.begin(tokens.element(of: token, isOwn: Self.isOwn), at: level)
    nodes.append(.foreign)
  }

  /// Ends the innermost open foreign element.
  ///
  /// - Returns: the element if it was the outermost.
  mutating func closeForeign() throws(TrackError) -> ExtensionElement? {
    switch state.foreign.end() {
    case .inner: break
    case .whole(let element): return element
    case .leftOut: try tokens.warn(.limitExceeded, state.foreign.budget.message)
    }
    return nil
  }

  /// Adds a leaf to the open foreign element.
  mutating func addForeign(leaf token: XMLToken) {
    guard state.foreign.reserve(Int(token.textCount) + KeptBudget.entrySize) else { return }
    state.foreign.add(tokens.element(of: token, isOwn: Self.isOwn))
  }

  mutating func addForeign(text token: XMLToken) {
    guard state.foreign.reserve(Int(token.textCount) + KeptBudget.entrySize) else { return }
    state.foreign.add(text: tokens.text(of: token))
  }

  mutating func addForeign(attribute token: XMLToken) {
    guard state.foreign.reserve(Int(token.textCount) + KeptBudget.entrySize) else { return }
    state.foreign.add(tokens.attribute(of: token))
  }

  /// Changes the element of the open sensor container, creating it on first use.
  mutating func changeContainer(_ change: (inout ExtensionElement) -> Void) {
    var element = state.container ?? tokens.element(of: state.containerToken, isOwn: Self.isOwn)
    // A second reference to its content would make each change copy all of it.
    state.container = nil
    change(&element)
    state.container = element
  }
}
