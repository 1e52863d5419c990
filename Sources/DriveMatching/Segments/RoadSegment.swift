public import TrackModel

/// A stretch of road with a direction, for timing its passages.
///
/// ```swift
/// let climb = try RoadSegment(name: "Climb", line: coordinates)
/// let passages = SegmentSearch(climb).passages(in: trace)
/// ```
public struct RoadSegment: Sendable, Hashable {
  /// The name of the segment.
  public var name: String
  /// The road from the start to the end, with at least two different positions.
  public let line: [Coordinate]

  /// Creates a segment.
  ///
  /// - Throws: `tooFewPoints` for a line without a length, `invalidValue` for a position out of range,
  ///   `limitExceeded` for a line of more than ``maximumLength``.
  public init(name: String, line: [Coordinate]) throws(TrackError) {
    guard line.allSatisfy(\.isValid) else {
      throw TrackError(.invalidValue, "a coordinate of the segment is out of range")
    }
    guard line.contains(where: { $0 != line[0] }) else {
      throw TrackError(.tooFewPoints, "the line of the segment has no length")
    }
    guard Geodesy.length(of: line) <= Self.maximumLength else {
      throw TrackError(
        .limitExceeded, "the segment is longer than \(Int(Self.maximumLength / 1000)) km",
        suggestion: .text("use a shorter line or a part of it"))
    }
    self.name = name
    self.line = line
  }

  /// The maximum length of a segment in metres.
  public static let maximumLength = 5_000_000.0

  /// The largest distance in metres from the line to an end of a part.
  private static let reach = 200.0

  /// The length along the line in metres.
  public var length: Double { Geodesy.length(of: line) }

  var guide: GuideLine {
    GuideLine(line.map { EarthFixed.vector(latitude: $0.latitude, longitude: $0.longitude) })
  }

  /// Returns the part of the line between two positions on it, in the direction from one to the other.
  ///
  /// - Throws: `tooFewPoints` if both are at the same position of the line, `invalidValue` if one is more
  ///   than 200 m from it.
  public func part(from start: Coordinate, to end: Coordinate) throws(TrackError) -> RoadSegment {
    let guide = guide
    for (name, place) in [("start", start), ("end", end)] {
      let nearest = EarthFixed.coordinate(of: guide.place(at: guide.distanceAlong(nearest: place)))
      let metres = Geodesy.distance(from: place, to: nearest)
      guard metres <= Self.reach else {
        throw TrackError(
          .invalidValue, "the \(name) is \(Int(metres.rounded())) m from the line of the segment",
          suggestion: .text("choose a place at most \(Int(Self.reach)) m from it"))
      }
    }
    let (first, last) = (guide.distanceAlong(nearest: start), guide.distanceAlong(nearest: end))
    var inside = line.indices.filter {
      guide.distanceAlong[$0] > min(first, last) && guide.distanceAlong[$0] < max(first, last)
    }
    if last < first { inside.reverse() }
    let ends = [first, last].map { EarthFixed.coordinate(of: guide.place(at: $0)) }
    return try RoadSegment(name: name, line: [ends[0]] + inside.map { line[$0] } + [ends[1]])
  }

  /// The line as a track without times.
  package var document: TrackDocument {
    var points = PointColumns()
    for place in line { points.append(place) }
    var document = TrackDocument()
    document.tracks = [.init(info: TrackInfo(name: name), segments: [.init(points: points)])]
    return document
  }
}

/// A drive along a complete segment.
public struct Passage: Sendable, Hashable {
  /// The time at which the drive entered the segment, in seconds since the first point of the recording.
  public var start: Double
  /// The time at which the drive left the segment, in seconds since the first point of the recording.
  public var end: Double
  /// The driven distance in metres.
  public var distance: Double
  /// In metres per second.
  public var maximumSpeed: Double
  /// The stationary time in seconds.
  public var waiting = 0.0
  /// The standard deviation of ``duration``, in seconds.
  public var uncertainty: Double

  /// Creates a passage. Times are in seconds, distances in metres.
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

  /// The duration in seconds.
  public var duration: Double { end - start }
  /// The average speed in metres per second.
  public var averageSpeed: Double { duration > 0 ? distance / duration : 0 }
}

extension GuideLine {
  /// Returns the distance along the line, in metres, of the position nearest to a coordinate.
  func distanceAlong(nearest coordinate: Coordinate) -> Double {
    nearest(to: EarthFixed.vector(latitude: coordinate.latitude, longitude: coordinate.longitude))
      .distanceAlong
  }
}
