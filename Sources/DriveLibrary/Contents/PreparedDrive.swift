import DriveMatching
import GhostModel
import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A drive encoded for storage, so that encoding can run on any thread, leaving only the writing to the
/// writing thread.
public struct PreparedDrive: Sendable {
  /// The identifier of the drive. A duplicate that is kept gets another one.
  public private(set) var id: UUID
  /// The name of the drive.
  public let name: String
  /// The duration in seconds.
  public let duration: Double
  /// The distance in miles.
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
  /// The positions over time for finding duplicates, or `nil` if they are not searched for or times are
  /// missing.
  let fingerprint: RideFingerprint?
  /// The reason why the drive cannot be stored.
  private(set) var fault: TrackError?

  struct EncodedRecording: Sendable {
    let points: Int
    let hasTimes: Bool
    let data: [UInt8]
  }

  /// Encodes a drive and its recording.
  ///
  /// - Parameters:
  ///   - new: the drive, its recording and its description.
  ///   - takesFingerprint: whether to search for duplicates of the drive.
  ///
  /// A drive with invalid values is rejected when it is added.
  public init(_ new: NewLibraryDrive, takesFingerprint: Bool = true) {
    let drive = new.drive
    let coordinates = drive.coordinates
    do throws(TrackError) { try drive.check() } catch { fault = error }
    id = drive.id
    name = drive.name
    duration = drive.duration
    distance = drive.distance
    startTime = drive.startTime
    endTime = drive.endTime
    kind = new.kind ?? drive.kind
    description = new.description ?? drive.notes
    gear = new.gear ?? drive.gear
    points = coordinates.count
    start = coordinates.first
    end = coordinates.last
    coordinatesData = [UInt8](drive.coordinatesData)
    geometry = GeoPackageGeometry.line(coordinates)
    envelope = GeoPackageGeometry.envelope(geometry)
    let recording = new.recording ?? Recording(drive)
    fingerprint = takesFingerprint ? RideFingerprint(drive, recording) : nil
    // The points of a drive document are evenly spaced in time, so their times are not recorded ones.
    let isEven = recording?.drive?.duration != nil
    self.recording = (isEven ? recording?.withoutTimes : recording).map { recording in
      EncodedRecording(
        points: recording.count,
        hasTimes: !recording.hasNoTimes,
        data: RecordedPoints.encode(recording))
    }
  }

  /// Returns the drive with another id.
  func identified(by id: UUID) -> PreparedDrive {
    var result = self
    result.id = id
    return result
  }

  /// The memory of the drive in bytes.
  public var cost: Int {
    512 + coordinatesData.count + geometry.count + (recording?.data.count ?? 0) + 12
      * (fingerprint?.count ?? 0)
  }
}
