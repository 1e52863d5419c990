import Dispatch
public import GhostModel
import Synchronization
public import TrackModel

/// Finds the passages of a segment in drives.
///
/// A passage starts at the segment's start, follows the line and leaves at its end. Stops and seconds
/// without fixes do not interrupt it. Drives in the opposite direction, along a part of the segment, with a
/// detour, or on a parallel road are not passages.
public struct SegmentSearch: Sendable {
  /// The segment whose passages are searched for.
  public let segment: RoadSegment
  let guide: GuideLine
  private let start: SegmentEnd
  private let end: SegmentEnd

  /// Creates a search for the passages over a segment.
  public init(_ segment: RoadSegment) {
    self.segment = segment
    guide = segment.guide
    start = SegmentEnd(startOf: guide)
    end = SegmentEnd(endOf: guide)
  }

  /// The gates at both ends, perpendicular to the line.
  public var gates: (start: Gate, end: Gate) { (start.line.gate, end.line.gate) }

  /// Returns the passages of a drive, in driving order.
  public func passages(in trace: TimedDrive) -> [Passage] {
    let (path, spans) = spans(of: trace)
    return spans.map { span, _ in
      let (from, to) = (span.start.time, span.end.time)
      let errors = (span.start.uncertainty, span.end.uncertainty)
      return Passage(
        start: from, end: to, distance: path.distance(at: to) - path.distance(at: from),
        maximumSpeed: path.maximumSpeed(from: from, to: to),
        waiting: path.waiting(from: from, to: to),
        uncertainty: (errors.0 * errors.0 + errors.1 * errors.1).squareRoot())
    }
  }

  /// Returns the fastest passage of a drive, and the part of the drive that it is, with the label of the
  /// drive.
  ///
  /// - Throws: `noTracks` if the drive has no passage.
  public func fastestPassage(of trace: TimedDrive) throws(TrackError) -> (passage: Passage, part: TimedDrive)
  {
    guard let passage = passages(in: trace).min(by: { $0.duration < $1.duration }) else {
      throw TrackError(.noTracks, "does not contain a passage of the segment \(segment.name)")
    }
    return (passage, try trace.part(from: passage.start, to: passage.end, label: trace.label))
  }

  /// Returns the passages of each of several drives, in the order of the drives. Searches on all cores.
  public func passages(inEach traces: [TimedDrive]) -> [[Passage]] {
    passages(inEachOf: traces.count) { traces[$0] }.map { $0 ?? [] }
  }

  /// Returns the passages of each of several drives, in the order of the drives, or nil for a drive that is
  /// nil. Searches on all cores.
  ///
  /// - Parameter trace: makes the drive of an index, on any thread.
  package func passages(
    inEachOf count: Int, _ trace: @Sendable (_ index: Int) -> TimedDrive?
  ) -> [[Passage]?] {
    let found = Mutex([[Passage]?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
      guard let trace = trace(index) else { return }
      let passages = passages(in: trace)
      found.withLock { $0[index] = passages }
    }
    return found.withLock { $0 }
  }

  /// The time in seconds before and after a passage in which stops are found.
  private static let standing = 120.0

  /// The number of times that a drive as long as the line is compared with it. Otherwise, the time would grow
  /// with the cube of the number of crossings of a receiver whose fixes jitter around both ends.
  static let mostCompared = 1000

  /// Returns the path of a drive, and its stretches that are passages, matched with the line.
  func spans(
    of trace: TimedDrive
  ) -> (path: SmoothPath, spans: [(span: LapCourse.Span, following: RoadFollowing)]) {
    // Most drives near a segment do not pass it, and finding stops takes longer than finding crossings.
    var path = SmoothPath(trace, findsStops: false)
    let leaves = end.crossings(path)
    let entries = leaves.isEmpty ? [] : start.crossings(path)
    guard let first = entries.first, let last = leaves.last, first.time < last.time else { return (path, []) }
    path.findStops(from: first.time - Self.standing, to: last.time + Self.standing)
    let distances = entries.map { path.distance(at: $0.time) }
    let difference = RoadFollowing.largestDifference(of: guide)
    let most = Self.mostCompared * (guide.places.count + path.count)
    var compared = 0
    var spans: [(span: LapCourse.Span, following: RoadFollowing)] = []
    for leave in leaves {
      let distance = path.distance(at: leave.time)
      // The last crossing of the start counts, unless the road passes it twice. Jitter may shorten a
      // distance.
      let last = spans.last?.span.start.time ?? -.infinity
      let first = distances.partitionIndex {
        $0 >= distance - guide.length - difference - SmoothPath.spacing
      }
      let next = min(
        entries.partitionIndex { $0.time >= leave.time },
        distances.partitionIndex { $0 > distance - guide.length + difference + SmoothPath.spacing })
      for entry in entries[min(first, next)..<next].reversed() {
        guard entry.time > last, compared < most else { break }
        let following = RoadFollowing(guide, path, from: entry.time, to: leave.time)
        compared += guide.places.count + following.matches.count
        if following.isComplete {
          let span = LapCourse.Span(start: entry.withStops(path), end: leave.withStops(path))
          spans.append((span, following))
          break
        }
      }
    }
    return (path, spans)
  }
}

/// Checks whether a drive follows a line from its start to its end.
struct RoadFollowing {
  private(set) var isComplete = false
  /// The fixes of the drive, matched with the line, until one is too far from it.
  let matches: [GuideLine.Match]

  /// Returns the largest difference between the lengths of a drive and of a line, in metres.
  static func largestDifference(of line: GuideLine) -> Double { 0.1 * line.length + 60 }

  /// The largest lateral distance of a fix from the line, in metres.
  private static let farthest = 45.0
  /// The largest share of the line's length by which a passage may be shorter.
  private static let missing = 0.5

  init(_ line: GuideLine, _ path: SmoothPath, from start: Double, to end: Double) {
    let difference = path.distance(at: end) - path.distance(at: start) - line.length
    guard abs(difference) <= Self.largestDifference(of: line), difference >= -Self.missing * line.length
    else {
      matches = []
      return
    }
    matches = line.follow(path, from: start, to: end, within: Self.farthest)
    isComplete =
      matches.allSatisfy { abs($0.left) <= Self.farthest } && !ParallelRoad(matches).isUsed
  }
}
