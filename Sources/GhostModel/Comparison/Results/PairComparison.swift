/// The comparison of a drive with the first.
public struct PairComparison: Sendable, Hashable {
  /// The relation of the two drives' roads.
  public enum Relation: String, Sendable, Hashable, CaseIterable {
    /// The drives share road in the same direction, or lead from one place to another on different roads.
    case shared
    /// The drives share no road, or too little.
    case nothingShared
    /// The drives share road in opposite directions.
    case reversed
  }

  /// The index of the reference drive.
  public var first: Int
  /// The index of the compared drive.
  public var second: Int
  /// The relation of the two drives' roads.
  public var relation: Relation
  /// In driving order.
  public var events: [RouteEvent]
  /// The gap along the shared road.
  public var profile: GapProfile
  /// The legs in driving order, from the start to the end of the shared road.
  public var legs: [Leg]
  /// The shared distance along the first drive in metres. It may be above 0 if the drives have too little
  /// road in common to be compared.
  public var sharedDistance: Double
  /// The fraction of shared points on which both directions of matching agree, 0…1.
  public var agreement: Double
  /// The seconds that the second drive lost on the compared stretch, negative if it was faster, or `nil` if
  /// nothing is shared. The stretch extends from the anchor to the end of the shared road, or is the whole
  /// shared road if the drives are aligned at its end.
  public var finalGap: Double?
  /// One standard deviation of ``finalGap`` in seconds. 0 if nothing is shared.
  public var uncertainty: Double

  /// Creates the result of a comparison of two drives. Times are in seconds, distances in metres.
  public init(
    first: Int, second: Int, relation: Relation, events: [RouteEvent] = [],
    profile: GapProfile = GapProfile(), legs: [Leg] = [], sharedDistance: Double = 0, agreement: Double = 0,
    finalGap: Double? = nil, uncertainty: Double = 0
  ) {
    self.first = first
    self.second = second
    self.relation = relation
    self.events = events
    self.profile = profile
    self.legs = legs
    self.sharedDistance = sharedDistance
    self.agreement = agreement
    self.finalGap = finalGap
    self.uncertainty = uncertainty
  }
}
