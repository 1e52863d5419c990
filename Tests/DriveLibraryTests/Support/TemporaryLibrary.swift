import DriveLibrary
import Foundation
import GhostModel
import TestSupport
import TrackModel

/// A temporary folder with a library.
struct TemporaryLibrary: ~Copyable {
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  var folder: URL { temporary.url }
  var path: String { temporary.file("drives.gpkg") }
}

extension NewLibraryDrive {
  /// Returns a drive with the given coordinates, one second apart, with its recording.
  static func over(
    _ coordinates: [Coordinate], name: String = "Drive",
    start: Instant? = Instant(microseconds: 1_714_543_929_000_000),
    kind: String? = nil
  ) -> NewLibraryDrive {
    var segment = Recording.Segment()
    for (index, coordinate) in coordinates.enumerated() {
      segment.append(
        coordinate, time: start.map { Instant(microseconds: $0.microseconds + Int64(index) * 1_000_000) })
    }
    let duration = Double(max(coordinates.count - 1, 0))
    var drive = Drive(
      name: name, startTime: start,
      endTime: start.map { Instant(microseconds: $0.microseconds + Int64(duration) * 1_000_000) },
      duration: duration, distance: Geodesy.length(of: coordinates) / Geodesy.metresPerMile,
      coordinates: coordinates)
    drive.kind = kind
    return NewLibraryDrive(drive, recording: Recording(segments: [segment]), kind: kind)
  }

  /// Returns a drive along a random walk of some kilometres that begins within half a degree of a place.
  static func random(
    around center: Coordinate = Coordinate(latitude: 46.5, longitude: 7.5),
    using generator: inout SeededGenerator
  ) -> NewLibraryDrive {
    var place = Coordinate.random(around: center, using: &generator)
    var coordinates = [place]
    for _ in 0..<Int.random(in: 1...50, using: &generator) {
      place.latitude += .random(in: -0.002...0.002, using: &generator)
      place.longitude += .random(in: -0.002...0.002, using: &generator)
      place.longitude = Coordinate.normalized(place.longitude)
      coordinates.append(place)
    }
    return .over(coordinates)
  }
}

extension Coordinate {
  /// Returns a random place within half a degree of another, on either side of the antimeridian.
  static func random(around center: Coordinate, using generator: inout SeededGenerator) -> Coordinate {
    Coordinate(
      latitude: center.latitude + .random(in: -0.5...0.5, using: &generator),
      longitude: normalized(center.longitude + .random(in: -0.5...0.5, using: &generator)))
  }

  /// Returns the same longitude within -180...180.
  static func normalized(_ longitude: Double) -> Double {
    longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
  }
}

extension DriveLibrary {
  /// Adds the drives as one input.
  func add(_ drives: [NewLibraryDrive], hash: String = "hash") throws {
    try record(
      [(SourceOutcome(path: "\(hash).gpx", contentHash: hash, state: .imported), drives)], run: nil)
  }
}
