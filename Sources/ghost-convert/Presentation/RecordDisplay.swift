import GhostExport
import GhostModel
import LiveReceivers
import TrackModel

/// The messages of a recording, and its status line, shown if standard error is a terminal.
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

  /// Shows a notice of a recording.
  mutating func show(_ notice: RecordingSession.Notice, _ recorder: DriveRecorder) {
    switch notice {
    case .updated: show(recorder)
    case .recording(let notice): note(Self.text(of: notice))
    case .unavailable(let outage): note(outage.text)
    case .available(let outage): note(outage.endText)
    case .warnings(let warnings):
      clear()
      for warning in warnings { Console.note("warning: \(warning.text)") }
    case .checkpointFailed(let error):
      note("warning: \(error.text); the recording continues without a checkpoint")
    case .checkpointRestored: note("the checkpoint is written again")
    }
  }

  private mutating func note(_ text: String) {
    clear()
    Console.note(text)
  }

  private static func text(of notice: ReceiverRecording.Notice) -> String {
    switch notice {
    case .clockDiffers(let lead):
      "the receiver's clock is \(Text.clockDifference(lead)) \(lead < 0 ? "behind" : "ahead of") "
        + "the system's; the receiver's clock is used"
    case .clockCorrected(let lead):
      "the receiver has set its clock \(lead < 0 ? "back" : "forward") by \(Text.clockDifference(lead)), "
        + "and the drive so far with it"
    case .isLog:
      "the fixes arrive faster than in real time, as from a log, so their own times are used; "
        + "--clock system uses the system's"
    case .nullIsland:
      "warning: position 0°, 0° far from the route, fix skipped; more are counted at the end"
    case .removedFixes(let count):
      "warning: \(Counted.of(count, "fix", plural: "fixes")) with a wrong date or time removed"
    }
  }

  mutating func clear() {
    if !shown.isEmpty { Console.write("\r\u{1B}[K", to: 2) }
    shown = ""
  }

  // MARK: The result

  /// `12:41, 13.40 km, 812 fixes kept; 14 fixes refused: …`
  ///
  /// - Parameter drive: the saved drive, whose distance includes stops.
  static func summary(_ recorder: DriveRecorder, savedAs drive: Drive) -> String {
    var text = "\(Text.clock(recorder.duration)), \(Text.distance(drive.distanceInMeters)), "
    text += "\(Counted.of(recorder.route.count, "fix", plural: "fixes")) kept"
    let refused = recorder.refusals.values.reduce(0, +)
    if refused > 0 {
      let reasons = FixRefusal.allCases.compactMap { reason in
        recorder.refusals[reason].map { "\($0) \(words(reason))" }
      }
      text += "; \(Counted.of(refused, "fix", plural: "fixes")) refused: "
      text += reasons.joined(separator: ", ")
    }
    return text
  }

  private static func words(_ reason: FixRefusal) -> String {
    switch reason {
    case .invalidPosition: "invalid"
    case .nullIsland: "at 0°, 0°"
    case .inaccurate: "inaccurate"
    case .stale: "stale"
    case .beforeStart: "before the start"
    case .outOfOrder: "out of order"
    }
  }
}
