import GhostModel
import TrackModel

/// The line that shows a recording as it goes on, where a person looks at standard error.
struct RecordDisplay {
  private let isQuiet: Bool
  private let isShown: Bool

  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
    isShown = !isQuiet && Console.isInteractive
  }

  /// `12:41  8.3 mi  34 mph  REC`
  func show(_ recorder: DriveRecorder) {
    guard isShown else { return }
    Console.write("\r\u{1B}[K" + Self.line(recorder), to: 2)
  }

  static func line(_ recorder: DriveRecorder) -> String {
    guard recorder.state == .recording else { return "waiting for a fix" }
    let distance = Text.fixed(recorder.distance, 1)
    let speed = Text.fixed(recorder.speed, 0)
    return "\(clock(recorder.duration))  \(distance) mi  \(speed) mph  REC"
  }

  /// Whole seconds, so that the line does not jitter: `0:07`, `12:41`, `1:02:03`.
  private static func clock(_ seconds: Double) -> String {
    guard seconds < 1e9 else { return "?" }
    let whole = Int(seconds)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let minutes = whole / 60
    return minutes < 60
      ? "\(minutes):\(two(whole % 60))" : "\(minutes / 60):\(two(minutes % 60)):\(two(whole % 60))"
  }

  func notice(_ text: String) {
    clear()
    if !isQuiet { Console.complain(text) }
  }

  func warn(_ warnings: [TrackWarning]) {
    clear()
    for warning in warnings { Console.complain("warning: \(warning.text)") }
  }

  func clear() { if isShown { Console.write("\r\u{1B}[K", to: 2) } }
}
