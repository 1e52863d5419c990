import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What time it is, on the clock that the receiver's fixes are timed by.
///
/// The system's clock as it is, unless the first fix shows that the two are further apart than a fix may be old: a computer
/// without a network, or a simulated receiver. Then it is moved once, and from there on runs as the system's does.
struct ReceiverClock {
  enum Source: Sendable {
    /// It goes on by itself.
    case system
    /// It stands still between fixes: for a log that is played as fast as it can be read.
    case fixes
  }

  let source: Source
  /// Seconds from the system's clock to this one; nil before the first fix.
  private(set) var offset: Double?
  private var latest: Instant?

  init(_ source: Source) { self.source = source }

  /// Seconds by which the clocks may differ.
  static let tolerance = 5.0

  /// What time it is; nil before the first fix where only fixes tell.
  var now: Instant? {
    switch source {
    case .fixes: return latest
    case .system:
      return Instant(secondsSince1970: Date().timeIntervalSince1970 + (offset ?? 0))
    }
  }

  /// Takes note of a fix that arrives now.
  ///
  /// - Returns: seconds by which the clock was moved, where it was.
  mutating func take(_ fix: LocationFix) -> Double? {
    latest = max(latest ?? fix.time, fix.time)
    guard source == .system, offset == nil, let now else { return nil }
    let age = now.seconds(since: fix.time)
    offset = abs(age) > Self.tolerance ? -age : 0
    return abs(age) > Self.tolerance ? -age : nil
  }
}
