import CommandLineParsing
import Dispatch
import GhostModel
import TrackModel

/// The clock for the replay of a ghost.
struct PlayClock {
  /// Returns the time in seconds since a fixed time.
  var now: () -> Double
  /// Waits until a time.
  var sleep: (_ until: Double) -> Void

  /// The system's clock.
  static var system: PlayClock {
    let start = ContinuousClock.now
    return PlayClock(
      now: { (ContinuousClock.now - start) / .seconds(1) },
      sleep: { until in
        let rest = until - (ContinuousClock.now - start) / .seconds(1)
        if rest > 0 { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + rest) }
      })
  }
}

/// Replays a ghost in real time or faster, reporting its position every second.
struct GhostPlay {
  let trail: GhostTrail
  /// The speed of the replay as a multiple of the drive's speed.
  let rate: Double

  /// Runs the replay.
  ///
  /// - Parameter show: receives the ghost's position and the seconds since its start, every second and at
  ///   the end.
  func run(_ clock: PlayClock, _ show: (GhostPosition, Double) -> Void) {
    var cursor = GhostCursor(trail)
    let start = clock.now()
    var second = 0
    while true {
      // Skip lines that could not be printed in time.
      second = max(second, Int((clock.now() - start).rounded(.down)))
      let elapsed = min(Double(second) * rate, trail.duration)
      clock.sleep(start + (rate > 0 ? min(Double(second), trail.duration / rate) : 0))
      guard let state = cursor.state(at: elapsed) else { return }
      show(state, elapsed)
      if elapsed >= trail.duration { return }
      second += 1
    }
  }
}

/// The speed of a line without timestamps, or of the replay of a ghost.
enum GhostSpeed: Sendable, Equatable {
  /// In metres per second.
  case pace(Double)
  /// A multiple of the recorded speed.
  case rate(Double)

  /// Parses `50km/h` or `4x`.
  init(_ text: String) throws(InvalidValue) {
    if let (rate, unit) = Text.quantity(text), ["x", "×"].contains(unit) {
      guard rate > 0, rate <= 10_000 else {
        throw InvalidValue("expected a factor such as 4x")
      }
      self = .rate(rate)
    } else if Text.quantity(text)?.unit == "" {
      throw InvalidValue("expected a factor such as \(text)x, or a speed such as 50km/h")
    } else {
      self = .pace(try Text.speed(text))
    }
  }

  var pace: Double? { if case .pace(let speed) = self { speed } else { nil } }
  var rate: Double? { if case .rate(let rate) = self { rate } else { nil } }
}
