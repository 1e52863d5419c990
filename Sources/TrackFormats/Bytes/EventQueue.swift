import TrackModel

/// A first-in, first-out queue of events.
struct EventQueue {
  /// The queued events. Delivered events remain at the beginning until the queue is empty.
  private var events: [TrackEvent] = []
  private var head = 0

  var isEmpty: Bool { events.isEmpty }

  mutating func append(_ event: TrackEvent) { events.append(event) }

  /// Removes and returns the oldest event, or returns nil if the queue is empty.
  mutating func popFirst() -> TrackEvent? {
    guard head < events.count else { return nil }
    let event = events[head]
    head += 1
    if head == events.count { removeAll() }
    return event
  }

  mutating func removeAll() {
    events.removeAll(keepingCapacity: events.capacity < 1 << 10)
    head = 0
  }
}
