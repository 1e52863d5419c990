package import GhostModel
package import TrackModel

/// The laps of one or more drives, numbered in driving order, and the complete ones ranked by their duration.
package struct LapRanking: Sendable {
  /// The gates, or nil for the laps of a recorder.
  package let course: LapCourse?
  /// The drives. Those in several consecutive files are joined.
  package let drives: [SessionDrive]
  /// One session per drive.
  package let sessions: [LapSession]
  /// The circuits that the drives also drove, if the timed one was found automatically.
  package private(set) var otherCircuits: [LapCourse.OtherCircuit] = []
  /// The recorder's laps timed from positions, or nil for laps at a gate.
  package private(set) var check: RecordedLapCheck?
  /// All laps in driving order.
  package let entries: [Entry]
  /// The complete laps, the fastest first.
  package let ranked: [Entry]
  /// Whether complete laps are about equally long. Laps at a gate always are.
  package let hasEqualLengths: Bool

  /// A lap of one of the drives.
  package struct Entry: Sendable {
    /// The index of the drive.
    package var drive: Int
    /// The number of the lap among the laps of all drives, from 1.
    package var number: Int
    package var lap: TimedLap
  }

  /// The laps to be compared.
  package enum Choice: Sendable {
    /// Compare the best lap with the second best.
    case best
    /// Compare all complete laps with the best.
    case all
    case numbers([Int])
  }

  /// The ratio of the longest to the shortest recorded lap up to which laps are equally long.
  private static let longest = 1.25

  /// Ranks the laps at the gates of a course.
  ///
  /// - Throws: `noTracks` if there is no lap.
  package init(_ course: LapCourse, of drives: [SessionDrive]) throws(TrackError) {
    let traces = drives.map(\.trace)
    self.init(course: course, drives: drives, sessions: course.sessions(of: traces))
    guard !entries.isEmpty else {
      throw TrackError(
        .noTracks, "the gate was passed less than twice in the direction of its bearing",
        suggestion: .text("omit the bearing of the gate, or set another gate"))
    }
    if course.confidence != nil { otherCircuits = course.otherCircuits(of: traces, besides: sessions) }
  }

  /// Ranks the laps of a recorder.
  ///
  /// - Parameters:
  ///   - recorded: the recorded laps of each drive.
  ///   - traces: the drives.
  /// - Throws: `noTracks` if there is no lap during a drive.
  package init(recorded: [[Lap]], of traces: [TimedDrive]) throws(TrackError) {
    let sessions = zip(recorded, traces).map { LapSession($0, of: $1) }
    let check = RecordedLapCheck(sessions, of: traces)
    self.init(
      course: nil, drives: traces.enumerated().map { SessionDrive($1, index: $0) },
      sessions: check.reviewed(sessions))
    self.check = check
    guard !entries.isEmpty else {
      throw TrackError(.noTracks, "no lap was recorded during the drive")
    }
  }

  private init(course: LapCourse?, drives: [SessionDrive], sessions: [LapSession]) {
    self.course = course
    self.drives = drives
    self.sessions = sessions
    var entries: [Entry] = []
    for (drive, session) in sessions.enumerated() {
      for lap in session.laps { entries.append(Entry(drive: drive, number: entries.count + 1, lap: lap)) }
    }
    self.entries = entries
    ranked = entries.filter(\.lap.isComplete).sorted {
      ($0.lap.duration, $0.number) < ($1.lap.duration, $1.number)
    }
    let lengths = ranked.map(\.lap.distance)
    if course == nil, let least = lengths.min(), let most = lengths.max() {
      hasEqualLengths = most <= Self.longest * least
    } else {
      hasEqualLengths = true
    }
  }

  /// The fastest complete lap, or nil if their lengths differ, as recorded laps of any button do.
  package var best: Entry? { hasEqualLengths ? ranked.first : nil }

  /// The shortest duration of each sector among complete laps, or nil without sectors.
  package var bestSectors: [Double]? { ranked.map(\.lap).bestSectors }

  /// Whether the course has sectors, but no lap passes all of them.
  package var missesSectors: Bool {
    course?.sectors.isEmpty == false && entries.allSatisfy { $0.lap.sectors.isEmpty }
  }

  /// Whether the best lap of a circuit that was found automatically drives most of its road in both
  /// directions, like a hill climb and the way back.
  package var drivesBothDirections: Bool {
    guard let course, course.confidence != nil else { return false }
    return course.drivesBothDirections(sessions, of: drives.map(\.trace))
  }

  /// Returns the chosen laps. The others are compared with the first.
  ///
  /// - Throws: `noTracks` for a number without a lap, and for fewer than two laps.
  package func entries(of choice: Choice) throws(TrackError) -> [Entry] {
    var chosen: [Entry] = []
    switch choice {
    case .best: chosen = Array(ranked.prefix(2))
    case .all: chosen = ranked
    case .numbers(let numbers):
      for number in numbers {
        guard let entry = entries.first(where: { $0.number == number }) else {
          throw TrackError(
            .noTracks, "no lap \(number)", suggestion: .text("choose from 1 to \(entries.count)"))
        }
        chosen.append(entry)
      }
    }
    guard chosen.count > 1 else { throw TrackError(.noTracks, "fewer than two complete laps") }
    return chosen
  }

  /// Returns the laps as drives.
  package func traces(of entries: [Entry]) throws(TrackError) -> [TimedDrive] {
    let parts = parts
    var traces: [TimedDrive] = []
    for entry in entries {
      traces.append(
        try parts[entry.drive].part(
          from: entry.lap.start, to: entry.lap.end, label: "lap \(entry.number)"))
    }
    return traces
  }

  /// The drives, to be divided into laps.
  package var parts: [DriveParts] { drives.map { DriveParts($0.trace) } }
}

