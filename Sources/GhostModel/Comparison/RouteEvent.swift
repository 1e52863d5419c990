public import TrackModel

/// A place where the ways of two drives part or meet.
public struct RouteEvent: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The shared road ends here; the drives go on by different ways.
    case divergence
    /// The ways come together here; a shared road begins.
    case convergence
  }

  public var kind: Kind
  /// Half way between the two drives.
  public var coordinate: Coordinate
  /// Seconds since the first recorded point of each drive.
  public var elapsed: Paired<Double>
  /// Where in the points of each drive: index of the point before, plus the fraction of the way to the next.
  public var position: Paired<Double>
  /// Whether the drives had diverged already and have not been together since. The app's detector reports a
  /// divergence at every sample at which the headings differ.
  public var isRepeated: Bool

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
