public import GhostModel
public import TrackModel

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
    let starts = paths.map { guide.nearest(to: $0.places[0], from: 0, to: middle).distanceAlong }.sorted()
    let ends = paths.map {
      guide.nearest(to: $0.places[$0.count - 1], from: middle, to: guide.length).distanceAlong
    }
    .sorted()
    let last = traces.count - 1
    let from = starts[Int(Self.shared.share * Double(last))] + Self.shared.margin
    let to = ends[last - Int(Self.shared.share * Double(last))] - Self.shared.margin
    guard to - from > Self.shared.margin else {
      throw TrackError(.noTracks, "the drives share no road")
    }
    let (start, end) = (guide.place(at: from), guide.place(at: to))
    // The road may pass these positions more than once.
    let ways = paths.compactMap { CommonRoad.longestWay(from: start, to: end, $0) }
    guard let line = CommonRoad(ways, from: start, to: end).line else {
      throw TrackError(.noTracks, "the drives share no road")
    }
    try self.init(name: name, line: line.map { EarthFixed.coordinate(of: $0) })
  }
}

/// The most common route between positions, as the median of the drives on it.
struct CommonRoad {
  /// The line, or nil if no drive leads from the first position to the last.
  private(set) var line: [SIMD3<Double>]?

  /// The distance in metres within which a drive passes a position.
  private static let reach = 30.0
  /// The distance between the positions of the line in metres, and their maximum number, above which the
  /// distance grows.
  private static let positions = (spacing: 10.0, most: 100_000)

  /// A part of a drive that leads from the first position to the last.
  struct Way {
    let path: SmoothPath
    let span: ClosedRange<Double>
    let line: GuideLine

    /// Returns nil for a part without a length.
    fileprivate init?(_ path: SmoothPath, _ span: ClosedRange<Double>) {
      let line = path.samples(from: span.lowerBound, to: span.upperBound).map(\.place)
      guard line.count > 2 else { return nil }
      self.path = path
      self.span = span
      self.line = GuideLine(line)
    }

    fileprivate func follows(_ line: GuideLine) -> RoadFollowing {
      RoadFollowing(line, path, from: span.lowerBound, to: span.upperBound)
    }
  }

  /// Creates the route.
  ///
  /// - Complexity: linear in the number of parts for a few routes.
  init(_ ways: [Way], from start: SIMD3<Double>, to end: SIMD3<Double>) {
    guard var (guide, followers) = Self.mostCommon(ways) else { return }
    var line = Self.middle(guide, followers)
    // The median is smoother than any drive, so that more drives follow it.
    for _ in 0..<Self.refinements {
      guide = GuideLine(line)
      let found = Self.followers(of: guide, ways)
      guard found.count > followers.count else { break }
      followers = found
      line = Self.middle(guide, followers)
    }
    // The ends are on the road next to the given positions, which may be on a house or another lane.
    if line.count > 2 {
      line[0] = Self.end(of: line[0], line[1], beside: start)
      line[line.count - 1] = Self.end(of: line[line.count - 1], line[line.count - 2], beside: end)
    }
    self.line = line
  }

  /// Returns the place on the road beside a position.
  ///
  /// - Parameters:
  ///   - end: the end of the line.
  ///   - next: the place of the line before or after it.
  private static func end(
    of end: SIMD3<Double>, _ next: SIMD3<Double>, beside place: SIMD3<Double>
  ) -> SIMD3<Double> {
    let forward = (next - end).normalized
    let step = (next - end).length
    return end + min(max((place - end).dot(forward), -step), step / 2) * forward
  }

  /// The number of times that the line is replaced by the median of its followers.
  private static let refinements = 2
  /// The number of groups that are formed, the number of the largest ones that are examined, and the number
  /// of their members whose followers are counted.
  private static let groups = (most: 64, examined: 3, members: 7)