extension LapSession {
  /// Returns the number of recorded laps in each file, with the file's first drive.
  ///
  /// - Parameters:
  ///   - recorded: the recorded laps of each drive.
  ///   - traces: the drives.
  package static func counts(
    of recorded: [[Lap]], in traces: [TimedDrive]
  ) -> [(file: TimedDrive, laps: Int)] {
    let counts = Dictionary(zip(traces.map(\.source), recorded.map(\.count)), uniquingKeysWith: +)
    var known: Set<String?> = []
    return traces.filter { known.insert($0.source).inserted }.map { ($0, counts[$0.source] ?? 0) }
  }
}

extension LapCourse {
  /// Creates a course between given gates, or else those that a file contains, or else on a circuit that is
  /// found automatically.
  ///
  /// - Parameters:
  ///   - gate: the start, or nil.
  ///   - finish: the finish, or nil if it is the start.
  ///   - sectors: the gates between sectors.
  ///   - waypoints: the gates of a file, as waypoints whose types are `Start`, `Finish` or `Split`.
  ///   - traces: the drives.
  ///   - missed: called if the gates of the file were not passed, and another circuit is searched for.
  package init(
    gate: Gate?, finish: Gate?, sectors: [Gate], waypoints: [Waypoint], in traces: [TimedDrive],
    missed: () -> Void
  ) throws(TrackError) {
    func recorded(_ type: String) -> [Gate] {
      waypoints.filter { $0.details.type?.lowercased() == type }.map { Gate($0.coordinate) }
    }
    if gate == nil, let gate = recorded("start").first {
      do throws(TrackError) {
        self = try LapCourse(
          gate: gate, finish: recorded("finish").first,
          sectors: sectors.isEmpty ? recorded("split") : sectors, in: traces)
        return
      } catch {
        // The gates are those of another circuit.
        guard error.code == .noTracks else { throw error }
        missed()
      }
    }
    self = try LapCourse(gate: gate, finish: finish, sectors: sectors, in: traces)
  }
}

extension LapCourse.OtherCircuit {
  /// The laps of all drives.
  package var all: [TimedLap] { laps.flatMap { $0 } }

  /// The fastest lap.
  package var best: TimedLap? { all.min { $0.duration < $1.duration } }
}
