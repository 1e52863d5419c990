public import TrackModel

/// What the tables of an export say about an activity, beside the file that was recorded.
public struct ActivityNotes: Sendable, Hashable {
  public var name: String?
  /// The kind of activity, in the words of the export.
  public var type: String?
  public var description: String?
  /// The bike, the shoes or the vehicle.
  public var gear: String?
  /// When it began and ended; counts only where the file itself has no times.
  public var timeSpan: TimeSpan?

  public init() {}
}

/// Where the notes on an activity come from: some are known by the file's name, others only by its start.
public enum ActivityNotesSource: Sendable {
  case none
  case known(ActivityNotes)
  case garmin(GarminActivityNames, fileName: String)
  /// A recording of all time, of which some months are told elsewhere.
  case recording(toldElsewhere: CoveredMonths)

  /// The notes on the activity that began at a time.
  public func notes(start: Instant?) -> ActivityNotes? {
    switch self {
    case .none, .recording: nil
    case .known(let notes): notes
    case .garmin(let names, let fileName): names.notes(start: start, fileName: fileName)
    }
  }

  /// Whether the start of the activity has to be known.
  public var needsStart: Bool { if case .garmin = self { true } else { false } }
}
