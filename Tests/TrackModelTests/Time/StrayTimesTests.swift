import Testing

@testable import TrackModel

@Suite("Stray times")
struct StrayTimesTests {
  @Test(
    "The smallest set of points out of order is stray",
    arguments: [
      ([1, 2, 3], []), ([1, 9, 2, 3], [1]), ([9, 1, 2, 3], [0]), ([1, 2, 3, 0], [3]), ([1, 1, 1], []),
      ([1, 8, 9, 2, 3, 4], [1, 2]), ([], []),
    ] as [([Int64], [Int])])
  func indices(times: [Int64], expected: [Int]) {
    #expect(StrayTimes.indices(in: times) == expected)
  }

  @Test("Points without a time are never stray")
  func absent() {
    #expect(StrayTimes.indices(in: [1, Instant.absent, 9, 2, 3]) == [2])
  }

  @Test("A stray time is replaced by that of the previous point, unless there are too many")
  func corrected() {
    let good = Array(Int64(0)..<20)
    var ahead = good
    ahead[5] = 1000
    ahead[0] = 1000
    var expected = good
    expected[5] = 4
    expected[0] = 1
    #expect(StrayTimes.corrected(ahead) == expected)
    let backwards = Array(good.reversed())
    #expect(StrayTimes.corrected(backwards) == backwards)
    // A single late point is as likely stray as the one before it, since either time may be wrong.
    #expect(StrayTimes.corrected([0, 1, 2, 3, 9, 5]) == [0, 1, 2, 3, 9, 5])
  }
}
