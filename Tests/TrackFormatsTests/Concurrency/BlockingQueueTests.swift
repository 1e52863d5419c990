import Dispatch
import Testing

@testable import TrackFormats

@Suite("Handing over values between threads")
struct HandOverTests {
  @Test("Values arrive in the order in which they were added")
  func order() {
    let queue = BlockingQueue<Int>()
    DispatchQueue(label: "giver").async { for value in 0..<10_000 { queue.give(value) } }
    for value in 0..<10_000 { #expect(queue.take() == value) }
  }

  @Test("A closed queue returns nil on every call and wakes waiting threads")
  func closed() {
    let queue = BlockingQueue<Int>()
    DispatchQueue(label: "closer").async { queue.close() }
    #expect(queue.take() == nil)
    queue.give(1)
    #expect(queue.take() == nil)
    #expect(queue.take() == nil)
  }
}
