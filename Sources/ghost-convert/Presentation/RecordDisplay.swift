import GhostExport
import GhostModel
import TrackModel

/// The status line of a recording, shown if standard error is a terminal.
struct RecordDisplay {
  private let isShown = Console.showsProgress
  /// The current line and the time at which it was written.
  private var shown = ""
  private var time = ContinuousClock.now

  /// Shows `12:41  13.4 km  55 km/h  REC`.
  ///
  /// Skips the update if the line is unchanged, or if the last update was less than a hundredth of a second
  /// ago.
  mutating func show(_ recorder: DriveRecorder) {
    guard isShown, ContinuousClock.now - time >= .milliseconds(10) || shown.isEmpty else { return }
    let line = Self.line(recorder)
    guard line != shown else { return }
    shown = line
    time = .now
    Console.write("\r\u{1B}[K" + line, to: 2)
  }

  /// The number of seconds without a good fix after which the last speed is no longer shown.
  private static let longestSilence = 3.0

  /// Returns `12:41  13.4 km  55 km/h  REC`, or `12:50  13.4 km  no good fix for 0:09  REC`.
  static func line(_ recorder: DriveRecorder) -> String {
    guard recorder.state == .recording else { return "waiting for a fix" }
    let units = UnitSystem.current
    let distance = units.distance(metres: recorder.distance * Geodesy.metresPerMile, decimals: 1)
    // Do not show an outdated speed.
    let speed =
      recorder.silence > longestSilence
      ? "no good fix for \(clock(recorder.silence))"
      : units.speed(metresPerSecond: recorder.speed * Geodesy.metresPerMile / 3600)
    return "\(clock(recorder.duration))  \(distance)  \(speed)  REC"
  }

  /// Formats whole seconds, so that the width does not change: `0:07`, `12:41`, `1:02:03`.
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
