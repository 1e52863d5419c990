import TrackModel

/// Finds the time at which a log begins, before its first fix.
///
/// A receiver whose clock is wrong sets it when it finds satellites. Times before this change are ignored.
struct NMEAStart {
  /// The first dated time since the clock last changed.
  private var time: Instant?
  /// The time of day of the latest sentence, in microseconds since midnight.
  private var latest: Int64?

  /// The interval between sentences in microseconds above which the clock is considered changed.
  private static let longestStep: Int64 = 60_000_000

  /// The time at which the log began, if it is before the latest sentence.
  var beforeLatest: Instant? {
    guard let time,
      (time.microseconds % CivilCalendar.dayLength + CivilCalendar.dayLength) % CivilCalendar.dayLength
        != latest
    else {
      return nil
    }
    return time
  }

  /// Processes the time of day of a sentence, and its date in days since 1970 if it has one.
  mutating func take(_ timeOfDay: Int64, date: Int?) {
    if let latest {
      let step = (timeOfDay - latest + CivilCalendar.dayLength) % CivilCalendar.dayLength
      if step > Self.longestStep { time = nil }
    }
    latest = timeOfDay
    guard let date else { return }
    let moment = Instant(microseconds: Int64(date) &* CivilCalendar.dayLength &+ timeOfDay)
    // Without a step in the time of day, the date may still jump.
    if let start = time, !(0..<86_400).contains(moment.seconds(since: start)) { time = nil }
    time = time ?? moment
  }
}
