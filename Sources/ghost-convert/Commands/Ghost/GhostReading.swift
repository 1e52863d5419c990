import DriveMatching
import TrackModel

/// A live gap in words.
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

  static func json(_ reading: LiveGap.Reading, _ fix: LocationFix) -> JSONValue {
    .object([
      ("time", .time(fix.time)), ("lat", .number(fix.coordinate.latitude)),
      ("lon", .number(fix.coordinate.longitude)), ("state", .string(reading.state.rawValue)),
      ("elapsed_s", .optional(reading.elapsed)), ("ghost_elapsed_s", .optional(reading.ghostElapsed)),
      ("gap_s", .optional(reading.gap)), ("distance_m", .optional(reading.distance)),
      ("ghost", .position(reading.ghost)),
    ])
  }
}
