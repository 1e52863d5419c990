/// Which of some drives was faster, and where.
public struct DriveComparison: Sendable, Hashable {
  /// Who found where the drives are the same place.
  public enum Engine: String, Sendable, Hashable, CaseIterable {
    /// Places matched with places; see ``compare(_:mode:settings:)``.
    case matched
    /// The app's: steps through the points of both drives by their index.
    case app
  }

  /// Where the times come from.
  public enum Timing: String, Sendable, Hashable, CaseIterable {
    /// Every drive carries times per point.
    case timestamps
    /// At least one drive has its total duration spread over its points.
    case even
  }

  /// Why the drives are lined up at the start although another mode was asked for.
  public enum Fallback: String, Sendable, Hashable, CaseIterable {
    /// The drives never part, or never meet, as the mode needs it.
    case noSuchEvent
    /// The drives have no road in common.
    case nothingShared
    /// The drives took the same road in opposite directions.
    case reversed
  }

  public var requestedMode: ComparisonMode
  /// The mode that was used; ``ComparisonMode/startLocation`` where it fell back.
  public var mode: ComparisonMode
  /// Nil where the mode asked for was used.
  public var fallback: Fallback?
  public var engine: Engine
  public var timing: Timing
  /// In the order given.
  public var drives: [ComparedDrive]
  /// The points and times of ``drives``, in the same order, for outputs that show them; empty if the app's
  /// engine compared them.
  public var traces: [DriveTrace]
  /// Each drive but the first against the first, in the order given.
  public var pairs: [PairComparison]
  /// Index into ``drives`` of the one that is ahead at the end of the compared stretch; nil on a tie and
  /// where nothing is shared.
  public var winner: Int?
  /// Seconds by which the winner is ahead of the next; nil where there is no winner.
  public var margin: Double?
  /// Seconds, one standard deviation: how far ``margin`` may be off. 0 where nothing is shared.
  public var uncertainty: Double

  public init(
    requestedMode: ComparisonMode, mode: ComparisonMode, fallback: Fallback?, engine: Engine, timing: Timing,
    drives: [ComparedDrive], traces: [DriveTrace] = [], pairs: [PairComparison], winner: Int?,
    margin: Double?, uncertainty: Double
  ) {
    self.requestedMode = requestedMode
    self.mode = mode
    self.fallback = fallback
    self.engine = engine
    self.timing = timing
    self.drives = drives
    self.traces = traces
    self.pairs = pairs
    self.winner = winner
    self.margin = margin
    self.uncertainty = uncertainty
  }
}
