import GhostExport
import GhostModel
import TrackModel

/// The line that shows a recording as it goes on, where a person looks at standard error.
struct RecordDisplay {
  private let isShown = Console.showsProgress
  /// The line that stands there, and since when.
  private var shown = ""
  private var time = ContinuousClock.now

  /// `12:41  13.4 km  55 km/h  REC`
  ///
  /// A line that is as it was, or comes within a hundredth of a second, is not written.
  mutating func show(_ recorder: DriveRecorder) {
    guard isShown, ContinuousClock.now - time >= .milliseconds(10) || shown.isEmpty else { return }
    let line = Self.line(recorder)
    guard line != shown else { return }
    shown = line
    time = .now
    Console.write("\r\u{1B}[K" + line, to: 2)
  }

  /// Seconds without a good fix for which the last speed stands.
  private static let longestSilence = 3.0

  /// `12:41  13.4 km  55 km/h  REC`, and `12:50  13.4 km  no good fix for 0:09  REC`.
  static func line(_ recorder: DriveRecorder) -> String {
    guard recorder.state == .recording else { return "waiting for a fix" }
    let units = UnitSystem.current
    let distance = units.distance(metres: recorder.distance * Geodesy.metresPerMile, decimals: 1)
    // A speed that nobody tells any more is none.
    let speed =
      recorder.silence > longestSilence
      ? "no good fix for \(clock(recorder.silence))"
      : units.speed(metresPerSecond: recorder.speed * Geodesy.metresPerMile / 3600)
    return "\(clock(recorder.duration))  \(distance)  \(speed)  REC"
  }

  /// Whole seconds, so that the line does not jitter: `0:07`, `12:41`, `1:02:03`.
  private static func clock(_ seconds: Double) -> String {
    Formatted.clock(seconds.rounded(.down))
  }

  mutating func notice(_ text: String) {
    clear()
    Console.note(text)
  }

  mutating func warn(_ warnings: [TrackWarning]) {
    clear()
    for warning in warnings { Console.note("warning: \(warning.text)") }
  }

  mutating func clear() {
    if !shown.isEmpty { Console.write("\r\u{1B}[K", to: 2) }
    shown = ""
  }
}
