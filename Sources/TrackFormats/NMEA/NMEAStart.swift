import TrackModel

/// Finds the time at which a log begins, before its first fix.
///
/// A receiver whose clock is wrong until it finds satellites sets it then: times before such a jump are
/// ignored.
struct NMEAStart {
  /// The first time with a date since the clock last jumped.
  private var time: Instant?
  /// Microseconds since midnight of the latest sentence.
  private var latest: Int64?

  /// The step in microseconds from which the clock has been set.
  private static let longestStep: Int64 = 60_000_000

  /// The start of the log, if it is before the latest sentence.
  var beforeLatest: Instant? {
    guard let time, (time.microseconds % NMEAClock.day + NMEAClock.day) % NMEAClock.day != latest else {
      return nil
    }
    return time
  }

  /// Takes the time of day of a sentence, and its date in days since 1970 if it has one.
  mutating func take(_ timeOfDay: Int64, date: Int?) {
    if let latest {
      let step = (timeOfDay - latest + NMEAClock.day) % NMEAClock.day
      if step > Self.longestStep { time = nil }
    }
    latest = timeOfDay
    guard let date else { return }
    let moment = Instant(microseconds: Int64(date) &* NMEAClock.day &+ timeOfDay)
    // Without a step in the time of day, the date may still jump.
    if let start = time, !(0..<86_400).contains(moment.seconds(since: start)) { time = nil }
    time = time ?? moment
  }
}
