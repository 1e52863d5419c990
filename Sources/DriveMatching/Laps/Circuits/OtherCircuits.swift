public import GhostModel

extension LapCourse {
  /// A circuit that was driven besides the timed one.
  public struct OtherCircuit: Sendable, Hashable {
    /// The course on the circuit, with a gate that was found automatically.
    public var course: LapCourse
    /// The complete laps, per drive. Times are those of the whole drives.
    public var laps: [[TimedLap]]
  }

  /// The largest number of other circuits, and the smallest number of complete laps of one.
  private static let other = (most: 5, laps: 2)

  /// Finds the circuits that drives also drove, outside of the laps of this course.
  ///
  /// - Parameters:
  ///   - traces: the drives.
  ///   - sessions: their laps on this course.
  /// - Returns: the circuits with at least two complete laps, the one with the most laps first.
  public func otherCircuits(of traces: [TimedDrive], besides sessions: [LapSession]) -> [OtherCircuit] {
    let paths = traces.map { SmoothPath($0) }
    var timed = sessions.map { $0.laps.filter(\.isComplete) }
    var found: [OtherCircuit] = []
    while found.count < Self.other.most {
      let rests = paths.indices.flatMap { drive in
        paths[drive].parts(besides: timed[drive]).map { (drive: drive, path: $0) }
      }
      guard let circuit = CircuitSearch(rests.map(\.path)).found else { break }
      var course = LapCourse(circuit.gate)
      course.confidence = circuit.confidence
      var laps = paths.map { _ in [TimedLap]() }
      for (rest, session) in zip(rests, course.sessions(of: rests.map(\.path))) {
        for var lap in session.laps where lap.isComplete {
          lap.number = laps[rest.drive].count + 1
          laps[rest.drive].append(lap)
        }
      }
      guard laps.reduce(0, { $0 + $1.count }) >= Self.other.laps else { break }
      for drive in paths.indices { timed[drive] += laps[drive] }
      found.append(OtherCircuit(course: course, laps: laps))
    }
    return found
  }
}

extension SmoothPath {
  /// Returns the parts of the path outside of laps, with the times of the whole path.
  fileprivate func parts(besides laps: [TimedLap]) -> [SmoothPath] {
    var parts: [SmoothPath] = []
    var first = 0
    func add(_ fixes: Range<Int>) {
      guard fixes.count > 2 else { return }
      parts.append(
        SmoothPath(
          Array(places[fixes]), times: Array(times[fixes]),
          velocities: velocities.isEmpty ? [] : Array(velocities[fixes]), stops: stops))
    }
    for lap in laps.sorted(by: { $0.start < $1.start }) {
      let start = step(at: lap.start) + 1
      if start > first { add(first..<start) }
      first = max(first, step(at: lap.end) + 1)
    }
    if first < count { add(first..<count) }
    return parts
  }
}
