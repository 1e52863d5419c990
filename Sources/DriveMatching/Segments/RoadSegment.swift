public import TrackModel

/// A stretch of road with a direction, whose passages are timed.
///
/// ```swift
/// let climb = try RoadSegment(name: "Climb", line: coordinates)
/// let passages = SegmentSearch(climb).passages(in: trace)
/// ```
public struct RoadSegment: Sendable, Hashable {
  public var name: String
  /// The road from the start to the end, at least two places that differ.
  public let line: [Coordinate]

  /// - Throws: `tooFewPoints` for a line without a length, `invalidValue` for a place out of range.
  public init(name: String, line: [Coordinate]) throws(TrackError) {
    guard line.allSatisfy(\.isValid) else {
      throw TrackError(.invalidValue, "a coordinate of the segment is out of range")
    }
    guard line.contains(where: { $0 != line[0] }) else {
      throw TrackError(.tooFewPoints, "the line of the segment has no length")
    }
    self.name = name
    self.line = line
  }

  /// Metres from the start to the end along the line.
  public var length: Double { Geodesy.length(of: line) }

  /// The line between two places on it, in the direction from one to the other.
  ///
  /// - Throws: `tooFewPoints` if both are at the same place of the line.
  public func part(from start: Coordinate, to end: Coordinate) throws(TrackError) -> RoadSegment {
    let guide = GuideLine(line.map { EarthFixed.vector(latitude: $0.latitude, longitude: $0.longitude) })
    let (first, last) = (guide.along(nearest: start), guide.along(nearest: end))
    var inside = line.indices.filter {
      guide.along[$0] > min(first, last) && guide.along[$0] < max(first, last)
    }
    if last < first { inside.reverse() }
    let ends = [first, last].map { EarthFixed.coordinate(of: guide.place(at: $0)) }
    return try RoadSegment(name: name, line: [ends[0]] + inside.map { line[$0] } + [ends[1]])
  }
}

/// A drive along the whole of a segment.
public struct Passage: Sendable, Hashable {
  /// When the drive entered the segment and left it, in seconds since the first point of the recording.
  public var start: Double
  public var end: Double
  /// Metres driven.
  public var distance: Double
  /// Metres per second.
  public var maximumSpeed: Double
  /// Seconds that the car was stationary.
  public var waiting = 0.0
  /// One standard deviation of ``duration``, in seconds.
  public var uncertainty: Double

  public init(
    start: Double, end: Double, distance: Double, maximumSpeed: Double, waiting: Double = 0,
    uncertainty: Double
  ) {
    self.start = start
    self.end = end
    self.distance = distance
    self.maximumSpeed = maximumSpeed
    self.waiting = waiting
    self.uncertainty = uncertainty
  }

  /// Seconds.
  public var duration: Double { end - start }
  /// Metres per second.
  public var averageSpeed: Double { duration > 0 ? distance / duration : 0 }
}

extension GuideLine {
  /// The place on the line that is nearest to a coordinate, in metres along it.
  func along(nearest coordinate: Coordinate) -> Double {
    nearest(to: EarthFixed.vector(latitude: coordinate.latitude, longitude: coordinate.longitude)).along
  }
}
