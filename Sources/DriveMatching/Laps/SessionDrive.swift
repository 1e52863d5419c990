package import GhostModel
import TrackModel

/// A drive recorded in one file or in consecutive files.
package struct SessionDrive: Sendable {
  package private(set) var trace: TimedDrive
  /// The files, with the time at which each starts, in seconds since the first point of the drive, and the
  /// index among the drives that were joined.
  package private(set) var parts: [(source: String?, start: Double, index: Int)]

  /// The longest time between two parts, in seconds.
  private static let longestBreak = 60.0
  /// The rounding error of times between two parts, in seconds. Files have times in microseconds.
  private static let precision = 0.5e-6
  /// The largest distance between two parts, in metres plus metres per second.
  private static let reach = (distance: 100.0, speed: 100.0)

  /// Creates a drive of one file.
  package init(_ trace: TimedDrive, index: Int = 0) {
    self.trace = trace
    parts = [(trace.source, 0, index)]
  }

  /// Joins drives with the previous one if they continue it: they start shortly after its end, at a place
  /// within reach. Drives with times are joined in the order of their starts.
  package static func joined(_ traces: [TimedDrive]) -> [SessionDrive] {
    let starts = traces.compactMap(\.startTime)
    let ordered =
      starts.count < traces.count
      ? Array(traces.indices) : traces.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }
    var drives: [SessionDrive] = []
    for index in ordered {
      let trace = traces[index]
      if let last = drives.indices.last, let start = drives[last].start(of: trace) {
        drives[last].trace.append(trace, at: start)
        if trace.source == nil || !drives[last].parts.contains(where: { $0.source == trace.source }) {
          drives[last].trace.label += " + " + trace.label
        }
        drives[last].parts.append((trace.source, start, index))
      } else {
        drives.append(SessionDrive(trace, index: index))
      }
    }
    return drives
  }

  /// The share of a drive that another recording of the same ride must include to replace it.
  private static let included = 0.9

  /// Returns the drives whose ride another drive records as well: copies, excerpts, and recordings by other
  /// devices. Of two drives that include each other, the one with more points is kept.
  ///
  /// - Returns: the index of a drive that includes it for each drive that is not kept.
  package static func repetitions(in traces: [TimedDrive]) -> [Int: Int] {
    let fingerprints = traces.map { RideFingerprint($0) }
    // Of thousands of drives, only those at the same time or with the same extent are compared.
    let extents = traces.map { Extent($0) }
    let equal = Dictionary(grouping: extents.indices) { extents[$0] }
    var spans = TimeSpanIndex()
    for (index, extent) in extents.enumerated() {
      guard extent.hasTimestamps, let start = extent.start else { continue }
      spans.insert(index, start: start, duration: extent.duration)
    }
    func candidates(_ index: Int) -> [Int] {
      let extent = extents[index]
      guard extent.hasTimestamps, let start = extent.start else { return equal[extent] ?? [] }
      return spans.candidates(start: start, duration: extent.duration)
    }
    func includes(_ other: Int, _ index: Int) -> Bool {
      extents[index].share(in: extents[other]) >= included
    }
    var repeated: [Int: Int] = [:]
    for index in traces.indices {
      repeated[index] = candidates(index).first { other in
        guard other != index, includes(other, index) || extents[other] == extents[index],
          repeated[other] == nil
        else { return false }
        let isPreferred = (extents[other].count, index) > (extents[index].count, other)
        if isSame(traces[index], traces[other]) { return isPreferred }
        return includes(other, index) && (isPreferred || !includes(index, other))
          && isOneRide(fingerprints[index], fingerprints[other])
      }
    }
    return repeated
  }

  private static func isSame(_ first: TimedDrive, _ second: TimedDrive) -> Bool {
    first.startTime == second.startTime && first.elapsed == second.elapsed
      && first.latitudes == second.latitudes && first.longitudes == second.longitudes
  }

  /// The time and the number of points of a drive.
  private struct Extent: Hashable {
    let count: Int
    let start: Instant?
    let duration: Double
    let hasTimestamps: Bool

    init(_ drive: TimedDrive) {
      count = drive.count
      start = drive.startTime
      duration = drive.duration
      hasTimestamps = drive.hasTimestamps
    }

    /// Returns the share of the duration in which another drive was recorded too.
    func share(in other: Extent) -> Double {
      guard hasTimestamps, other.hasTimestamps, duration > 0, let start = other.start,
        let delay = self.start?.seconds(since: start)
      else { return 0 }
      return (min(delay + duration, other.duration) - max(delay, 0)) / duration
    }
  }

  private static func isOneRide(_ first: RideFingerprint?, _ second: RideFingerprint?) -> Bool {
    guard let first, let second, let match = RideMatch(first, second) else { return false }
    return match.relation != .companion
  }

  /// Returns the start of a drive in seconds since the first point, or nil if it does not continue this one.
  private func start(of other: TimedDrive) -> Double? {
    guard trace.hasTimestamps, other.hasTimestamps, let begin = trace.startTime,
      let start = other.startTime.map({ $0.seconds(since: begin) })
    else { return nil }
    let pause = start - trace.duration
    let step = Geodesy.distance(from: trace.coordinate(at: trace.count - 1), to: other.coordinate(at: 0))
    let isNear = step <= Self.reach.distance + pause * Self.reach.speed
    return pause >= -Self.precision && pause <= Self.longestBreak && isNear ? start : nil
  }

  /// Returns the file that contains a time of the drive, and the start of the file.
  package func part(at time: Double) -> (source: String?, start: Double, index: Int) {
    parts.last { $0.start <= time } ?? parts[0]
  }
}
