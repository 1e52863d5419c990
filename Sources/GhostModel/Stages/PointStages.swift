public import TrackModel

/// Moves all times by so many seconds: `--shift`.
public struct ShiftStage: TrackStage {
  private let microseconds: Int64
  private var count = 0

  /// - Parameter seconds: later where positive; held within ±10,000 years.
  public init(seconds: Double) {
    microseconds = Int64((max(-3e11, min(3e11, seconds.isNaN ? 0 : seconds)) * 1e6).rounded())
  }

  public var summary: String? { count == 0 ? nil : "shift: \(Counted.of(count, "time")) moved" }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    switch event {
    case .points:
      var times = batch.mutableTimes
      for row in times.indices where times[row] != Instant.absent {
        times[row] = moved(times[row])
        count += 1
      }
      output.emit(batch)
    case .waypoint(var waypoint):
      if let time = waypoint.time {
        waypoint.time = Instant(microseconds: moved(time.microseconds))
        count += 1
      }
      output.emit(.waypoint(waypoint))
    case .beginTrack(let info): output.emit(.beginTrack(moved(info)))
    case .beginRoute(let info): output.emit(.beginRoute(moved(info)))
    case .annotation(.track(let info)): output.emit(.annotation(.track(moved(info))))
    default: output.emit(event)
    }
  }

  private func moved(_ time: Int64) -> Int64 {
    let (sum, overflow) = time.addingReportingOverflow(microseconds)
    return overflow ? time : sum
  }

  private func moved(_ info: TrackInfo) -> TrackInfo {
    func moved(_ time: Instant?) -> Instant? {
      time.map { Instant(microseconds: self.moved($0.microseconds)) }
    }
    var info = info
    info.timeSpan = info.timeSpan.map { TimeSpan(begin: moved($0.begin), end: moved($0.end)) }
    for index in info.laps.indices { info.laps[index].start = moved(info.laps[index].start) }
    return info
  }
}

/// Leaves out points that the file says are worse than a limit: `--max-accuracy`.
public struct AccuracyStage: TrackStage {
  private let limit: Double
  private var total = 0
  private var removed = 0

  /// - Parameter metres: the greatest horizontal accuracy that stays.
  public init(metres: Double) { limit = metres }

  public var summary: String? { Counted.leftOut("max-accuracy", removed, of: total) }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    switch event {
    case .points:
      total += batch.count
      if batch.channels.contains(.horizontalAccuracy) {
        let limit = limit
        let kept = (0..<batch.count).map { row in
          batch.value(.horizontalAccuracy, at: row).map { $0 <= limit } ?? true
        }
        removed += batch.keepRows { kept[$0] }
      }
      output.emit(batch)
    case .waypoint(let waypoint):
      total += 1
      if let accuracy = waypoint.values[.horizontalAccuracy], accuracy > limit {
        removed += 1
      } else {
        output.emit(event)
      }
    default: output.emit(event)
    }
  }
}

/// Keeps what lies in a stretch of time: `--crop`.
public struct CropStage: TrackStage {
  /// Which times stay, both ends included.
  public enum Bounds: Sendable, Hashable {
    /// Between two moments; nil is open.
    case instants(from: Instant?, to: Instant?)
    /// Between two times of day in UTC, in seconds since midnight; over midnight where the first is the later.
    case timesOfDay(from: Double, to: Double)
  }

  private let bounds: Bounds
  private var total = 0
  private var removed = 0

  public init(_ bounds: Bounds) { self.bounds = bounds }

  public var summary: String? { Counted.leftOut("crop", removed, of: total) }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    switch event {
    case .points:
      total += batch.count
      let kept = (0..<batch.count).map { keeps(batch.time(at: $0)) }
      removed += batch.keepRows { kept[$0] }
      output.emit(batch)
    case .waypoint(let waypoint) where waypoint.time != nil:
      total += 1
      if keeps(waypoint.time) { output.emit(event) } else { removed += 1 }
    default: output.emit(event)
    }
  }

  /// A point without a time lies in no stretch of it.
  private func keeps(_ time: Instant?) -> Bool {
    guard let time else { return false }
    switch bounds {
    case .instants(let from, let to):
      return (from.map { $0 <= time } ?? true) && (to.map { time <= $0 } ?? true)
    case .timesOfDay(let from, let to):
      let day: Int64 = 86_400_000_000
      let rest = time.microseconds % day
      let second = Double(rest < 0 ? rest + day : rest) / 1e6
      return from <= to ? from <= second && second <= to : from <= second || second <= to
    }
  }
}

/// Keeps the tracks of some kinds: `--kind`.
public struct KindStage: TrackStage {
  private let kinds: Set<String>
  private var isKept = true
  private var total = 0
  private var removed = 0

  /// The kinds that are drives, as Google Timeline, FIT, TCX and Strava name them, in small letters without
  /// blanks, hyphens and underscores.
  public static let driving: Set<String> = [
    "driving", "inpassengervehicle", "invehicle", "inroadvehicle", "infourwheelervehicle", "incar", "intaxi",
    "motorcycling", "inmotorcycle", "intwowheelervehicle", "car", "automobile", "motorbike", "motorcycle",
    "drive",
    "motorsports", "auto",
  ]

  /// - Parameter kinds: compared with `TrackInfo.type` in small letters without blanks, hyphens, underscores.
  public init(_ kinds: Set<String>) { self.kinds = Set(kinds.map(KindStage.plain)) }

  public var summary: String? {
    removed == 0 ? nil : "kind: \(removed) of \(Counted.of(total, "track")) left out"
  }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    if case .beginTrack(let info) = event {
      isKept = kinds.contains(KindStage.plain(info.type ?? ""))
      total += 1
      if !isKept { removed += 1 }
    }
    if isKept { output.pass(event, batch) }
    if case .endTrack = event { isKept = true }
  }

  private static func plain(_ kind: String) -> String {
    kind.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
  }
}

/// Counts in words.
enum Counted {
  /// `1 point`, `2 points`.
  static func of(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  /// `name: 3 of 10 points left out`, or nil where none was.
  static func leftOut(_ name: String, _ count: Int, of total: Int) -> String? {
    count == 0 ? nil : "\(name): \(count) of \(of(total, "point")) left out"
  }
}
