import CMath
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Spans of time that may overlap")
struct TimeSpanIndexTests {
  @Test("All spans within the tolerance of a span are candidates, in the order of their indices")
  func overlaps() throws {
    var random = SeededGenerator(seed: 7)
    // Of milliseconds to months, within a year around 1970.
    let spans = (0..<2000).map { _ in
      (
        start: Instant(
          microseconds: Int64.random(in: -16_000_000_000_000...16_000_000_000_000, using: &random)),
        duration: pow(10, Double.random(in: -3...6.5, using: &random))
      )
    }
    var index = TimeSpanIndex()
    for (number, span) in spans.enumerated() {
      index.insert(number, start: span.start, duration: span.duration)
    }
    for span in spans {
      let near = spans.indices.filter { number in
        let delay = spans[number].start.seconds(since: span.start)
        return delay <= span.duration + 5 && -delay <= spans[number].duration + 5
      }
      let candidates = index.candidates(start: span.start, duration: span.duration)
      #expect(Set(near).isSubset(of: candidates))
      #expect(candidates == candidates.sorted())
    }
  }

  @Test("Spans that follow each other every two seconds have few candidates")
  func sequence() {
    var index = TimeSpanIndex()
    for number in 0..<10_000 {
      index.insert(number, start: Instant(microseconds: Int64(number) * 2_000_000), duration: 1)
    }
    // Those that begin at most 6 s before and 6 s after, and some that share their buckets.
    let candidates = index.candidates(start: Instant(microseconds: 10_000_000_000), duration: 1)
    #expect(candidates.contains(5000) && candidates.count < 20)
  }

  @Test(
    "Spans of any start and duration are accepted",
    arguments: [-1, 0, 1e-9, 1e12, 1e300, .infinity, .nan] as [Double])
  func extremes(duration: Double) {
    for start in [Int64.min, -1, 0, Int64.max] {
      var index = TimeSpanIndex()
      index.insert(3, start: Instant(microseconds: start), duration: duration)
      #expect(index.candidates(start: Instant(microseconds: start), duration: duration) == [3])
    }
  }
}
