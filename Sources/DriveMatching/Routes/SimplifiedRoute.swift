import GhostModel
public import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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

  /// Per point in driving order: the position in 1e-7 degrees (1 cm) and the seconds since the first point.
  private(set) var latitudes: [Int32] = []
  private(set) var longitudes: [Int32] = []
  private(set) var elapsed: [Float] = []

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
    keep(first, 0)
    var final: (index: Int, coordinate: Coordinate) = (0, first)
    for (index, coordinate) in coordinates.enumerated() where coordinate.isValid {
      final = (index, coordinate)
      guard plane.distanceSquared(to: coordinate) >= spacing * spacing else { continue }
      keep(coordinate, Double(index) * step)
      plane = LocalPlane(at: coordinate)
      if latitudes.count > Self.maximumCount {
        dropEveryOther()
        spacing *= 2
      }
    }
    if plane.distanceSquared(to: final.coordinate) > 0 { keep(final.coordinate, Double(final.index) * step) }
    measure()
  }

  private mutating func keep(_ coordinate: Coordinate, _ seconds: Double) {
    latitudes.append(Int32((coordinate.latitude * 1e7).rounded()))
    longitudes.append(Int32((coordinate.longitude * 1e7).rounded()))
    elapsed.append(Float(seconds))
  }

  private mutating func dropEveryOther() {
    // The last point is kept, because distances are measured from it.
    let kept = latitudes.indices.filter { $0.isMultiple(of: 2) || $0 == latitudes.count - 1 }
    latitudes = kept.map { latitudes[$0] }
    longitudes = kept.map { longitudes[$0] }
    elapsed = kept.map { elapsed[$0] }
  }

  private mutating func measure() {
    var farthest = 0.0
    let origin = LocalPlane(at: start)
    for index in latitudes.indices {
      let here = coordinate(at: index)
      if index > 0 {
        length += LocalPlane(at: coordinate(at: index - 1)).distanceSquared(to: here).squareRoot()
      }
      farthest = max(farthest, origin.distanceSquared(to: here))
    }
    extent = farthest.squareRoot()
  }

  /// The number of points.
  var count: Int { latitudes.count }

  func coordinate(at index: Int) -> Coordinate {
    Coordinate(latitude: Double(latitudes[index]) / 1e7, longitude: Double(longitudes[index]) / 1e7)
  }

  func place(at index: Int) -> SIMD3<Double> {
    EarthFixed.vector(latitude: Double(latitudes[index]) / 1e7, longitude: Double(longitudes[index]) / 1e7)
  }

  /// The positions over time.
  func ride(from start: Instant) -> RideFingerprint? {
    guard count > 1 else { return nil }
    return RideFingerprint(
      start: start, hasTimestamps: true, elapsed: elapsed, latitudes: latitudes, longitudes: longitudes,
      recordedCount: elapsed.count)
  }

  /// The line for the matching engine, without vertices if the drive does not move.
  var line: MatchablePolyline {
    var seconds: [Double] = []
    seconds.reserveCapacity(count)
    // Rounded times are still in order.
    for value in elapsed { seconds.append(Double(value)) }
    let trace = try? TimedDrive(
      label: "", coordinates: (0..<count).map(coordinate), elapsed: seconds, hasTimestamps: false)
    return trace.map { MatchablePolyline($0) } ?? MatchablePolyline()
  }
}

/// Calculates distances near a coordinate with few operations, accurate to some parts per thousand.
private struct LocalPlane {
  private let origin: Coordinate
  private let cosine: Double

  init(at origin: Coordinate) {
    self.origin = origin
    cosine = cos(origin.latitude * Geodesy.radiansPerDegree)
  }

  @inline(__always)
  func distanceSquared(to coordinate: Coordinate) -> Double {
    let north = (coordinate.latitude - origin.latitude) * Geodesy.metresPerDegree
    let east =
      Geodesy.longitudeDifference(from: origin.longitude, to: coordinate.longitude) * cosine
      * Geodesy.metresPerDegree
    return north * north + east * east
  }
}
