public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The English texts of an error for apps.
extension TrackError: LocalizedError {
  /// The file, the location and the problem: `ride.gpx:12: invalid time: "noon" (gpx/trk/trkseg/trkpt/time)`.
  public var errorDescription: String? { problem }

  /// The problem without the file and the location.
  public var failureReason: String? { message }

  /// The suggestion, or `nil`.
  public var recoverySuggestion: String? { suggestion?.description }
}
