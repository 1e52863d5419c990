public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What an app shows of an error, in English.
extension TrackError: LocalizedError {
  /// The file, the place and what was wrong: `ride.gpx:12: invalid time: "noon" (gpx/trk/trkseg/trkpt/time)`.
  public var errorDescription: String? { problem }

  /// What was wrong, without the file and the place.
  public var failureReason: String? { message }

  /// What to do about it; nil if there is no suggestion.
  public var recoverySuggestion: String? { suggestion?.description }
}
