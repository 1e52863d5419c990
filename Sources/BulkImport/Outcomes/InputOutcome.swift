package import TrackArchives
import TrackFormats
package import TrackModel

/// The outcome of an input. Every input has exactly one.
package enum InputOutcome: Sendable {
  /// At least one drive was created.
  case imported(drives: Int)
  /// Its content is in the library from an earlier run.
  case alreadyThere
  /// All its drives are duplicates. The value names the input of the first drive's original.
  case duplicate(of: String)
  case skipped(SkipReason)
  case failed(TrackError)
}
