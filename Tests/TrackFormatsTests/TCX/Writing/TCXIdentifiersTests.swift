import Testing
import TrackModel

@testable import TrackFormats

@Suite("Identifiers of activities and courses in TCX")
struct TCXIdentifiersTests {
  @Test("Numbers make repeated names unique, also beside names that end in a number")
  func numberedNames() {
    var identifiers = TCXIdentifiers()
    let names = ["way", "way 3", "way", "way", "way", "way 3", "a very long nam", "a very long nam"]
    #expect(
      names.map { identifiers.unused($0) } == [
        "way", "way 3", "way 2", "way 4", "way 5", "way 3 2", "a very long nam", "a very long n 2",
      ])
    let start = Instant(microseconds: 5_000_000)
    let next = Instant(microseconds: 5_001_000)
    #expect(
      [start, next, start, start].map { identifiers.unused($0).microseconds } == [
        5_000_000, 5_001_000, 5_002_000, 5_003_000,
      ])
  }
}
