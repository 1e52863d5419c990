import CommandLineParsing
import Dispatch
import GhostModel
import TrackModel

/// The clock that a ghost is played on.
struct PlayClock {
  /// Seconds since some moment.
  var now: () -> Double
  /// Waits until then.
  var sleep: (_ until: Double) -> Void

  /// The clock of the system.
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

/// Replays a ghost as it was driven, or faster: where it is, a line each second of the clock.
struct GhostPlay {
  let trail: GhostTrail
  /// Seconds of the drive in a second.
  let rate: Double

  /// - Parameter show: is told where the ghost is, and how many seconds after its start, each second and at
  ///   the end.
  func run(_ clock: PlayClock, _ show: (GhostPosition, Double) -> Void) {
    var cursor = GhostCursor(trail)
    let start = clock.now()
    var second = 0
    while true {
      // Lines that could not be printed in time are left out.
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

/// How fast: a line without times was, or a ghost is played.
enum GhostSpeed: Sendable, Equatable {
  /// Metres per second.
  case pace(Double)
  /// Times as fast as it was driven.
  case rate(Double)

  /// Reads `50km/h` or `4x`.
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
