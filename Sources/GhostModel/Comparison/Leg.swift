public import TrackModel

/// A part of the way between two anchors: the ends of the shared road and the places where the ways part or
/// meet.
public struct Leg: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Both took the same road.
    case shared
    /// Each took its own.
    case detour
    /// A recording has a hole here, as in a tunnel: which road was taken is not known.
    case unknown
  }

  /// One drive's side of a leg.
  public struct Side: Sendable, Hashable {
    public var from: Coordinate
    public var to: Coordinate
    /// Metres along the drive.
    public var fromDistance: Double
    public var toDistance: Double
    /// Seconds since the drive's first recorded point.
    public var fromElapsed: Double
    public var toElapsed: Double
    /// Seconds of ``duration`` that the drive stood.
    public var waiting: Double

    public init(
      from: Coordinate, to: Coordinate, fromDistance: Double, toDistance: Double, fromElapsed: Double,
      toElapsed: Double, waiting: Double
    ) {
      self.from = from
      self.to = to
      self.fromDistance = fromDistance
      self.toDistance = toDistance
      self.fromElapsed = fromElapsed
      self.toElapsed = toElapsed
      self.waiting = waiting
    }

    /// Metres.
    public var length: Double { toDistance - fromDistance }
    /// Seconds.
    public var duration: Double { toElapsed - fromElapsed }
  }

  public var kind: Kind
  public var sides: Paired<Side>
  /// Seconds, one standard deviation: how far ``gapChange`` may be off; nil if it is not known.
  public var uncertainty: Double?

  public init(kind: Kind, sides: Paired<Side>, uncertainty: Double? = nil) {
    self.kind = kind
    self.sides = sides
    self.uncertainty = uncertainty
  }

  /// Seconds that the second drive lost on the leg; negative where it gained.
  public var gapChange: Double { sides.second.duration - sides.first.duration }
}
