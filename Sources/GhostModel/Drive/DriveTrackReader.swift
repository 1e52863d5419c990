public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Delivers a drive as a track, like the reader of its document: its points are evenly spaced in time, and
/// the values for which tracks have no field are in the extension `DriveElement`.
public struct DriveTrackReader: TrackReader, ~Copyable {
  private var events = DriveEvents()

  /// Creates a reader that delivers the drive as one track with one segment.
  public init(_ drive: Drive) {
    events.identifier = drive.id.uuidString
    events.name = drive.name
    events.kind = drive.kind
    events.notes = drive.notes
    events.gear = drive.gear
    events.start = drive.startTime
    events.end = drive.endTime
    // Longer drives would overflow their times.
    let range = 0...RecordedDrive.longestDuration
    events.duration = range.contains(drive.duration) ? drive.duration : nil
    events.distance = range.contains(drive.distance) ? drive.distance : nil
    events.latitudes = drive.latitudes
    events.longitudes = drive.longitudes
  }

  /// Always empty, because a drive is valid.
  public var warnings: [TrackWarning] { [] }

  /// Delivers the next event; see ``TrackReader/next(into:)``.
  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try events.next(into: &batch)
  }
}
