import Synchronization
import TestSupport
import Testing

@testable import BulkImport

/// Ordered work finishes without a deadlock for every combination of limits.
@Suite struct OrderedWorkLimitsTests {
  /// An item with its number, and the memory used by the item and by its result.
  private struct Item: Sendable {
    var number: Int
    var cost: Int
    var outputCost: Int
    var wantsTurn: Bool
    /// Whether the producer does the work.
    var isPerformed: Bool
  }

  @Test("All results are delivered in order, for all sizes of items and results", arguments: [1, 2, 3, 8])
  func random(jobs: Int) {
    var generator = SeededGenerator(seed: SeededGenerator.printedSeed())
    for _ in 0..<60 {
      let largest = [0, 10, 100, 1000].randomElement(using: &generator) ?? 0
      let items = (0..<Int.random(in: 0...60, using: &generator)).map { number in
        Item(
          number: number, cost: .random(in: 0...largest, using: &generator),
          outputCost: .random(in: 0...largest, using: &generator),
          wantsTurn: .random(using: &generator), isPerformed: Int.random(in: 0..<7, using: &generator) == 0)
      }
      let isStoppable = Bool.random(using: &generator)
      var numbers: [Int] = []
      OrderedParallelMap<Item, Item>(
        jobs: jobs, heldLimit: .random(in: 1...1200, using: &generator),
        slack: .random(in: 1...20, using: &generator),
        stop: isStoppable ? WorkStop() : nil, outputCost: \.outputCost
      ).run(
        produce: { intake in
          for item in items {
            if item.isPerformed {
              intake.perform { turn, emit in
                if item.wantsTurn { turn.take {} }
                _ = emit(item)
              }
            } else {
              intake.submit(item, cost: item.cost)
            }
          }
        },
        work: { item, turn, emit in
          if item.wantsTurn { turn.take {} }
          _ = emit(item)
        },
        consume: {
          numbers.append($0.number)
          return true
        })
      #expect(numbers == Array(items.indices))
    }
  }

  @Test("Items are processed one at a time if only one fits")
  func largeItems() {
    let atWork = Mutex((now: 0, most: 0))
    var consumed = 0
    OrderedParallelMap<Int, Int>(jobs: 8, heldLimit: 1000).run(
      produce: { intake in for number in 0..<50 { intake.submit(number, cost: 600) } },
      work: { number, _, emit in
        atWork.withLock {
          $0.now += 1
          $0.most = max($0.most, $0.now)
        }
        _ = emit(number)
        atWork.withLock { $0.now -= 1 }
      },
      consume: { _ in
        consumed += 1
        return true
      })
    #expect(consumed == 50)
    #expect(atWork.withLock { $0.most } == 1)
  }
}
