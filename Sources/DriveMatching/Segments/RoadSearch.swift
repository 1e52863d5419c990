public import GhostModel
public import TrackModel

extension RoadSegment {
  /// Creates a segment on the most common route between two positions.
  ///
  /// - Parameters:
  ///   - name: the name of the segment.
  ///   - start: the first position of the segment.
  ///   - end: the last position of the segment.
  ///   - via: positions on the route, in driving order.
  ///   - traces: the drives whose routes are compared.
  /// - Throws: `noTracks` if no drive passes the positions in this order, `invalidValue` if the segment has
  ///   no length.
  public init(
    name: String, from start: Coordinate, to end: Coordinate, via: [Coordinate] = [], in traces: [TimedDrive]
  ) throws(TrackError) {
    var search = try RoadSearch(from: start, to: end, via: via)
    for trace in RoadSearch.sample(traces) where !search.isComplete { search.add(trace) }
    self = try search.segment(named: name)
  }
}

/// A search for the most common route between two positions, drive by drive.
package struct RoadSearch {
  private let places: [SIMD3<Double>]
  private var ways: [CommonRoad.Way] = []

  /// The number of parts of drives from which the route is computed. More would barely change the median.
  private static let enough = 100

  /// - Throws: `invalidValue` if the segment has no length.
  package init(from start: Coordinate, to end: Coordinate, via: [Coordinate] = []) throws(TrackError) {
    guard start != end || !via.isEmpty else {
      throw TrackError(
        .invalidValue, "the start and the end of the segment are the same position",
        suggestion: .text("add a position between them for a loop"))
    }
    places = ([start] + via + [end]).map {
      EarthFixed.vector(latitude: $0.latitude, longitude: $0.longitude)
    }
  }

  /// Returns drives in an order of which every beginning is a fair sample: at random, but always the same.
  ///
  /// A list in order of time changes with the years, and its even and odd elements are often the ways to work
  /// and back.
  package static func sample<Drive>(_ drives: [Drive]) -> [Drive] {
    // The mixing function of SplitMix64 (Steele, Lea and Flood, 2014).
    drives.enumerated().map { index, drive in
      var mixed = UInt64(index) &* 0x9E37_79B9_7F4A_7C15
      mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return (order: mixed ^ mixed >> 31, drive: drive)
    }.sorted { $0.order < $1.order }.map(\.drive)
  }

  /// Whether further drives are not needed.
  package var isComplete: Bool { ways.count >= RoadSearch.enough }

  /// Adds the parts of a drive that lead from the first position to the last.
  package mutating func add(_ trace: TimedDrive) {
    // Most drives near the positions do not pass them, and finding stops takes longer than finding passages.
    let path = SmoothPath(trace, findsStops: false)
    if !CommonRoad.ways(places, path).isEmpty { ways += CommonRoad.ways(places, SmoothPath(trace)) }
  }

  /// Returns the segment on the most common route.
  ///
  /// - Throws: `noTracks` if no drive passes the positions in their order.
  package func segment(named name: String) throws(TrackError) -> RoadSegment {
    guard let line = CommonRoad(ways, from: places[0], to: places[places.count - 1]).line else {
      throw TrackError(
        .noTracks,
        places.count == 2
          ? "no drive goes from the start to the end" : "no drive passes all positions in this order",
        suggestion: .provideLine)
    }
    return try RoadSegment(name: name, line: line.map { EarthFixed.coordinate(of: $0) })
  }
}
