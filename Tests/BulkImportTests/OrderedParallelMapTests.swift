import Synchronization
import Testing

@testable import BulkImport

@Suite("Ordered work")
struct OrderedWorkTests {
  /// Returns the results of a run over the numbers below `count`.
  private func outputs(jobs: Int, count: Int, heldLimit: Int = 1 << 20) -> [Int] {
    var result: [Int] = []
    OrderedParallelMap<Int, Int>(jobs: jobs, heldLimit: heldLimit).run(
      produce: { intake in
        for number in 0..<count {
          // Every seventh number is processed by the producer.
          if number % 7 == 3 {
            intake.perform { _, emit in _ = emit(number * 10) }
          } else {
            intake.submit(number, cost: 1000)
          }
        }
      },
      work: { number, _, emit in
        // Later items often finish before earlier ones.
        var sum = 0
        for step in 0..<((number * 7919) % 13) * 2000 { sum &+= step }
        _ = emit(number * 10 + (sum == -1 ? 1 : 0))
      },
      consume: {
        result.append($0)
        return true
      })
    return result
  }

  @Test("Results are in the order of the items, for every number of jobs", arguments: [1, 2, 3, 8])
  func order(jobs: Int) {
    #expect(outputs(jobs: jobs, count: 500) == (0..<500).map { $0 * 10 })
  }

  @Test("A run without items ends immediately", arguments: [1, 4])
  func nothing(jobs: Int) { #expect(outputs(jobs: jobs, count: 0) == []) }

  @Test("An item larger than the limit is processed alone")
  func largeItems() {
    #expect(outputs(jobs: 4, count: 100, heldLimit: 10) == (0..<100).map { $0 * 10 })
  }

  @Test("The number of started items is bounded by the queue, even with a slow consumer")
  func bounded() {
    let started = Atomic(0)
    var consumed = 0
    var farthest = 0
    OrderedParallelMap<Int, Int>(jobs: 2).run(
      produce: { intake in for number in 0..<200 { intake.submit(number) } },
      work: { number, _, emit in
        started.add(1, ordering: .sequentiallyConsistent)
        _ = emit(number)
      },
      consume: { _ in
        farthest = max(farthest, started.load(ordering: .sequentiallyConsistent) - consumed)
        consumed += 1
        return true
      })
    #expect(consumed == 200)
    // Four per job, four more, and the item that is being consumed.
    #expect(farthest <= 2 * 4 + 4 + 1)
  }

  @Test("Turns are taken in the order of the items", arguments: [1, 2, 6])
  func turns(jobs: Int) {
    let taken = Mutex<[Int]>([])
    OrderedParallelMap<Int, Int>(jobs: jobs).run(
      produce: { intake in
        for number in 0..<300 {
          if number % 11 == 0 {
            intake.perform { turn, _ in turn.take { taken.withLock { $0.append(number) } } }
          } else {
            intake.submit(number)
          }
        }
      },
      work: { number, turn, _ in
        // Some items take no turn.
        if number % 5 != 0 { turn.take { taken.withLock { $0.append(number) } } }
      },
      consume: { _ in true })
    #expect(taken.withLock { $0 } == (0..<300).filter { $0 % 11 == 0 || $0 % 5 != 0 })
  }

  @Test("With one job, an item can stop when its results are no longer wanted")
  func stopping() {
    var seen: [Int] = []
    OrderedParallelMap<Int, Int>(jobs: 1).run(
      produce: { intake in for number in 0..<3 { intake.submit(number) } },
      work: { number, _, emit in
        for part in 0..<100 where !emit(number * 100 + part) { return }
      },
      consume: {
        seen.append($0)
        return $0 % 100 < 2
      })
    #expect(seen == [0, 1, 2, 100, 101, 102, 200, 201, 202])
  }
}
