import TrackModel

/// The resolution of durations in text for people.
public enum TimeResolution: Sendable, Hashable {
  /// Whole seconds, and tenths below 10 s.
  case seconds
  /// Hundredths of a second, for laps.
  case hundredths

  /// The resolution of all text written by the current task.
  @TaskLocal public static var current = TimeResolution.seconds

  /// The smallest difference in seconds that is not formatted as 0.
  public var smallest: Double { self == .seconds ? 0.05 : 0.005 }

  /// Formats seconds like a clock: `1:52`, or `1:52.34` in hundredths.
  public func clock(_ seconds: Double, minus: String = "-") -> String {
    self == .seconds
      ? Formatted.clock(seconds, minus: minus) : Formatted.preciseClock(seconds, minus: minus)
  }

  /// Formats seconds without a sign: `4.2 s` and `0:42`, or `4.21 s` and `0:42.00` in hundredths.
  public func duration(_ seconds: Double) -> String {
    let seconds = abs(seconds)
    switch self {
    case .seconds: return seconds < 9.95 ? Formatted.fixed(seconds, 1) + " s" : clock(seconds)
    case .hundredths: return seconds < 59.995 ? Formatted.fixed(seconds, 2) + " s" : clock(seconds)
    }
  }
}
