import DriveMatching
import TrackModel

/// Formats a live gap as text.
enum GhostReading {
  /// `+0:12 ahead, 180 m, on route`
  static func text(_ reading: LiveGap.Reading) -> String {
    switch reading.state {
    case .waiting: return "not on the ghost's road yet"
    case .offRoute: return "off route"
    case .onRoute, .arrived:
      let gap = reading.gap ?? 0
      let metres = Text.distance(abs(reading.distance ?? 0))
      let place = reading.state == .arrived ? "arrived" : "on route"
      let seconds = abs(gap).rounded()
      if seconds == 0 { return "level, \(metres), \(place)" }
      return
        "\(gap < 0 ? "+" : "-")\(Formatted.clock(seconds)) \(gap < 0 ? "ahead" : "behind"), \(metres), \(place)"
    }
  }

  /// `+0:12 ahead, 180 m, on route; lap 3 0:41, 0.34 s behind the best`
  static func text(_ reading: LiveGap.Reading, _ lap: LapTimer.Reading?) -> String {
    guard let lap, let number = lap.lap, let elapsed = lap.elapsed else { return text(reading) }
    let gap =
      lap.gap.map { ", \(Formatted.fixed(abs($0), 2)) s \($0 < 0 ? "ahead of" : "behind") the best" } ?? ""
    return "\(text(reading)); lap \(number) \(Formatted.clock(elapsed.rounded(.down)))\(gap)"
  }

  /// `lap 3: 1:52.34`
  static func text(_ lap: TimedLap) -> String {
    "lap \(lap.number): \(Text.lapTime(lap.duration))\(lap.isComplete ? "" : ", not complete")"
  }

  static func json(
    _ reading: LiveGap.Reading, _ fix: LocationFix, _ lap: LapTimer.Reading? = nil
  ) -> JSONValue {
    .object(
      [
        ("time", .time(fix.time)), ("lat", .number(fix.coordinate.latitude)),
        ("lon", .number(fix.coordinate.longitude)), ("state", .string(reading.state.rawValue)),
        ("elapsed_s", .rounded(reading.elapsed, 1e3)),
        ("ghost_elapsed_s", .rounded(reading.ghostElapsed, 1e3)),
        ("gap_s", .rounded(reading.gap, 1e3)), ("distance_m", .rounded(reading.distance, 1e2)),
        ("ghost", .position(reading.ghost)),
      ] + (lap.map { [("lap", json($0))] } ?? []))
  }

  private static func json(_ lap: LapTimer.Reading) -> JSONValue {
    .object([
      ("number", .optional(lap.lap.map(Double.init))), ("elapsed_s", .rounded(lap.elapsed, 1e3)),
      ("gap_s", .rounded(lap.gap, 1e3)), ("best_s", .rounded(lap.best?.duration, 1e3)),
      (
        "finished",
        lap.finished.map {
          .object([
            ("number", .integer($0.number)), ("duration_s", .rounded($0.duration, 1e3)),
            ("uncertainty_s", .rounded($0.uncertainty, 1e3)), ("complete", .bool($0.isComplete)),
          ])
        } ?? .null
      ),
    ])
  }
}
