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
  /// - Throws: `noTracks` if no drive passes the positions in this order, `invalidValue` if the segment has no length.
  public init(
    name: String, from start: Coordinate, to end: Coordinate, via: [Coordinate] = [], in traces: [TimedDrive]
  ) throws(TrackError) {
    guard start != end || !via.isEmpty else {
      throw TrackError(.invalidValue, "the start and the end of the segment are the same position")
    }
    let places = ([start] + via + [end]).map {
      EarthFixed.vector(latitude: $0.latitude, longitude: $0.longitude)
    }
    guard let line = CommonRoad(places, traces.map { SmoothPath($0) }).line else {
      throw TrackError(
        .noTracks,
        via.isEmpty
          ? "no drive goes from the start to the end" : "no drive passes all positions in this order",
        suggestion: .provideLine)
    }
    try self.init(name: name, line: line.map { EarthFixed.coordinate(of: $0) })
  }
}

extension RoadSegment {
  /// The length in metres that is omitted at each end of a shared road, and the share of the drives that
  /// reach its ends.
  private static let shared = (margin: 200.0, share: 0.9)

  /// Creates a segment on the road that nine in ten drives share, without 200 m at its ends.
  ///
  /// - Parameters:
  ///   - name: the name of the segment.
  ///   - traces: drives in the same direction.
  /// - Throws: `noTracks` if the drives share no such road.
  public init(name: String, sharedBy traces: [TimedDrive]) throws(TrackError) {
    guard let first = traces.first else { throw TrackError(.noTracks, "no drives") }
    let paths = traces.map { SmoothPath($0) }
    let path = SmoothPath(first)
    let line = path.samples(from: 0, to: first.duration).map(\.place)
    guard line.count > 2 else { throw TrackError(.noTracks, "the first drive has no length") }
    let guide = GuideLine(line)
    // A loop passes its start again at its end.
    let middle = guide.length / 2
    let starts = paths.map { guide.nearest(to: $0.places[0], from: 0, to: middle).along }.sorted()
    let ends = paths.map { guide.nearest(to: $0.places[$0.count - 1], from: middle, to: guide.length).along }
      .sorted()
    let last = traces.count - 1
    let from = starts[Int(Self.shared.share * Double(last))] + Self.shared.margin
    let to = ends[last - Int(Self.shared.share * Double(last))] - Self.shared.margin
    guard to - from > Self.shared.margin else {
      throw TrackError(.noTracks, "the drives share no road")
    }
    try self.init(
      name: name, from: EarthFixed.coordinate(of: guide.place(at: from)),
      to: EarthFixed.coordinate(of: guide.place(at: to)), in: traces)
  }
}

/// The most common route between positions, as the median of the drives on it.
struct CommonRoad {
  /// The line, or nil if no drive leads from the first position to the last.
  private(set) var line: [SIMD3<Double>]?

  /// The distance in metres within which a drive passes a position.
  private static let reach = 30.0
  /// The distance between the positions of the line, in metres.
  private static let spacing = 10.0

  private struct Way {
    var path: Int
    var from: Double
    var to: Double
    var line: GuideLine
  }

  /// Creates the route.
  ///
  /// - Parameter places: at least two positions in driving order.
  init(_ places: [SIMD3<Double>], _ paths: [SmoothPath]) {
    let ways = paths.indices.flatMap { Self.ways(places, paths[$0], $0) }
    var best: (followers: [RoadFollowing], way: Way)?
    for way in ways {
      let followers = ways.map { RoadFollowing(way.line, paths[$0.path], from: $0.from, to: $0.to) }
        .filter(\.isComplete)
      if let best, best.followers.count > followers.count { continue }
      if let best, best.followers.count == followers.count, best.way.line.length <= way.line.length {
        continue
      }
      best = (followers, way)
    }
    guard let best else { return }
    line = Self.middle(best.way.line, best.followers)
    // The ends are the given positions.
    if let count = line?.count, count > 2 {
      line?[0] = places[0]
      line?[count - 1] = places[places.count - 1]
    }
  }

  private static func ways(_ places: [SIMD3<Double>], _ path: SmoothPath, _ index: Int) -> [Way] {
    func moments(_ place: SIMD3<Double>) -> [GateCrossing] {
      GateDirection.passages(of: place, path, within: reach).map {
        GateCrossing(time: $0.time, speed: 0, uncertainty: 0)
      }
    }
    guard path.count > 1 else { return [] }
    let spans = LapCourse.runs(moments(places[0]), moments(places[places.count - 1]))
    return spans.compactMap { span in
      var after = span.start.time
      for place in places.dropFirst().dropLast() {
        guard let next = moments(place).first(where: { $0.time > after && $0.time < span.end.time }) else {
          return nil
        }
        after = next.time
      }
      let line = path.samples(from: span.start.time, to: span.end.time).map(\.place)
      guard line.count > 2 else { return nil }
      return Way(path: index, from: span.start.time, to: span.end.time, line: GuideLine(line))
    }
  }

  /// Returns the median of the drives across the line, at even distances along it.
  static func middle(_ line: GuideLine, _ followers: [RoadFollowing]) -> [SIMD3<Double>] {
    let count = max(2, Int(line.length / spacing) + 1)
    return (0..<count).map { number in
      let along = line.length * Double(number) / Double(count - 1)
      let place = line.place(at: along)
      var offsets = followers.compactMap { $0.left(at: along) }
      offsets.sort()
      let left = offsets.isEmpty ? 0 : (offsets[(offsets.count - 1) / 2] + offsets[offsets.count / 2]) / 2
      return place + left * place.normalized.cross(line.direction(at: along)).normalized
    }
  }
}

extension RoadFollowing {
  /// Returns the distance to the left of the line in metres at a position along it, or nil outside the
  /// matches.
  fileprivate func left(at along: Double) -> Double? {
    guard let next = matches.firstIndex(where: { $0.along >= along }) else { return matches.last?.left }
    guard next > 0 else { return matches[0].left }
    let (before, after) = (matches[next - 1], matches[next])
    let span = after.along - before.along
    return span > 0 ? before.left + (along - before.along) / span * (after.left - before.left) : after.left
  }
}
