public import GhostModel
public import TrackModel

extension TimedDrive {
  /// Returns a part of the drive, such as a lap, as a separate drive whose times start at 0.
  ///
  /// Its first and last points are the positions at the given times.
  ///
  /// - Parameters:
  ///   - start: the start in seconds since the first point.
  ///   - end: the end in seconds since the first point, after `start`.
  ///   - label: the label of the part.
  /// - Throws: `invalidValue` if the part has no duration.
  /// - Complexity: O(n) for n points. Use `DriveParts` for many parts of a drive.
  public func part(from start: Double, to end: Double, label: String) throws(TrackError) -> TimedDrive {
    try DriveParts(self).part(from: start, to: end, label: label)
  }
}

/// A drive that is divided into parts, such as its laps.
///
/// ```swift
/// let parts = DriveParts(drive)
/// let laps = try session.laps.map { try parts.part(from: $0.start, to: $0.end, label: "lap \($0.number)") }
/// ```
public struct DriveParts: Sendable {
  private let drive: TimedDrive
  private let path: SmoothPath

  /// Prepares a drive for division.
  public init(_ drive: TimedDrive) {
    self.drive = drive
    path = SmoothPath(drive)
  }

  /// Returns the position at a time in seconds since the first point.
  public func place(at time: Double) -> Coordinate { EarthFixed.coordinate(of: path.place(at: time)) }

  /// Returns a part of the drive as a separate drive whose times start at 0.
  ///
  /// Its first and last points are the positions at the given times.
  ///
  /// - Parameters:
  ///   - start: the start in seconds since the first point.
  ///   - end: the end in seconds since the first point, after `start`.
  ///   - label: the label of the part.
  /// - Throws: `invalidValue` if the part has no duration.
  /// - Complexity: O(m + log n) for a part of m points in a drive of n points.
  public func part(from start: Double, to end: Double, label: String) throws(TrackError) -> TimedDrive {
    guard end > start else { throw TrackError(.invalidValue, "the part of the drive has no duration") }
    let elapsed = drive.elapsed
    let inside = elapsed.partitionIndex { $0 > start }..<elapsed.partitionIndex { $0 >= end }
    var coordinates = inside.map { drive.coordinate(at: $0) }
    coordinates.insert(place(at: start), at: 0)
    coordinates.append(place(at: end))
    let starts = drive.segmentStarts
    let segments = starts[starts.partitionIndex { $0 >= inside.lowerBound }...]
      .prefix { $0 < inside.upperBound }.map { $0 - inside.lowerBound + 1 }
    var part = try TimedDrive(
      label: label, coordinates: coordinates, elapsed: [start] + elapsed[inside] + [end],
      hasTimestamps: drive.hasTimestamps, segmentStarts: [0] + segments)
    part.setChannels(of: drive, from: start, to: end)
    return part
  }
}
