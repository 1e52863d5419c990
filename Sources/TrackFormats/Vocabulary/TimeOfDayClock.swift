import TrackModel

/// The days of a log whose rows have only a time of day: a step back by more than 12 hours is midnight, or a
/// step forward if the newest rows are first.
struct TimeOfDayClock {
  /// The midnight before the last time, in microseconds since 1970.
  private var midnight: Int64
  private var last: Int64?
  private let isNewestFirst: Bool

  /// - Parameters:
  ///   - midnight: the midnight before the first time, in microseconds since 1970.
  ///   - isNewestFirst: whether the times descend.
  init(midnight: Int64, isNewestFirst: Bool = false) {
    self.midnight = midnight
    self.isNewestFirst = isNewestFirst
  }

  /// - Parameter days: the days from 1970 to the first day.
  init(days: Int) { self.init(midnight: Int64(days) * CivilCalendar.dayLength) }

  /// Creates the clock of a log without a date, whose times count from an unknown start.
  ///
  /// - Parameter first: the first time of day, which is that of ``DriveElement/unknownStart``.
  init(undatedFrom first: Int64) { self.init(midnight: DriveElement.unknownStart.microseconds - first) }

  /// The message about a log without a date.
  static let undated = "times count from an unknown start, treated as \(DriveElement.unknownStart)"

  /// Moves to a later day; an earlier one has no effect.
  ///
  /// - Parameter days: the days from 1970.
  mutating func advance(toDay days: Int) {
    guard Int64(days) * CivilCalendar.dayLength > midnight else { return }
    self = TimeOfDayClock(days: days)
  }

  /// Returns the moment of the next time of day, in microseconds since 1970.
  ///
  /// - Parameter time: microseconds since midnight.
  mutating func advance(to time: Int64) -> Int64 {
    let half = CivilCalendar.dayLength / 2
    if let last {
      if !isNewestFirst, time < last - half { midnight += CivilCalendar.dayLength }
      if isNewestFirst, time > last + half { midnight -= CivilCalendar.dayLength }
    }
    last = time
    return midnight + time
  }
}

/// The clock of a reader of a log, and the times that a writer of the log could not give it.
struct TimeOfDayCheck {
  private var clock: TimeOfDayClock
  private var last: Int64?
  /// The reason why the day of the reader's clock is another one.
  private var reason = ""

  /// - Parameter days: the days from 1970 to the first day.
  init(days: Int) { clock = TimeOfDayClock(days: days) }

  /// Advances the clock, and returns the loss if a reader of the log gets another day than that of the time.
  ///
  /// - Parameters:
  ///   - timeOfDay: microseconds since midnight.
  ///   - time: the time in microseconds since 1970.
  mutating func loss(of timeOfDay: Int64, at time: Int64) -> String? {
    defer { last = time }
    let isRead = clock.advance(to: timeOfDay) == time
    if let last, time < last {
      reason = "days of times after a step back"
    } else if reason.isEmpty {
      reason = "days of times more than 12 hours after the previous one"
    }
    guard isRead else { return reason }
    reason = ""
    return nil
  }
}

extension TrackWarning.Code {
  static let missingDate = TrackWarning.Code("missing-date")
  static let doubtfulDate = TrackWarning.Code("doubtful-date")
}
