public import GhostModel
public import TrackModel

/// A drive of a route that is the reference for the others, with marks at which all are timed.
public struct RouteMap: Sendable {
  /// The distance of each mark from the first motion in metres, ascending.
  public let marks: [Double]
  private let trace: TimedDrive
  private let line: MatchablePolyline
  private let settings: ComparisonSettings

  /// The distance between marks in metres. It is larger for long drives.
  static let spacing = 25.0
  static let maximumCount = 4000

  /// Creates a map of the road of a drive, with which other drives are compared with the given settings.
  public init(_ trace: TimedDrive, settings: ComparisonSettings = ComparisonSettings()) {
    self.trace = trace
    self.settings = settings
    let line = MatchablePolyline(trace, isPart: settings.areParts)
    self.line = line
    let steps = max(min(Int(min(line.length, 1e9) / Self.spacing), Self.maximumCount), 1)
    marks = (0...steps).map { line.length * Double($0) / Double(steps) }
  }

  /// Returns the position of a mark. A mark in a hidden part is at the nearer end of the part.
  public func coordinate(ofMark mark: Int) -> Coordinate {
    guard line.count > 1 else { return trace.coordinate(at: 0) }
    var distance = marks[mark]
    if let hidden = line.hiddenParts.first(where: { $0.contains(distance) }) {
      let isNearStart = distance - hidden.lowerBound < hidden.upperBound - distance
      distance = isNearStart ? hidden.lowerBound : hidden.upperBound
    }
    return EarthFixed.coordinate(of: line.place(at: distance))
  }

  /// Matches another drive and returns its passing times at the marks.
  ///
  /// - Complexity: near-linear in the points of both.
  public func passage(of other: TimedDrive) -> RoutePassage {
    let own = MatchablePolyline(other, isPart: settings.areParts)
    var passage = RoutePassage(other, own, marks: marks.count)
    let match = PairMatch(line, own, mode: .startLocation, settings: settings)
    guard match.relation == .shared else { return passage }
    let pair = match.comparison(Paired(0, 1), Paired(trace, other))
    passage.uncertainty = pair.uncertainty
    for stretch in pair.profile.stretches {
      passage.fill(
        marks, distances: pair.profile.distances[stretch], elapsed: pair.profile.secondElapsed[stretch])
    }
    // Parts begin and end at the gates of the reference drive.
    if settings.areParts { passage.setEnds(0, other.duration) }
    return passage
  }
}

/// The passing times of a drive at the marks of a ``RouteMap``.
public struct RoutePassage: Sendable, Hashable {
  /// The seconds since the drive's first recorded point per mark, or NaN if the drive took another road. The
  /// arrival if the drive stopped at the mark.
  public private(set) var elapsed: [Double]
  /// Whether the times are recorded. Otherwise the duration is spread evenly over the points.
  public let hasTimestamps: Bool
  /// The standard deviation of the time from the first to the last mark, in seconds.
  public fileprivate(set) var uncertainty = 0.0
  /// The seconds from the drive's first motion to its last.
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

  /// Whether the drive passed any mark.
  public var isOnRoute: Bool { elapsed.contains { !$0.isNaN } }

  /// Sets the times at the first and the last mark.
  fileprivate mutating func setEnds(_ start: Double, _ end: Double) {
    guard elapsed.count > 1 else { return }
    elapsed[0] = start
    elapsed[elapsed.count - 1] = end
  }

  /// Interpolates the passing times of marks within a stretch of shared road.
  ///
  /// - Parameters:
  ///   - distances: the distances along the reference drive in metres, non-descending.
  ///   - times: one time per distance, non-descending.
  fileprivate mutating func fill(
    _ marks: [Double], distances: ArraySlice<Double>, elapsed times: ArraySlice<Double>
  ) {
    guard let first = distances.first else { return }
    var mark = marks.partitionIndex { $0 >= first }
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
}
