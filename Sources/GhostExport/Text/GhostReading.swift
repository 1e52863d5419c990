package import DriveMatching
import TrackModel

/// Formats a live gap as text.
package enum GhostReading {
  /// `+0:12 ahead, 180 m, on route`
  package static func text(_ reading: LiveGap.Reading) -> String {
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
  package static func text(_ reading: LiveGap.Reading, _ lap: LapTimer.Reading?) -> String {
    guard let lap, let number = lap.lap, let elapsed = lap.elapsed else { return text(reading) }
    let gap =
      lap.gap.map { ", \(Formatted.fixed(abs($0), 2)) s \($0 < 0 ? "ahead of" : "behind") the best" } ?? ""
    return "\(text(reading)); lap \(number) \(Formatted.clock(elapsed.rounded(.down)))\(gap)"
  }

  /// `lap 3: 1:52.34`
  package static func text(_ lap: TimedLap) -> String {
    "lap \(lap.number): \(Text.lapTime(lap.duration))\(lap.isComplete ? "" : ", not complete")"
  }
}
