/// The result of comparing drives: which was faster, and where.
public struct DriveComparison: Sendable, Hashable {
  /// The algorithm that matched the drives.
  public enum Engine: String, Sendable, Hashable, CaseIterable {
    /// Matching by position; see ``compare(_:mode:settings:)``.
    case matched
    /// The app's algorithm, which steps through the points of both drives by index.
    case app
  }

  /// The source of the times.
  public enum Timing: String, Sendable, Hashable, CaseIterable {
    /// Every drive has times per point.
    case timestamps
    /// The duration of at least one drive is spread evenly over its points.
    case even
  }

  /// The reason why the drives are aligned at the start instead of the requested mode.
  public enum Fallback: String, Sendable, Hashable, CaseIterable {
    /// The drives have no such divergence or convergence.
    case noSuchEvent
    /// The drives share no road.
    case nothingShared
    /// The drives took the same road in opposite directions.
    case reversed
  }

  /// The mode that was requested. ``mode`` differs if the drives have no such place.
  public var requestedMode: ComparisonMode
  /// The mode that was used, which is ``ComparisonMode/startLocation`` after a fallback.
  public var mode: ComparisonMode
  /// The reason for a fallback, or `nil` if the requested mode was used.
  public var fallback: Fallback?
  /// The engine that compared the drives.
  public var engine: Engine
  /// The source of the drives' times.
  public var timing: Timing
  /// The drives in input order.
  public var drives: [ComparedDrive]
  /// The points and times of ``drives`` in the same order, for outputs. Can be empty for the app's engine.
  public var traces: [TimedDrive]
  /// One pair per drive after the first, compared with the first, in input order.
  public var pairs: [PairComparison]
  /// The index of the drive that is ahead at the end of the compared stretch, or `nil` for a tie and without
  /// shared road.
  public var winner: Int?
  /// The lead of the winner over the next drive in seconds, or `nil` if there is no winner.
  public var margin: Double?
  /// One standard deviation of ``margin`` in seconds. 0 if nothing is shared.
  public var uncertainty: Double

  /// Creates the result of a comparison of two or more drives.
  public init(
    requestedMode: ComparisonMode, mode: ComparisonMode, fallback: Fallback?, engine: Engine, timing: Timing,
    drives: [ComparedDrive], traces: [TimedDrive] = [], pairs: [PairComparison], winner: Int?,
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

extension DriveComparison {
  /// Returns the relation of a pair's recordings if they were made at the same time, otherwise `nil`.
  public func ride(of pair: PairComparison) -> RideRelation? {
    guard drives.indices.contains(pair.second) else { return nil }
    return drives[pair.second].concurrent.first { $0.drive == pair.first }?.relation
  }

  /// The pairs whose second drive is not another recording of an earlier drive.
  ///
  /// Only these can have a winner: a difference between two recordings of one ride is an error of the
  /// devices.
  public var pairsOfRivals: [PairComparison] {
    pairs.filter { drives.indices.contains($0.second) && drives[$0.second].sameRide == nil }
  }
}
