import TrackModel

/// Tracks the day of a log whose sentences mostly have only a time of day.
///
/// Days are counted from the first time of the log. A time more than an hour earlier than the previous one
/// belongs to the next day; a time up to an hour earlier is merely late. The first known date determines the
/// first day, and therefore also the earlier times.
struct NMEAClock {
  private static let tolerance: Int64 = 3_600_000_000

  /// The first day of the log in days since 1970, or `nil` if no date is known yet.
  private(set) var firstDay: Int?
  /// The last time, as days since the first day and microseconds since midnight.
  private var last: Moment?

  /// A time of day on a day since the beginning of the log.
  struct Moment: Equatable {
    var day: Int
    var timeOfDay: Int64

    /// Microseconds since the midnight before the log starts.
    var relative: Int64 { Int64(day) * CivilCalendar.dayLength + timeOfDay }
  }

  /// Returns the moment of a time of day that follows `last`.
  private static func moment(_ timeOfDay: Int64, after last: Moment) -> Moment {
    let step = timeOfDay - last.timeOfDay
    if step < -tolerance { return Moment(day: last.day + 1, timeOfDay: timeOfDay) }
    // A late one from before midnight.
    if step > CivilCalendar.dayLength - tolerance { return Moment(day: last.day - 1, timeOfDay: timeOfDay) }
    return Moment(day: last.day, timeOfDay: timeOfDay)
  }

  /// Advances the clock to a time of day and returns its moment.
  mutating func advance(to timeOfDay: Int64) -> Moment {
    let moment = last.map { NMEAClock.moment(timeOfDay, after: $0) } ?? Moment(day: 0, timeOfDay: timeOfDay)
    last = moment
    return moment
  }

  /// Sets the date of a moment.
  mutating func learn(date: Int, of moment: Moment) { firstDay = date - moment.day }

  /// Sets the date of a time of day without a position.
  ///
  /// - Parameter open: the time of day of a fix that the clock has not processed yet.
  mutating func learn(date: Int, ofTime timeOfDay: Int64, open: Int64?) {
    var base = last
    if let open { base = base.map { NMEAClock.moment(open, after: $0) } ?? Moment(day: 0, timeOfDay: open) }
    let moment = base.map { NMEAClock.moment(timeOfDay, after: $0) } ?? advance(to: timeOfDay)
    learn(date: date, of: moment)
  }

  /// The midnight before the log starts in microseconds since 1970, or `nil` if no date is known yet.
  var origin: Int64? { firstDay.map { Int64($0) * CivilCalendar.dayLength } }
}
