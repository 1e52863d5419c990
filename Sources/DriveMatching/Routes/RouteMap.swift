import GhostModel
public import TrackModel

/// A drive of a route as the measure for the others: marks along its way, at which all of them are timed.
public struct RouteMap: Sendable {
  /// Metres along the drive from its first motion, per mark, ascending.
  public let marks: [Double]
  private let trace: TimedDrive
  private let line: MatchablePolyline

  /// Metres from mark to mark; more on long drives.
  static let spacing = 25.0
  static let maximumCount = 4000

  public init(_ trace: TimedDrive) {
    self.trace = trace
    let line = MatchablePolyline(trace)
    self.line = line
    let steps = max(min(Int(min(line.length, 1e9) / Self.spacing), Self.maximumCount), 1)
    marks = (0...steps).map { line.length * Double($0) / Double(steps) }
  }

  /// Where a mark lies.
  public func coordinate(ofMark mark: Int) -> Coordinate {
    guard line.count > 1 else { return trace.coordinate(at: 0) }
    return EarthFixed.coordinate(of: line.place(at: marks[mark]))
  }

  /// When another drive passed the marks, by the matching engine.
  ///
  /// - Complexity: near-linear in the points of both.
  public func passage(of other: TimedDrive) -> RoutePassage {
    let own = MatchablePolyline(other)
    var passage = RoutePassage(other, own, marks: marks.count)
    let match = PairMatch(line, own, mode: .startLocation, settings: ComparisonSettings())
    guard match.relation == .shared else { return passage }
    let pair = match.comparison(Paired(0, 1), Paired(trace, other))
    passage.uncertainty = pair.uncertainty
    for stretch in pair.profile.stretches {
      passage.fill(
        marks, distances: pair.profile.distances[stretch], elapsed: pair.profile.secondElapsed[stretch])
    }
    return passage
  }
}

/// When a drive passed the marks of a ``RouteMap``.
public struct RoutePassage: Sendable, Hashable {
  /// Seconds since the drive's first recorded point per mark; NaN where it took another road. Where it stood
  /// at a mark, when it came there.
  public private(set) var elapsed: [Double]
  /// Whether the times are those of the recording; else the duration is spread over the points.
  public let hasTimestamps: Bool
  /// Seconds, one standard deviation: how far the time from the first to the last mark may be off.
  public fileprivate(set) var uncertainty = 0.0
  /// Seconds from the drive's first motion to its last, wherever that was.
  public let movingDuration: Double

  fileprivate init(_ trace: TimedDrive, _ line: MatchablePolyline, marks: Int) {
    elapsed = Array(repeating: .nan, count: marks)
    hasTimestamps = trace.hasTimestamps
    movingDuration = line.motionEnd - line.motionStart
  }

  init(
    elapsed: [Double], hasTimestamps: Bool = true, uncertainty: Double = 0, movingDuration: Double = .infinity
  ) {
    self.elapsed = elapsed
    self.movingDuration = movingDuration
    self.hasTimestamps = hasTimestamps
    self.uncertainty = uncertainty
  }

  /// Whether there is any mark that it passed.
  public var isOnRoute: Bool { elapsed.contains { !$0.isNaN } }

  /// Times the marks within a stretch of shared road.
  ///
  /// - Parameters:
  ///   - distances: metres along the map, not descending.
  ///   - times: as many, not descending.
  fileprivate mutating func fill(
    _ marks: [Double], distances: ArraySlice<Double>, elapsed times: ArraySlice<Double>
  ) {
    guard let first = distances.first else { return }
    var mark = RoutePassage.firstIndex(of: marks, from: first)
    var previous = distances.startIndex
    for row in distances.indices {
      while mark < marks.count, marks[mark] <= distances[row] {
        let way = distances[row] - distances[previous]
        let fraction = way > 0 ? (marks[mark] - distances[previous]) / way : 0
        elapsed[mark] = times[previous] + fraction * (times[row] - times[previous])
        mark += 1
      }
      previous = row
    }
  }

  private static func firstIndex(of marks: [Double], from distance: Double) -> Int {
    var low = 0
    var high = marks.count
    while low < high {
      let middle = (low + high) / 2
      if marks[middle] < distance { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
