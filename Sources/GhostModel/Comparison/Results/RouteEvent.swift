public import TrackModel

/// A divergence or convergence of two drives.
public struct RouteEvent: Sendable, Hashable {
  /// The kind of an event.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The drives leave their shared road on different roads.
    case divergence
    /// The drives reach a shared road.
    case convergence
  }

  /// The kind of the event.
  public var kind: Kind
  /// The midpoint between the two drives.
  public var coordinate: Coordinate
  /// The elapsed seconds of each drive since its first recorded point.
  public var elapsed: Paired<Double>
  /// The position in the points of each drive: the index of the preceding point plus the fraction of the way
  /// to the next.
  public var position: Paired<Double>
  /// Whether the drives had already diverged and had not been together since. The app's algorithm reports a
  /// divergence at every sample at which the bearings differ.
  public var isRepeated: Bool

  /// Creates an event. Times are in seconds, distances in metres.
  public init(
    kind: Kind, coordinate: Coordinate, elapsed: Paired<Double>, position: Paired<Double>,
    isRepeated: Bool = false
  ) {
    self.kind = kind
    self.coordinate = coordinate
    self.elapsed = elapsed
    self.position = position
    self.isRepeated = isRepeated
  }
}
