package import DriveMatching
package import GhostModel
package import TrackModel

/// The recordings of a session whose laps are timed, from one or several inputs.
package struct LapRecordings {
  /// The drives in the order of the inputs.
  package private(set) var traces: [TimedDrive] = []
  private var points: [TrackPoints?] = []
  /// The recorded laps of each drive.
  private var recorded: [[Lap]] = []
  /// The gates of the first input with gates.
  private var gates: [Waypoint] = []

  package init() {}

  /// Adds the drives of an input.
  package mutating func add(_ drives: [(trace: TimedDrive, track: InputTrack)]) {
    guard let first = drives.first?.track else { return }
    traces += drives.map(\.trace)
    points += drives.map { $0.track.points?.timed(by: $0.trace) }
    recorded += LapSession.divide(first.laps, among: drives.map(\.trace))
    if gates.isEmpty { gates = first.gates }
  }

  /// Removes drives whose ride another drive records as well.
  ///
  /// - Returns: each of them, with the drive that is kept.
  package mutating func removeRepetitions() -> [(removed: TimedDrive, kept: TimedDrive)] {
    let repeated = SessionDrive.repetitions(in: traces)
    let pairs = repeated.sorted { $0.key < $1.key }.map { (removed: traces[$0], kept: traces[$1]) }
    let kept = traces.indices.filter { repeated[$0] == nil }
    traces = kept.map { traces[$0] }
    points = kept.map { points[$0] }
    recorded = kept.map { recorded[$0] }
    return pairs
  }

  /// The number of recorded laps in each file, with the file's first drive.
  package var recordedCounts: [(file: TimedDrive, laps: Int)] { LapSession.counts(of: recorded, in: traces) }

  /// Returns the recorded laps.
  ///
  /// - Throws: `noTracks` if a file has none.
  package func recordedLaps() throws(TrackError) -> LapRanking {
    for (file, count) in recordedCounts where count == 0 {
      throw TrackError(
        .noTracks, "no laps recorded", file: InputPath.name(file.source ?? file.label),
        suggestion: .provideGate)
    }
    return try LapRanking(recorded: recorded, of: traces)
  }

  /// Times laps at gates: the given ones, or else those of the inputs, or else those of a circuit that is
  /// found automatically.
  ///
  /// - Parameters:
  ///   - gate: the start, or nil.
  ///   - finish: the finish, or nil if it is the start.
  ///   - sectors: the gates between sectors.
  ///   - missed: called if the gates of the inputs were not passed.
  /// - Throws: the errors of `LapCourse` and `LapRanking`.
  package func laps(
    gate: Gate?, finish: Gate?, sectors: [Gate], missed: () -> Void
  ) throws(TrackError) -> LapRanking {
    let drives = SessionDrive.joined(traces)
    let course = try LapCourse(
      gate: gate, finish: finish, sectors: sectors, waypoints: gates, in: drives.map(\.trace),
      missed: missed)
    return try LapRanking(course, of: drives)
  }

  /// Returns the writer of laps to separate files.
  package func files(of laps: LapRanking, format: OutputFormat, isStrict: Bool) -> LapFiles {
    LapFiles(laps, points, format: format, isStrict: isStrict)
  }
}
