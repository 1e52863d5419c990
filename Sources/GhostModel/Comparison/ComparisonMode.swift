/// The alignment point of drives, at which their timing starts.
///
/// The raw values are those of the app.
public enum ComparisonMode: String, Sendable, Hashable, CaseIterable, Codable {
  /// The start of the shared road.
  case startLocation
  /// The end of the shared road.
  case endLocation
  /// The first divergence.
  case firstDivergence
  /// The last divergence.
  case lastDivergence
  /// The first convergence.
  case firstConvergence
  /// The last convergence.
  case lastConvergence

  /// The name in JSON and in options, such as `first-divergence`.
  package var name: String {
    rawValue.reduce(into: "") { name, character in
      name += character.isUppercase ? "-" + character.lowercased() : String(character)
    }
  }

  /// Returns the divergence or convergence that the mode selects, or `nil` if there is none or the mode is an
  /// end of the road.
  ///
  /// - Parameters:
  ///   - events: the events in driving order.
  ///   - kind: returns the kind of an event.
  package func event<Events: BidirectionalCollection>(
    among events: Events, kind: (Events.Element) -> RouteEvent.Kind?
  ) -> Events.Element? {
    switch self {
    case .startLocation, .endLocation: nil
    case .firstDivergence: events.first { kind($0) == .divergence }
    case .lastDivergence: events.last { kind($0) == .divergence }
    case .firstConvergence: events.first { kind($0) == .convergence }
    case .lastConvergence: events.last { kind($0) == .convergence }
    }
  }
}
