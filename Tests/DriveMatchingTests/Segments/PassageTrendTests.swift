import DriveMatching
import Testing
import TrackModel

@Suite struct PassageTrendTests {
  /// - Parameter durations: one per month of 30 days.
  private func trend(_ durations: [Double]) -> PassageTrend {
    PassageTrend(
      durations.enumerated().map { (Instant(microseconds: Int64($0) * 30 * 86_400 * 1_000_000), $1) })
  }

  @Test func `A steady improvement is a trend with its standard error`() throws {
    // 1 s less every 30 days is 12.17 s less per year of 365.2425 days.
    let perYear = try #require(trend((0..<12).map { 600 - Double($0) }).perYear)
    #expect(abs(perYear.change + 365.2425 / 30) < 1e-6)
    #expect(perYear.error < 1e-6)
    // The same with deviations of ± 0.5 s.
    let noisy = try #require(
      trend((0..<12).map { 600 - Double($0) + ($0.isMultiple(of: 2) ? 0.5 : -0.5) }).perYear)
    #expect(abs(noisy.change + 365.2425 / 30) < 2 * noisy.error)
    #expect(noisy.error > 0.1 && noisy.error < 1)
  }

  @Test(arguments: [
    [600, 640, 610, 655, 590, 630, 605, 650],  // no trend
    [600, 590, 580, 570],  // too few
    [600, 600, 600, 600, 600, 600],  // no change
  ]) func `Chance is no trend`(durations: [Double]) {
    #expect(trend(durations).perYear == nil)
  }

  @Test func `Passages of one month have no trend per year`() {
    let days = (0..<20).map { (Instant(microseconds: Int64($0) * 86_400 * 1_000_000), 600 - Double($0)) }
    #expect(PassageTrend(days).perYear == nil)
  }
}
