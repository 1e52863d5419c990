import Testing
import TrackModel

@Suite("Quantiles")
struct QuantilesTests {
  @Test("The median of an even count is the mean of the two middle values, or the larger one")
  func median() {
    #expect([4, 1, 3, 2].median == 2.5)
    #expect([4, 1, 3, 2].upperMedian == 3)
    #expect([5].median == 5)
    #expect([3, 1, 2].median == 2)
    #expect([Double]().median == nil)
  }

  @Test("A quantile is larger than its share of the values")
  func quantile() {
    let values = (0..<10).map { Double($0) }
    #expect(values.quantile(0) == 0)
    #expect(values.quantile(0.9) == 9)
    #expect(values.quantile(0.25) == 2)
    #expect(values.quantile(1) == 9)
    #expect([Double]().quantile(0.5) == nil)
  }

  @Test("An outlier does not change the robust deviation")
  func deviation() throws {
    #expect(try #require([1, 2, 3, 4, 100].robustDeviation) == 1.4826)
    #expect([7].robustDeviation == 0)
    #expect([Double]().robustDeviation == nil)
  }
}
