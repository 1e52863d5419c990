import DriveMatching
import Testing

@Suite("Median")
struct MedianTests {
  @Test("The median of an even count is the mean of the two middle values")
  func median() {
    #expect([4, 1, 3, 2].median == 2.5)
    #expect([5].median == 5)
    #expect([3, 1, 2].median == 2)
    #expect([Double]().median == nil)
  }
}
