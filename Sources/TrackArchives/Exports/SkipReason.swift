import TrackFormats

/// Why something in an archive or a folder is no input.
public struct SkipReason: Sendable, Hashable {
  /// One of a few words for scripts.
  public let code: String
  /// The same for people, in words that fit one case and many.
  public let text: String

  public init(_ code: String, _ text: String) {
    self.code = code
    self.text = text
  }

  public static let systemFile = SkipReason("system-file", "a hidden file of the system")
  public static let link = SkipReason("link", "a link, which is not followed")
  public static let notAFile = SkipReason(
    "not-a-file", "a pipe, a device or a link in an archive, which is not read")
  public static let noEntries = SkipReason("empty", "an archive with nothing in it")
  public static let emptyFolder = SkipReason("empty-folder", "a folder with nothing in it")
  public static let unclosedQuote = SkipReason(
    "unclosed-quote", "a row with a quote that nothing closes, of which only the beginning counts")
  public static let sameFile = SkipReason("same-file", "a further row of the table for the same file")
  public static let noTrackFile = SkipReason("no-track-file", "of no format that holds tracks")
  public static let noActivity = SkipReason("no-activity", "a part of the export that is no activity")
  public static let enteredByHand = SkipReason("entered-by-hand", "entered by hand, without a file")
  public static let uploadError = SkipReason(
    "upload-error", "#error# in place of a file, which the service has lost")
  public static let coarserCopy = SkipReason(
    "undivided-copy", "the same movements as the history by months, in one piece")
  public static let otherKind = SkipReason("other-kind", "of other kinds than asked for")
  public static let nothingLeft = SkipReason("nothing-left", "with nothing left after cleaning")
  public static let noTrack = SkipReason("no-track", "without a track")
  public static let tooFewPoints = SkipReason("too-few-points", "with fewer than two points")
  public static let drive = SkipReason("drive", "a drive already")

  /// A FIT file that records something else.
  static func fitFile(_ type: FITFileType) -> SkipReason {
    SkipReason("fit-\(type)", "FIT files of the type \(type)")
  }
}
