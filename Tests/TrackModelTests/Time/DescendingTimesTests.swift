import Testing
import TrackModel

@Suite struct DescendingTimesTests {
  @Test(
    "Times descend if several steps lead back and at most one in ten leads forward",
    arguments: [
      ([30, 20, 10], true), ([30, 30, 20, nil, 20, 10], true), ([20, 10], false), ([10, 20, 30], false),
      ([], false), ([nil, nil, nil], false), ([50, 40, 30, 20, 30, 10], false),
      // 9 and 8 steps back, and one forward.
      ([100, 90, 80, 70, 60, 50, 40, 30, 35, 20, 10], true),
      ([90, 80, 70, 60, 50, 40, 30, 35, 20, 10], false),
    ] as [([Int64?], Bool)])
  func direction(times: [Int64?], isDescending: Bool) {
    var whole = DescendingTimes()
    whole.add(times.map { $0 ?? Instant.absent })
    #expect(whole.isDescending == isDescending)
    var parts = DescendingTimes()
    for time in times { parts.add([time ?? Instant.absent]) }
    #expect(parts.isDescending == isDescending)
  }
}
