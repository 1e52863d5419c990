import Dispatch

/// Replays a ghost in real time or faster, reporting its position every second.
public struct GhostReplay {
  /// The clock of a replay.
  public struct Clock {
    /// Returns the time in seconds since a fixed time.
    public var now: () -> Double
    /// Waits until a time.
    public var sleep: (_ until: Double) -> Void

    /// Creates a clock.
    public init(now: @escaping () -> Double, sleep: @escaping (_ until: Double) -> Void) {
      self.now = now
      self.sleep = sleep
    }

    /// The system's clock.
    public static var system: Clock {
      let start = ContinuousClock.now
      let now = { (ContinuousClock.now - start) / .seconds(1) }
      return Clock(
        now: now,
        sleep: { until in
          let rest = until - now()
          if rest > 0 { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + rest) }
        })
    }
  }

  private let trail: GhostTrail
  private let rate: Double

  /// Creates a replay.
  ///
  /// - Parameters:
  ///   - trail: the drive.
  ///   - rate: the speed of the replay as a multiple of the drive's speed, greater than 0.
  public init(_ trail: GhostTrail, rate: Double = 1) {
    precondition(rate > 0, "a replay has a positive rate")
    self.trail = trail
    self.rate = rate
  }

  /// Runs the replay. Positions that could not be shown in time are skipped.
  ///
  /// - Parameters:
  ///   - clock: the clock of the replay.
  ///   - show: receives the ghost's position and the seconds since its start, every second and at the end.
  public func run(on clock: Clock = .system, _ show: (GhostPosition, Double) -> Void) {
    var cursor = GhostCursor(trail)
    let start = clock.now()
    var second = 0
    while true {
      second = max(second, Int((clock.now() - start).rounded(.down)))
      let elapsed = min(Double(second) * rate, trail.duration)
      clock.sleep(start + min(Double(second), trail.duration / rate))
      guard let state = cursor.state(at: elapsed) else { return }
      show(state, elapsed)
      if elapsed >= trail.duration { return }
      second += 1
    }
  }
}
