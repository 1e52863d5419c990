import TrackFormats

/// The reason why an item of an archive or a folder is not an input.
public struct SkipReason: Sendable, Hashable {
  /// The identifier for scripts.
  public let code: String
  /// The text for people, for one or several items.
  public let text: String

  public init(_ code: String, _ text: String) {
    self.code = code
    self.text = text
  }

  public static let systemFile = SkipReason("system-file", "a hidden system file")
  public static let link = SkipReason("link", "a symbolic link")
  public static let notAFile = SkipReason(
    "not-a-file", "a pipe, a device, or a link in an archive")
  public static let noEntries = SkipReason("empty", "an empty archive")
  public static let emptyFolder = SkipReason("empty-folder", "an empty folder")
  public static let unclosedQuote = SkipReason(
    "unclosed-quote", "a row with an unclosed quote, read up to the quote")
  public static let sameFile = SkipReason("same-file", "a duplicate row of the table for a file")
  public static let noTrackFile = SkipReason("no-track-file", "not a track format")
  public static let filmInArchive = SkipReason(
    "film-in-archive", "a film in an archive; extract it to read its positions")
  public static let noActivity = SkipReason("no-activity", "a part of the export that is not an activity")
  public static let enteredByHand = SkipReason("entered-by-hand", "entered by hand, without a file")
  public static let uploadError = SkipReason(
    "upload-error", "#error# instead of a file, which the service has lost")
  public static let coarserCopy = SkipReason(
    "undivided-copy", "the same movements as the history by months, in one piece")
  public static let otherKind = SkipReason("other-kind", "of other kinds than requested")
  public static let inPrivacyZones = SkipReason(
    "in-privacy-zones", "no points left outside the privacy zones")
  public static let nothingLeft = SkipReason("nothing-left", "empty after cleaning")
  /// The reasons for inputs whose points were all removed as requested.
  public static let removals: Set = [inPrivacyZones, nothingLeft]
  public static let noTrack = SkipReason("no-track", "no track")
  public static let tooFewPoints = SkipReason("too-few-points", "fewer than two points")
  public static let drive = SkipReason("drive", "a drive already")

  /// A FIT file with other contents.
  static func fitFile(_ type: FITFileType) -> SkipReason {
    SkipReason("fit-\(type)", "FIT files of type \(type)")
  }
}
