import Testing
import TrackModel

struct PartitionIndexTests {
  @Test("The boundary is found at any index, for every length up to 40", arguments: 0...40)
  func everyBoundary(count: Int) {
    for boundary in 0...count {
      let column = (0..<count).map { $0 >= boundary }
      #expect(column.partitionIndex { $0 } == boundary)
      #expect((100..<100 + count).partitionIndex { $0 >= 100 + boundary } == 100 + boundary)
      #expect(([false, false] + column)[2...].partitionIndex { $0 } == 2 + boundary)
    }
  }

  @Test("The first of several equal elements is found")
  func equal() {
    let times = [1, 3, 3, 3, 7]
    #expect(times.partitionIndex { $0 >= 3 } == 1)
    #expect(times.partitionIndex { $0 > 3 } == 4)
  }

  @Test("A million elements need 20 comparisons")
  func logarithmic() {
    var comparisons = 0
    let index = (0..<1_000_000).partitionIndex {
      comparisons += 1
      return $0 >= 271_828
    }
    #expect(index == 271_828 && comparisons <= 20)
  }
}