  /// Returns the line of the part with the most followers, and these. Of several, it is the shortest.
  private static func mostCommon(_ ways: [Way]) -> (line: GuideLine, followers: [RoadFollowing])? {
    // Parts of about the same length follow each other, so that the first groups are large.
    var rest = ways.sorted { $0.line.length < $1.line.length }
    var groups: [[Way]] = []
    while !rest.isEmpty, groups.count < Self.groups.most {
      let way = rest.remove(at: rest.count / 2)
      var group = [way]
      rest.removeAll { other in
        guard other.follows(way.line).isComplete else { return false }
        group.append(other)
        return true
      }
      groups.append(group)
    }
    groups.sort { $0.count > $1.count }
    var best: (line: GuideLine, followers: [RoadFollowing])?
    for group in groups.prefix(Self.groups.examined) {
      let step = max(1, group.count / Self.groups.members)
      for index in stride(from: 0, to: group.count, by: step).prefix(Self.groups.members) {
        let line = group[index].line
        let followers = followers(of: line, ways)
        if let best {
          guard followers.count >= best.followers.count else { continue }
          guard followers.count > best.followers.count || line.length < best.line.length else { continue }
        }
        best = (line, followers)
      }
    }
    return best
  }

  private static func followers(of line: GuideLine, _ ways: [Way]) -> [RoadFollowing] {
    ways.map { $0.follows(line) }.filter(\.isComplete)
  }

  /// Returns the shortest parts of a drive that pass positions in their order.
  ///
  /// - Parameter places: at least two positions.
  static func ways(_ places: [SIMD3<Double>], _ path: SmoothPath) -> [Way] {
    let passages = places.map { moments(of: $0, path) }
    var spans: [ClosedRange<Double>] = []
    for start in passages[0] {
      var last: Double? = start
      for moments in passages.dropFirst() {
        last = last.flatMap { last in
          let next = moments.partitionIndex { $0 > last }
          return next < moments.count ? moments[next] : nil
        }
      }
      guard let last else { break }
      if spans.last?.upperBound == last { spans.removeLast() }
      spans.append(start...last)
    }
    return spans.compactMap { Way(path, $0) }
  }

  /// Returns the part of a drive from the first passage of a position to the last one of another, or nil if
  /// there is no such part.
  static func longestWay(from start: SIMD3<Double>, to end: SIMD3<Double>, _ path: SmoothPath) -> Way? {
    guard let first = moments(of: start, path).first, let last = moments(of: end, path).last, first < last
    else { return nil }
    return Way(path, first...last)
  }

  private static func moments(of place: SIMD3<Double>, _ path: SmoothPath) -> [Double] {
    guard path.count > 1 else { return [] }
    return GateDirection.passages(of: place, path, within: reach).map(\.time)
  }

  /// Returns the median of the drives across the line, at even distances along it.
  static func middle(_ line: GuideLine, _ followers: [RoadFollowing]) -> [SIMD3<Double>] {
    let count = max(2, Int(min(line.length / positions.spacing, Double(positions.most))) + 1)
    return (0..<count).map { number in
      let distanceAlong = line.length * Double(number) / Double(count - 1)
      let place = line.place(at: distanceAlong)
      let left = followers.compactMap { $0.left(at: distanceAlong) }.median ?? 0
      return place + left * place.normalized.cross(line.direction(at: distanceAlong)).normalized
    }
  }
}

extension RoadFollowing {
  /// Returns the distance to the left of the line in metres at a position along it, or nil outside the
  /// matches.
  fileprivate func left(at distanceAlong: Double) -> Double? {
    let next = matches.partitionIndex { $0.distanceAlong >= distanceAlong }
    guard next < matches.count else { return matches.last?.left }
    guard next > 0 else { return matches[0].left }
    let (before, after) = (matches[next - 1], matches[next])
    let span = after.distanceAlong - before.distanceAlong
    return span > 0
      ? before.left + (distanceAlong - before.distanceAlong) / span * (after.left - before.left) : after.left
  }
}
