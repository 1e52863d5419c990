import TrackModel

/// Tells the days of a log whose sentences mostly say the time of day alone.
///
/// Days are counted from the first time of the log. A time that lies more than an hour before the one before
/// it is of the next day; one up to an hour back has only come late. A date, once one is known, says which
/// day the first was, for the times before it as well.
struct NMEAClock {
  static let day: Int64 = 86_400_000_000
  private static let tolerance: Int64 = 3_600_000_000

  /// Days since 1970 of the day that the log begins on; nil as long as no date is known.
  private(set) var firstDay: Int?
  /// The last time, in days since the beginning and microseconds since midnight.
  private var last: Moment?

  /// A time of day on a day since the beginning of the log.
  struct Moment: Equatable {
    var day: Int
    var timeOfDay: Int64

    /// Microseconds since the midnight before the beginning of the log.
    var relative: Int64 { Int64(day) * NMEAClock.day + timeOfDay }
  }

  /// What a time of day means where the last was `last`.
  private static func moment(_ timeOfDay: Int64, after last: Moment) -> Moment {
    let step = timeOfDay - last.timeOfDay
    if step < -tolerance { return Moment(day: last.day + 1, timeOfDay: timeOfDay) }
    // A late one from before midnight.
    if step > day - tolerance { return Moment(day: last.day - 1, timeOfDay: timeOfDay) }
    return Moment(day: last.day, timeOfDay: timeOfDay)
  }

  /// What a time of day means now, which becomes the last.
  mutating func advance(to timeOfDay: Int64) -> Moment {
    let moment = last.map { NMEAClock.moment(timeOfDay, after: $0) } ?? Moment(day: 0, timeOfDay: timeOfDay)
    last = moment
    return moment
  }

  /// Takes over that a moment is of a date.
  mutating func learn(date: Int, of moment: Moment) { firstDay = date - moment.day }

  /// Takes over that a time of day, given apart from any position, is of a date.
  ///
  /// - Parameter open: the time of day of a fix that the clock has not yet been told of.
  mutating func learn(date: Int, ofTime timeOfDay: Int64, open: Int64?) {
    var base = last
    if let open { base = base.map { NMEAClock.moment(open, after: $0) } ?? Moment(day: 0, timeOfDay: open) }
    let moment = base.map { NMEAClock.moment(timeOfDay, after: $0) } ?? advance(to: timeOfDay)
    learn(date: date, of: moment)
  }

  /// Microseconds since 1970 of the midnight before the beginning of the log; nil as long as no date is
  /// known.
  var origin: Int64? { firstDay.map { Int64($0) * NMEAClock.day } }
}
