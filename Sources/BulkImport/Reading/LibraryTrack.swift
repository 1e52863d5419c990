package import DriveLibrary
import GhostModel
import TrackFormats
package import TrackModel
package import TrackTransforms

/// A drive in a library as a track: the recorded points if the library contains their timestamps, otherwise
/// the drive's points at evenly spaced times.
package struct LibraryTrack {
  private var drive: Drive
  private let recording: Recording?

  /// Creates the track, or nil if the library no longer contains the drive.
  ///
  /// - Parameter name: replaces the drive's name.
  package init?(
    _ drive: LibraryDrive, in library: DriveLibrary, name: String? = nil
  ) throws(TrackError) {
    guard let whole = try library.drive(drive.id) else { return nil }
    self.drive = whole
    if let name { self.drive.name = name }
    let recording = try library.recording(drive.id)
    self.recording = recording.flatMap { $0.hasNoTimes ? nil : $0 }
  }

  /// The recorded track, or nil if the library has no timestamps for its points.
  package var document: TrackDocument? {
    guard let recording else { return nil }
    var track = TrackDocument.Track(info: info)
    var batch = PointBatch()
    for segment in recording.segments where segment.count > 0 {
      var points = PointColumns()
      var row = 0
      while row < segment.count {
        batch.removeAll()
        batch.append(segment, from: row)
        row += batch.count
        points.append(batch)
      }
      track.segments.append(TrackDocument.Segment(points: points))
    }
    var document = TrackDocument()
    document.tracks = [track]
    return document
  }

  /// Returns a reader of the recorded track, or else of the drive as stored by the app.
  package func reader(_ stages: [any TrackStage]) -> StagedReader {
    guard let document else { return StagedReader(evenTrack, stages) }
    return StagedReader(TrackDocumentReader(document), stages)
  }

  /// The drive as stored by the app.
  var evenTrack: DriveTrackReader { DriveTrackReader(drive) }

  /// Writes the track to a writer. The file's header must have been written.
  ///
  /// - Parameter needsTimes: whether to give points without timestamps evenly spaced times over the duration
  ///   of the drive.
  package func write(
    to writer: inout any TrackWriter & ~Copyable, needsTimes: Bool, _ batch: inout PointBatch
  ) throws(TrackError) {
    guard let recording else {
      var reader = StagedReader(evenTrack, needsTimes ? [SpreadTimesStage(.drives)] : [])
      while let event = try reader.next(into: &batch) {
        if case .header = event { continue }
        try writer.write(event, batch)
      }
      return
    }
    let segments = recording.segments.filter { $0.count > 0 }
    try writer.writeTrack(info, segments: segments.count, &batch) { segment, row, batch in
      batch.append(segments[segment], from: row)
    }
  }

  private var info: TrackInfo {
    var info = TrackInfo(name: drive.name)
    info.type = drive.kind
    info.description = drive.notes
    info.gear = drive.gear
    return info
  }
}

extension PointBatch {
  /// Appends points of a segment, starting at `first`, until the batch is full.
  fileprivate mutating func append(_ segment: Recording.Segment, from first: Int) {
    var row = first
    while row < segment.count, count < capacity {
      append(
        latitude: segment.latitudes[row], longitude: segment.longitudes[row], time: segment.times[row])
      if let accuracy = segment.horizontalAccuracies?[row], accuracy != Recording.Segment.unknownAccuracy {
        set(.horizontalAccuracy, accuracy)
      }
      if let elevation = segment.elevations?[row], elevation != Recording.Segment.unknownElevation {
        set(.elevation, elevation)
      }
      row += 1
    }
  }
}
