import DriveMatching
import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A drive as the library stores it: encoded already, on whichever thread has the time, so that the one that
/// writes only writes.
public struct PreparedDrive: Sendable {
  public private(set) var id: UUID
  public let name: String
  /// Seconds.
  public let duration: Double
  /// Miles.
  public let distance: Double
  let startTime: Instant?
  let endTime: Instant?
  let kind: String?
  let description: String?
  let gear: String?
  let points: Int
  let start: Coordinate?
  let end: Coordinate?
  let coordinatesData: [UInt8]
  let geometry: [UInt8]
  let envelope: GeoPackageGeometry.Envelope?
  let recording: EncodedRecording?
  /// Where it was when, for telling duplicates; nil where nobody asks for them, or it does not say.
  let sketch: RideSketch?

  struct EncodedRecording: Sendable {
    let points: Int
    let hasTimes: Bool
    let data: [UInt8]
  }

  /// - Parameter sketchesRide: whether the drive is to be compared with others.
  public init(_ new: NewLibraryDrive, sketchesRide: Bool = true) {
    let drive = new.drive
    let coordinates = drive.coordinates
    id = drive.id
    name = drive.name
    duration = drive.duration
    distance = drive.distance
    startTime = drive.startTime
    endTime = drive.endTime
    kind = new.kind
    description = new.description
    gear = new.gear
    points = coordinates.count
    start = coordinates.first
    end = coordinates.last
    coordinatesData = [UInt8](drive.coordinatesData)
    geometry = GeoPackageGeometry.line(coordinates)
    envelope = GeoPackageGeometry.envelope(geometry)
    sketch = sketchesRide ? RideSketch(drive, new.recording) : nil
    recording = new.recording.map { recording in
      EncodedRecording(
        points: recording.count,
        hasTimes: recording.segments.contains { $0.times.contains { $0 != Instant.absent } },
        data: RecordedPoints.encode(recording))
    }
  }

  /// The same drive under another id.
  func identified(by id: UUID) -> PreparedDrive {
    var result = self
    result.id = id
    return result
  }

  /// Bytes that it holds.
  public var cost: Int {
    512 + coordinatesData.count + geometry.count + (recording?.data.count ?? 0) + 12 * (sketch?.count ?? 0)
  }
}
