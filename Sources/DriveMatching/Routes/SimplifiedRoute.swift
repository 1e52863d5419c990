import GhostModel
public import TrackModel

/// A simplified drive for finding routes: some of its points with their passing times.
///
/// It needs about 12 bytes per 25 m, so that 10,000 drives fit into memory.
public struct SimplifiedRoute: Sendable, Hashable {
  /// The start and end of the drive, as recorded.
  public let start: Coordinate
  /// The end of the drive, as recorded.
  public let end: Coordinate
  /// The length along the kept points in metres.
  public private(set) var length = 0.0
  /// The largest distance from the start in metres.
  public private(set) var extent = 0.0

  /// The points in driving order.
  private(set) var points = CompactFixes()

  /// The spacing of kept points in metres, if the drive has enough points.
  static let spacing = 25.0
  /// The number of points from which only every other one is kept: 100 km at the usual spacing.
  static let maximumCount = 4096

  /// Simplifies the line of a drive.
  ///
  /// - Parameters:
  ///   - coordinates: the coordinates in driving order. Invalid ones are skipped.
  ///   - duration: the duration in seconds, spread evenly over the coordinates.
  /// - Returns: `nil` for fewer than two coordinates.
  /// - Complexity: O(*n*)
  public init?(_ coordinates: [Coordinate], duration: Double) {
    guard let first = coordinates.first(where: \.isValid), let last = coordinates.last(where: \.isValid),
      coordinates.count > 1
    else { return nil }
    start = first
    end = last
    let step = duration.isFinite && duration > 0 ? duration / Double(coordinates.count - 1) : 0
    var spacing = Self.spacing
    var plane = LocalPlane(at: first)
    points.append(first, 0)
    var final: (index: Int, coordinate: Coordinate) = (0, first)
    for (index, coordinate) in coordinates.enumerated() where coordinate.isValid {
      final = (index, coordinate)
      guard plane.way(to: coordinate).lengthSquared >= spacing * spacing else { continue }
      points.append(coordinate, Double(index) * step)
      plane = LocalPlane(at: coordinate)
      if points.count > Self.maximumCount {
        dropEveryOther()
        spacing *= 2
      }
    }
    if plane.way(to: final.coordinate).lengthSquared > 0 {
      points.append(final.coordinate, Double(final.index) * step)
    }
    measure()
  }

  private mutating func dropEveryOther() {
    // The last point is kept, because distances are measured from it.
    points = points[points.indices.filter { $0.isMultiple(of: 2) || $0 == points.count - 1 }]
  }

  private mutating func measure() {
    var farthest = 0.0
    let origin = LocalPlane(at: start)
    for index in points.indices {
      let here = coordinate(at: index)
      if index > 0 {
        length += LocalPlane(at: coordinate(at: index - 1)).way(to: here).length
      }
      farthest = max(farthest, origin.way(to: here).lengthSquared)
    }
    extent = farthest.squareRoot()
  }

  /// The number of points.
  var count: Int { points.count }

  func coordinate(at index: Int) -> Coordinate {
    points.coordinate(at: index)
  }

  func place(at index: Int) -> SIMD3<Double> {
    let coordinate = coordinate(at: index)
    return EarthFixed.vector(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  /// The positions over time.
  func ride(from start: Instant) -> RideFingerprint? {
    guard count > 1 else { return nil }
    return RideFingerprint(start: start, hasTimestamps: true, fixes: points, recordedCount: points.count)
  }

  /// The line for the matching engine, without vertices if the drive does not move.
  var line: MatchablePolyline {
    var seconds: [Double] = []
    seconds.reserveCapacity(count)
    // Rounded times are still in order.
    for value in points.elapsed { seconds.append(Double(value)) }
    let trace = try? TimedDrive(
      label: "", coordinates: (0..<count).map(coordinate), elapsed: seconds, hasTimestamps: false)
    return trace.map { MatchablePolyline($0) } ?? MatchablePolyline()
  }
}
