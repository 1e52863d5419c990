public import GhostModel
import TrackModel

/// Times the laps of a recorder from positions, to compare them with the recorder's times.
///
/// The gate is at the position where most recorded laps begin.
public struct RecordedLapCheck: Sendable, Hashable {
  /// The gate of the recorded laps, or nil if they begin at different positions.
  public let course: LapCourse?
  /// The complete laps at the gate, per drive.
  private let laps: [[TimedLap]]
  /// The recorded starts and ends of laps at the gate, per drive.
  private let times: [Set<Double>]

  /// The largest distance in metres between the positions of two starts, and the cosine of the angle between
  /// their directions. A driver who presses a button is late by up to a second.
  private static let same = (distance: 40.0, direction: 0.85)
  /// The largest difference of the start and the end of two laps, in seconds.
  private static let nearest = 5.0
  /// The distance in metres before and after a start over which its direction is measured.
  private static let reach = 15.0
  /// The number of starts that are tried as the centre of a group.
  private static let candidateLimit = 1000

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - sessions: the recorder's laps, per drive.
  ///   - traces: the drives.
  public init(_ sessions: [LapSession], of traces: [TimedDrive]) {
    let paths = traces.map { SmoothPath($0) }
    let places = zip(paths, sessions).map { path, session in
      // The end of a lap is the start of the next one, even if that was not recorded.
      Set(session.laps.flatMap { [$0.start, $0.end] }).sorted().map { time in
        Place(
          time: time, place: path.place(at: time), direction: path.direction(at: time, reach: Self.reach))
      }
    }
    let starts = places.flatMap { $0.filter { $0.time > 0 } }
    // The starts of most laps are at one place, so some of them are enough to find it.
    let candidates = stride(
      from: 0, to: starts.count, by: max((starts.count + Self.candidateLimit - 1) / Self.candidateLimit, 1))
    func size(_ center: Place) -> Int { starts.count { $0.isSame(as: center) } }
    let sizes = candidates.map { (start: starts[$0], count: size(starts[$0])) }
    guard let best = sizes.max(by: { $0.count < $1.count }), best.count > 1, 2 * best.count >= starts.count
    else {
      course = nil
      laps = []
      times = []
      return
    }
    let group = starts.filter { $0.isSame(as: best.start) }
    let middle = group.reduce(SIMD3<Double>.zero) { $0 + $1.place } / Double(group.count)
    let direction = group.reduce(SIMD3<Double>.zero) { $0 + $1.direction }
    let course = LapCourse(GateLine(at: middle, across: direction).gate)
    laps = course.sessions(of: paths).map { $0.laps.filter(\.isComplete) }
    self.course = course
    let forwards = direction.normalized
    times = places.map { places in Set(places.filter { $0.isSame(as: middle, forwards) }.map(\.time)) }
  }

  /// The position of a recorded start or end.
  private struct Place {
    var time: Double
    var place: SIMD3<Double>
    var direction: SIMD3<Double>

    func isSame(as other: Place) -> Bool { isSame(as: other.place, other.direction) }

    func isSame(as place: SIMD3<Double>, _ direction: SIMD3<Double>) -> Bool {
      (self.place - place).length <= same.distance && self.direction.dot(direction) >= same.direction
    }
  }

  /// Returns the lap timed from positions that starts and ends with a recorded lap, or nil.
  ///
  /// - Parameters:
  ///   - lap: a recorded lap.
  ///   - drive: the index of the lap's drive.
  public func timed(_ lap: TimedLap, ofDrive drive: Int) -> TimedLap? {
    guard laps.indices.contains(drive) else { return nil }
    func difference(_ other: TimedLap) -> Double {
      max(abs(other.start - lap.start), abs(other.end - lap.end))
    }
    let laps = laps[drive]
    let first = laps.partitionIndex { $0.start >= lap.start - Self.nearest }
    return laps[first...].prefix { $0.start <= lap.start + Self.nearest }
      .filter { difference($0) <= Self.nearest }.min { difference($0) < difference($1) }
  }

  /// Returns the recorder's laps, of which the first and the last of a drive are incomplete if they do not
  /// begin and end at the gate at which most others do: the recorder counts the way to the gate and from it
  /// as laps. A drive can begin or end at the gate without crossing it.
  public func reviewed(_ sessions: [LapSession]) -> [LapSession] {
    var sessions = sessions
    for drive in sessions.indices {
      let laps = sessions[drive].laps
      let atGate = laps.map { lap in
        timed(lap, ofDrive: drive) != nil
          || course != nil && times[drive].contains(lap.start) && times[drive].contains(lap.end)
      }
      guard 2 * atGate.count(where: \.self) >= laps.count, let last = laps.indices.last else { continue }
      for index in [0, last] where !atGate[index] { sessions[drive].laps[index].isComplete = false }
    }
    return sessions
  }
}
