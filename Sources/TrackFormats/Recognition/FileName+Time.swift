import TrackModel

extension FileName {
  /// Returns the date and the time of day in the name of a file, or nil if it does not contain both. The
  /// result is in microseconds since 1970 in an unknown time zone.
  static func time(in path: String) -> Int64? {
    let name = last(path)
    let pattern =
      /(?:^|[^0-9])(20[0-9]{2})([-_.]?)([0-9]{2})\2([0-9]{2})[-_ T]([0-9]{2})([-_.]?)([0-9]{2})\6([0-9]{2})(?:[^0-9]|$)/
    guard let match = try? pattern.firstMatch(in: name),
      let year = Int(match.1), let month = Int(match.3), let day = Int(match.4), let hour = Int(match.5),
      let minute = Int(match.7), let second = Int(match.8),
      let days = CivilCalendar.days(validating: year, month: month, day: day),
      let time = CivilCalendar.timeOfDay(hour, minute, second)
    else { return nil }
    return Int64(days) * CivilCalendar.dayLength + time
  }
}
