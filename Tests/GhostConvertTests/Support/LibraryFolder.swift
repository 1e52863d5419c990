import DriveLibrary
import Foundation
import GhostModel
import TrackModel

@testable import TestSupport

extension TemporaryFolder {
  /// Creates a library in this folder with drives that were imported from one file.
  func makeLibrary(_ drives: [NewLibraryDrive], name: String = "drives.gpkg") throws {
    let library = try DriveLibrary(path: url.appendingPathComponent(name).path, mode: .creating)
    let outcome = SourceOutcome(path: "week.gpx", contentHash: "hash", state: .imported)
    try library.record([(outcome, drives)], run: nil)
    try library.finish()
  }
}

extension NewLibraryDrive {
  /// Returns a drive with its recording. Its id starts with `id`, and its points are 1 s apart.
  static func made(
    _ id: String, name: String = "Drive", start: String? = "2025-01-31T07:30:00Z", kind: String? = nil,
    over places: [(latitude: Double, longitude: Double)] = [(46.5, 7.5), (46.501, 7.5)]
  ) throws -> NewLibraryDrive {
    let coordinates = places.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
    let start = start.flatMap { ISO8601.read(Array($0.utf8).span)?.instant }
    var segment = Recording.Segment()
    for (second, coordinate) in coordinates.enumerated() {
      // A quarter of a second late, so that recorded times differ from evenly spread ones.
      let late: Int64 = second == 1 && coordinates.count > 2 ? 250_000 : 0
      segment.append(
        coordinate,
        time: start.map { Instant(microseconds: $0.microseconds + Int64(second) * 1_000_000 + late) })
    }
    let duration = Double(coordinates.count - 1)
    let rest = "00000000-0000-8000-8000-000000000000".dropFirst(id.count)
    var drive = Drive(
      id: UUID(uuidString: id + rest) ?? UUID(), name: name, startTime: start,
      endTime: start.map { Instant(microseconds: $0.microseconds + Int64(duration) * 1_000_000) },
      duration: duration, distance: Geodesy.length(of: coordinates) / Geodesy.metresPerMile,
      coordinates: coordinates)
    drive.kind = kind
    return NewLibraryDrive(drive, recording: Recording(segments: [segment]), kind: kind)
  }
}
