/// What a comparison found about one drive against the first.
public struct PairComparison: Sendable, Hashable {
  public enum Relation: String, Sendable, Hashable, CaseIterable {
    /// There is road that both drove in the same direction.
    case shared
    /// There is none.
    case nothingShared
    /// There is road that both drove, in opposite directions.
    case reversed
  }

  /// Index of the drive that is the measure.
  public var first: Int
  /// Index of the drive that is compared with it.
  public var second: Int
  public var relation: Relation
  /// In driving order.
  public var events: [RouteEvent]
  public var profile: GapProfile
  /// In driving order, without what lies before the shared road begins and after it ends.
  public var legs: [Leg]
  /// Metres along the first drive that both drove.
  public var sharedDistance: Double
  /// Which of the points that one drive shares with the other the other way round agrees with, 0…1.
  public var agreement: Double
  /// Seconds that the second drive lost on the compared stretch: from the anchor to the end of the shared
  /// road, or where the drives are lined up at the end from its beginning. Negative where it won; nil where
  /// nothing is shared.
  public var finalGap: Double?
  /// Seconds, one standard deviation, of ``finalGap``; 0 where nothing is shared.
  public var uncertainty: Double

  public init(
    first: Int, second: Int, relation: Relation, events: [RouteEvent] = [],
    profile: GapProfile = GapProfile(), legs: [Leg] = [], sharedDistance: Double = 0, agreement: Double = 0,
    finalGap: Double? = nil,
    uncertainty: Double = 0
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
