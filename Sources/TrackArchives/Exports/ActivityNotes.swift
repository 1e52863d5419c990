public import TrackModel

/// The metadata of an activity from the tables of an export.
public struct ActivityNotes: Sendable, Hashable {
  /// The name that the user gave the activity.
  public var name: String?
  /// The kind of activity, as named in the export.
  public var type: String?
  /// The description by the user.
  public var description: String?
  /// The bike, the shoes or the vehicle.
  public var gear: String?
  /// The start and end, used only if the file itself has no times.
  public var timeSpan: TimeSpan?
  /// The start from which the times of a table count.
  public var clockStart: Instant?
  /// The pauses of the recording.
  public var pauses: [Pause] = []

  /// A pause of a recording.
  public struct Pause: Sendable, Hashable {
    /// The end of the pause, in the times of the recording.
    public var end: Instant
    /// The seconds to add to later times, which do not count the pauses.
    public var delay = 0.0

    /// Creates a pause that the times of the recording include.
    public init(end: Instant) { self.end = end }
  }

  /// Creates notes without any information.
  public init() {}
}

/// The source of an activity's metadata, which is found by file name or by start.
public enum ActivityNotesSource: Sendable {
  /// The input is not listed in a table.
  case none
  /// The row of a table that names the file.
  case known(ActivityNotes)
  /// The activities of a Garmin export, which are found by the name of the file or by the start.
  case garmin(GarminActivityNames, fileName: String)
  /// A recording of the whole history, some months of which are in other files.
  case recording(toldElsewhere: CoveredMonths)

  /// Returns the metadata of the activity that started at a time.
  public func notes(start: Instant?) -> ActivityNotes? {
    switch self {
    case .none, .recording: nil
    case .known(let notes): notes
    case .garmin(let names, let fileName): names.notes(start: start, fileName: fileName)
    }
  }

  /// Whether the start of the activity is required.
  public var needsStart: Bool { if case .garmin = self { true } else { false } }
}
