import TestSupport
import Testing

@testable import DriveMatching

@Suite("Isotonic regression")
struct IsotonicRegressionTests {
  @Test("Adjacent violators are replaced by their mean")
  func violators() {
    var values: [Double] = [9, 1, 3, 2, 4, 0]
    IsotonicRegression.apply(to: &values, in: 1..<5)
    #expect(values == [9, 1, 2.5, 2.5, 4, 0])
  }

  @Test("The result equals that of the min-max formula")
  func minMax() {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let values = (0..<Int.random(in: 1...12, using: &generator)).map { index in
        Double(index) + Double.random(in: -4...4, using: &generator)
      }
      var result = values
      IsotonicRegression.apply(to: &result, in: values.indices)
      for index in values.indices {
        var expected = -Double.infinity
        for start in 0...index {
          var least = Double.infinity
          for end in index..<values.count {
            least = min(least, values[start...end].reduce(0, +) / Double(end - start + 1))
          }
          expected = max(expected, least)
        }
        #expect(abs(result[index] - expected) < 1e-9)
      }
    }
  }

  @Test("An empty range changes nothing")
  func empty() {
    var values = [2.0, 1]
    IsotonicRegression.apply(to: &values, in: 1..<1)
    #expect(values == [2, 1])
  }
}
