package import TrackModel

/// Checks a stream against the grammar of `TrackEvent`, event by event.
package struct StreamGrammar {
  private enum Container { case file, route, track, segment }

  private var open: [Container] = []
  private var steps = 0
  /// Descriptions of the violations, in the stream's order.
  private(set) var violations: [String] = []

  package mutating func take(_ event: TrackEvent, rows: Int) {
    steps += 1
    if case .points = event {
      if rows == 0 { violate("points without a row") }
    } else if rows > 0 {
      violate("rows with an event other than points")
    }
    switch event {
    case .header:
      // A stream of several files has a header for each.
      if steps == 1 { open = [.file] } else { expect(.file, event) }
    case .waypoint: expect(.file, event)
    case .beginRoute: begin(.route, in: .file, event)
    case .beginTrack: begin(.track, in: .file, event)
    case .beginSegment: begin(.segment, in: .track, event)
    case .points: if open.last != .route { expect(.segment, event) }
    case .endRoute: end(.route, event)
    case .endTrack: end(.track, event)
    case .endSegment: end(.segment, event)
    case .annotation(.track): if open.last == .file { violate("more about no track") }
    case .annotation: break
    }
    if open.isEmpty { violate("no header first") }
  }

  package mutating func finish() {
    if steps > 0, open != [.file] { violate("ends inside \(open)") }
  }

  private mutating func violate(_ what: String) { violations.append("step \(steps): \(what)") }

  private mutating func expect(_ container: Container, _ event: TrackEvent) {
    if open.last != container { violate("\(event) in \(open)") }
  }

  private mutating func begin(_ container: Container, in outer: Container, _ event: TrackEvent) {
    expect(outer, event)
    open.append(container)
  }

  private mutating func end(_ container: Container, _ event: TrackEvent) {
    expect(container, event)
    if open.count > 1 { open.removeLast() }
  }
}
