import BulkImport
import DriveMatching
import GhostModel
import TrackModel

/// The laps of one run of the program.
struct LapReport {
  /// The gates, or nil for laps from the recorder.
  let course: LapCourse?
  let drives: [SessionDrive]
  /// One session per drive.
  let sessions: [LapSession]
  /// The circuits that the drives also drove, if the timed one was found automatically.
  var otherCircuits: [LapCourse.OtherCircuit] = []
  /// The recorder's laps timed from positions, or nil for laps at a gate.
  var check: RecordedLapCheck?
  /// All laps in driving order.
  let entries: [Entry]
  /// The complete laps, the fastest first.
  let ranked: [Entry]
  /// Whether complete laps are about equally long. Laps at a gate always are.
  let hasEqualLengths: Bool

  /// A lap of one of the drives.
  struct Entry {
    var drive: Int
    /// The number of the lap among the laps of all drives, from 1.
    var number: Int
    var lap: TimedLap
  }

  init(course: LapCourse?, drives: [SessionDrive], sessions: [LapSession]) {
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
  var best: Entry? { hasEqualLengths ? ranked.first : nil }

  private static let longest = 1.25

  /// The shortest duration of each sector among complete laps, or nil without sectors.
  var bestSectors: [Double]? { ranked.map(\.lap).bestSectors }
}

/// The laps to be compared.
enum LapChoice: Sendable {
  /// Compare the best lap with the second best.
  case best
  /// Compare all complete laps with the best.
  case all
  case numbers([Int])
}

extension LapReport {
  /// Returns the chosen laps. The others are compared with the first.
  func entries(of choice: LapChoice) throws(TrackError) -> [Entry] {
    var chosen: [Entry] = []
    switch choice {
    case .best: chosen = Array(ranked.prefix(2))
    case .all: chosen = ranked
    case .numbers(let numbers):
      for number in numbers {
        guard let entry = entries.first(where: { $0.number == number }) else {
          throw TrackError(
            .usage, "no lap \(number)", suggestion: .text("choose from 1 to \(entries.count)"))
        }
        chosen.append(entry)
      }
    }
    guard chosen.count > 1 else {
      throw TrackError(.usage, "fewer than two complete laps")
    }
    return chosen
  }

  /// Returns the laps as drives.
  func traces(of entries: [Entry]) throws(TrackError) -> [TimedDrive] {
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
  var parts: [DriveParts] { drives.map { DriveParts($0.trace) } }
}

extension LapReport {
  /// The object of `laps --json`.
  var json: JSONValue {
    let sectors = bestSectors
    return .object([
      ("gate", (course ?? check?.course)?.gate.json ?? .null),
      ("finish", course?.finish.map(\.json) ?? .null),
      ("sectors", .array(course?.sectors.map(\.json) ?? [])),
      ("confidence", .rounded(course?.confidence, 1e3)),
      ("other_circuits", .array(otherCircuits.map(\.json))),
      ("laps", .array(entries.map { json($0) })),
      ("best_lap", best.map { .integer($0.number) } ?? .null),
      ("best_sectors_s", sectors.map { .array($0.map { .rounded($0, 1e3) }) } ?? .null),
      ("theoretical_best_s", .rounded(sectors.map { $0.reduce(0, +) }, 1e3)),
      (
        "timed_s",
        .array(
          sessions.map { session in
            session.timed.map { .array([.rounded($0.lowerBound, 1e3), .rounded($0.upperBound, 1e3)]) }
              ?? .null
          })
      ),
    ])
  }

  private func json(_ entry: Entry) -> JSONValue {
    let lap = entry.lap
    let part = drives[entry.drive].part(at: lap.start)
    let timed = check?.timed(lap, ofDrive: entry.drive)
    return .object([
      ("number", .integer(entry.number)), ("source", .optional(part.source)),
      ("start_s", .rounded(lap.start - part.start, 1e3)), ("duration_s", .rounded(lap.duration, 1e3)),
      ("uncertainty_s", .rounded(lap.uncertainty, 1e3)),
      ("gap_s", lap.isComplete ? .rounded(best.map { lap.duration - $0.lap.duration }, 1e3) : .null),
      ("distance_m", .rounded(lap.distance, 1e2)), ("complete", .bool(lap.isComplete)),
      ("sectors_s", .array(lap.sectors.map { .rounded($0, 1e3) })),
      ("maximum_speed_mps", .rounded(lap.maximumSpeed, 1e3)),
      ("average_speed_mps", .rounded(lap.averageSpeed, 1e3)), ("waiting_s", .rounded(lap.waiting, 1e3)),
      ("pit_lane", .bool(lap.isThroughPitLane)), ("timed_s", .rounded(timed?.duration, 1e3)),
    ])
  }
}

extension LapCourse.OtherCircuit {
  /// The laps of all drives.
  var all: [TimedLap] { laps.flatMap { $0 } }

  /// The fastest lap.
  var best: TimedLap? { all.min { $0.duration < $1.duration } }

  fileprivate var json: JSONValue {
    .object([
      ("gate", course.gate.json), ("confidence", .rounded(course.confidence, 1e3)),
      ("laps", .integer(all.count)), ("best_s", .rounded(best?.duration, 1e3)),
      ("distance_m", .rounded(best?.distance, 1e2)),
    ])
  }
}

extension Gate {
  fileprivate var json: JSONValue {
    .object(JSONValue.place(coordinate) + [("bearing", .rounded(bearing, 1e2))])
  }
}
