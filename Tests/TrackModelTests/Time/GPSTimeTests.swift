import Testing

@testable import TrackModel

@Suite("Time of GPS")
struct GPSTimeTests {
  /// The starts of the dates in seconds since 1970, and the leap seconds since 1980 by IERS Bulletin C.
  @Test(
    "GPS is ahead of UTC by the leap seconds since 1980",
    arguments: [
      (915_148_800, 13), (1_136_073_599, 13), (1_136_073_600, 14), (1_230_768_000, 15), (1_341_100_800, 16),
      (1_435_708_800, 17), (1_483_228_799, 17), (1_483_228_800, 18), (1_715_947_202, 18),
    ])
  func leaps(utc: Int64, ahead: Int64) {
    // 1980-01-06 is 3,657 days after 1970-01-01.
    #expect(GPSTime.utc((utc - 3657 * 86_400 + ahead) * 1_000_000 + 250_000) == utc * 1_000_000 + 250_000)
  }
}
