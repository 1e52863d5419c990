import TrackFormats

/// The reason why an item of an archive or a folder is not an input.
public struct SkipReason: Sendable, Hashable {
  /// The identifier for scripts.
  public let code: String
  /// The text for people, for one or several items.
  public let text: String

  /// Creates a reason.
  public init(_ code: String, _ text: String) {
    self.code = code
    self.text = text
  }

  /// A file of an operating system, such as `.DS_Store` or one in `__MACOSX`.
  public static let systemFile = SkipReason("system-file", "a hidden system file")
  /// A temporary file that this program has not completed.
  public static let incompleteOutput = SkipReason("incomplete-output", "an incomplete output of this program")
  /// A symbolic link to a folder, which is not followed, because it can form a cycle.
  public static let link = SkipReason("link", "a symbolic link")
  /// An entry that is neither a file nor a folder.
  public static let notAFile = SkipReason(
    "not-a-file", "a pipe, a device, or a link in an archive")
  /// An archive without entries.
  public static let noEntries = SkipReason("empty", "an empty archive")
  /// A folder without items.
  public static let emptyFolder = SkipReason("empty-folder", "an empty folder")
  /// A row of an export's table with an unclosed quote, of which only the beginning is known.
  public static let unclosedQuote = SkipReason(
    "unclosed-quote", "a row with an unclosed quote, read up to the quote")
  /// A row of an export's table in which the table ends.
  public static let truncatedTable = SkipReason(
    "truncated-table", "a table that is cut off, read up to its end")
  /// A list of workouts that is cut off.
  public static let truncatedRecord = SkipReason(
    "truncated-record", "a list of workouts that is cut off, read up to its end")
  /// A row of an export's table for a file that an earlier row named.
  public static let sameFile = SkipReason("same-file", "a duplicate row of the table for a file")
  /// A file that is not in any track format, such as a photo.
  public static let noTrackFile = SkipReason("no-track-file", "not a track format")
  /// A film of a camera that recorded no positions, or in a layout that cannot be read.
  public static let filmWithoutPositions = SkipReason("film-without-positions", "a film without positions")
  /// A film without positions and without a complete index.
  public static let unfinishedFilm = SkipReason(
    "unfinished-film", "a film that is cut off or was not finished (no complete moov box)")
  /// A film in an archive, whose positions cannot be read without extracting it, because their table is
  /// usually at its end.
  public static let filmInArchive = SkipReason(
    "film-in-archive", "a film in an archive; extract it to read its positions")
  /// A film that continues an earlier one and is part of its input.
  public static let laterClip = SkipReason("later-clip", "a later clip of a recording")
  /// A film with the positions of another one, such as that of the rear camera or a small copy.
  public static let sameClip = SkipReason("same-clip", "a film with the same positions as another one")
  /// A file in an export that describes something else, such as a profile or a route.
  public static let noActivity = SkipReason("no-activity", "a part of the export that is not an activity")
  /// An activity in an export's table that was entered without a recording.
  public static let enteredByHand = SkipReason("entered-by-hand", "entered by hand, without a file")
  /// A workout without a recorded route, such as one indoors.
  public static let noRoute = SkipReason("no-route", "a workout without a route")
  /// An activity in an export's table for which Strava has lost the file.
  public static let uploadError = SkipReason(
    "upload-error", "#error# instead of a file, which the service has lost")
  /// A recording of the whole history, all of which is in the files of single months.
  public static let coarserCopy = SkipReason(
    "undivided-copy", "the same movements as the history by months, in one piece")
  /// An input without tracks of the requested kinds.
  public static let otherKind = SkipReason("other-kind", "of other kinds than requested")
  /// An input whose points are all in privacy zones.
  public static let inPrivacyZones = SkipReason(
    "in-privacy-zones", "no points left outside the privacy zones")
  /// An input from which a cleaning removed all points.
  public static let nothingLeft = SkipReason("nothing-left", "empty after cleaning")
  /// The reasons for inputs whose points were all removed as requested.
  public static let removals: Set = [inPrivacyZones, nothingLeft]
  /// An input without tracks that have points, such as one with waypoints only.
  public static let noTrack = SkipReason("no-track", "no track")
  /// An input whose tracks have fewer than two points.
  public static let tooFewPoints = SkipReason("too-few-points", "fewer than two points")
  /// A drive document in a folder or an archive, probably the output of an earlier import.
  public static let drive = SkipReason("drive", "a drive already")

  /// A FIT file with other contents.
  static func fitFile(_ type: FITFileType) -> SkipReason {
    SkipReason("fit-\(type)", "FIT files of type \(type)")
  }
}
