/// The time of GPS, which counts from 1980-01-06 without leap seconds.
package enum GPSTime {
  /// 1980-01-06 in seconds since 1970.
  private static let epoch: Int64 = 315_964_800
  /// The seconds by which GPS was ahead of UTC in 1999.
  private static let offset: Int64 = 13
  /// The starts of 2006, 2009, July 2012, July 2015 and 2017 in seconds since 1970, before which a leap
  /// second was inserted.
  private static let leaps: [Int64] = [
    1_136_073_600, 1_230_768_000, 1_341_100_800, 1_435_708_800, 1_483_228_800,
  ]

  /// Returns UTC in microseconds since 1970.
  ///
  /// - Parameter microseconds: the microseconds since 1980-01-06, at least 0 and less than 1e18.
  package static func utc(_ microseconds: Int64) -> Int64 { utc(calendar: microseconds + epoch * 1_000_000) }

  /// Returns UTC in microseconds since 1970 for a date and time of GPS, given as if it were in UTC.
  package static func utc(calendar time: Int64) -> Int64 {
    let ahead = leaps.reduce(offset) { $1 + $0 < time / 1_000_000 ? $0 + 1 : $0 }
    return time - ahead * 1_000_000
  }
}
